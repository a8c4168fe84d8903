package recall

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"consilience/reason"
)

const (
	// pace is how often a service looks for records whose words were not taken.
	pace = 500 * time.Millisecond
	// patience is how long a recall waits for the words of a space.
	patience = 2 * time.Second
)

// Run takes the words of new records until ctx ends, in the spaces that were ever
// recalled from. Any number of services may run for one store.
func (s *Service) Run(ctx context.Context) {
	tick := time.NewTicker(pace)
	defer tick.Stop()
	for {
		if err := s.followAll(ctx); err != nil && ctx.Err() == nil {
			s.logger.LogAttrs(ctx, slog.LevelWarn, "words", slog.String("reason", string(cmp.Or(reason.Of(err), reason.Unreachable))))
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (s *Service) followAll(ctx context.Context) error {
	behind, err := s.store.Behind(ctx)
	for _, space := range behind {
		if err := s.follow(ctx, space); err != nil {
			return err
		}
	}
	return err
}

// follow takes the words of all records that the space has now.
func (s *Service) follow(ctx context.Context, space int32) error {
	newest, taken, err := s.store.Untaken(ctx, space)
	for err == nil && taken < newest {
		taken, err = s.store.TakeWords(ctx, space)
	}
	return err
}

// catchUp is follow within a recall's patience. A space that was never searched may
// need longer; Run goes on with it, and a later recall finds it done.
func (s *Service) catchUp(ctx context.Context, space int32) error {
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := s.follow(waiting, space)
	if err != nil && waiting.Err() != nil && ctx.Err() == nil {
		return reason.New(reason.TimedOut, "the words of the space are still being taken").Advise("ask again in a minute")
	}
	return err
}
