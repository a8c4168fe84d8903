package cli

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Progress shows how far long work is, on a terminal; elsewhere, and as nil, it is
// silent.
type Progress struct{ bar *progressbar.ProgressBar }

// Progress starts a bar of total steps (-1 for unknown) on stderr.
func (s *Session) Progress(label string, total int64) *Progress {
	if !isTerminal(s.Err) {
		return &Progress{}
	}
	return &Progress{bar: progressbar.NewOptions64(total,
		progressbar.OptionSetDescription(Visible(label)),
		progressbar.OptionSetWriter(s.Err),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionClearOnFinish())}
}

// Busy shows on a terminal that work of unknown length goes on, and for how long,
// until the function that it returns is called.
func (s *Session) Busy(label string) (done func()) {
	if !isTerminal(s.Err) {
		return func() {}
	}
	bar := progressbar.NewOptions64(-1,
		progressbar.OptionSetDescription(Visible(label)),
		progressbar.OptionSetWriter(s.Err),
		progressbar.OptionSetElapsedTime(true),
		progressbar.OptionClearOnFinish())
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				_ = bar.Finish()
				return
			case <-time.After(tick):
				_ = bar.Add(1)
			}
		}
	}()
	return func() { close(stop); <-stopped }
}

// tick is how often a sign of being busy moves.
const tick = 200 * time.Millisecond

// Add moves the bar by n steps.
func (p *Progress) Add(n int) {
	if p != nil && p.bar != nil {
		_ = p.bar.Add(n)
	}
}

// Set moves the bar to step n.
func (p *Progress) Set(n int64) {
	if p != nil && p.bar != nil {
		_ = p.bar.Set64(n)
	}
}

// Done takes the bar away.
func (p *Progress) Done() {
	if p != nil && p.bar != nil {
		_ = p.bar.Finish()
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
