package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"

	"consilience/wire"
)

// verify measures `reconciler verify` of the full store, process start included.
func (w *world) verify(ctx context.Context, _ config) error {
	c := exec.CommandContext(ctx, w.reconcil, "verify", "--json", "--nats", w.nats.URL(), "--postgres", w.url,
		"--store", wire.Text(w.store), "--service-key", filepath.Join(w.dir, "service.key"))
	began := time.Now()
	out, err := c.Output()
	if err != nil {
		return fmt.Errorf("verify: %w: %s", err, out)
	}
	took := time.Since(began)
	var report struct{ Records, Intact int }
	if err := json.Unmarshal(out, &report); err != nil {
		return err
	}
	if report.Records == 0 || report.Intact != report.Records {
		return fmt.Errorf("verify: %d of %d records intact", report.Intact, report.Records)
	}
	fmt.Printf("verify of %d records: %.0f records/s (wanted: 100,000)\n", report.Records, float64(report.Records)/took.Seconds())
	return nil
}
