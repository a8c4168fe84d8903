package main

import (
	"cmp"
	"slices"
	"strings"

	"consilience/command"
	"consilience/fleet"
	"consilience/identity"
	"consilience/reason"
	"consilience/wire"
)

// wanted is an enrolment as the command line gives it.
type wanted struct {
	name                    string
	spaces, dropped         []string
	vouched                 bool
	origin                  string
	reputation              float64
	vouching, moving, rated bool // vouched, origin and reputation were given
}

// onto is what is wanted on top of the enrolment in force, or of none: what was not
// given stays.
func (w wanted) onto(e command.Enroll) (command.Enroll, error) {
	e.Name = w.name
	for _, s := range w.spaces {
		if slices.Contains(w.dropped, s) {
			return e, reason.New(reason.UsageError, "is given by --space as well").On("--drop-space " + s)
		}
	}
	left := slices.DeleteFunc(slices.Clone(e.Spaces), func(s string) bool { return slices.Contains(w.dropped, s) })
	e.Spaces = sortedSet(append(left, w.spaces...))
	if w.vouching {
		e.Vouched = w.vouched
	}
	if w.moving {
		e.Origin = w.origin
	}
	e.Reputation = 0 // what it was enrolled with stays
	if !w.rated {
		return e, nil
	}
	var err error
	e.Reputation, err = ppm("--reputation", w.reputation)
	return e, err
}

// enrolment is the enrolment in force of the contributor that key belongs to, or, for
// an unknown one, an empty one and false.
func (d *desk) enrolment(key identity.PublicKey) (command.Enroll, bool) {
	e := command.Enroll{Key: key}
	again := false
	d.fleet.Now(func(v fleet.View) {
		_, owner, _, known := v.Key(key.KeyID())
		if !known {
			return
		}
		c, _ := v.Contributor(owner)
		if again = len(c.Parents) == 0; again {
			e = command.Enroll{Key: key, Name: c.Name, Spaces: c.Spaces, Vouched: c.Vouched, Origin: c.Origin}
		}
	})
	return e, again
}

// spacesExist returns an error for the first space that the fleet does not know.
func (d *desk) spacesExist(names []string) (err error) {
	d.fleet.Now(func(v fleet.View) {
		for _, name := range names {
			if _, known := v.Space(name); !known {
				err = cmp.Or(err, spaceUnknown(name))
			}
		}
	})
	return err
}

// change is what an enrolment changes of the one in force.
type change struct {
	Member string `json:"member"`
	Before any    `json:"before"`
	After  any    `json:"after"`
}

// changes are the differences between two enrolments.
func changes(before, after command.Enroll) []change {
	all := []change{}
	if !slices.Equal(before.Spaces, after.Spaces) {
		all = append(all, change{"spaces", listed(before.Spaces), after.Spaces})
	}
	if before.Vouched != after.Vouched {
		all = append(all, change{"vouched", before.Vouched, after.Vouched})
	}
	if before.Origin != after.Origin {
		all = append(all, change{"origin", before.Origin, after.Origin})
	}
	return all
}

// inWords shows one side of a change to a person.
func inWords(v any) string {
	switch v := v.(type) {
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v]
	case []string:
		return cmp.Or(strings.Join(v, ", "), "none")
	case string:
		return cmp.Or(v, "none")
	}
	return ""
}

// ppm turns a fraction that a flag gives into millionths.
func ppm(flag string, v float64) (uint32, error) {
	if !(v >= 1.0/wire.Scale && v <= 1) {
		return 0, reason.New(reason.OutOfRange, "is %v, not 0.000001 to 1", v).On(flag)
	}
	return uint32(v*wire.Scale + 0.5), nil
}

func sortedSet(s []string) []string {
	s = slices.Clone(s)
	slices.Sort(s)
	if s = slices.Compact(s); s == nil {
		s = []string{}
	}
	return s
}
