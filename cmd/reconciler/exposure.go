package main

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"consilience/fleet"
	"consilience/identity"
	"consilience/internal/cli"
	"consilience/internal/wiring"
	"consilience/lineage"
	"consilience/reason"
	"consilience/recall/exposure"
	"consilience/reconcile"
	"consilience/storage/postgres"
	"consilience/wire"
)

func (a *app) exposureCommand() *cobra.Command {
	var out, check string
	c := &cobra.Command{
		Use: "exposure CONTRIBUTOR | exposure --check FILE", Short: "For whom a contributor's items were emitted, signed", Args: cobra.MaximumNArgs(1),
		Long: `Report for whom the items of a contributor, and of all that derive from it, were
emitted: by a projection or as records, when, and which log entry says so. The report
holds no content and is signed with the operator's key; --out keeps the signed report,
--check verifies one against the operators of this store.`,
		Example: `  reconciler exposure mallory
  reconciler exposure mallory --out mallory.report
  reconciler exposure --check mallory.report --json`,
		RunE: func(c *cobra.Command, args []string) error {
			if (len(args) == 1) == (check != "") {
				return reason.New(reason.UsageError, "name a contributor, or a report with --check").Advise("see reconciler exposure -h")
			}
			var e exposed
			var err error
			if check != "" {
				e, err = a.checkExposure(c.Context(), check)
			} else {
				e, err = a.exposure(c.Context(), args[0])
			}
			if err != nil {
				return err
			}
			if out != "" {
				if err := os.WriteFile(out, e.raw, 0o600); err != nil {
					return reason.Wrap(reason.UsageError, err, "report cannot be written").On(out)
				}
			}
			return a.Print(e, e.table)
		},
	}
	c.Flags().StringVar(&out, "out", "", "write the signed report to this file, mode 0600")
	c.Flags().StringVar(&check, "check", "", "verify a signed report")
	return c
}

// exposed is what exposure prints.
type exposed struct {
	Report   exposure.Report `json:"report"`
	Signer   string          `json:"signer"`   // key id
	Envelope string          `json:"envelope"` // the signed report, unpadded base64url
	raw      []byte
}

func (a *app) exposure(ctx context.Context, arg string) (exposed, error) {
	key, err := a.operator()
	if err != nil {
		return exposed{}, err
	}
	f, store, done, err := a.openBoth(ctx)
	if err != nil {
		return exposed{}, err
	}
	defer done()
	who, err := (&desk{fleet: f}).contributor(arg)
	if err != nil {
		return exposed{}, err
	}
	id, err := a.storeID()
	if err != nil {
		return exposed{}, err
	}
	r := exposure.Report{Version: exposure.Version, Store: wire.Text(id), Contributor: who.ID, At: uint64(time.Now().UnixMilli())}
	if r.Revision, err = a.reached(ctx, store); err != nil {
		return exposed{}, err
	}
	var subtree []lineage.Node
	f.Now(func(v fleet.View) {
		subtree = v.Lineage().Subtree(who.Node)
		for _, n := range subtree {
			r.Lineage = append(r.Lineage, v.ID(n))
		}
	})
	emitted, err := store.Emissions(ctx, subtree)
	if err != nil {
		return exposed{}, err
	}
	f.Now(func(v fleet.View) { fill(&r, emitted, v) })
	return exposedOf(r, exposure.Seal(r, key), key.Public().KeyID()), nil
}

// openBoth opens the fleet and the store that it was loaded from.
func (a *app) openBoth(ctx context.Context) (*reconcile.Fleet, *postgres.Store, func(), error) {
	f, closeFleet, err := a.openFleet(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	store, err := a.openStore(ctx)
	if err != nil {
		closeFleet()
		return nil, nil, nil, err
	}
	return f, store, func() { store.Close(); closeFleet() }, nil
}

// reached is the sequence of the log up to which every entry is merged.
func (a *app) reached(ctx context.Context, store *postgres.Store) (uint64, error) {
	b, err := a.openBus(ctx, a.operatorKey)
	if err != nil {
		return 0, err
	}
	defer b.Close()
	p, err := reconcile.Reached(ctx, wiring.Log{Bus: b}, wiring.Store{Store: store})
	return p.Revision, err
}

// fill puts the emissions into a report, and who received them.
func fill(r *exposure.Report, emitted []postgres.Emitted, v fleet.View) {
	r.Emissions, r.Recipients = []exposure.Emission{}, []exposure.Recipient{}
	at := map[identity.ID]int{}
	seen := map[[2]string]bool{}
	for _, e := range emitted {
		item := e.Item.String()
		r.Emissions = append(r.Emissions, exposure.Emission{
			Space: e.Space, To: e.To, By: e.By, Item: item, Content: e.Content.Hash.String(), How: e.How, Seq: e.Seq, At: e.At,
		})
		n, known := at[e.To]
		if !known {
			n = len(r.Recipients)
			at[e.To] = n
			c, _ := v.Contributor(e.To)
			r.Recipients = append(r.Recipients, exposure.Recipient{Contributor: e.To, Name: c.Name, First: e.Seq})
		}
		r.Recipients[n].First = min(r.Recipients[n].First, e.Seq)
		if key := [2]string{e.To.String(), e.Space + item}; !seen[key] {
			seen[key] = true
			r.Recipients[n].Items++
		}
	}
	slices.SortStableFunc(r.Recipients, func(a, b exposure.Recipient) int { return cmp.Compare(a.First, b.First) })
}

// checkExposure verifies a signed report against the operators of the store.
func (a *app) checkExposure(ctx context.Context, file string) (exposed, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return exposed{}, reason.New(reason.NotFound, "report cannot be read").On(file)
	}
	e, err := identity.OpenEnvelope(raw)
	if err != nil {
		return exposed{}, reason.Wrap(reason.UsageError, err, "not a signed report").On(file)
	}
	f, done, err := a.openFleet(ctx)
	if err != nil {
		return exposed{}, err
	}
	defer done()
	var key identity.PublicKey
	var operator bool
	f.Now(func(v fleet.View) {
		key, _, _, _ = v.Key(e.KeyID)
		operator = v.Operator(e.KeyID)
	})
	if !operator {
		return exposed{}, reason.New(reason.SignerNotOperator, "not signed by an operator of this store").On(file)
	}
	r, err := exposure.Open(raw, key)
	if err != nil {
		return exposed{}, named(file, err)
	}
	if id, err := a.storeID(); err != nil || r.Store != wire.Text(id) {
		return exposed{}, reason.New(reason.StoreMismatch, "a report about another store").On(file)
	}
	return exposedOf(r, raw, e.KeyID), nil
}

func exposedOf(r exposure.Report, raw []byte, signer identity.KeyID) exposed {
	return exposed{Report: r, Signer: signer.String(), Envelope: base64.RawURLEncoding.EncodeToString(raw), raw: raw}
}

func (e exposed) table(w io.Writer) {
	rows := [][]string{}
	for _, r := range e.Report.Recipients {
		rows = append(rows, []string{r.Contributor.String(), r.Name, strconv.Itoa(r.Items), strconv.FormatUint(r.First, 10)})
	}
	cli.Table(w, []string{"EMITTED TO", "NAME", "ITEMS", "FIRST AT"}, rows)
	fmt.Fprintf(w, "\n%s up to sequence %d, signed by operator key %s\n", cli.Count(len(e.Report.Emissions), "emission"), e.Report.Revision, e.Signer)
}
