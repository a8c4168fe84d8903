package consilience

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"consilience/internal/testkit"
)

// block is a fenced block of shell commands under a heading of the README.
type block struct {
	heading string
	lines   []string
}

var trailing = regexp.MustCompile(`\s{2,}# .*$`)

// readmeBlocks returns the README's shell commands, without their comments.
func readmeBlocks(t *testing.T) []block {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []block
	heading, in := "", false
	for _, line := range strings.Split(string(text), "\n") {
		switch {
		case strings.HasPrefix(line, "#") && !in:
			heading = strings.TrimLeft(line, "# ")
		case line == "```sh":
			in = true
			blocks = append(blocks, block{heading: heading})
		case line == "```":
			in = false
		case in && line != "":
			b := &blocks[len(blocks)-1]
			b.lines = append(b.lines, trailing.ReplaceAllString(line, ""))
		}
	}
	return blocks
}

// person is somebody at a shell, with both commands on the path and a home of
// their own.
type person struct {
	t    *testing.T
	home string
	env  []string
}

func newPerson(t *testing.T) person {
	home := testkit.Dir(t)
	bin := t.TempDir()
	for _, name := range []string{"reconciler", "contributor"} {
		if err := os.Symlink(testkit.Build(t, "./cmd/"+name), filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	return person{t, home, append(os.Environ(), "HOME="+home, "PATH="+bin+":"+os.Getenv("PATH"))}
}

// run types one line and returns what it printed; it must exit 0.
func (p person) run(line string) string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, "bash", "-c", line)
	c.Env = p.env
	out, err := c.CombinedOutput()
	if err != nil {
		p.t.Fatalf("%s\n%v\n%s", line, err, out)
	}
	return string(out)
}

// dev starts `reconciler dev` as the README does and waits until it is ready.
func (p person) dev() {
	p.t.Helper()
	c := exec.Command("bash", "-c", "exec reconciler dev")
	c.Env = p.env
	var out strings.Builder
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		p.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = c.Wait(); close(ended) }()
	p.t.Cleanup(func() {
		_ = c.Process.Signal(os.Interrupt)
		<-ended
		if p.t.Failed() {
			p.t.Log(out.String())
		}
	})
	endpoints := filepath.Join(p.home, ".consilience", "dev", "endpoints.json")
	testkit.Eventually(p.t, 2*time.Minute, "the dev store is ready", func() bool {
		_, err := os.Stat(endpoints)
		return err == nil
	})
}

// TestReadme types the README's commands, in its order, at a fresh home.
func TestReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("starts whole stores")
	}
	p := newPerson(t)
	p.dev()
	seen := map[string]bool{}
	for _, b := range readmeBlocks(t) {
		seen[b.heading] = true
		switch b.heading {
		case "Consilience":
			out := p.run(strings.ReplaceAll(b.lines[0], "go run ./cmd/reconciler", "reconciler"))
			if !strings.Contains(out, "digest of the replay") {
				t.Errorf("the demo does not end with its replay:\n%s", out)
			}
			if b.lines[1] != "go test ./..." {
				t.Errorf("the second command is %q, and is not what runs this test", b.lines[1])
			}
		case "If you run agents":
			if b.lines[0] != "reconciler dev &" {
				t.Fatalf("the first line is %q", b.lines[0])
			}
			for _, line := range b.lines[1:] {
				p.run(line)
			}
		case "If you operate the store":
			p.operate(b.lines)
		case "If you ask questions":
			for _, line := range b.lines {
				if out := p.run(line); !strings.Contains(out, "payments-db listens on port 5432") {
					t.Errorf("%s\nprinted\n%s", line, out)
				}
			}
		default:
			t.Errorf("the block under %q is run by no test", b.heading)
		}
	}
	if len(seen) != 4 {
		t.Errorf("the README has commands under %d headings, not 4", len(seen))
	}
}

// operate types an operator's commands about a contributor "mallory" that has
// said something.
func (p person) operate(lines []string) {
	p.t.Helper()
	mallory := filepath.Join(p.home, "mallory")
	for _, line := range []string{
		"contributor init --home " + mallory + " --name mallory",
		"reconciler enroll " + mallory + "/public.key --name mallory --space ops",
		"contributor remember 'the vault is at 10.66.6.6' --home " + mallory,
		"contributor push --space ops --home " + mallory,
	} {
		p.run(line)
	}
	item := strings.TrimSpace(p.run(`psql -At "$(reconciler dev --print-postgres)" -c "select item_id from memory.items where space = 'ops' limit 1"`))
	for _, line := range lines {
		p.run(strings.ReplaceAll(line, "item:…", item))
	}
}
