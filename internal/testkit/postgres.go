package testkit

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"consilience/embedded"
)

// DB is a database of its own for one test.
type DB struct {
	// Pool is connected to it; the test's end closes it.
	Pool *pgxpool.Pool
	// URL connects to it; see [embedded.Postgres.URL].
	URL string
	// Server is the server that it lies on, shared by all tests of this binary.
	Server *embedded.Postgres
	// Name is the database's name.
	Name string
}

// Migrate makes a schema in the empty database at url. It MUST close what it opens.
type Migrate func(ctx context.Context, url string) error

// Postgres returns a new database whose schema migrate made; nil leaves it empty.
// All tests of a binary share one server, without fsync, and migrate runs once: a
// database is a copy of its result. Functions are told apart by their code, so two
// closures of one literal are one. The server ends with the test binary.
func Postgres(t testing.TB, migrate Migrate) *DB {
	t.Helper()
	server, err := shared()
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	origin, err := templateOf(t.Context(), server, migrate)
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	db := &DB{Server: server, Name: newName("test")}
	db.URL = server.URL(db.Name)
	// FILE_COPY is several times as fast as the default on a server without fsync.
	create := "CREATE DATABASE " + db.Name + " TEMPLATE " + origin + " STRATEGY FILE_COPY"
	if err := admin(t.Context(), server, create); err != nil {
		t.Fatalf("testkit: %v", err)
	}
	if db.Pool, err = pgxpool.New(t.Context(), db.URL); err != nil {
		t.Fatalf("testkit: %v", err)
	}
	t.Cleanup(func() {
		db.Pool.Close()
		if err := admin(context.Background(), server, "DROP DATABASE "+db.Name+" WITH (FORCE)"); err != nil {
			t.Errorf("testkit: %v", err)
		}
	})
	return db
}

// PostgresServer starts a server for this test alone, durable as in production, to
// be killed and started again on the same dir.
func PostgresServer(t testing.TB, dir string) *embedded.Postgres {
	t.Helper()
	p, err := embedded.StartPostgres(t.Context(), embedded.PostgresConfig{Dir: dir, Fsync: true})
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	t.Cleanup(p.Stop)
	return p
}

// shared starts this binary's server at its first use. Its watchdog ends and removes
// it when the binary ends.
var shared = sync.OnceValues(func() (*embedded.Postgres, error) {
	return embedded.StartPostgres(context.Background(), embedded.PostgresConfig{
		Dir:       filepath.Join(os.TempDir(), newName("consilience-test")),
		Ephemeral: true,
		Settings:  map[string]string{"shared_buffers": "64MB", "autovacuum": "off", "max_wal_size": "256MB"},
	})
})

// template is a database that migrate filled, once.
type template struct {
	once sync.Once
	name string
	err  error
}

var (
	templatesMu sync.Mutex
	templates   = map[uintptr]*template{}
)

// templateOf returns the name of the database that migrate filled.
func templateOf(ctx context.Context, server *embedded.Postgres, migrate Migrate) (string, error) {
	if migrate == nil {
		return "template0", nil
	}
	key := reflect.ValueOf(migrate).Pointer()
	templatesMu.Lock()
	made := templates[key]
	if made == nil {
		made = &template{name: newName("template")}
		templates[key] = made
	}
	templatesMu.Unlock()
	made.once.Do(func() {
		// Not the caller's context: another test may be waiting for the result.
		ctx := context.WithoutCancel(ctx)
		if made.err = admin(ctx, server, "CREATE DATABASE "+made.name+" STRATEGY FILE_COPY"); made.err == nil {
			made.err = migrate(ctx, server.URL(made.name))
		}
	})
	return made.name, made.err
}

// admin runs one statement outside any test database.
func admin(ctx context.Context, server *embedded.Postgres, statement string) error {
	conn, err := pgx.Connect(ctx, server.URL("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}

// newName returns a name that nobody else has, valid in SQL and as a file's.
func newName(prefix string) string {
	name := prefix + "_" + strings.ToLower(rand.Text()[:10])
	if prefix == "consilience-test" {
		return strings.ReplaceAll(name, "_", "-")
	}
	return name
}
