// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/cloudflare/cloudflare-go/v7/accounts"
	"github.com/cloudflare/cloudflare-go/v7/dns"
	"github.com/cloudflare/cloudflare-go/v7/option"
	"github.com/cloudflare/cloudflare-go/v7/user"
	"github.com/cloudflare/cloudflare-go/v7/zones"
	"golang.org/x/time/rate"
)

// DefaultBaseURL is the public API.
const DefaultBaseURL = "https://api.cloudflare.com/client/v4"

const (
	// callTimeout bounds one call, its answer's body included. A list of a large
	// zone takes a while.
	callTimeout = 60 * time.Second
	// defaultPause is how long a throttled credential pauses when the API does not
	// say how long.
	defaultPause = 5 * time.Second
	// maxPause bounds what the API may ask for: its block lasts five minutes.
	maxPause = 5 * time.Minute
)

// Options of a Client.
type Options struct {
	// BaseURL of the API, without a trailing slash. Empty is DefaultBaseURL.
	BaseURL string
	// UserAgent sent with every call.
	UserAgent string
	// Transport carries the calls. Nil is http.DefaultTransport.
	Transport http.RoundTripper
	// Observe is told of every call that ended: its method, route, HTTP status (0:
	// no answer) and duration. Nil is ignored.
	Observe func(method, route string, status int, took time.Duration)
	// Now is the clock. Nil is time.Now.
	Now func() time.Time
}

// A Client makes calls with one credential. It is safe for concurrent use.
type Client struct {
	cred    Credential
	o       Options
	records *dns.RecordService
	zones   *zones.ZoneService
	user    *user.UserService
	account *accounts.TokenService

	// limiter holds the credential's budget.
	limiter *rate.Limiter

	// pausedUntil is the end of the pause the API asked for, in Unix nanoseconds.
	pausedUntil atomic.Int64
}

