package reconcile

import (
	"context"

	"consilience/cluster"
	"consilience/command"
	"consilience/fleet"
	"consilience/merge"
)

// Finders hands out rule 3 of joining, which finds similar texts. Nothing of it runs
// inside a transaction but the [Finding].
type Finders interface {
	// Embed makes the vectors that the founding texts of a space lack under the model
	// that its policy names, in chunks, each of which is kept when the next begins.
	// It runs beside the merge, and as soon as a fact names another model: entries
	// after the fact then have less to wait for. told may be nil.
	Embed(ctx context.Context, space fleet.Space, told Told) error
	// Prepare makes and commits the vectors of the texts that entries bring to the
	// space. It is called ahead of the merge, since a model may be slow.
	Prepare(ctx context.Context, space fleet.Space, entries []merge.Entry) error
	// Begin returns the finder for the next transaction on one space, which brings
	// entries. Only who holds the partition calls it, one transaction at a time, and
	// before the transaction: it waits until every founding text has its vector under
	// the model in force. Before it returns, the vectors of all texts that entries
	// bring are committed, each once for its model and content, so that a replay
	// finds the same. It returns nil for a space that joins by content alone, and for
	// entries that bring no text.
	Begin(ctx context.Context, space fleet.Space, entries []merge.Entry, told Told) (Finding, error)
	// Forget drops what is remembered of a partition's spaces. It is called whenever
	// somebody else may have merged there, or a commit of one's own whose answer was
	// lost: that may have split items or erased texts.
	Forget(partition int)
}

// Told hears how far the embedding of a space's founding texts is: how many of them
// got their vector since it began, and how many lacked one. It hears done == all at
// the end, and nothing where none lacked one.
type Told func(done, all int)

// Finding is the finder of one transaction.
type Finding interface {
	cluster.Finder
	// End says whether the transaction was committed. What the finder was told of
	// items founded in one that was not MUST be forgotten.
	End(committed bool)
}

// exactOnly joins by content alone.
type exactOnly struct{}

func (exactOnly) Embed(context.Context, fleet.Space, Told) error { return nil }

func (exactOnly) Prepare(context.Context, fleet.Space, []merge.Entry) error { return nil }

func (exactOnly) Forget(int) {}

func (exactOnly) Begin(context.Context, fleet.Space, []merge.Entry, Told) (Finding, error) {
	return nil, nil
}

// reshapes reports whether an entry changes what similar texts are found among, or
// how: the model or the threshold, or the texts that founded items. Such an entry
// ends its transaction, so that every finder serves one state of affairs: this is
// the one place at which a space goes from one model to the next.
func reshapes(e merge.Entry) bool {
	fact, ok := e.Body.(*merge.FactBody)
	return ok && fact.Kind == command.KindPolicy || takesOut(e)
}

// takesOut reports whether an entry takes founding texts away, or to other items.
func takesOut(e merge.Entry) bool {
	b, ok := e.Body.(*merge.JudgementBody)
	return ok && (b.Command.Kind == command.KindErase || b.Command.Kind == command.KindSplit)
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
