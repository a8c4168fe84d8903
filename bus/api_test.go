package bus_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"consilience/bus"
	"consilience/command"
	"consilience/reason"
)

func TestServeAnswersAcrossTheAccounts(t *testing.T) {
	t.Parallel()
	n, b := newLog(t)
	c := join(t, n, newKey(t))
	_, err := c.Request(within(t), command.APISubject("slice", c.ID()), nil)
	wantCode(t, err, reason.Unreachable)

	stop, err := b.Serve(t.Context(), map[string]bus.Handler{
		"slice": func(_ context.Context, r bus.Request) ([]byte, error) {
			return fmt.Appendf(nil, "%s %s %s", r.Verb, r.From, r.Data), nil
		},
		"page": func(context.Context, bus.Request) ([]byte, error) {
			return nil, reason.Wrap(reason.SliceUnknown, errors.New("secret"), "no such slice")
		},
		"recall": func(context.Context, bus.Request) ([]byte, error) { return make([]byte, bus.MaxMessage+1), nil },
		"record": func(context.Context, bus.Request) ([]byte, error) { return nil, errors.New("secret") },
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Request(within(t), command.APISubject("slice", c.ID()), []byte("mine"))
	if want := "slice " + c.ID().Token() + " mine"; err != nil || string(got) != want {
		t.Errorf("reply %q, want %q: %v", got, want, err)
	}
	_, err = c.Request(within(t), command.APISubject("page", c.ID()), nil)
	wantCode(t, err, reason.SliceUnknown)
	_, hidden := c.Request(within(t), command.APISubject("record", c.ID()), nil)
	wantCode(t, hidden, "internal")
	if text := fmt.Sprint(err, hidden); strings.Contains(text, "secret") {
		t.Errorf("the cause of an error reaches the asker: %s", text)
	}
	_, large := c.Request(within(t), command.APISubject("recall", c.ID()), nil)
	wantCode(t, large, reason.MessageTooLarge)
	_, err = c.Request(within(t), command.APISubject("slice", author), nil)
	wantCode(t, err, reason.PermissionDenied)

	stop()
	_, err = c.Request(within(t), command.APISubject("slice", c.ID()), nil)
	wantCode(t, err, reason.Unreachable)
}

// A handler that takes its time keeps no other request waiting, and each request is
// answered by one process of the fleet.
func TestServeIsConcurrentAndShared(t *testing.T) {
	t.Parallel()
	n, b := newLog(t)
	var together sync.WaitGroup
	together.Add(4)
	handlers := map[string]bus.Handler{"health": func(context.Context, bus.Request) ([]byte, error) {
		together.Done() // a fifth call, from a request answered twice, would panic
		together.Wait()
		return []byte("ok"), nil
	}}
	for _, worker := range []*bus.Bus{b, connect(t, n, bus.Options{})} {
		if _, err := worker.Serve(t.Context(), handlers); err != nil {
			t.Fatal(err)
		}
	}
	c, results := join(t, n, newKey(t)), make(chan error)
	for range 4 {
		go func() {
			_, err := c.Request(within(t), command.APISubject("health", c.ID()), nil)
			results <- err
		}()
	}
	for range 4 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
}
