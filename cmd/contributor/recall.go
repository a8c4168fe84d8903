package main

import (
	"cmp"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"consilience/agent"
	"consilience/reason"
	"consilience/recall/selection"
)

// asking is a recall's flags.
type asking struct {
	space, confidence  string
	subject, predicate string
	scope              string
	similar, trusted   bool
	request            selection.Request
	age                time.Duration
	files              agent.RecallFiles
}

func newRecall(a *app) *cobra.Command {
	var q asking
	c := &cobra.Command{
		Use:   "recall --space SPACE QUERY",
		Short: "Recall memory as a projection with a signed record",
		Long: `Ask a space for what it remembers and print the projection: the exact text that is
meant for a model's context. With it comes a Memory Projection Record, signed by the
store: what was asked, by which policy it was selected, what each object's standing
is, which bytes it became and how many candidates were left out, and why.

Everything is verified in full before anything is printed. What is shown to you counts
as told: supporting it later is an echo.

QUERY is looked for by its words, and with --similar by what it means: by the model
that the policy of the space names. --subject and --predicate look for a claim's key.
--record, --proof and --policy write what "contributor verify-projection" takes.`,
		Example: `  contributor recall --space plant "when does the valve open"
  contributor recall --space plant --similar "something drips" --max-objects 5
  contributor recall --space plant --subject valve --predicate pressure --trusted
  contributor recall --space plant "valve" --out context.txt --record record.json --proof proof.cbor --policy pins.json`,
		Args: cobra.ArbitraryArgs,
		RunE: a.withHome(func(c *cobra.Command, h *agent.Home, args []string) error {
			if err := q.complete(args); err != nil {
				return err
			}
			s, closeLink, err := a.reach(c.Context(), h)
			if err != nil {
				return err
			}
			defer closeLink()
			r, err := s.Recall(c.Context(), q.space, q.request)
			if err != nil {
				return err
			}
			if err := r.Write(q.files); err != nil {
				return err
			}
			if len(r.Delivered) == 0 {
				fmt.Fprintf(a.Err, "contributor: nothing is recalled; %d candidates were left out\n", r.Exclusions.Total)
			}
			return a.PrintExact(recalledOf(r, q.files.Projection == ""), func(w io.Writer) { showRecalled(w, r, q.files.Projection) })
		}),
	}
	q.flags(c)
	return c
}

func (q *asking) flags(c *cobra.Command) {
	spaceFlag(c, &q.space, "the space to recall from")
	f := c.Flags()
	f.StringVar(&q.subject, "subject", "", "subject of a claim's key, instead of QUERY")
	f.StringVar(&q.predicate, "predicate", "", "predicate of a claim's key")
	f.StringVar(&q.scope, "scope", "", "scope of a claim's key, if it has one")
	f.BoolVar(&q.similar, "similar", false, "look for QUERY by what it means, where the space has a model")
	f.StringVar(&q.confidence, "min-confidence", "", "lowest confidence that is delivered, above 0, at most 1")
	f.BoolVar(&q.trusted, "trusted", false, "only what the store stands behind")
	f.DurationVar(&q.age, "max-age", 0, "only what changed within this time")
	f.Int64Var(&q.request.MaxBytes, "max-bytes", selection.DefaultMaxBytes, "most bytes of the projection")
	f.Int64Var(&q.request.MaxObjects, "max-objects", selection.DefaultMaxObjects, "most objects delivered")
	f.StringVar(&q.request.Order, "order", selection.ByRelevance, "relevance, belief or newest")
	f.BoolVar(&q.request.Imitations, "imitations", false, "also bodies that imitate a frame")
	f.BoolVar(&q.request.Tainted, "tainted", false, "also what rests on quarantined records")
	f.StringVar(&q.files.Projection, "out", "", "write the projection to this file, mode 0600, instead of printing it")
	f.StringVar(&q.files.Record, "record", "", "write the signed record to this file")
	f.StringVar(&q.files.Proof, "proof", "", "write all else that the record commits to to this file")
	f.StringVar(&q.files.Policy, "policy", "", "write the policy that it was verified under to this file")
}

// usage returns what the flags and arguments say that cannot be meant.
func (q *asking) usage(args []string) error {
	claim := q.subject != "" || q.predicate != "" || q.scope != ""
	for _, rule := range []struct {
		broken       bool
		what, advice string
	}{
		{len(args) > 1, "the query is one argument", "put it in quotes"},
		{claim && len(args) > 0, "a query and a claim's key are two ways to ask", "leave one out"},
		{claim && q.similar, "--similar is about a query", "leave it out for a claim's key"},
		{claim && (q.subject == "" || q.predicate == ""), "a claim's key has a subject and a predicate", "give --subject and --predicate"},
		{!claim && (len(args) == 0 || args[0] == ""), "no query is given", "give one, or a claim's key by --subject and --predicate"},
		{q.request.MaxObjects < 1, "--max-objects is at least 1", ""},
		{q.request.MaxBytes < 1, "--max-bytes is at least 1", ""},
		{q.age < 0, "--max-age is not negative", ""},
	} {
		if rule.broken {
			return reason.New(reason.UsageError, "%s", rule.what).Advise("%s", cmp.Or(rule.advice, "see contributor recall -h"))
		}
	}
	return nil
}

// complete makes the request of the flags.
func (q *asking) complete(args []string) error {
	if err := needSpace(q.space); err != nil {
		return err
	}
	if err := q.usage(args); err != nil {
		return err
	}
	r := &q.request
	if len(args) == 0 {
		r.Query.Claim = &selection.ClaimKey{Subject: q.subject, Predicate: q.predicate, Scope: q.scope}
	} else if q.similar {
		r.Query.Similar = args[0]
	} else {
		r.Query.Text = args[0]
	}
	if q.trusted {
		r.Authority = selection.TrustedOnly
	}
	r.MaxAge = uint64(q.age.Milliseconds())
	if q.confidence != "" {
		var err error
		if r.MinConfidence, err = ppmFlag("--min-confidence", q.confidence); err != nil {
			return err
		}
	}
	if err := r.Check(); err != nil {
		return reason.Wrap(reason.UsageError, err, "not a request").Advise("see contributor recall -h")
	}
	return nil
}

// recalled is what recall prints under --json.
type recalled struct {
	Stated     stated  `json:"record"`
	Projection *string `json:"projection,omitempty"`
}

func recalledOf(r agent.Recalled, withBytes bool) recalled {
	out := recalled{Stated: statedBy(r.Statement, r.Scope())}
	if withBytes {
		text := string(r.Bytes())
		out.Projection = &text
	}
	return out
}

// showRecalled prints the projection as it is, or where it lies.
func showRecalled(w io.Writer, r agent.Recalled, out string) {
	if out == "" {
		_, _ = w.Write(r.Bytes())
		return
	}
	fmt.Fprintf(w, "%d objects, %d bytes in %s; %d left out\n", len(r.Delivered), r.Projection.ByteLength, out, r.Exclusions.Total)
}
