package reconcile

import (
	"context"

	"consilience/cluster"
	"consilience/command"
	"consilience/fleet"
	"consilience/merge"
)

// Finders hands out rule 3 of joining, which finds similar texts.
type Finders interface {
	// Prepare makes and commits the vectors of the texts that entries bring to the
	// space. It is called before the transaction, since a model may be slow.
	Prepare(ctx context.Context, space fleet.Space, entries []merge.Entry) error
	// Begin returns the finder for one transaction on one space, whose position row
	// is locked. Before it returns, the vectors of all texts that entries bring are
	// committed, each once for its model and content, so that a replay finds the
	// same. It returns nil for a space that joins by content alone.
	Begin(ctx context.Context, space fleet.Space, entries []merge.Entry) (Finding, error)
	// Forget drops what is remembered of a partition's spaces. It is called whenever
	// somebody else may have merged there, or a commit of one's own whose answer was
	// lost: that may have split items or erased texts.
	Forget(partition int)
}

// Finding is the finder of one transaction.
type Finding interface {
	cluster.Finder
	// End says whether the transaction was committed. What the finder was told of
	// items founded in one that was not MUST be forgotten.
	End(committed bool)
}

// exactOnly joins by content alone.
type exactOnly struct{}

func (exactOnly) Prepare(context.Context, fleet.Space, []merge.Entry) error { return nil }

func (exactOnly) Forget(int) {}

func (exactOnly) Begin(context.Context, fleet.Space, []merge.Entry) (Finding, error) { return nil, nil }

// reshapes reports whether an entry changes what similar texts are found among, or
// how: the model or the threshold, or the texts that founded items. Such an entry
// ends its transaction, so that every finder serves one state of affairs.
func reshapes(e merge.Entry) bool {
	switch b := e.Body.(type) {
	case *merge.FactBody:
		return b.Kind == command.KindPolicy
	case *merge.JudgementBody:
		return b.Command.Kind == command.KindErase || b.Command.Kind == command.KindSplit
	}
	return false
}

// untilReshaped is how many of entries, at least one, belong in one transaction.
func untilReshaped(entries []merge.Entry) int {
	for i, e := range entries {
		if reshapes(e) {
			return i + 1
		}
	}
	return len(entries)
}
