package reconcile

import (
	"context"

	"consilience/command"
	"consilience/fleet"
)

// health says where the store stands, and gives a reader that knows the store id
// alone what it needs to check the service's signature.
func (s *Service) health(ctx context.Context, _ Asked) (any, error) {
	p, err := Reached(ctx, s.log, s.reads)
	if err != nil {
		return nil, err
	}
	genesis, operators := s.fleet.roots()
	return command.HealthReply{Revision: p.Revision, Last: p.Last, Version: s.version, Genesis: genesis, Operators: operators}, nil
}

// roots are the messages of the facts that say whose keys the store trusts.
func (f *Fleet) roots() (genesis []byte, operators [][]byte) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.genesis, f.operators[:len(f.operators):len(f.operators)]
}

// trusts keeps a message that says whose keys the store trusts.
func (f *Fleet) trusts(e fleet.Effect, raw []byte) {
	switch e.Kind {
	case command.KindGenesis:
		f.genesis = raw
	case command.KindOperators:
		f.operators = append(f.operators, raw)
	}
}
