package embedded

import (
	"context"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"consilience/reason"
)

// PostgresConfig says where and how a private Postgres runs.
type PostgresConfig struct {
	// Dir holds everything of this Postgres: data, socket, log. It is made if it is
	// missing. Under root Postgres runs as another user; a Dir that this user cannot
	// reach becomes a symbolic link to a folder under /var/lib/consilience, or in the
	// folder for temporary files if Dir is there.
	Dir string
	// Fsync makes a commit survive a power failure. A store MUST set it; only tests may not.
	Fsync bool
	// Settings are further settings of Postgres, name to value.
	Settings map[string]string
	// BinDir is the folder of initdb and postgres. Defaults to the newest on the machine.
	BinDir string
	// Ephemeral removes Dir when Postgres stops and when this process dies.
	Ephemeral bool
	// StartTimeout bounds the start, recovery included. Defaults to 60 s.
	StartTimeout time.Duration
	// Progress shows a download of Postgres as a bar if it is a terminal. Defaults to nowhere.
	Progress io.Writer
	// Source is the Maven repository that Postgres is downloaded from where the
	// machine has none. Defaults to Maven Central.
	Source string
}

// Postgres is a private Postgres: a child process that listens on a unix socket
// only, which none but its own user and root can reach.
type Postgres struct {
	dir, data, socket string
	temporary         []string // folders to remove after the end
	version           string
	lock              *os.File
	log               *os.File
	cmd               *exec.Cmd
	guard             *watchdog
	exited            chan struct{}
	once              sync.Once
}

// StartPostgres starts Postgres on cfg.Dir and returns when it answers. Data that
// are there go on, also after a crash of this process, of Postgres or of the
// machine. It stops Postgres when this process ends, however it ends.
//
// Errors: [reason.NotFound] without binaries, saying what to install;
// [reason.SchemaMismatch] for data of another version; [reason.Unreachable] where
// the folder is in use or Postgres does not start; [reason.TimedOut].
func StartPostgres(ctx context.Context, cfg PostgresConfig) (*Postgres, error) {
	if cfg.StartTimeout == 0 {
		cfg.StartTimeout = time.Minute
	}
	r, err := chooseRunner(filepath.Join(cfg.Dir, "data"))
	if err != nil {
		return nil, err
	}
	dir, err := place(cfg.Dir, r)
	if err != nil {
		return nil, err
	}
	p := &Postgres{dir: dir, data: filepath.Join(dir, "data")}
	if p.lock, err = lock(dir); err != nil {
		return nil, err
	}
	if err := p.start(ctx, cfg, r); err != nil {
		p.release()
		return nil, err
	}
	return p, nil
}

