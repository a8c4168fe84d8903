package projection

import (
	"context"
	"time"
)

// Registry makes a projection usable once. Implementations are in
// projection/registry; none of them is pure.
type Registry interface {
	// Register records use as an atomic, durable act: of two calls for one
	// ProjectionID, at the same time or across a restart, exactly one returns nil, and
	// it returns after the registration has reached stable storage. The other one gets
	// [ProjectionReplay]. Every other error means that nothing is known to be
	// registered, and the record is not accepted.
	Register(ctx context.Context, use Use) error
}

// Use is one use of a projection. The id counts alone, across adapters (AP-15).
type Use struct {
	ProjectionID string
	// Created is created_at, which the adapter signed. A registry that has forgotten uses
	// up to an instant refuses every record created before it that it does not know: by
	// limits that grew since, or another relying party's, it may still be fresh.
	Created time.Time
	// Until is when the record will be stale by the limits of whoever uses it, never
	// before Created; a registry may forget the use only after that.
	Until time.Time
}
