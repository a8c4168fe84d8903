package reconcile_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"consilience/cluster/embed"
	"consilience/cluster/embed/static"
	"consilience/cluster/vector"
	"consilience/command"
	"consilience/delta"
	"consilience/internal/testkit"
	"consilience/record"
)

// remoteModel is the model of the endpoint in these tests. It has the dimensions of
// the built-in one, so that nothing but its name tells their vectors apart.
const remoteModel = "openai:test@256"

// endpoint is an OpenAI-compatible server. Each text is similar to itself alone,
// save for those of alike, which have the vector of another text, and of builtIn,
// which have the built-in model's vector of one.
type endpoint struct {
	*httptest.Server
	alike, builtIn map[string]string

	mu    sync.Mutex
	asked map[string]int
	pass  chan struct{} // nil, or answers wait until it is closed
	wrong bool          // answers are of another dimension
}

func newEndpoint(t *testing.T) *endpoint {
	e := &endpoint{alike: map[string]string{}, builtIn: map[string]string{}, asked: map[string]int{}}
	e.Server = httptest.NewServer(http.HandlerFunc(e.answer))
	t.Cleanup(e.Server.Close)
	return e
}

func (e *endpoint) options() embed.Options { return embed.Options{Endpoint: e.URL + "/v1"} }

func (e *endpoint) answer(rw http.ResponseWriter, r *http.Request) {
	var q struct{ Input []string }
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		rw.WriteHeader(http.StatusBadRequest)
		return
	}
	e.mu.Lock()
	for _, text := range q.Input {
		e.asked[text]++
	}
	pass, wrong := e.pass, e.wrong
	e.mu.Unlock()
	if pass != nil {
		select {
		case <-pass:
		case <-r.Context().Done():
			return
		}
	}
	type row struct {
		Index     int           `json:"index"`
		Embedding vector.Vector `json:"embedding"`
	}
	var reply struct {
		Data []row `json:"data"`
	}
	for i, text := range q.Input {
		v := e.vector(text)
		if wrong {
			v = v[1:]
		}
		reply.Data = append(reply.Data, row{i, v})
	}
	_ = json.NewEncoder(rw).Encode(reply)
}

func (e *endpoint) vector(text string) vector.Vector {
	if other, ok := e.builtIn[text]; ok {
		return static.New().Vector(other)
	}
	if other, ok := e.alike[text]; ok {
		text = other
	}
	var v vector.Vector
	for n := range 8 {
		for _, b := range sha256.Sum256(fmt.Append(nil, n, text)) {
			v = append(v, int8(int(b)%(2*vector.Peak+1)-vector.Peak))
		}
	}
	return v
}

// hold makes answers wait, and release lets them go.
func (e *endpoint) hold() (release func()) {
	pass := make(chan struct{})
	e.mu.Lock()
	defer e.mu.Unlock()
	e.pass = pass
	return sync.OnceFunc(func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.pass = nil
		close(pass)
	})
}

// texts are those that were asked, sorted, and more is whether one was asked twice.
func (e *endpoint) texts() (texts []string, more bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, n := range e.asked {
		more = more || n > 1
	}
	return slices.Sorted(maps.Keys(e.asked)), more
}

// answerWrongly makes answers wrong, or right again.
func (e *endpoint) answerWrongly(wrong bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.wrong = wrong
}

// embedding runs a worker with an endpoint in a process of its own.
func (w *world) embedding(failpoints string, e *endpoint) *testkit.Process {
	w.t.Helper()
	w.children++
	return startChild(w.t, failpoints, childConfig{
		Role: "worker", NATS: w.natsURL, Secret: w.secret, Postgres: w.pgURL, Store: hex.EncodeToString(w.store[:]),
		Seed: hex.EncodeToString(w.service.Seed()), Name: fmt.Sprintf("child-%d", w.children), Endpoint: e.options().Endpoint,
	})
}

// manyTexts are n texts in deltas of 100.
func (a *author) manyTexts(space string, n int) {
	a.w.t.Helper()
	a.w.together(func() {
		for first := 0; first < n; first += 100 {
			d := a.next(space)
			d.New = nil
			var records []record.Record
			for i := first; i < first+100; i++ {
				records = append(records, a.text(fmt.Sprintf("Text %d of %s in %s.", i, a.id, space)))
			}
			for _, r := range records {
				d.New = append(d.New, delta.New{Record: r.ID, Base: 900_000})
			}
			raw, _ := a.seal(d, records...)
			a.w.publish(command.DeltaSubject(space, a.id), raw)
		}
	})
}
