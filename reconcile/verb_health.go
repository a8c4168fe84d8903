package reconcile

import (
	"context"

	"consilience/command"
)

// health says where the store stands, and gives a reader that knows the store id
// alone what it needs to check the service's signature.
func (s *Service) health(ctx context.Context, _ Asked) (any, error) {
	p, err := Reached(ctx, s.log, s.reads)
	if err != nil {
		return nil, err
	}
	genesis, operators := s.fleet.trustRoots()
	return command.HealthReply{Revision: p.Revision, Last: p.Last, Version: s.version, Genesis: genesis, Operators: operators}, nil
}
