package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"consilience/bus"
	"consilience/command"
	"consilience/fleet"
	"consilience/identity"
	"consilience/internal/wiring"
	"consilience/reason"
	"consilience/reconcile"
	"consilience/storage/postgres"
)

// pollEvery is how often a command looks for its effect.
const pollEvery = 20 * time.Millisecond

// desk is an operator at work: the log to write to, the store to see the effect
// in, and the fleet as the store knows it.
type desk struct {
	app   *app
	key   identity.PrivateKey
	id    [32]byte
	bus   *bus.Bus
	store *postgres.Store
	fleet *reconcile.Fleet
	// cosigners sign beside key, where a fact needs more than one operator.
	cosigners []identity.PrivateKey
}

// openDesk connects an operator. close gives everything back.
func (a *app) openDesk(ctx context.Context) (d *desk, close func(), err error) {
	key, err := a.operator()
	if err != nil {
		return nil, nil, err
	}
	id, err := a.storeID()
	if err != nil {
		return nil, nil, err
	}
	store, err := a.openStore(ctx)
	if err != nil {
		return nil, nil, err
	}
	b, err := a.openBus(ctx, a.operatorKey)
	if err != nil {
		store.Close()
		return nil, nil, err
	}
	close = func() { b.Close(); store.Close() }
	f, err := reconcile.LoadFleet(ctx, id, wiring.Store{Store: store})
	if err != nil {
		close()
		return nil, nil, err
	}
	d = &desk{app: a, key: key, id: id, bus: b, store: store, fleet: f}
	if err := d.checkOperator(a.operatorKey); err != nil {
		close()
		return nil, nil, err
	}
	return d, close, nil
}

// checkOperator returns an error unless the key is an operator's. NATS drops what
// another one publishes, without a word.
func (d *desk) checkOperator(file string) error {
	var ok bool
	d.fleet.Now(func(v fleet.View) { ok = v.Operator(d.key.Public().KeyID()) || v.LastFact() == 0 })
	if !ok {
		return reason.New(reason.SignerNotOperator, "no operator key of this store").On(file).Advise("an operator adds it with: reconciler operators add")
	}
	return nil
}

// sealed is a signed command that is not on the log yet.
type sealed struct {
	kind    command.Kind
	body    any
	id      command.ID
	subject string
	raw     []byte
}

// seal signs a command.
func (d *desk) seal(kind command.Kind, body any) (sealed, error) {
	c := command.Command{Kind: kind, Store: d.id, Body: body}
	if _, err := rand.Read(c.Nonce[:]); err != nil {
		return sealed{}, err
	}
	if err := c.Check(); err != nil {
		return sealed{}, err
	}
	return sealed{
		kind: kind, body: body, id: command.IDOf(c.Encode()), subject: command.SubjectFor(kind, c.Space(), d.key.Public().ID()),
		raw: command.Seal(c, append([]identity.PrivateKey{d.key}, d.cosigners...)...),
	}, nil
}

// fact publishes a fleet fact and waits until it is in the store. A fact that was
// refused there is the error.
func (d *desk) fact(ctx context.Context, kind command.Kind, body any) (result, error) {
	c, err := d.seal(kind, body)
	if err != nil {
		return result{}, err
	}
	return d.send(ctx, c)
}

func (d *desk) send(ctx context.Context, c sealed) (result, error) {
	seq, err := d.bus.Publish(ctx, c.subject, c.raw)
	if err != nil {
		return result{}, err
	}
	effect, err := d.effect(ctx, seq)
	if err != nil {
		return result{}, pending(seq, err)
	}
	return result{Command: c.id.String(), Kind: string(c.kind), Sequence: seq, Target: effect.Target, Effect: effect.Summary}, nil
}

// judge publishes a judgement about a record and waits until its space has merged
// it. A judgement that was refused there is the error.
func (d *desk) judge(ctx context.Context, kind command.Kind, j command.Judgement) (result, error) {
	c, err := d.seal(kind, j)
	if err != nil {
		return result{}, err
	}
	seq, err := d.bus.Publish(ctx, c.subject, c.raw)
	if err != nil {
		return result{}, err
	}
	if err := d.merged(ctx, seq, []int{command.Partition(j.Space)}); err != nil {
		return result{}, err
	}
	if err := refusal(ctx, d.store, seq); err != nil {
		return result{}, err
	}
	return result{Command: c.id.String(), Kind: string(kind), Sequence: seq, Target: j.Record.String()}, nil
}

