package bus

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"consilience/reason"
)

// unavailable gives an error of NATS its reason, nil for nil.
func unavailable(err error, detail string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), errors.Is(err, nats.ErrTimeout):
		return reason.Wrap(reason.TimedOut, err, "%s", detail)
	default:
		return reason.Wrap(reason.Unreachable, err, "%s", detail)
	}
}

// refused gives a failed connection its reason.
func refused(err error) error {
	if errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) {
		return reason.Wrap(reason.PermissionDenied, err, "the NATS server does not take this key").
			Advise("use the key that the store knows; endpoints.json of a dev store names it")
	}
	return reason.Wrap(reason.Unreachable, err, "cannot connect to NATS").
		Advise("start the server, or mend the address")
}

// passing are conditions that end by themselves: an election, a restart, a
// connection that is being made again.
var passing = []error{
	jetstream.ErrNoStreamResponse, nats.ErrNoResponders, nats.ErrTimeout, context.DeadlineExceeded,
	nats.ErrDisconnected, nats.ErrConnectionReconnecting, nats.ErrReconnectBufExceeded, nats.ErrNoServers,
}

// serviceUnavailable is the HTTP-like class of JetStream errors that pass: no
// leader, no majority, no room at this moment.
const serviceUnavailable = 503

// passes reports whether the same call may work a moment later.
func passes(err error) bool {
	for _, target := range passing {
		if errors.Is(err, target) {
			return true
		}
	}
	var api jetstream.JetStreamError
	return errors.As(err, &api) && api.APIError() != nil && api.APIError().Code == serviceUnavailable
}
