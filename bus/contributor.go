package bus

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"consilience/identity"
	"consilience/reason"
)

// Contributor is a contributor's connection: it can send its own deltas, ask the
// API as itself and hear its own outcomes, nothing else.
type Contributor struct {
	nc *nats.Conn
	js jetstream.JetStream
	id identity.ID

	mu      sync.Mutex
	waiting map[string]map[*call]bool // by subject
}

// call is a publish or request that waits for its answer.
type call struct{ fail context.CancelCauseFunc }

// DialContributor connects as the holder of key. id is the contributor's id where
// key is not its first; zero means the id of key.
//
// Errors: [reason.Unreachable], [reason.PermissionDenied] for a key that the server
// does not take.
func DialContributor(ctx context.Context, url string, key identity.PrivateKey, id identity.ID, options ...nats.Option) (*Contributor, error) {
	if id == (identity.ID{}) {
		id = key.Public().ID()
	}
	login, err := keyLogin(key)
	if err != nil {
		return nil, err
	}
	c := &Contributor{id: id, waiting: map[string]map[*call]bool{}}
	c.nc, err = dial(ctx, url, append([]nats.Option{
		login, nats.Name("contributor"),
		// The server lets a contributor hear this inbox only; a shared one would let
		// everybody read everybody's replies.
		nats.CustomInboxPrefix("_INBOX_" + id.Token()),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { c.violated(err) }),
	}, options...))
	if err != nil {
		return nil, err
	}
	if c.js, err = jetstream.New(c.nc); err != nil {
		c.nc.Close()
		return nil, unavailable(err, "cannot publish")
	}
	return c, nil
}

// ID is the contributor's id.
func (c *Contributor) ID() identity.ID { return c.id }

// Close ends the connection.
func (c *Contributor) Close() { c.nc.Close() }

// Publish puts data on the log and returns its sequence; see [Bus.Publish].
// A subject that the server does not let this contributor use fails at once with
// [reason.PermissionDenied].
func (c *Contributor) Publish(ctx context.Context, subject string, data []byte) (seq uint64, err error) {
	ctx, done := c.begin(ctx, subject)
	defer done()
	err = persist(ctx, attemptTimeout, func(attempt context.Context) error {
		seq, err = put(attempt, c.js, subject, data)
		return err
	})
	if denied := denial(ctx); denied != nil {
		return 0, denied
	}
	return seq, publishFailed(err)
}

// Request asks the service; see [Bus.Request] and, for the subject, [Contributor.Publish].
func (c *Contributor) Request(ctx context.Context, subject string, data []byte) ([]byte, error) {
	ctx, done := c.begin(ctx, subject)
	defer done()
	reply, err := request(ctx, c.nc, subject, data)
	if denied := denial(ctx); denied != nil {
		return nil, denied
	}
	return reply, err
}

// SubscribeOutcomes calls hear with each outcome for this contributor; see
// [Bus.SubscribeOutcomes]. Whether the service signed it is the caller's to check.
func (c *Contributor) SubscribeOutcomes(ctx context.Context, hear func(data []byte)) error {
	return subscribeOutcomes(ctx, c.nc, c.id, hear)
}

// begin registers a call on subject, so that a refusal, which the server reports
// apart from it, ends it.
func (c *Contributor) begin(ctx context.Context, subject string) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	this := &call{fail: cancel}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting[subject] == nil {
		c.waiting[subject] = map[*call]bool{}
	}
	c.waiting[subject][this] = true
	return ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.waiting[subject], this)
		if len(c.waiting[subject]) == 0 {
			delete(c.waiting, subject)
		}
		cancel(nil)
	}
}

// violated ends the calls on the subject that a permission violation names.
func (c *Contributor) violated(err error) {
	if !errors.Is(err, nats.ErrPermissionViolation) {
		return
	}
	_, rest, _ := strings.Cut(err.Error(), `"`)
	subject, _, _ := strings.Cut(rest, `"`)
	c.mu.Lock()
	defer c.mu.Unlock()
	for call := range c.waiting[subject] {
		call.fail(reason.New(reason.PermissionDenied, "the server does not let this contributor use the subject").
			Advise("enroll the contributor for the space, or use its own id and key"))
	}
}

// denial returns the refusal that ended ctx, if one did.
func denial(ctx context.Context) error {
	if cause := context.Cause(ctx); reason.Of(cause) == reason.PermissionDenied {
		return cause
	}
	return nil
}
