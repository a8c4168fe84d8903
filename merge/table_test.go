package merge

import (
	"maps"

	"consilience/command"
	"consilience/delta"
	"consilience/lineage"
	"consilience/record"
	"consilience/reputation"
)

// tables is a store in memory that knows a space only through its plans, row by
// row, as the real one does: what a plan leaves out is lost, and what a need
// leaves out is not there.
type tables struct {
	space      SpaceState
	items      map[ItemNo]Item // without statements and contents
	statements map[ItemNo]map[statementKey]Statement
	at         map[statementKey]ItemNo
	ids        map[record.ItemID]ItemNo
	contents   map[record.Content]ContentState // without holders
	holders    map[record.Content]map[lineage.Node]Holder
	records    map[record.ID]RecordState
	reps       map[lineage.Node]reputation.Record
	sequences  map[SequenceKey]delta.ID
	highest    map[lineage.Node]uint64
	slices     map[SliceKey]IssuedSlice
	exposures  map[ExposureKey]uint64
	commands   map[command.ID]bool
}

type statementKey struct {
	contributor lineage.Node
	sequence    uint64
	index       uint16
}

func newTables(space SpaceState) *tables {
	return &tables{
		space: space, items: map[ItemNo]Item{}, statements: map[ItemNo]map[statementKey]Statement{},
		at: map[statementKey]ItemNo{}, ids: map[record.ItemID]ItemNo{},
		contents: map[record.Content]ContentState{}, holders: map[record.Content]map[lineage.Node]Holder{},
		records: map[record.ID]RecordState{}, reps: map[lineage.Node]reputation.Record{},
		sequences: map[SequenceKey]delta.ID{}, highest: map[lineage.Node]uint64{},
		slices: map[SliceKey]IssuedSlice{}, exposures: map[ExposureKey]uint64{}, commands: map[command.ID]bool{},
	}
}

// write writes a plan.
func (db *tables) write(p *Plan) {
	db.space = p.Space
	for _, items := range [][]*Item{p.NewItems, p.ChangedItems} {
		for _, it := range items {
			row := *it
			row.Statements, row.Contents, row.touched = nil, nil, 0
			db.items[it.No] = row
			db.ids[it.ID] = it.No
		}
	}
	for _, contents := range [][]*ContentState{p.NewContents, p.ChangedContents} {
		for _, c := range contents {
			row := *c
			row.Holders = nil
			db.contents[c.Content] = row
		}
	}
	for _, r := range p.NewRecords {
		db.records[r.ID] = r.RecordState
	}
	for _, statements := range [][]*Statement{p.NewStatements, p.ChangedStatements} {
		for _, st := range statements {
			db.writeStatement(*st)
		}
	}
	for _, holders := range [][]HolderRow{p.NewHolders, p.ChangedHolders} {
		for _, h := range holders {
			if db.holders[h.Content] == nil {
				db.holders[h.Content] = map[lineage.Node]Holder{}
			}
			db.holders[h.Content][h.Contributor] = *h.Holder
		}
	}
	db.writeRest(p)
}

func (db *tables) writeStatement(st Statement) {
	k := statementKey{st.Contributor, st.Sequence, st.Index}
	delete(db.statements[db.at[k]], k)
	if db.statements[st.Item] == nil {
		db.statements[st.Item] = map[statementKey]Statement{}
	}
	db.statements[st.Item][k], db.at[k] = st, st.Item
}

func (db *tables) writeRest(p *Plan) {
	if len(p.Moves)+len(p.Erasures) > 0 {
		db.rewriteRecords(p)
	}
	for _, r := range p.Reputations {
		db.reps[r.Contributor] = r.Record
	}
	for _, d := range p.Deltas {
		db.sequences[SequenceKey{d.Contributor, d.Sequence}] = d.ID
		db.highest[d.Contributor] = max(db.highest[d.Contributor], d.Sequence)
	}
	for _, s := range p.Slices {
		db.slices[s.Digest] = s
	}
	for _, e := range p.Exposures {
		if k := (ExposureKey{e.Root, e.Content}); db.exposures[k] == 0 {
			db.exposures[k] = e.Seq
		}
	}
	for _, j := range p.Judgements {
		db.commands[j.ID] = true
	}
}

func (db *tables) rewriteRecords(p *Plan) {
	for id, r := range db.records {
		for _, m := range p.Moves {
			if r.Content == m.Content {
				r.Item = m.To
			}
		}
		for _, e := range p.Erasures {
			r.Erased = r.Erased || r.Content == e.Content
		}
		db.records[id] = r
	}
}

// load puts what is needed.
func (db *tables) load(need Need, s *State) {
	for _, c := range need.Contents {
		if row, ok := db.contents[c]; ok {
			it := db.item(row.Item)
			s.PutItem(it)
			for _, cs := range it.Contents {
				if cs.Content == c {
					s.PutContent(c, cs)
				}
			}
			continue
		}
		s.PutContent(c, nil)
	}
	for _, id := range need.Items {
		s.PutItemID(id, db.itemByID(id))
	}
	for _, no := range need.ItemNos {
		s.PutItem(db.item(no))
	}
	for _, id := range need.Records {
		s.PutRecord(id, pointer(db.records, id))
	}
	for _, n := range need.Reputations {
		s.PutReputation(n, pointer(db.reps, n))
	}
	for _, k := range need.Sequences {
		s.PutSequence(k, pointer(db.sequences, k))
		s.PutHighest(k.Contributor, db.highest[k.Contributor])
	}
	for _, k := range need.Slices {
		s.PutSlice(k, pointer(db.slices, k))
	}
	for _, k := range need.Exposures {
		s.PutExposure(k, db.exposures[k], db.exposures[k] != 0)
	}
	for _, id := range need.Commands {
		s.PutCommand(id, db.commands[id])
	}
}

func pointer[K comparable, V any](m map[K]V, k K) *V {
	if v, ok := m[k]; ok {
		return &v
	}
	return nil
}

// item returns a copy of an item, whole.
func (db *tables) item(no ItemNo) *Item {
	it := db.items[no]
	for _, st := range db.statements[no] {
		it.Statements = append(it.Statements, &st)
	}
	for _, c := range db.contents {
		if c.Item == no {
			c.Holders = map[lineage.Node]*Holder{}
			for n, h := range db.holders[c.Content] {
				c.Holders[n] = &h
			}
			it.Contents = append(it.Contents, &c)
		}
	}
	for _, st := range it.Statements {
		st.mark = clean
	}
	for _, c := range it.Contents {
		c.mark = clean
		for _, h := range c.Holders {
			h.mark = clean
		}
	}
	it.mark = clean
	return &it
}

func (db *tables) itemByID(id record.ItemID) *Item {
	if no, ok := db.ids[id]; ok {
		return db.item(no)
	}
	return nil
}

// complete returns everything as a complete state.
func (db *tables) complete() *State {
	s := NewState(db.space)
	s.Complete = true
	for no := range db.items {
		s.PutItem(db.item(no))
	}
	for id := range db.records {
		s.PutRecord(id, pointer(db.records, id))
	}
	for n := range db.reps {
		s.PutReputation(n, pointer(db.reps, n))
	}
	for k := range db.sequences {
		s.PutSequence(k, pointer(db.sequences, k))
	}
	maps.Copy(s.highest, db.highest)
	maps.Copy(s.exposures, db.exposures)
	return s
}