// start readies the folder, then runs Postgres until it answers.
func (p *Postgres) start(ctx context.Context, cfg PostgresConfig, r *runner) error {
	b, err := p.prepare(ctx, cfg, r)
	if err != nil {
		return err
	}
	p.version = b.Version
	ctx, cancel := context.WithTimeout(ctx, cfg.StartTimeout)
	defer cancel()
	for {
		if err := p.launch(b, cfg, r); err != nil {
			return err
		}
		err := p.ready(ctx)
		if err == nil {
			return nil
		}
		p.end(syscall.SIGQUIT)
		// The sessions of a killed Postgres notice its death a moment later.
		if ctx.Err() != nil || !strings.Contains(p.logTail(), "shared memory block") {
			return err
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
}

// prepare chooses binaries, makes the data if there are none, and the socket's folder.
func (p *Postgres) prepare(ctx context.Context, cfg PostgresConfig, r *runner) (Binaries, error) {
	major, err := dataVersion(p.data)
	if err != nil {
		return Binaries{}, err
	}
	b, err := choose(ctx, cfg, major)
	if err != nil {
		return Binaries{}, err
	}
	if major == 0 {
		if err := initialize(ctx, b, p.data, r, cfg.Fsync); err != nil {
			return Binaries{}, err
		}
	}
	if err := takeOver(ctx, p.data); err != nil {
		return Binaries{}, err
	}
	socket, temporary, err := socketFolder(p.dir, r)
	if err != nil {
		return Binaries{}, err
	}
	p.socket = socket
	if temporary {
		p.temporary = append(p.temporary, socket)
	}
	if cfg.Ephemeral {
		p.temporary = append(p.temporary, p.dir)
	}
	p.log, err = os.OpenFile(filepath.Join(p.dir, "log"), os.O_CREATE|os.O_RDWR|os.O_TRUNC, 0o600)
	if err != nil {
		return Binaries{}, reason.Wrap(reason.Unreachable, err, "cannot open the log").On(p.dir)
	}
	return b, nil
}

// settings are the command line of Postgres. Nothing that a client sent is logged:
// neither statements nor parameters nor the values that an error quotes.
func (p *Postgres) settings(cfg PostgresConfig) []string {
	all := map[string]string{
		"listen_addresses":                  "",
		"unix_socket_directories":           p.socket,
		"unix_socket_permissions":           "0700",
		"log_min_error_statement":           "panic",
		"log_min_messages":                  "log", // above error: messages of errors quote values
		"log_parameter_max_length":          "0",
		"log_error_verbosity":               "terse",
		"max_connections":                   "200",
		"timezone":                          "UTC",
		"log_timezone":                      "UTC",
		"cluster_name":                      "consilience",
		"log_min_duration_statement":        "-1",
		"log_parameter_max_length_on_error": "0",
		// A new store grows a thousandfold in a minute, and until tables are analyzed
		// readers' statements are planned for the size that they had.
		"autovacuum_naptime": "5s",
	}
	if !cfg.Fsync {
		for _, name := range []string{"fsync", "synchronous_commit", "full_page_writes"} {
			all[name] = "off"
		}
	}
	for name, value := range cfg.Settings {
		all[name] = value
	}
	args := []string{"-D", p.data}
	for name, value := range all {
		args = append(args, "-c", name+"="+value)
	}
	return args
}

// launch starts the process and its watchdog.
func (p *Postgres) launch(b Binaries, cfg PostgresConfig, r *runner) error {
	p.cmd = exec.Command(filepath.Join(b.Dir, "postgres"), p.settings(cfg)...)
	p.cmd.Dir, p.cmd.Env, p.cmd.SysProcAttr = "/", childEnv(), r.attributes()
	p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
	if err := p.cmd.Start(); err != nil {
		return reason.Wrap(reason.Unreachable, err, "cannot run postgres").On(b.Dir)
	}
	p.exited = make(chan struct{})
	go func(cmd *exec.Cmd, exited chan struct{}) {
		cmd.Wait()
		close(exited)
	}(p.cmd, p.exited)
	signal := "INT"
	if cfg.Ephemeral {
		signal = "QUIT" // nothing is kept, so nothing need be written
	}
	guard, err := watch(r, p.cmd.Process.Pid, p.data, signal, p.temporary)
	if err != nil {
		p.end(syscall.SIGQUIT)
		return reason.Wrap(reason.Unreachable, err, "cannot start the watchdog of Postgres")
	}
	p.guard = guard
	return nil
}

// ready waits until Postgres answers a connection, or ends, or ctx does.
func (p *Postgres) ready(ctx context.Context) error {
	for {
		conn, err := pgx.Connect(ctx, p.URL("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-p.exited:
			return reason.New(reason.Unreachable, "Postgres ended at its start: %s", lastLine(p.logTail())).On(p.dir).
				Advise("read %s", p.log.Name())
		default:
		}
		if err := pause(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
}

// URL returns the connection string of database db.
func (p *Postgres) URL(db string) string {
	query := url.Values{"host": {p.socket}, "user": {superuser}, "port": {"5432"}}
	return "postgres:///" + url.PathEscape(db) + "?" + query.Encode()
}

// CreateDatabase makes database name unless it exists.
func (p *Postgres) CreateDatabase(ctx context.Context, name string) error {
	conn, err := pgx.Connect(ctx, p.URL("postgres"))
	if err != nil {
		return reason.Wrap(reason.Unreachable, err, "cannot connect to Postgres")
	}
	defer conn.Close(ctx)
	var exists bool
	const query = "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)"
	if err := conn.QueryRow(ctx, query, name).Scan(&exists); err != nil || exists {
		return err
	}
	_, err = conn.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize())
	return err
}

// PID is the process id of the postmaster.
func (p *Postgres) PID() int { return p.cmd.Process.Pid }

// Version is the version that runs, such as "15.18".
func (p *Postgres) Version() string { return p.version }

// Dir is where the data really lie.
func (p *Postgres) Dir() string { return p.dir }

// Done is closed when Postgres has ended, by [Postgres.Stop] or by itself.
func (p *Postgres) Done() <-chan struct{} { return p.exited }

// stopPatience is how long a fast shutdown may take before it becomes an immediate one.
const stopPatience = 30 * time.Second

// Stop ends Postgres cleanly (a fast shutdown: sessions are cut, a checkpoint is
// written) and frees its folder. It is safe to call more than once.
func (p *Postgres) Stop() { p.once.Do(func() { p.end(syscall.SIGINT); p.release() }) }

// Kill ends Postgres by SIGKILL, as a crash would, and frees its folder. For tests.
func (p *Postgres) Kill() { p.once.Do(func() { p.end(syscall.SIGKILL); p.release() }) }

// end signals the process, waits for it and dismisses the watchdog.
func (p *Postgres) end(signal syscall.Signal) {
	p.cmd.Process.Signal(signal)
	select {
	case <-p.exited:
	case <-time.After(stopPatience):
		p.cmd.Process.Signal(syscall.SIGQUIT)
		<-p.exited
	}
	if p.guard != nil {
		p.guard.dismiss()
		p.guard = nil
	}
}

// release gives the folder back.
func (p *Postgres) release() {
	for _, dir := range p.temporary {
		os.RemoveAll(dir)
	}
	if p.log != nil {
		p.log.Close()
	}
	p.lock.Close()
}

// logTail returns the end of what Postgres wrote to its log.
func (p *Postgres) logTail() string {
	const tail = 4096
	info, err := p.log.Stat()
	if err != nil {
		return ""
	}
	from := max(0, info.Size()-tail)
	buf := make([]byte, info.Size()-from)
	n, _ := p.log.ReadAt(buf, from)
	return string(buf[:n])
}
