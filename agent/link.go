package agent

import (
	"context"

	"consilience/bus"
	"consilience/identity"
)

// Link carries a contributor's messages to a store and back. It need not be
// trusted: what arrives is signed, and what leaves is.
type Link interface {
	// Publish puts messages on the log in their order. It returns nil only when
	// the log holds all of them durably; after an error any of them may lie there,
	// and publishing the same bytes again MUST be harmless.
	Publish(ctx context.Context, messages []bus.Msg) error
	// Request asks the service and returns its reply.
	Request(ctx context.Context, subject string, data []byte) ([]byte, error)
	// Outcomes calls hear with each outcome that is published for the
	// contributor until ctx ends. It may miss some: they are asked for as well.
	Outcomes(ctx context.Context, hear func(data []byte)) error
}

// contributorLink is the narrow connection of one contributor.
type contributorLink struct{ *bus.Contributor }

// ContributorLink is the link of a contributor's own connection.
func ContributorLink(c *bus.Contributor) Link { return contributorLink{c} }

func (l contributorLink) Publish(ctx context.Context, messages []bus.Msg) error {
	for _, m := range messages {
		if _, err := l.Contributor.Publish(ctx, m.Subject, m.Data); err != nil {
			return err
		}
	}
	return nil
}

func (l contributorLink) Outcomes(ctx context.Context, hear func([]byte)) error {
	return l.SubscribeOutcomes(ctx, hear)
}

// operatorLink is the wide connection of an operator, used for contributors
// whose keys are at hand too.
type operatorLink struct {
	bus *bus.Bus
	id  identity.ID
}

// OperatorLink is a link for contributor over an operator's connection: one
// connection serves many contributors, and messages travel in atomic batches.
func OperatorLink(b *bus.Bus, contributor identity.ID) Link { return operatorLink{b, contributor} }

func (l operatorLink) Publish(ctx context.Context, messages []bus.Msg) error {
	_, err := l.bus.PublishBatch(ctx, messages)
	return err
}

func (l operatorLink) Request(ctx context.Context, subject string, data []byte) ([]byte, error) {
	return l.bus.Request(ctx, subject, data)
}

func (l operatorLink) Outcomes(ctx context.Context, hear func([]byte)) error {
	return l.bus.SubscribeOutcomes(ctx, l.id, hear)
}
