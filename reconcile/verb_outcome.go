package reconcile

import (
	"context"

	"consilience/command"
)

// outcome answers what became of deltas of the asking contributor.
func (s *Service) outcome(ctx context.Context, q Asked) (any, error) {
	asked := q.Body.(command.OutcomeRequest).Deltas
	found, err := s.reads.Outcomes(ctx, q.Space.Name, q.Contributor, asked)
	if err != nil {
		return nil, err
	}
	size := 0
	for i, document := range found {
		if size += len(document); size > maxReply && i > 0 {
			found = found[:i]
			break
		}
	}
	return command.OutcomeReply{Outcomes: found}, nil
}
