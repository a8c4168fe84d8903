package reconcile

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"consilience/command"
	"consilience/merge"
	"consilience/reason"
)

// buckets are the upper bounds, in seconds, of the latency histograms.
var buckets = []float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10}

// Metrics counts what a process does. All labels are closed sets: reason codes,
// verbs, partitions; no id and no content ever becomes one.
type Metrics struct {
	mu          sync.Mutex
	batches     uint64
	interrupted map[reason.Code]uint64
	outcomes    map[string]uint64 // by status
	rejected    map[string]uint64 // by reason
	statements  uint64
	requests    map[requestLabel]uint64
	merging     histogram // of a transaction
	lag         histogram // from the log's timestamp of an entry to its commit
	halted      map[int]string
	positions   map[int]uint64
	unembedded  map[spaceIn]int // founding texts whose vectors are being made
}

// spaceIn is a space in its partition.
type spaceIn struct {
	partition int
	space     int32
}

type requestLabel struct {
	verb   command.Verb
	reason reason.Code // "" for an answer
}

// histogram counts durations in buckets.
type histogram struct {
	counts [11]uint64 // one for each bucket, and above all
	sum    float64
}

func (h *histogram) observe(d time.Duration) {
	s := d.Seconds()
	i, _ := slices.BinarySearch(buckets, s)
	h.counts[i]++
	h.sum += s
}

// NewMetrics returns counters at zero.
func NewMetrics() *Metrics {
	return &Metrics{
		interrupted: map[reason.Code]uint64{}, outcomes: map[string]uint64{}, rejected: map[string]uint64{},
		requests: map[requestLabel]uint64{}, halted: map[int]string{}, positions: map[int]uint64{},
		unembedded: map[spaceIn]int{},
	}
}

// merged counts a committed batch.
func (m *Metrics) merged(b *batch, entries []merge.Entry, took time.Duration, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.batches++
	m.statements += uint64(b.statements)
	m.merging.observe(took)
	m.positions[b.partition] = entries[len(entries)-1].Seq
	for _, e := range entries {
		m.lag.observe(now.Sub(time.UnixMilli(int64(e.Time))))
	}
	for _, o := range b.outcomes {
		m.outcomes[string(o.Outcome.Status)]++
	}
	for _, r := range b.rejections {
		m.rejected[r.Reason]++
	}
}

// interruption counts a session that ended for err.
func (m *Metrics) interruption(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.interrupted[codeOf(err)]++
}

// stopped keeps why a partition stands still, "" for one that goes on.
func (m *Metrics) stopped(partition int, why string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if why == "" {
		delete(m.halted, partition)
		return
	}
	m.halted[partition] = why
}

// left forgets a partition that this process does not read any more.
func (m *Metrics) left(partition int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.halted, partition)
	delete(m.positions, partition)
	maps.DeleteFunc(m.unembedded, func(s spaceIn, _ int) bool { return s.partition == partition })
}

// embedding keeps how many founding texts of a space are still to be embedded.
func (m *Metrics) embedding(partition int, space int32, left int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if left == 0 {
		delete(m.unembedded, spaceIn{partition, space})
		return
	}
	m.unembedded[spaceIn{partition, space}] = left
}

// Unembedded is how many founding texts are still to be embedded under the model of
// their space's policy, by partition of this process; those that wait for none are
// left out.
func (m *Metrics) Unembedded() map[int]int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.unembeddedByPartition()
}

func (m *Metrics) unembeddedByPartition() map[int]int {
	out := map[int]int{}
	for s, n := range m.unembedded {
		out[s.partition] += n
	}
	return out
}

// Stopped returns why partitions of this process stand still.
func (m *Metrics) Stopped() map[int]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make(map[int]string, len(m.halted))
	for k, why := range m.halted {
		out[k] = why
	}
	return out
}

// Statements is how many statements this process has merged.
func (m *Metrics) Statements() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.statements
}

