package embedded

import (
	"crypto/rand"
	_ "embed"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"consilience/identity"
	"consilience/reason"
)

//go:embed accounts.conf
var accounts string

// Limits of the server.
const (
	// MaxPayload is the largest message in bytes. It is twice the largest delta, so
	// that a delta that is too large gets its reason instead of a cut connection.
	MaxPayload = 2 << 20

	startPatience = 15 * time.Second
)

// NATSConfig says where and how NATS runs.
type NATSConfig struct {
	// Dir is JetStream's folder: the log lies in it.
	Dir string
	// Listen is the address for clients. Defaults to 127.0.0.1 and a free port.
	Listen string
	// Name is the server's name; it MUST stay the same for a Dir, and differ within a
	// cluster. Defaults to "consilience".
	Name string
	// Identify says who holds a key; it is asked at every connect, so that a new
	// contributor needs no restart. Defaults to every key being a contributor of its own.
	Identify func(identity.KeyID) Client
	// Secret is the password of the one user without a key, who is [RoleCore]: this process.
	// The servers of a cluster in one process share it. Defaults to a random one.
	Secret string
	// Cluster joins the server to others. Defaults to a server of its own.
	Cluster *ClusterConfig
}

// ClusterConfig joins a server to a cluster.
type ClusterConfig struct {
	// Name is the same for all servers of the cluster.
	Name string
	// Listen is this server's address for the others.
	Listen string
	// Peers are the Listen addresses of all servers.
	Peers []string
}

// NATS is a NATS server in this process, with JetStream that syncs every write to
// disk before it acknowledges it.
type NATS struct {
	server *server.Server
	gate   *gate
	once   sync.Once
}

// StartNATS starts a server and returns when it accepts clients. In a cluster,
// JetStream is ready only once a majority runs.
//
// Errors: [reason.UsageError] for an address that cannot be read,
// [reason.Unreachable] where the server does not start.
func StartNATS(cfg NATSConfig) (*NATS, error) {
	opts, err := options(cfg)
	if err != nil {
		return nil, err
	}
	g := &gate{secret: cfg.Secret, identify: cfg.Identify}
	if g.secret == "" {
		g.secret = rand.Text()
	}
	if g.identify == nil {
		g.identify = anyContributor
	}
	opts.CustomClientAuthentication = g
	srv, err := server.NewServer(opts)
	if err != nil {
		return nil, reason.Wrap(reason.Unreachable, err, "NATS does not start").On(cfg.Dir)
	}
	log := &lastErrors{fatal: make(chan struct{})}
	srv.SetLoggerV2(log, false, false, false)
	if err := g.findAccounts(srv); err != nil {
		return nil, err
	}
	go srv.Start()
	if !ready(srv, log) {
		srv.Shutdown()
		return nil, reason.New(reason.Unreachable, "NATS does not start: %s", log.text()).On(cfg.Dir).
			Advise("free the address %s, or mend the folder", cfg.Listen)
	}
	return &NATS{server: srv, gate: g}, nil
}

// ready waits until srv accepts clients, or has said that it cannot.
func ready(srv *server.Server, log *lastErrors) bool {
	up := make(chan bool, 1)
	go func() { up <- srv.ReadyForConnections(startPatience) }()
	select {
	case ok := <-up:
		return ok && srv.JetStreamEnabled()
	case <-log.fatal:
		return false
	}
}

func (g *gate) findAccounts(srv *server.Server) (err error) {
	if g.core, err = srv.LookupAccount("CORE"); err == nil {
		g.fleet, err = srv.LookupAccount("FLEET")
	}
	if err != nil {
		return reason.Wrap(reason.Unreachable, err, "NATS lacks an account")
	}
	return nil
}

