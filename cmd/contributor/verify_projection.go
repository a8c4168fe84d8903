package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"consilience/internal/cli"
	"consilience/projection"
	"consilience/projection/registry"
	"consilience/reason"
)

// verifying is what verify-projection is given.
type verifying struct {
	record, projection, policy string
	registry                   string
	explain                    bool
	held                       held
}

func newVerifyProjection(a *app) *cobra.Command {
	var v verifying
	c := &cobra.Command{
		Use:   "verify-projection --record FILE --projection FILE --policy FILE",
		Short: "Verify a Memory Projection Record",
		Long: `Verify a Memory Projection Record under your own policy file: whom you pin, how old a
record may be, which profiles and digests you expect. A record never brings its own
trust. docs/projection.md shows a policy and says what a good record proves.

With --proof, as "contributor recall" writes it, or with the parts one by one and a
keyring that opens ApertoMemory objects, every digest is recomputed and every object
opened by its source profile: scope "full". Without them only the record and the
projection's own digest are checked: scope "envelope".

Exit status 1 and a reason code if the record is refused.`,
		Example: `  contributor verify-projection --record record.json --projection context.txt --proof proof.cbor --policy pins.json
  contributor verify-projection --record record.json --projection context.txt --policy pins.json --registry used --explain
  contributor verify-projection --record record.json --projection context.txt --policy pins.json --keyring keyring.json \
    --request request --selection policy --snapshot snapshot.cbor --object 0.cbor --fragment 0.txt --object 1.cbor --fragment 1.txt`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			verdict, err := v.run(c.Context())
			if err != nil {
				return err
			}
			if err := a.Print(verdict, func(w io.Writer) { verdict.show(w, v.explain) }); err != nil || verdict.Verified {
				return err
			}
			return cli.No()
		},
	}
	f := c.Flags()
	f.StringVar(&v.record, "record", "", "the record")
	f.StringVar(&v.projection, "projection", "", "the projection's bytes")
	f.StringVar(&v.policy, "policy", "", "your policy")
	f.StringVar(&v.registry, "registry", "", "folder of used projections, for a policy with single_use")
	f.BoolVar(&v.explain, "explain", false, "list the checks one by one")
	v.held.flags(f)
	return c
}

// verdict is what verify-projection prints.
type verdict struct {
	Verified bool        `json:"verified"`
	Reason   reason.Code `json:"reason"`
	Message  string      `json:"message"`
	Checks   []checked   `json:"checks"`
	Record   *stated     `json:"record,omitempty"`
}

// checked is one check.
type checked struct {
	Step   int         `json:"step"` // of section 8 of the draft
	Name   string      `json:"name"`
	Passed bool        `json:"passed"`
	Reason reason.Code `json:"reason,omitempty"`
}

// run verifies. An error means that there was nothing to verify; a refusal is a verdict.
func (v *verifying) run(ctx context.Context) (verdict, error) {
	out := verdict{Checks: []checked{}}
	verifier, err := v.verifier()
	if err != nil {
		return out, err
	}
	record, err := read("--record", v.record)
	if err != nil {
		return out, err
	}
	emitted, err := read("--projection", v.projection)
	if err != nil {
		return out, err
	}
	parts, err := v.held.read()
	if err != nil {
		return out, err
	}
	see := func(c projection.Check) {
		out.Checks = append(out.Checks, checked{c.Step, c.Name, c.Err == nil, reason.Of(c.Err)})
	}
	if out.Record, err = parts.verify(ctx, verifier, see, record, emitted); err != nil {
		out.Reason, out.Message = reason.Of(err), err.Error()
		return out, refusal(err)
	}
	out.Verified = true
	return out, nil
}

// refusal is nil for an error that is a verdict.
func refusal(err error) error {
	if reason.Of(err) == "" || reason.ClassOf(err) == reason.Unavailable {
		return err
	}
	return nil
}

// verifier is the relying party.
func (v *verifying) verifier() (*projection.Verifier, error) {
	file, err := read("--policy", v.policy)
	if err != nil {
		return nil, err
	}
	policy, err := projection.ParsePolicy(file)
	if err != nil {
		return nil, reason.Wrap(reason.UsageError, err, "not a policy").On(v.policy)
	}
	if v.registry == "" {
		return projection.NewVerifier(policy, time.Now, nil)
	}
	used, err := registry.OpenFile(v.registry)
	if err != nil {
		return nil, reason.Wrap(reason.UsageError, err, "folder of used projections cannot be opened").On(v.registry)
	}
	return projection.NewVerifier(policy, time.Now, used)
}

// read reads the file that a flag names.
func read(flag, path string) ([]byte, error) {
	if path == "" {
		return nil, reason.New(reason.UsageError, "no file is named").On(flag)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, reason.New(reason.NotFound, "file cannot be read").On(path)
	}
	return content, nil
}

func (v verdict) show(w io.Writer, explain bool) {
	if explain {
		var rows [][]string
		for _, c := range v.Checks {
			rows = append(rows, []string{fmt.Sprint(c.Step), map[bool]string{true: "ok", false: string(c.Reason)}[c.Passed], c.Name})
		}
		cli.Table(w, []string{"STEP", "RESULT", "CHECK"}, rows)
	}
	if !v.Verified {
		fmt.Fprintf(w, "refused: %s\n%s\n", v.Reason, v.Message)
		return
	}
	r := v.Record
	fmt.Fprintf(w, "verified, scope %s: %d objects, %d bytes, created %s by %s\n", r.Scope, len(r.Delivered), r.Bytes, r.CreatedAt, r.Adapter)
}
