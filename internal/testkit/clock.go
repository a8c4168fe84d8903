package testkit

import (
	"sync"
	"time"
)

// Clock is a clock that stands still until a test moves it. Its zero value stands at
// the zero time. It is safe for concurrent use.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock that stands at now.
func NewClock(now time.Time) *Clock { return &Clock{now: now} }

// Now is the clock's time; the method value fits where a func() time.Time is wanted.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock by d and returns the new time.
func (c *Clock) Advance(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	return c.now
}
