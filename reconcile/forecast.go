package reconcile

import (
	"context"
	"slices"

	"consilience/fleet"
	"consilience/identity"
	"consilience/lineage"
	"consilience/merge"
	"consilience/record"
)

// Peeker is a store that can be looked at without being written to.
type Peeker interface {
	// Facts is as in [Store].
	Facts(ctx context.Context, after uint64) ([]FactRow, error)
	// Peek opens a transaction on one snapshot. It holds no position, and what
	// is written in it fails.
	Peek(ctx context.Context) (Tx, error)
}

// Forecast is what a quarantine or a release would do, computed by the code that
// would do it.
type Forecast struct {
	Members []Member        // the target and all that derives from it, by node
	Spaces  []SpaceForecast // those where they have said anything, in the order of their creation
}

// Member is one of those that a quarantine takes.
type Member struct {
	ID      identity.ID
	Name    string
	Depth   int           // edges on the longest way to its root
	Parents []identity.ID // its direct ones
	// Statements and Items are what it said in all spaces, and on how many items.
	Statements, Items int
}

// SpaceForecast is what would change in one space.
type SpaceForecast struct {
	Space string
	// Touched is how many items the members have a statement on.
	Touched int
	// Quarantined and Restored are the items whose status would change.
	Quarantined, Restored []record.ItemID
	// Kept are the items that a member supports and clean support carries.
	Kept []record.ItemID
	// Moved is how many other items would change their confidence.
	Moved int
}

// Foresee computes what a fact, signed and not published, would do if the log gave
// it the next sequence, [Log.Last] plus one. It changes nothing. A fact that the
// fleet would refuse is refused for the same reason.
func Foresee(ctx context.Context, store Peeker, id [32]byte, fact fleet.Fact) (Forecast, error) {
	state, err := foldAll(ctx, store, id)
	if err != nil {
		return Forecast{}, err
	}
	effect, err := state.Apply(fact)
	if err != nil {
		return Forecast{}, err
	}
	f := foreseen{view: state.At(fact.Seq + 1), entry: merge.Entry{Seq: fact.Seq, Subject: fact.Subject.String(), Body: &merge.FactBody{Effect: effect}}}
	f.members = map[lineage.Node]*Member{}
	for _, n := range effect.Sweep.Nodes {
		f.members[n] = f.member(n)
	}
	tx, err := store.Peek(ctx)
	if err != nil {
		return Forecast{}, err
	}
	defer tx.Rollback(ctx)
	for _, s := range f.view.Spaces() {
		if err := f.space(ctx, tx, s); err != nil {
			return Forecast{}, err
		}
	}
	return f.result(effect.Sweep.Nodes), nil
}

// foldAll folds the facts that the store holds.
func foldAll(ctx context.Context, store Peeker, id [32]byte) (*fleet.State, error) {
	rows, err := store.Facts(ctx, 0)
	if err != nil {
		return nil, err
	}
	state := fleet.New(id)
	for _, r := range rows {
		state.Apply(r.Fact) // a fact that was refused is refused again
	}
	return state, nil
}

// foreseen is a forecast in the making.
type foreseen struct {
	view    fleet.View
	entry   merge.Entry
	members map[lineage.Node]*Member
	spaces  []SpaceForecast
}

func (f *foreseen) member(n lineage.Node) *Member {
	c := f.view.ByNode(n)
	m := &Member{ID: c.ID, Name: c.Name, Depth: f.view.Lineage().Depth(n)}
	for _, p := range c.Parents {
		m.Parents = append(m.Parents, f.view.ID(p))
	}
	return m
}

func (f *foreseen) result(nodes []lineage.Node) Forecast {
	out := Forecast{Spaces: f.spaces}
	for _, n := range nodes {
		out.Members = append(out.Members, *f.members[n])
	}
	return out
}

// space recomputes what the members have a statement on, as the merge would, and
// keeps what changed instead of writing it.
func (f *foreseen) space(ctx context.Context, tx Tx, s fleet.Space) error {
	space, err := tx.Space(ctx, s.Num, s.Name)
	if err != nil {
		return err
	}
	sweep, err := merge.NewState(space).Apply(f.entry, f.view, nil)
	if err != nil || sweep.Empty() {
		return err
	}
	sweep.Cause = "" // spreads no taint
	out := SpaceForecast{Space: s.Name}
	err = tx.Sweep(ctx, s.Num, sweep, sweepChunk, func(items []*merge.Item) error {
		return f.chunk(ctx, tx, space, sweep, items, &out)
	})
	if err == nil && out.Touched > 0 {
		f.spaces = append(f.spaces, out)
	}
	return err
}

// chunk recomputes some items and counts what became of them.
func (f *foreseen) chunk(ctx context.Context, tx Tx, space merge.SpaceState, sweep merge.Sweep, items []*merge.Item, out *SpaceForecast) error {
	before := make(map[merge.ItemNo]merge.Item, len(items))
	for _, it := range items {
		before[it.No] = *it
		f.count(it)
	}
	out.Touched += len(items)
	state := merge.NewState(space)
	if need := state.ItemNeeds(items); !need.Empty() {
		if err := tx.Load(ctx, space.Num, need, state); err != nil {
			return err
		}
	}
	state.Recompute(items, f.view, sweep)
	for _, it := range items {
		f.compare(before[it.No], it, out)
	}
	return nil
}

// count counts what members said on an item.
func (f *foreseen) count(it *merge.Item) {
	seen := map[lineage.Node]bool{}
	for _, st := range it.Statements {
		m := f.members[st.Contributor]
		if m == nil {
			continue
		}
		m.Statements++
		if !seen[st.Contributor] {
			seen[st.Contributor] = true
			m.Items++
		}
	}
}

// compare puts an item where it belongs in the forecast.
func (f *foreseen) compare(was merge.Item, is *merge.Item, out *SpaceForecast) {
	switch {
	case was.Status != is.Status && is.Status == merge.Quarantined:
		out.Quarantined = append(out.Quarantined, is.ID)
	case was.Status != is.Status:
		out.Restored = append(out.Restored, is.ID)
	case is.Status == merge.Active && is.Confidence > 0 && slices.ContainsFunc(is.Statements, f.supports):
		out.Kept = append(out.Kept, is.ID)
	case was.Confidence != is.Confidence:
		out.Moved++
	}
}

// supports reports whether a statement is a member's support.
func (f *foreseen) supports(s *merge.Statement) bool {
	return s.Side == merge.Support && f.members[s.Contributor] != nil
}
