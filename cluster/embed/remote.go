package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"consilience/cluster/vector"
	"consilience/reason"
)

// Options say where a model that is not built in answers, and how patiently it is
// asked.
type Options struct {
	// Endpoint is the address up to and without "/embeddings", as
	// http://localhost:11434/v1 (Ollama) or https://api.openai.com/v1.
	Endpoint string
	// Key is sent as a bearer token. Defaults to none. It is never logged.
	Key string
	// Batch is how many texts go in one request. Defaults to 96.
	Batch int
	// Timeout of one request. Defaults to 30 s.
	Timeout time.Duration
	// Retries after the first try of a request that the endpoint could not answer
	// (429, 5xx, no connection). Defaults to 4.
	Retries int
	// Backoff is the first pause between tries; each next is twice as long, and at
	// least what the endpoint asks for. Defaults to 500 ms.
	Backoff time.Duration
	// Client sends the requests. Defaults to one of its own.
	Client *http.Client
}

func (o Options) withDefaults() Options {
	if o.Batch == 0 {
		o.Batch = 96
	}
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	if o.Retries == 0 {
		o.Retries = 4
	}
	if o.Backoff == 0 {
		o.Backoff = 500 * time.Millisecond
	}
	if o.Client == nil {
		o.Client = &http.Client{}
	}
	return o
}

// maxReply is the largest reply that is read, 64 MiB.
const maxReply = 64 << 20

// maxPause is the longest pause that an endpoint can ask for.
const maxPause = 30 * time.Second

// Remote is a model behind an OpenAI-compatible endpoint (Ollama, vLLM, TEI,
// OpenAI). Its vectors may differ from call to call: they are stored before they
// are used, and a replay takes the stored ones.
type Remote struct {
	model string
	dims  int
	o     Options
}

// NewRemote returns the embedder for a model of dims dimensions. It asks nothing yet.
func NewRemote(model string, dims int, o Options) (*Remote, error) {
	if dims > vector.MaxDims {
		return nil, reason.New(reason.PolicyInvalid, "%d dimensions, at most %d", dims, vector.MaxDims).On(model)
	}
	if o.Endpoint == "" {
		return nil, reason.New(reason.UsageError, "the policy names a model behind an endpoint, and none is set").On(model).
			Advise("set the endpoint, as http://localhost:11434/v1")
	}
	if u, err := url.Parse(o.Endpoint); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, reason.New(reason.UsageError, "the endpoint is no address").On(o.Endpoint).Advise("set it as http://localhost:11434/v1")
	}
	o.Endpoint = strings.TrimSuffix(o.Endpoint, "/")
	return &Remote{model, dims, o.withDefaults()}, nil
}

// Model returns "openai:MODEL@DIMS".
func (r *Remote) Model() string { return fmt.Sprintf("%s%s@%d", remotePrefix, r.model, r.dims) }

// Dims returns the number of dimensions.
func (r *Remote) Dims() int { return r.dims }

// Fixed reports false.
func (r *Remote) Fixed() bool { return false }

// Embed asks for the vectors of texts, [Options.Batch] at a time. It returns
// [reason.Unreachable] when the endpoint does not answer in spite of the retries,
// [reason.Malformed] for an answer that is none, such as one of another dimension.
func (r *Remote) Embed(ctx context.Context, texts []string) ([]vector.Vector, error) {
	out := make([]vector.Vector, 0, len(texts))
	for first := 0; first < len(texts); first += r.o.Batch {
		vectors, err := r.batch(ctx, texts[first:min(first+r.o.Batch, len(texts))])
		if err != nil {
			return nil, err
		}
		out = append(out, vectors...)
	}
	return out, nil
}

// batch sends one request until it is answered or the tries are used up.
func (r *Remote) batch(ctx context.Context, texts []string) ([]vector.Vector, error) {
	body, err := json.Marshal(map[string]any{"model": r.model, "input": texts, "encoding_format": "float"})
	if err != nil {
		return nil, err
	}
	pause := r.o.Backoff
	for try := 0; ; try++ {
		reply, err := r.post(ctx, body)
		if err == nil {
			return r.read(reply, len(texts))
		}
		var again *busy
		if !errors.As(err, &again) || try >= r.o.Retries || ctx.Err() != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(max(pause, min(again.after, maxPause))):
		}
		pause *= 2
	}
}

// busy is an answer after which trying again makes sense.
type busy struct {
	cause error
	after time.Duration
}

func (b *busy) Error() string { return b.cause.Error() }
func (b *busy) Unwrap() error { return b.cause }

func (r *Remote) post(ctx context.Context, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, r.o.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.o.Endpoint+"/embeddings", bytes.NewReader(body))
	if err != nil {
		return nil, reason.Wrap(reason.UsageError, err, "the endpoint is no address").On(r.o.Endpoint)
	}
	req.Header.Set("Content-Type", "application/json")
	if r.o.Key != "" {
		req.Header.Set("Authorization", "Bearer "+r.o.Key)
	}
	resp, err := r.o.Client.Do(req)
	if err != nil {
		return nil, &busy{cause: reason.Wrap(reason.Unreachable, err, "the embedding endpoint does not answer").On(r.o.Endpoint)}
	}
	defer resp.Body.Close()
	if err := refusal(resp, r.o.Endpoint); err != nil {
		return nil, err
	}
	reply, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	if err != nil {
		return nil, &busy{cause: reason.Wrap(reason.Unreachable, err, "the embedding endpoint broke off").On(r.o.Endpoint)}
	}
	if len(reply) > maxReply {
		return nil, reason.New(reason.Malformed, "the endpoint's answer is over %d bytes", maxReply).On(r.o.Endpoint)
	}
	return reply, nil
}

// refusal is the error of a status that is not 200. The endpoint's own words are
// left out: they may repeat what was sent.
func refusal(resp *http.Response, endpoint string) error {
	status := resp.StatusCode
	switch {
	case status == http.StatusOK:
		return nil
	case status == http.StatusTooManyRequests || status >= 500:
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		return &busy{reason.New(reason.Unreachable, "the embedding endpoint answers %d", status).On(endpoint), time.Duration(seconds) * time.Second}
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return reason.New(reason.PermissionDenied, "the embedding endpoint answers %d: set its key", status).On(endpoint)
	}
	return reason.New(reason.Malformed, "the embedding endpoint answers %d", status).On(endpoint)
}

// read takes the vectors out of a reply, in the order of the texts.
func (r *Remote) read(reply []byte, texts int) ([]vector.Vector, error) {
	var got struct {
		Data []struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(reply, &got); err != nil {
		return nil, reason.New(reason.Malformed, "the endpoint's answer does not read").On(r.o.Endpoint)
	}
	if len(got.Data) != texts {
		return nil, reason.New(reason.Malformed, "%d vectors for %d texts", len(got.Data), texts).On(r.o.Endpoint)
	}
	out := make([]vector.Vector, texts)
	for _, d := range got.Data {
		if d.Index < 0 || d.Index >= texts || out[d.Index] != nil {
			return nil, reason.New(reason.Malformed, "the endpoint numbers its vectors wrongly").On(r.o.Endpoint)
		}
		if len(d.Embedding) != r.dims {
			return nil, reason.New(reason.Malformed, "a vector of %d dimensions, the policy says %d", len(d.Embedding), r.dims).On(r.model)
		}
		if out[d.Index] = vector.Quantise(d.Embedding); out[d.Index] == nil {
			return nil, reason.New(reason.Malformed, "a vector with a value that is not finite").On(r.model)
		}
	}
	return out, nil
}
