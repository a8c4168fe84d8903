package embed

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"consilience/cluster/embed/static"
	"consilience/reason"
)

// endpoint is an OpenAI-compatible server whose vector of a text is its length and
// a constant. Answers come in falling order of index.
func endpoint(t *testing.T, before func(n int32, w http.ResponseWriter, r *http.Request) bool) (*httptest.Server, *atomic.Int32) {
	var calls atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if before != nil && before(calls.Add(1), w, r) {
			return
		}
		var asked struct {
			Model string   `json:"model"`
			Input []string `json:"input"`
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || r.URL.Path != "/v1/embeddings" || asked.Model != "m" {
			t.Errorf("%s %v %+v", r.URL.Path, err, asked)
		}
		var data []string
		for i := len(asked.Input) - 1; i >= 0; i-- {
			data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":[%d,10]}`, i, len(asked.Input[i])))
		}
		fmt.Fprintf(w, `{"object":"list","data":[%s]}`, strings.Join(data, ","))
	}))
	t.Cleanup(s.Close)
	return s, &calls
}

func open(t *testing.T, url string, change func(*Options)) Embedder {
	t.Helper()
	o := Options{Endpoint: url + "/v1/", Backoff: time.Millisecond, Retries: 2}
	if change != nil {
		change(&o)
	}
	e, err := Open("openai:m@2", o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestRemoteAsksInBatchesAndKeepsTheOrder(t *testing.T) {
	s, calls := endpoint(t, func(_ int32, _ http.ResponseWriter, r *http.Request) bool {
		if got := r.Header.Get("Authorization"); got != "Bearer secret" {
			t.Errorf("Authorization %q", got)
		}
		return false
	})
	e := open(t, s.URL, func(o *Options) { o.Batch, o.Key = 2, "secret" })
	got, err := e.Embed(t.Context(), []string{"a", "aaaaa", "aaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaa", ""})
	if err != nil || calls.Load() != 3 {
		t.Fatalf("%v after %d calls", err, calls.Load())
	}
	if want := "[[6 63] [32 63] [63 63] [63 32] [0 63]]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	if e.Model() != "openai:m@2" || e.Dims() != 2 || e.Fixed() {
		t.Errorf("%s %d %v", e.Model(), e.Dims(), e.Fixed())
	}
}

func TestRemoteTriesAgainWhereThatMakesSense(t *testing.T) {
	for status, calls := range map[int]int32{429: 2, 500: 2, 503: 2, 400: 1, 401: 1, 404: 1} {
		s, n := endpoint(t, func(n int32, w http.ResponseWriter, _ *http.Request) bool {
			if n > 1 {
				return false
			}
			w.WriteHeader(status)
			fmt.Fprint(w, "the text was: secret")
			return true
		})
		_, err := open(t, s.URL, nil).Embed(t.Context(), []string{"secret"})
		if (err == nil) != (calls == 2) || n.Load() != calls {
			t.Errorf("%d: %v after %d calls, want %d", status, err, n.Load(), calls)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%d: the error repeats the text: %v", status, err)
		}
	}
}

func TestRemoteGivesUp(t *testing.T) {
	s, calls := endpoint(t, func(_ int32, w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
	if _, err := open(t, s.URL, nil).Embed(t.Context(), []string{"a"}); reason.Of(err) != reason.Unreachable || calls.Load() != 3 {
		t.Errorf("%v after %d calls", err, calls.Load())
	}
	s.Close()
	if _, err := open(t, s.URL, nil).Embed(t.Context(), []string{"a"}); reason.Of(err) != reason.Unreachable {
		t.Errorf("closed: %v", err)
	}
}

func TestRemoteStopsWhenItsCallerDoes(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, calls := endpoint(t, func(_ int32, w http.ResponseWriter, _ *http.Request) bool {
		cancel()
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
		return true
	})
	if _, err := open(t, s.URL, nil).Embed(ctx, []string{"a"}); err == nil || calls.Load() != 1 {
		t.Errorf("%v after %d calls", err, calls.Load())
	}
}

func TestRemoteRefusesWrongAnswers(t *testing.T) {
	for _, body := range []string{
		`{"data":[{"index":0,"embedding":[1,2,3]}]}`,
		`{"data":[{"index":0,"embedding":[]}]}`,
		`{"data":[]}`,
		`{"data":[{"index":1,"embedding":[1,2]}]}`,
		`{"data":[{"index":-1,"embedding":[1,2]}]}`,
		`{"data":[{"index":0,"embedding":[1,2]},{"index":0,"embedding":[1,2]}]}`,
		`{"data":[{"index":0,"embedding":[1,1e999]}]}`,
		`{"data":[{"index":0,"embedding":"AAAA"}]}`,
		`<html>`, ``,
	} {
		s, _ := endpoint(t, func(_ int32, w http.ResponseWriter, _ *http.Request) bool {
			fmt.Fprint(w, body)
			return true
		})
		if _, err := open(t, s.URL, nil).Embed(t.Context(), []string{"a"}); reason.Of(err) != reason.Malformed {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestOpen(t *testing.T) {
	for _, name := range []string{None, ""} {
		if e, err := Open(name, Options{}); e != nil || err != nil {
			t.Errorf("%q: %v %v", name, e, err)
		}
	}
	if e, err := Open(static.Name, Options{}); err != nil || e.Model() != static.Name || !e.Fixed() {
		t.Errorf("%v %v", e, err)
	}
	for _, name := range []string{"potion", "openai:m", "openai:m@", "openai:m@-1", "openai:@5", "openai:m@x", "openai:m@9999999"} {
		if _, err := Open(name, Options{Endpoint: "http://localhost/v1"}); reason.Of(err) != reason.PolicyInvalid {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, endpoint := range []string{"", "localhost:11434/v1", "ftp://localhost/v1", "http://", "http://a b/v1", "/v1"} {
		if _, err := Open("openai:m@2", Options{Endpoint: endpoint}); reason.Of(err) != reason.UsageError {
			t.Errorf("endpoint %q: %v", endpoint, err)
		}
	}
}
