package wiring

import (
	"context"

	"consilience/bus"
	"consilience/reconcile"
)

// Serve answers the contributors' requests on b with s until ctx ends or stop is
// called.
func Serve(ctx context.Context, b *bus.Bus, s *reconcile.Service) (stop func(), err error) {
	handlers := map[string]bus.Handler{}
	for _, v := range s.Verbs() {
		handlers[string(v)] = func(ctx context.Context, r bus.Request) ([]byte, error) {
			return s.Answer(ctx, "mem.api."+r.Verb+"."+r.From, r.Data), nil
		}
	}
	return b.Serve(ctx, handlers)
}
