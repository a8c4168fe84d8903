package testkit

import (
	"bytes"
	"net"
	"net/url"
	"sync"
	"testing"
)

// Proxy stands between a client and a server and cuts their connections at a moment
// that the test chooses. It listens on TCP; the server may be on a unix socket.
type Proxy struct {
	listener        net.Listener
	network, target string

	mu      sync.Mutex
	links   map[*link]bool
	refuse  bool
	plan    plan
	armed   bool
	fired   chan struct{}
	toCount int64 // bytes from clients to the server so far
}

// plan is when to cut.
type plan struct {
	pattern []byte // in what a client sends; nil: by count
	after   bool   // let it through and cut at the server's answer
	atByte  int64
}

// link is one connection through the proxy.
type link struct {
	client, server net.Conn
	answering      bool // the plan's moment has passed; cut when the server answers
}

// NewProxy starts a proxy to the server at target on network "tcp" or "unix".
func NewProxy(t testing.TB, network, target string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	p := &Proxy{listener: l, network: network, target: target, links: map[*link]bool{}}
	go p.accept()
	t.Cleanup(func() { l.Close(); p.Cut() })
	return p
}

// Addr is where clients connect instead, host:port.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// PostgresURL is rawURL, of an embedded Postgres, through this proxy.
func (p *Proxy) PostgresURL(t testing.TB, rawURL string) string {
	t.Helper()
	u, err := url.Parse(rawURL)
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	through := url.URL{
		Scheme: "postgres", User: url.User(u.Query().Get("user")), Host: p.Addr(), Path: u.Path,
		RawQuery: "sslmode=disable",
	}
	return through.String()
}

// PostgresProxy starts a proxy to the server of rawURL, of an embedded Postgres, and
// returns the URL through it.
func PostgresProxy(t testing.TB, rawURL string) (*Proxy, string) {
	t.Helper()
	u, err := url.Parse(rawURL)
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	p := NewProxy(t, "unix", u.Query().Get("host")+"/.s.PGSQL.5432")
	return p, p.PostgresURL(t, rawURL)
}

// Cut cuts all connections now. New ones work.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		l.close()
	}
}

// Refuse makes the proxy close new connections at once, or take them again.
func (p *Proxy) Refuse(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse = on
}

// CutBefore cuts the connection on which a client next sends pattern, before the
// server gets it: what was asked does not happen. The pattern must lie in one write,
// as "commit" does. The channel is closed when it has happened.
func (p *Proxy) CutBefore(pattern string) <-chan struct{} {
	return p.arm(plan{pattern: []byte(pattern)})
}

// CutAfter is CutBefore, but the server gets it, and its answer is lost: what was
// asked happens, and the client does not learn of it.
func (p *Proxy) CutAfter(pattern string) <-chan struct{} {
	return p.arm(plan{pattern: []byte(pattern), after: true})
}

// CutAtByte cuts a connection once clients have sent n more bytes; the server gets
// exactly these.
func (p *Proxy) CutAtByte(n int64) <-chan struct{} { return p.arm(plan{atByte: n}) }

func (p *Proxy) arm(next plan) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.plan, p.armed, p.fired, p.toCount = next, true, make(chan struct{}), 0
	return p.fired
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial(p.network, p.target)
		l := &link{client: client, server: server}
		p.mu.Lock()
		if err != nil || p.refuse {
			l.close()
		} else {
			p.links[l] = true
			go p.pump(l, l.client, l.server, p.fromClient)
			go p.pump(l, l.server, l.client, p.fromServer)
		}
		p.mu.Unlock()
	}
}

// pump copies from one side to the other what judge lets through, until it cuts.
func (p *Proxy) pump(l *link, from, to net.Conn, judge func(*link, []byte) (pass int, cut bool)) {
	buf := make([]byte, 64<<10)
	for {
		n, err := from.Read(buf)
		pass, cut := judge(l, buf[:n])
		if _, werr := to.Write(buf[:pass]); werr != nil || err != nil || cut {
			break
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	l.close()
	delete(p.links, l)
}

func (p *Proxy) fromClient(l *link, data []byte) (pass int, cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.toCount
	p.toCount += int64(len(data))
	switch {
	case !p.armed:
		return len(data), false
	case p.plan.pattern == nil && p.toCount >= p.plan.atByte:
		p.fire()
		return int(p.plan.atByte - before), true
	case p.plan.pattern == nil || !bytes.Contains(data, p.plan.pattern):
		return len(data), false
	case p.plan.after:
		l.answering, p.armed = true, false
		return len(data), false
	default:
		p.fire()
		return 0, true
	}
}

func (p *Proxy) fromServer(l *link, data []byte) (pass int, cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l.answering {
		p.fire()
		return 0, true
	}
	return len(data), false
}

// fire reports that the plan has been carried out.
func (p *Proxy) fire() {
	p.armed = false
	close(p.fired)
}

func (l *link) close() {
	l.client.Close()
	if l.server != nil {
		l.server.Close()
	}
}