// options are the server's options for cfg.
func options(cfg NATSConfig) (*server.Options, error) {
	if cfg.Name == "" {
		cfg.Name = "consilience"
	}
	if cfg.Listen == "" {
		cfg.Listen = "127.0.0.1:0"
	}
	opts := &server.Options{}
	if err := opts.ProcessConfigString(accounts); err != nil {
		return nil, fmt.Errorf("accounts.conf: %w", err)
	}
	host, port, err := hostPort(cfg.Listen)
	if err != nil {
		return nil, err
	}
	opts.Host, opts.Port = host, port
	opts.ServerName = cfg.Name
	opts.JetStream, opts.StoreDir = true, cfg.Dir
	// Without it an acknowledged message can be lost for two minutes after it.
	opts.SyncAlways = true
	opts.MaxPayload = MaxPayload
	// With its own signal handler the server would exit this process.
	opts.NoSigs = true
	opts.AlwaysEnableNonce = true
	opts.DisableJetStreamBanner = true
	if cfg.Cluster != nil {
		return opts, cluster(opts, cfg.Cluster)
	}
	return opts, nil
}

func cluster(opts *server.Options, cfg *ClusterConfig) error {
	host, port, err := hostPort(cfg.Listen)
	if err != nil {
		return err
	}
	opts.Cluster = server.ClusterOpts{Name: cfg.Name, Host: host, Port: port}
	for _, peer := range cfg.Peers {
		opts.Routes = append(opts.Routes, &url.URL{Scheme: "nats-route", Host: peer})
	}
	return nil
}

// hostPort splits an address; port 0 becomes the server's -1, any free port.
func hostPort(address string) (string, int, error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, reason.Wrap(reason.UsageError, err, "not host:port").On(address)
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return "", 0, reason.Wrap(reason.UsageError, err, "not a port").On(address)
	}
	if port == 0 {
		return host, server.RANDOM_PORT, nil
	}
	return host, int(port), nil
}

// URL is where clients connect.
func (n *NATS) URL() string { return n.server.ClientURL() }

// InProcess are the options with which this process connects to CORE without a
// socket; the URL is ignored then.
func (n *NATS) InProcess() []nats.Option {
	return []nats.Option{nats.InProcessServer(n.server), nats.UserInfo("core", n.gate.secret)}
}

// Login are the options with which this process connects to CORE through a
// socket, for tests that cut it.
func (n *NATS) Login() []nats.Option {
	return []nats.Option{nats.UserInfo("core", n.gate.secret)}
}

// Secret is the password of the user that has no key; see [NATSConfig].
func (n *NATS) Secret() string { return n.gate.secret }

// Leads reports whether this server leads stream name's replicas.
func (n *NATS) Leads(stream string) bool {
	return n.server.JetStreamIsStreamLeader("CORE", stream)
}

// ClusterReady reports whether this server sees a cluster that can take streams.
func (n *NATS) ClusterReady() bool {
	return n.server.JetStreamIsCurrent() || n.server.JetStreamIsLeader()
}

// Stop ends the server and returns when its files are closed. It is safe to call
// more than once.
func (n *NATS) Stop() {
	n.once.Do(func() {
		n.server.Shutdown()
		n.server.WaitForShutdown()
	})
}

// lastErrors keeps what the server says on its way down, for the error of a start
// that fails. It implements server.Logger and drops everything else: lines of the
// server may name keys.
type lastErrors struct {
	fatal chan struct{} // closed at the first fatal line
	mu    sync.Mutex
	lines []string
	ended bool
}

func (l *lastErrors) keep(format string, args []any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) < 3 {
		l.lines = append(l.lines, fmt.Sprintf(format, args...))
	}
}

func (l *lastErrors) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.lines, "; ")
}

// Fatalf keeps the line and reports that the server has given up.
func (l *lastErrors) Fatalf(format string, args ...any) {
	l.keep(format, args)
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.ended {
		l.ended = true
		close(l.fatal)
	}
}

func (l *lastErrors) Errorf(format string, args ...any) { l.keep(format, args) }
func (l *lastErrors) Warnf(string, ...any)              {}
func (l *lastErrors) Noticef(string, ...any)            {}
func (l *lastErrors) Debugf(string, ...any)             {}
func (l *lastErrors) Tracef(string, ...any)             {}