// New makes a Client.
func New(cred Credential, o Options) *Client {
	if o.BaseURL == "" {
		o.BaseURL = DefaultBaseURL
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	hc := &http.Client{Transport: o.Transport, Timeout: callTimeout, CheckRedirect: noRedirect}
	opts := []option.RequestOption{
		option.WithBaseURL(o.BaseURL),
		option.WithHTTPClient(hc),
		option.WithMaxRetries(0),
	}
	if o.UserAgent != "" {
		opts = append(opts, option.WithHeader("User-Agent", o.UserAgent))
	}
	if cred.IsToken() {
		opts = append(opts, option.WithAPIToken(cred.token))
	} else {
		opts = append(opts, option.WithAPIKey(cred.key), option.WithAPIEmail(cred.email))
	}
	return &Client{
		cred: cred, o: o,
		limiter: rate.NewLimiter(budget(DefaultRequests)),
		records: dns.NewRecordService(opts...),
		zones:   zones.NewZoneService(opts...),
		user:    user.NewUserService(opts...),
		account: accounts.NewTokenService(opts...),
	}
}

// DefaultRequests is how many requests the API allows a credential in five
// minutes.
const DefaultRequests = 1200

// budget spreads n requests over any five minutes: a quarter of them may come at
// once after a quiet time, and the rest refills meanwhile, so that burst and
// refill together never exceed n.
func budget(n int) (rate.Limit, int) {
	burst := max(n/4, 1)
	return rate.Limit(float64(max(n-burst, 1)) / (5 * 60)), burst
}

// SetBudget changes how many requests the credential may make in five minutes.
func (c *Client) SetBudget(n int) {
	limit, burst := budget(n)
	if c.limiter.Burst() != burst || c.limiter.Limit() != limit {
		c.limiter.SetLimitAt(c.o.Now(), limit)
		c.limiter.SetBurstAt(c.o.Now(), burst)
	}
}

// noRedirect keeps the credential from following a redirect to another host.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Fingerprint of the client's credential.
func (c *Client) Fingerprint() string { return c.cred.Fingerprint() }

// String names the client by its credential. Without it a printed client would
// show the secret, for fmt calls no methods on what is not exported.
func (c *Client) String() string { return "Cloudflare client with " + c.cred.String() }

// GoString is String.
func (c *Client) GoString() string { return c.String() }

// call runs one SDK call and decodes the answer's result into out (which may be
// nil). send gets the options that make the SDK leave the answer alone.
func (c *Client) call(ctx context.Context, method, route string, out any, send func(...option.RequestOption) error) (ResultInfo, error) {
	if err := c.admit(method, route); err != nil {
		return ResultInfo{}, err
	}
	var (
		body []byte
		resp *http.Response
	)
	start := c.o.Now()
	err := send(option.WithResponseInto(&resp), option.WithResponseBodyInto(&body))
	status := 0
	if resp != nil {
		status = resp.StatusCode
	}
	if c.o.Observe != nil {
		c.o.Observe(method, route, status, c.o.Now().Sub(start))
	}
	if resp == nil || (err != nil && status < http.StatusBadRequest) {
		return ResultInfo{}, c.noAnswer(ctx, method, route, err)
	}
	if err != nil {
		// The SDK leaves the body of a refused call readable.
		body, _ = io.ReadAll(resp.Body)
	}
	return c.decode(method, route, resp, body, out)
}

// noAnswer is the error of a call whose answer did not arrive whole.
func (c *Client) noAnswer(ctx context.Context, method, route string, err error) error {
	if ctxErr := context.Cause(ctx); ctxErr != nil {
		err = ctxErr
	}
	if err == nil {
		err = errors.New("empty answer")
	}
	var wrapped interface{ Unwrap() error } // *url.Error prints the whole URL; its cause is enough.
	if errors.As(err, &wrapped) && wrapped.Unwrap() != nil {
		err = wrapped.Unwrap()
	}
	return &Error{Method: method, Route: route, sent: true, cause: err}
}

// decode turns an answer into a result or an *Error.
func (c *Client) decode(method, route string, resp *http.Response, body []byte, out any) (ResultInfo, error) {
	var env envelope
	jsonErr := json.Unmarshal(body, &env)
	ok := jsonErr == nil && env.Success != nil && *env.Success && resp.StatusCode < http.StatusMultipleChoices
	if !ok {
		e := &Error{Method: method, Route: route, Status: resp.StatusCode, sent: true, Details: flatten(env.Errors, c.cred.redact)}
		if resp.StatusCode == http.StatusTooManyRequests {
			e.RetryAfter = c.pause(resp.Header)
		}
		return ResultInfo{}, e
	}
	if out != nil {
		if err := unmarshalResult(env.Result, out); err != nil {
			return ResultInfo{}, &Error{Method: method, Route: route, Status: resp.StatusCode, sent: true, cause: err}
		}
	}
	return env.ResultInfo, nil
}

// unmarshalResult is json.Unmarshal that takes null for a list without elements
// but not for an object: one without an ID must not pass for what was asked for.
func unmarshalResult(raw json.RawMessage, out any) error {
	if string(raw) == "null" && reflect.Indirect(reflect.ValueOf(out)).Kind() == reflect.Struct {
		return errors.New("its result is null")
	}
	return json.Unmarshal(raw, out)
}

// pause stops all calls of this credential for as long as the API asked: it
// blocks the whole user for five minutes when calls go on. A pause under way is
// never shortened by the answer to a call that was sent before it.
func (c *Client) pause(h http.Header) time.Duration {
	d := retryAfter(h, c.o.Now())
	if d == 0 {
		d = defaultPause
	}
	until := c.o.Now().Add(d).UnixNano()
	for {
		was := c.pausedUntil.Load()
		if was >= until || c.pausedUntil.CompareAndSwap(was, until) {
			return d
		}
	}
}

// admit is nil when a call may be made now, else the error of the call that is
// not made: no worker sleeps until it may be.
func (c *Client) admit(method, route string) error {
	now := c.o.Now()
	wait := time.Duration(c.pausedUntil.Load() - now.UnixNano())
	why := "not sent: this credential pauses because Cloudflare throttled it"
	if wait <= 0 {
		r := c.limiter.ReserveN(now, 1)
		if wait = r.DelayFrom(now); wait == 0 {
			return nil
		}
		r.CancelAt(now)
		why = "not sent: this credential's budget of requests is used up for the moment"
	}
	return &Error{
		Method: method, Route: route, Status: http.StatusTooManyRequests, RetryAfter: wait,
		Details: []Detail{{Code: codeThrottled, Message: why}},
	}
}
