package recall

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"log/slog"

	"consilience/command"
	"consilience/fleet"
	"consilience/identity"
	"consilience/projection"
	"consilience/recall/selection"
	"consilience/reconcile"
	"consilience/record"
)

// Config is what a service is made of.
type Config struct {
	StoreID [32]byte
	Key     identity.PrivateKey // the service's; it signs the records
	Fleet   *reconcile.Fleet
	Store   Store
	// Served states on the log what is about to be emitted; see [reconcile.Service.Served].
	Served func(ctx context.Context, q reconcile.Asked, how string, contents []record.Content) error
	// Searcher answers queries by similarity, such as a [Similarity].
	Searcher Searcher
	// Adapter is the adapter id of the records, a URI. Defaults to [selection.AdapterID].
	Adapter string
	// Clock defaults to that of the machine.
	Clock reconcile.Clock
	// Logger defaults to none. No content, query or key is logged.
	Logger *slog.Logger
}

// Service answers recalls. It is safe for concurrent use.
type Service struct {
	cfg      Config
	store    Store
	logger   *slog.Logger
	keyring  keyring
	producer *projection.Producer
}

// NewService returns a service. It returns the reasons of [projection.NewProducer].
func NewService(cfg Config) (*Service, error) {
	if cfg.Clock == nil {
		cfg.Clock = reconcile.SystemClock{}
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	adapter := projection.Adapter{ID: cmp.Or(cfg.Adapter, selection.AdapterID(cfg.StoreID)), KeyID: cfg.Key.Public().KeyID().String()}
	producer, err := projection.NewProducer(adapter, ed25519.NewKeyFromSeed(cfg.Key.Seed()), cfg.Clock.Now, projection.RandomIDs(rand.Reader))
	if err != nil {
		return nil, err
	}
	return &Service{cfg: cfg, store: cfg.Store, logger: cfg.Logger, keyring: keyring{fleet: cfg.Fleet}, producer: producer}, nil
}

// Answer is the [reconcile.Handler] of the verb recall. That the contributor may be
// shown the space was checked before.
func (s *Service) Answer(ctx context.Context, q reconcile.Asked) (any, error) {
	raw := q.Body.(command.RecallRequest).Request
	request, err := selection.ParseRequest(raw)
	if err != nil {
		return nil, err
	}
	matcher, err := s.matcher(request.Query, q.Space)
	if err != nil {
		return nil, err
	}
	policy := selection.Resolve(request, selection.Setting{
		Matcher: matcher, NearZero: q.Space.Policy.NearZero, Now: uint64(s.cfg.Clock.Now().UnixMilli()),
	})
	found, err := s.find(ctx, q, policy)
	if err != nil {
		return nil, err
	}
	p, err := s.project(ctx, q.Space.Name, raw, policy, found)
	if err != nil {
		return nil, err
	}
	if err := s.cfg.Served(ctx, q, command.HowProjection, p.contents()); err != nil {
		return nil, err
	}
	return p.reply()
}

// matcher names how a query is answered.
func (s *Service) matcher(q selection.Query, space fleet.Space) (string, error) {
	switch {
	case q.Claim != nil:
		return selection.MatcherClaim, nil
	case q.Text != "":
		return selection.MatcherWords, nil
	}
	return s.cfg.Searcher.Matcher(space)
}

// find reads the candidates of a policy in one snapshot of the store.
func (s *Service) find(ctx context.Context, q reconcile.Asked, p selection.Policy) (Recalled, error) {
	question := Question{Lowest: p.MinConfidence, Limit: int(p.MaxCandidates)}
	switch {
	case p.Query.Claim != nil:
		c, err := p.Query.Claim.Claim()
		if err != nil {
			return Recalled{}, err
		}
		question.Claim = &ClaimKey{Hash: c.KeyHash, Subject: c.Subject, Predicate: c.Predicate, Scope: c.Scope}
	case p.Query.Text != "":
		question.Words = asked(q.Space.Num, p.Query.Text)
	default:
		return s.findSimilar(ctx, q, p.Query.Similar, question)
	}
	found, err := s.store.Recall(ctx, q.Space.Num, question)
	if err != nil || !found.Behind {
		return found, err
	}
	if err := s.catchUp(ctx, q.Space.Num); err != nil {
		return Recalled{}, err
	}
	question.Behind = true // by what was merged since this recall began
	return s.store.Recall(ctx, q.Space.Num, question)
}