// effect waits for the fact at seq.
func (d *desk) effect(ctx context.Context, seq uint64) (fleet.Effect, error) {
	var e fleet.Effect
	var refused error
	err := poll(ctx, "no reconciler took the command", func() (bool, error) {
		if err := d.fleet.Refresh(ctx); err != nil {
			return false, err
		}
		var ok bool
		e, refused, ok = d.fleet.Fact(seq)
		return ok, nil
	})
	if err != nil {
		return e, err
	}
	return e, refused
}

// merged waits until the partitions have passed seq.
func (d *desk) merged(ctx context.Context, seq uint64, partitions []int) error {
	bar := d.app.Progress("merging", int64(len(partitions)))
	defer bar.Done()
	for _, p := range partitions {
		if err := passed(ctx, d.store, p, seq); err != nil {
			return pending(seq, err)
		}
		bar.Add(1)
	}
	return nil
}

// passed waits until a partition has passed seq, and returns an error where it
// stands still.
func passed(ctx context.Context, store *postgres.Store, partition int, seq uint64) error {
	return poll(ctx, fmt.Sprintf("partition %d did not reach it", partition), func() (bool, error) {
		at, err := store.Position(ctx, partition)
		if err == nil && at.Stopped != "" && at.Seq < seq {
			err = reason.New(reason.PartitionHalted, "partition %d stands still: %s", partition, at.Stopped)
		}
		return at.Seq >= seq, err
	})
}

// refusal is the error of an entry that was merged and refused, else nil.
func refusal(ctx context.Context, store *postgres.Store, seq uint64) error {
	code, detail, refused, err := store.Refusal(ctx, seq)
	if err != nil || !refused {
		return err
	}
	detail = cmp.Or(uncoded(detail, code), "refused")
	return reason.New(reason.Code(code), "%s", detail).On(fmt.Sprintf("sequence %d", seq))
}

// uncoded is the detail of a refusal without the reason that is shown beside it.
func uncoded(detail, code string) string { return strings.Replace(detail, " ("+code+")", "", 1) }

// pending says of a command that nobody was seen to take that it is not lost.
func pending(seq uint64, err error) error {
	if reason.Of(err) != reason.TimedOut {
		return err
	}
	return reason.Wrap(reason.TimedOut, err, "on the log at sequence %d, and takes effect once a reconciler merges it", seq).On("the command")
}

// spacePartitions are the partitions that hold a space, each once.
func (d *desk) spacePartitions() []int {
	seen := map[int]bool{}
	var all []int
	d.fleet.Now(func(v fleet.View) {
		for _, s := range v.Spaces() {
			if p := command.Partition(s.Name); !seen[p] {
				seen[p] = true
				all = append(all, p)
			}
		}
	})
	return all
}

// contributor resolves an id or an enrolled name.
func (d *desk) contributor(arg string) (fleet.Contributor, error) {
	var c fleet.Contributor
	var ok bool
	d.fleet.Now(func(v fleet.View) {
		if c, ok = v.ByName(arg); ok {
			return
		}
		if id, err := identity.ParseID(arg); err == nil {
			c, ok = v.Contributor(id)
		}
	})
	if !ok {
		return c, reason.New(reason.ContributorUnknown, "neither an enrolled name nor a known id").On(arg).
			Advise("names and ids are in the view memory.contributors")
	}
	return c, nil
}

// poll asks done until it says yes. It gives up when ctx ends, saying late.
func poll(ctx context.Context, late string, done func() (bool, error)) error {
	for {
		ok, err := done()
		if ctx.Err() != nil && !ok {
			return reason.New(reason.TimedOut, "%s within --wait", late).Advise("is a reconciler running? see `reconciler dev` and `reconciler serve`")
		}
		if ok || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(pollEvery):
		}
	}
}

// result is what a command did, as printed.
type result struct {
	Command  string `json:"command_id"`
	Kind     string `json:"kind"`
	Sequence uint64 `json:"sequence"`
	Target   string `json:"target,omitempty"`
	Effect   string `json:"effect"`
}

func (r result) line(w io.Writer) { fmt.Fprintf(w, "%s (sequence %d)\n", r.Effect, r.Sequence) }

// commanding runs a verb with a desk under --wait.
func (a *app) commanding(run func(ctx context.Context, d *desk, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		wait, err := c.Flags().GetDuration("wait")
		if err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(c.Context(), wait)
		defer cancel()
		d, close, err := a.openDesk(ctx)
		if err != nil {
			return err
		}
		defer close()
		return run(ctx, d, args)
	}
}

func waitFlag(c *cobra.Command) *cobra.Command {
	c.Flags().Duration("wait", time.Minute, "how long to wait for the effect; the command stays on the log either way")
	return c
}