// request counts a request that was answered, or refused for err.
func (m *Metrics) request(v command.Verb, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests[requestLabel{verb: v, reason: codeOf(err)}]++
}

// WriteTo writes the counters in the Prometheus text format, version 0.0.4.
func (m *Metrics) WriteTo(w io.Writer) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b strings.Builder
	family(&b, "batches_total", "counter", "Transactions committed.", map[string]uint64{"": m.batches})
	family(&b, "statements_total", "counter", "Statements merged.", map[string]uint64{"": m.statements})
	family(&b, "outcomes_total", "counter", "Deltas merged, by status.", labelled("status", m.outcomes))
	family(&b, "rejections_total", "counter", "Entries rejected, by reason.", labelled("reason", m.rejected))
	family(&b, "interruptions_total", "counter", "Sessions of a partition that ended, by reason.", labelled("reason", m.interrupted))
	family(&b, "requests_total", "counter", "Requests answered, by verb and reason of a refusal.", m.requestCounts())
	family(&b, "partition_stopped", "gauge", "1 for a partition that stands still.", m.stops())
	family(&b, "partition_position", "gauge", "Sequence up to which a partition is merged.", m.positionsText())
	family(&b, "partition_unembedded", "gauge", "Texts that founded items and are still to be embedded under their space's model.", m.unembeddedText())
	m.merging.write(&b, "merge_seconds", "Duration of a transaction.")
	m.lag.write(&b, "lag_seconds", "From the log's timestamp of an entry to its commit.")
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

func (m *Metrics) unembeddedText() map[string]uint64 {
	left := m.unembeddedByPartition()
	out := map[string]uint64{}
	for k := range m.positions {
		out[partitionLabel(k)] = uint64(left[k])
	}
	return out
}

// family writes one metric; keys of values are its labels.
func family(b *strings.Builder, name, kind, help string, values map[string]uint64) {
	fmt.Fprintf(b, "# HELP consilience_%s %s\n# TYPE consilience_%s %s\n", name, help, name, kind)
	for _, labels := range sortedKeys(values) {
		fmt.Fprintf(b, "consilience_%s%s %d\n", name, labels, values[labels])
	}
}

func sortedKeys(values map[string]uint64) []string {
	keys := make([]string, 0, len(values))
	for k := range values {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func labelled[K ~string](label string, counts map[K]uint64) map[string]uint64 {
	out := make(map[string]uint64, len(counts))
	for k, n := range counts {
		out["{"+label+"="+strconv.Quote(string(k))+"}"] = n
	}
	return out
}

func (m *Metrics) requestCounts() map[string]uint64 {
	out := map[string]uint64{}
	for l, n := range m.requests {
		out[fmt.Sprintf("{verb=%q,reason=%q}", string(l.verb), string(l.reason))] = n
	}
	return out
}

func (m *Metrics) stops() map[string]uint64 {
	out := map[string]uint64{}
	for k := range m.positions {
		out[partitionLabel(k)] = 0
	}
	for k := range m.halted {
		out[partitionLabel(k)] = 1
	}
	return out
}

func (m *Metrics) positionsText() map[string]uint64 {
	out := map[string]uint64{}
	for k, seq := range m.positions {
		out[partitionLabel(k)] = seq
	}
	return out
}

func partitionLabel(k int) string { return fmt.Sprintf("{partition=\"%d\"}", k) }

func (h *histogram) write(b *strings.Builder, name, help string) {
	fmt.Fprintf(b, "# HELP consilience_%s %s\n# TYPE consilience_%s histogram\n", name, help, name)
	var total uint64
	for i, le := range buckets {
		total += h.counts[i]
		fmt.Fprintf(b, "consilience_%s_bucket{le=\"%g\"} %d\n", name, le, total)
	}
	total += h.counts[len(buckets)]
	fmt.Fprintf(b, "consilience_%s_bucket{le=\"+Inf\"} %d\nconsilience_%s_sum %g\nconsilience_%s_count %d\n", name, total, name, h.sum, name, total)
}
