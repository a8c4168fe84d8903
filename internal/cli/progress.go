package cli

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Progress shows how far long work is, on a terminal; elsewhere it is silent.
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

// Add moves the bar by n steps.
func (p *Progress) Add(n int) {
	if p.bar != nil {
		_ = p.bar.Add(n)
	}
}

// Set moves the bar to step n.
func (p *Progress) Set(n int64) {
	if p.bar != nil {
		_ = p.bar.Set64(n)
	}
}

// Done takes the bar away.
func (p *Progress) Done() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
