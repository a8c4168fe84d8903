package testkit_test

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"consilience/internal/testkit"
)

var migrations atomic.Int32

// counters is a migration that counts how often it runs.
func counters(ctx context.Context, url string) error {
	migrations.Add(1)
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, "CREATE TABLE counter (n int PRIMARY KEY)")
	return err
}

func TestPostgresGivesDatabasesOfTheirOwn(t *testing.T) {
	for range 3 {
		db := testkit.Postgres(t, counters)
		if _, err := db.Pool.Exec(t.Context(), "INSERT INTO counter VALUES (1)"); err != nil {
			t.Fatal(err)
		}
	}
	if n := migrations.Load(); n != 1 {
		t.Errorf("migrated %d times", n)
	}
}

// count is the number of rows of counter.
func count(t *testing.T, pool *pgxpool.Pool) (n int) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM counter").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// insert writes row n in a transaction over url.
func insert(t *testing.T, url string, n int) error {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	return pgx.BeginFunc(t.Context(), conn, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "INSERT INTO counter VALUES ($1)", n)
		return err
	})
}

func TestProxyCutsAtACommit(t *testing.T) {
	db := testkit.Postgres(t, counters)
	proxy, url := testkit.PostgresProxy(t, db.URL)
	if err := insert(t, url, 1); err != nil || count(t, db.Pool) != 1 {
		t.Fatalf("an idle proxy: %v", err)
	}
	cut := proxy.CutBefore("commit")
	if err := insert(t, url, 2); err == nil || count(t, db.Pool) != 1 {
		t.Errorf("cut before the commit: %v, %d rows", err, count(t, db.Pool))
	}
	<-cut
	cut = proxy.CutAfter("commit")
	if err := insert(t, url, 3); err == nil || count(t, db.Pool) != 2 {
		t.Errorf("cut after the commit: %v, %d rows", err, count(t, db.Pool))
	}
	<-cut
	proxy.Refuse(true)
	if err := insert(t, url, 4); err == nil {
		t.Error("a refusing proxy let a connection through")
	}
	proxy.Refuse(false)
	if err := insert(t, url, 5); err != nil {
		t.Errorf("after all cuts: %v", err)
	}
}

func TestProxyCutsAtAByte(t *testing.T) {
	t.Parallel()
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	got := make(chan string)
	go func() {
		conn, err := server.Accept()
		if err != nil {
			return
		}
		data, _ := io.ReadAll(conn)
		got <- string(data)
	}()
	proxy := testkit.NewProxy(t, "tcp", server.Addr().String())
	cut := proxy.CutAtByte(7)
	client, err := net.Dial("tcp", proxy.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if _, err := io.WriteString(client, "0123456789"); err != nil {
		t.Fatal(err)
	}
	<-cut
	if data := <-got; data != "0123456" {
		t.Errorf("the server got %q", data)
	}
	if _, err := client.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the client's connection lives: %v", err)
	}
}

func TestProcess(t *testing.T) {
	t.Parallel()
	p := testkit.Start(t, []string{"GREETING=hello"}, "/bin/sh", "-c", `echo "$GREETING" >&2; read x; echo bye`)
	if line := p.WaitLine("hell"); line != "hello" {
		t.Errorf("line %q", line)
	}
	if status := p.Wait(); status != 0 || !strings.Contains(p.Output(), "bye") {
		t.Errorf("status %d, output %q", status, p.Output())
	}
	p = testkit.Start(t, nil, "/bin/sh", "-c", `echo up; while :; do sleep 1; done`)
	p.WaitLine("up")
	p.Signal(syscall.SIGSTOP)
	p.Signal(syscall.SIGCONT)
	p.Kill()
	if status := p.Wait(); status != -1 {
		t.Errorf("a killed process has status %d", status)
	}
}

func TestSharedSkipsWhatIsAbsent(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(filepath.Join(testkit.Root(t), "internal", "testkit")); err != nil {
		t.Errorf("Root: %v", err)
	}
	skipped := t.Run("absent", func(t *testing.T) {
		defer func() {
			if !t.Skipped() {
				t.Error("did not skip")
			}
		}()
		testkit.Shared(t, "no/such/file")
	})
	if !skipped {
		t.Error("skipping failed")
	}
}

func TestClock(t *testing.T) {
	t.Parallel()
	start := time.UnixMilli(1000)
	c := testkit.NewClock(start)
	if c.Advance(time.Second); !c.Now().Equal(start.Add(time.Second)) {
		t.Errorf("clock stands at %v", c.Now())
	}
}
