package reconcile

import (
	"encoding/json"
	"net/http"
)

// HTTP answers GET /metrics in the Prometheus text format and GET /healthz with
// the state of this process: 200 while every partition that it reads goes on, 503
// with the reasons while one stands still, and while one, the store or the log has
// been failing for more than five seconds.
func (w *Worker) HTTP() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		w.metrics.WriteTo(rw)
	})
	mux.HandleFunc("GET /healthz", func(rw http.ResponseWriter, _ *http.Request) {
		h := processHealth{Worker: w.cfg.Name, Partitions: w.Partitions(), Stopped: w.metrics.Stopped(), Failing: w.outages.lasting(), Unembedded: w.metrics.Unembedded(), LastFact: w.fleet.Last()}
		rw.Header().Set("Content-Type", "application/json")
		if len(h.Stopped)+len(h.Failing) > 0 {
			rw.WriteHeader(http.StatusServiceUnavailable)
		}
		json.NewEncoder(rw).Encode(h)
	})
	return mux
}

// processHealth is the document of /healthz.
type processHealth struct {
	Worker     string            `json:"worker"`
	Partitions []int             `json:"partitions"`           // that this process reads
	Stopped    map[int]string    `json:"stopped,omitempty"`    // by partition, why
	Failing    map[string]string `json:"failing,omitempty"`    // "partition N", "store" or "log", why
	Unembedded map[int]int       `json:"unembedded,omitempty"` // by partition, founding texts still to be embedded
	LastFact   uint64            `json:"last_fact"`            // newest fleet fact folded
}
