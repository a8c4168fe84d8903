package agent

import (
	"consilience/delta"
	"consilience/reason"
	"consilience/record"
)

// Part is as much of a delta as one message holds.
type Part struct {
	Changes
	Records []record.Record // in the order in which they travel
	size    int             // of the message, bytes, never too low
}

// Most bytes that the parts of a message take, heads included.
const (
	messageOverhead = 512 // envelope, numbers, base slice, name of the space
	recordOverhead  = 16  // heads of a record, its forward part and its content
	newSize         = 48
	modifiedSize    = 88
	absentSize      = 48
)

// Split puts changes into as few parts as keep their order, none over the
// limits. A record stands after those it refers to, in its part or an earlier
// one, so that parts published in order never name a record that is still to
// come. records holds every record that c names. It returns
// [reason.MessageTooLarge] for a record that fits no message.
func Split(c Changes, records map[record.ID]record.Record, l delta.Limits) ([]Part, error) {
	s := splitter{limits: l}
	for _, st := range travelOrder(c, records) {
		r, ok := records[st.record]
		if !ok {
			return nil, reason.New(reason.RecordMissing, "a changed record is not in the local memory").On(st.record.String())
		}
		size := len(r.Forward) + len(r.Content) + recordOverhead + st.size
		if messageOverhead+size > l.MessageBytes {
			return nil, reason.New(reason.MessageTooLarge, "%d bytes fit no message of %d", len(r.Content), l.MessageBytes).
				On(r.ID.String()).Advise("forget it, and remember it in parts")
		}
		p := s.room(size)
		p.Records = append(p.Records, r)
		st.add(p)
	}
	for _, a := range c.Absent {
		p := s.room(absentSize)
		p.Absent = append(p.Absent, a)
	}
	return s.parts, nil
}

type splitter struct {
	limits delta.Limits
	parts  []Part
}

// room returns the part that takes a statement of size bytes, the last or a new one.
func (s *splitter) room(size int) *Part {
	if n := len(s.parts); n > 0 {
		p := &s.parts[n-1]
		entries := len(p.New) + len(p.Modified) + len(p.Absent)
		if p.size+size <= s.limits.MessageBytes && entries < s.limits.Entries {
			p.size += size
			return p
		}
	}
	s.parts = append(s.parts, Part{size: messageOverhead + size})
	return &s.parts[len(s.parts)-1]
}

// statement is a change that carries a record.
type statement struct {
	record record.ID
	size   int
	add    func(*Part)
}

func statements(c Changes) []statement {
	out := make([]statement, 0, len(c.New)+len(c.Modified))
	for _, n := range c.New {
		out = append(out, statement{n.Record, newSize, func(p *Part) { p.New = append(p.New, n) }})
	}
	for _, m := range c.Modified {
		out = append(out, statement{m.Record, modifiedSize, func(p *Part) { p.Modified = append(p.Modified, m) }})
	}
	return out
}

// travelOrder is the statements in their order, except that each stands after
// those whose records its record refers to.
func travelOrder(c Changes, records map[record.ID]record.Record) []statement {
	all := statements(c)
	byRecord := make(map[record.ID]int, len(all))
	for i, st := range all {
		byRecord[st.record] = i
	}
	out := make([]statement, 0, len(all))
	placed := make([]bool, len(all))
	var place func(i int)
	place = func(i int) {
		if placed[i] {
			return
		}
		placed[i] = true
		for _, pair := range records[all[i].record].Pairs {
			if j, ok := byRecord[pair.Record]; ok {
				place(j)
			}
		}
		out = append(out, all[i])
	}
	for i := range all {
		place(i)
	}
	return out
}
