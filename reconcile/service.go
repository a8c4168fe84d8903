package reconcile

import (
	"context"
	"log/slog"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"consilience/command"
	"consilience/fleet"
	"consilience/identity"
	"consilience/lineage"
	"consilience/reason"
)

// requestAge is how far a request's time may be from the service's clock.
const requestAge = 2 * time.Minute

// maxReply bounds a reply, bytes: half of what servers carry in one message.
const maxReply = 1 << 20

// Handler answers one verb for a request that was authorised. It returns the
// reply body of the verb.
type Handler func(ctx context.Context, q Asked) (body any, err error)

// Asked is a request whose sender is known.
type Asked struct {
	command.Request
	Node  lineage.Node // of the contributor, 0 where the verb is for strangers too
	Space fleet.Space  // the space the request names, zero where it names none
}

// Service answers the mem.api.* requests. Any number of them answer for one
// store; each remembers only the nonces that it saw itself, which is enough since
// no verb does harm when it is done twice.
type Service struct {
	store    [32]byte
	key      identity.PrivateKey
	fleet    *Fleet
	log      Log
	reads    Reads
	clock    Clock
	logger   *slog.Logger
	metrics  *Metrics
	nonces   *nonces
	shown    *shown
	handlers map[command.Verb]Handler
	gate     chan struct{}
	slicing  sync.Mutex // one slice at a time is made
	version  string
}

// NewService returns the service of a worker's process: it shares the worker's
// fleet, key and log. version is what health replies state.
func NewService(w *Worker, reads Reads, version string) *Service {
	s := &Service{
		store: w.cfg.StoreID, key: w.cfg.Key, fleet: w.fleet, log: w.log, reads: reads, clock: w.cfg.Clock,
		logger: w.logger, metrics: w.metrics, nonces: newNonces(requestAge), shown: newShown(),
		gate: make(chan struct{}, 4*runtime.GOMAXPROCS(0)), version: version,
	}
	s.handlers = map[command.Verb]Handler{
		command.VerbSlice: s.slice, command.VerbPage: s.page, command.VerbRecord: s.record,
		command.VerbOutcome: s.outcome, command.VerbDerive: s.derive, command.VerbHealth: s.health,
	}
	return s
}

// Handle adds the handler of a verb that another room answers. It MUST be called
// before the first request.
func (s *Service) Handle(v command.Verb, h Handler) { s.handlers[v] = h }

// Verbs are the verbs that the service answers, sorted.
func (s *Service) Verbs() []command.Verb {
	return slices.Sorted(maps.Keys(s.handlers))
}

// Answer answers one request that came in under subject, with a sealed reply.
func (s *Service) Answer(ctx context.Context, subject string, data []byte) []byte {
	s.gate <- struct{}{}
	defer func() { <-s.gate }()
	began := s.clock.Now()
	q, envelope, err := command.OpenRequest(data)
	var body any
	if err == nil {
		body, err = s.answer(ctx, subject, q, envelope)
	}
	s.metrics.request(q.Verb, err)
	s.logger.LogAttrs(ctx, levelOf(err), "request", slog.String("verb", string(q.Verb)), slog.String("space", q.Space),
		slog.String("contributor", q.Contributor.String()), slog.String("reason", string(codeOf(err))),
		slog.Int64("duration_ms", s.clock.Now().Sub(began).Milliseconds()))
	if err != nil {
		return command.SealReply(q.Refuse(err), s.key)
	}
	return command.SealReply(q.Answer(body), s.key)
}

// levelOf is the level at which the end of a request is logged: what nobody
// refused and still failed is the operator's business.
func levelOf(err error) slog.Level {
	if err != nil && (reason.Of(err) == "" || reason.ClassOf(err) == reason.Unavailable) {
		return slog.LevelWarn
	}
	return slog.LevelDebug
}

func (s *Service) answer(ctx context.Context, subject string, q command.Request, e identity.Envelope) (any, error) {
	handle, ok := s.handlers[q.Verb]
	if !ok {
		return nil, reason.New(reason.CommandUnknown, "this service does not answer %s", q.Verb)
	}
	asked, err := s.authorise(subject, q, e)
	if err != nil {
		return nil, err
	}
	return handle(ctx, asked)
}
