package bus

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/micro"

	"consilience/reason"
)

// Request is a question to the service.
type Request struct {
	// Verb is what is asked: slice, page, record, recall, outcome, derive, health.
	Verb string
	// From is the last token of the subject: the id of the contributor, which the
	// server lets nobody else use.
	From string
	// Data is the signed envelope of the request.
	Data []byte
}

// Handler answers a request. An error that is a [reason.Error] reaches the asker as
// its code and detail, any other as "internal" alone.
type Handler func(ctx context.Context, r Request) ([]byte, error)

// concurrentRequests bounds the requests that one process answers at a time.
const concurrentRequests = 16

// internalError is the code of an error that has no reason.
const internalError = "internal"

// Serve answers mem.api.<verb>.* with handlers, one process of a fleet per request.
// It returns once requests are answered; they are until stop is called or ctx ends.
func (b *Bus) Serve(ctx context.Context, handlers map[string]Handler) (stop func(), err error) {
	service, err := micro.AddService(b.nc, micro.Config{
		Name: "reconciler", Version: "1.0.0", Description: "answers contributors of a Consilience store",
	})
	if err != nil {
		return nil, unavailable(err, "cannot serve requests")
	}
	slots := make(chan struct{}, concurrentRequests)
	for verb, handle := range handlers {
		answer := micro.HandlerFunc(func(r micro.Request) {
			slots <- struct{}{}
			asked, to := newRequest(r, verb), r.Reply()
			go func() {
				defer func() { <-slots }()
				reply, err := handle(ctx, asked)
				if err == nil && int64(len(reply)) > b.nc.MaxPayload() {
					err = reason.New(reason.MessageTooLarge, "the reply does not fit in one message")
				}
				b.respond(to, reply, err)
			}()
		})
		if err := service.AddEndpoint(verb, answer, micro.WithEndpointSubject("mem.api."+verb+".*")); err != nil {
			service.Stop()
			return nil, unavailable(err, "cannot serve requests")
		}
	}
	if err := b.Flush(ctx); err != nil {
		service.Stop()
		return nil, err
	}
	detach := context.AfterFunc(ctx, func() { service.Stop() })
	return func() {
		detach()
		service.Stop()
		// The server must have heard of it, else it still sends requests here.
		_ = b.Flush(context.WithoutCancel(ctx))
	}, nil
}

func newRequest(r micro.Request, verb string) Request {
	return Request{Verb: verb, From: r.Subject()[strings.LastIndexByte(r.Subject(), '.')+1:], Data: r.Data()}
}

// respond sends the reply or the reason to the subject that waits for it. The asker
// may be gone, which is its own loss. It does not go through the library's request,
// which the library reads as soon as its handler has returned, before the answer.
func (b *Bus) respond(to string, reply []byte, err error) {
	msg := &nats.Msg{Subject: to, Data: reply}
	if err != nil {
		code, detail := internalError, "the service failed" // a cause without a reason may hold content
		var e *reason.Error
		if errors.As(err, &e) {
			code, detail = string(e.Code), e.Detail
		}
		msg = &nats.Msg{Subject: to, Header: nats.Header{micro.ErrorHeader: {detail}, micro.ErrorCodeHeader: {code}}}
	}
	_ = b.nc.PublishMsg(msg)
}

// requestTimeout bounds a request whose context has no deadline.
const requestTimeout = 10 * time.Second

// Request asks the service and returns its reply. Errors: the service's own reason;
// [reason.Unreachable] where no service runs, [reason.TimedOut].
func (b *Bus) Request(ctx context.Context, subject string, data []byte) ([]byte, error) {
	return request(ctx, b.nc, subject, data)
}

func request(ctx context.Context, nc *nats.Conn, subject string, data []byte) ([]byte, error) {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, requestTimeout)
		defer cancel()
	}
	reply, err := nc.RequestWithContext(ctx, subject, data)
	if errors.Is(err, nats.ErrNoResponders) {
		return nil, reason.Wrap(reason.Unreachable, err, "no reconciler answers").Advise("start one: reconciler serve")
	}
	if err != nil {
		return nil, unavailable(err, "no reply")
	}
	if code := reply.Header.Get(micro.ErrorCodeHeader); code != "" {
		return nil, reason.New(reason.Code(code), "%s", reply.Header.Get(micro.ErrorHeader))
	}
	return reply.Data, nil
}
