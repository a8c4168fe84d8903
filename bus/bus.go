package bus

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"consilience/identity"
	"consilience/reason"
)

// Options say how to connect and what the stream is like.
type Options struct {
	// Name shows in the server's list of connections. Defaults to "reconciler".
	Name string
	// Key is the operator's or service's key that the server knows. It is not used
	// where the URL holds a user and password. Defaults to none.
	Key *identity.PrivateKey
	// NATS are further options of the connection, such as embedded.NATS.InProcess.
	NATS []nats.Option
	// Replicas is the number of copies of the log. Defaults to 1; production wants 3.
	Replicas int
}

// Bus is a connection of the service or an operator to the log.
type Bus struct {
	nc       *nats.Conn
	js       jetstream.JetStream
	replicas int
}

// Open connects to the NATS server at a URL, or to one of several with commas between. It makes no stream; see [Bus.EnsureStream].
// After a lost connection it reconnects until [Bus.Close].
//
// Errors: [reason.Unreachable], [reason.PermissionDenied] for a key or password that
// the server does not take.
func Open(ctx context.Context, server string, opts Options) (*Bus, error) {
	if opts.Name == "" {
		opts.Name = "reconciler"
	}
	options := opts.NATS
	if opts.Key != nil && !namesUser(server) {
		login, err := keyLogin(*opts.Key)
		if err != nil {
			return nil, err
		}
		options = append([]nats.Option{login}, options...)
	}
	nc, err := dial(ctx, server, append(options, nats.Name(opts.Name)))
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(nc)
	if err != nil {
		nc.Close()
		return nil, reason.Wrap(reason.Unreachable, err, "no JetStream").On(nc.ConnectedUrlRedacted())
	}
	return &Bus{nc: nc, js: js, replicas: max(1, opts.Replicas)}, nil
}

// namesUser reports whether url, or the first of several, holds user and password.
func namesUser(servers string) bool {
	first, _, _ := strings.Cut(servers, ",")
	u, err := url.Parse(strings.TrimSpace(first))
	return err == nil && u.User != nil
}

// Close ends the connection; readers and services on it end too.
func (b *Bus) Close() { b.nc.Close() }

// Connected reports whether the server answers at this moment.
func (b *Bus) Connected() bool { return b.nc.IsConnected() }

// Flush returns when the server has taken everything published so far.
func (b *Bus) Flush(ctx context.Context) error {
	return flush(ctx, b.nc)
}

// flush is for any ctx; the library's wants a deadline.
func flush(ctx context.Context, nc *nats.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	return unavailable(nc.FlushWithContext(ctx), "NATS does not answer")
}

// connectTimeout bounds one attempt to connect, and one round trip.
const connectTimeout = 5 * time.Second

// dial connects once, with options that keep the connection for good afterwards.
func dial(ctx context.Context, server string, options []nats.Option) (*nats.Conn, error) {
	timeout := connectTimeout
	if deadline, ok := ctx.Deadline(); ok {
		timeout = min(timeout, time.Until(deadline))
	}
	all := append([]nats.Option{
		nats.Timeout(timeout),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(100 * time.Millisecond),
		nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond),
		// A server that restarts may refuse a login that it will take again.
		nats.IgnoreAuthErrorAbort(),
		// Without a handler the client prints to standard error.
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
	}, options...)
	nc, err := nats.Connect(server, all...)
	if err != nil {
		return nil, refused(err)
	}
	return nc, nil
}
