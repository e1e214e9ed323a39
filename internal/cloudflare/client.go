// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/cloudflare/cloudflare-go/v7/accounts"
	"github.com/cloudflare/cloudflare-go/v7/dns"
	"github.com/cloudflare/cloudflare-go/v7/option"
	"github.com/cloudflare/cloudflare-go/v7/user"
	"github.com/cloudflare/cloudflare-go/v7/zones"
)

// DefaultBaseURL is the public API.
const DefaultBaseURL = "https://api.cloudflare.com/client/v4"

// ClockSkew is how far the clocks of the API and of this process may be apart.
const ClockSkew = time.Minute

const (
	// callTimeout bounds one call, its answer's body included. A list of a large
	// zone takes a while.
	callTimeout = 60 * time.Second
)

// Options of a Client.
type Options struct {
	// BaseURL of the API, without a trailing slash. Empty is DefaultBaseURL.
	BaseURL string
	// UserAgent sent with every call.
	UserAgent string
	// Transport carries the calls. Nil is http.DefaultTransport.
	Transport http.RoundTripper
	// Observe is called for every call that ended. Nil is ignored.
	Observe func(Call)
	// Fingerprint is the keyed hash of a secret, which tells a credential from others. No secret can be tried against a part
	// of it without the key. Nil is a hash without a key.
	Fingerprint func(secret string) string
	// Refused is called with the fingerprint of a credential when the API refuses a call
	// made with it: the credential is not valid, or lacks a permission. Calls that verify
	// the credential do not count. It must not block. Nil is ignored.
	Refused func(fingerprint string)
	// Now is the clock. Nil is time.Now.
	Now func() time.Time
}

// A Call is one that was made.
type Call struct {
	// Method and Route ("GET", "/zones/{zone}").
	Method, Route string
	// Zone is the ID of the zone it is about, "" if it is about none.
	Zone string
	// Status is the HTTP status, 0 when there was no answer.
	Status int
	// Took is how long it took, answer included.
	Took time.Duration
}

// An operation is what a call does, and to which zone ("": to none).
type operation struct {
	method, route, zone string
	// secrets are values in the request that must not come back in an error.
	secrets []string

	// What follows is for a Guard. path is "" where the route and the zone say it, or the account.
	account, path string
	query         url.Values
	bodies        func() ([][]byte, error)
}

// budgeted names what a product's limit is taken to be about: the operation, of all zones and accounts.
func (op operation) budgeted() string { return op.method + " " + op.route }

// A Client makes calls with one credential. It is safe for concurrent use.
type Client struct {
	cred Credential
	// fingerprint is that of cred.
	fingerprint string
	o           Options
	http        *http.Client
	records     *dns.RecordService
	zones       *zones.ZoneService
	user        *user.UserService
	account     *accounts.TokenService

	budget *budget
	// guard decides about each call. Nil allows all.
	guard Guard
	// tokenID is the ID of the credential, once verifying it has shown that.
	tokenID *atomic.Pointer[string]
	// userTokenID is tokenID of a user's token.
	userTokenID *atomic.Pointer[string]
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
		opts = append(opts, option.WithAPIToken(cred.token.reveal()))
	} else {
		opts = append(opts, option.WithAPIKey(cred.key.reveal()), option.WithAPIEmail(cred.email.reveal()))
	}
	return &Client{
		cred: cred, fingerprint: cred.Fingerprint(o.Fingerprint), o: o, http: hc,
		budget:  newBudget(o.Now),
		tokenID: &atomic.Pointer[string]{}, userTokenID: &atomic.Pointer[string]{},
		records: dns.NewRecordService(opts...),
		zones:   zones.NewZoneService(opts...),
		user:    user.NewUserService(opts...),
		account: accounts.NewTokenService(opts...),
	}
}

// noRedirect keeps the credential from following a redirect to another host.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// A CredentialState is whether the owner of a credential still wants it to be used.
type CredentialState int32

const (
	// InUse is the state of a new client.
	InUse CredentialState = iota
	// Withdrawn is a credential that its owner removed: no zone is listed for drift with
	// it. What has to be cleaned up still may be.
	Withdrawn
	// Replaced is a credential whose owner set another one: no calls are made with it,
	// and whoever still has the client must ask for that of the other credential.
	Replaced
)

// SetCredentialState sets the state of the client's credential.
func (c *Client) SetCredentialState(s CredentialState) { c.budget.credentialState.Store(int32(s)) }

// usable is nil if the state of the credential allows a call.
func (c *Client) usable(ctx context.Context) error {
	switch CredentialState(c.budget.credentialState.Load()) {
	case Replaced:
		return ErrReplaced
	case Withdrawn:
		if IsSweep(ctx) {
			return ErrWithdrawn
		}
	}
	return nil
}

// Fingerprint of the client's credential.
func (c *Client) Fingerprint() string { return c.fingerprint }

// ShownAs reports whether label stands for the client's credential on a status, by this version or an earlier one.
func (c *Client) ShownAs(label string) bool {
	return label == CredentialLabel(c.fingerprint) || label == c.cred.earlierLabel()
}

// String names the client by its credential. Without it a printed client would
// show the secret, for fmt calls no methods on what is not exported.
func (c *Client) String() string {
	return "Cloudflare client with " + c.cred.String() + " " + CredentialLabel(c.fingerprint)
}

// GoString is String.
func (c *Client) GoString() string { return c.String() }

// call is exchange for all calls but those that verify the credential: it reports
// refusals to Options.Refused.
func (c *Client) call(ctx context.Context, op operation, out any, send func(context.Context, ...option.RequestOption) error) (ResultInfo, error) {
	info, err := c.exchange(ctx, op, out, send)
	c.report(err)
	return info, err
}

// report passes on that the API refused the credential, or said so of a permission.
func (c *Client) report(err error) {
	answered := is(err, func(e *Error) bool { return e.sent && e.cause == nil })
	if c.o.Refused != nil && answered && (IsInvalidCredential(err) || IsForbidden(err)) {
		c.o.Refused(c.Fingerprint())
	}
}

// exchange runs one SDK call and decodes the answer's result into out (which may be
// nil). send gets the options that make the SDK leave the answer alone.
func (c *Client) exchange(ctx context.Context, op operation, out any, send func(context.Context, ...option.RequestOption) error) (ResultInfo, error) {
	return c.roundTrip(ctx, op, out, func(ctx context.Context) (resp *http.Response, body []byte, err error) {
		err = send(ctx, option.WithResponseInto(&resp), option.WithResponseBodyInto(&body), option.WithMiddleware(atMost(op.longest())))
		return resp, body, err
	})
}

// roundTrip sends one call, if the budget lets it, and decodes the answer's result into
// out (which may be nil). send gives the answer with its body read, or, for a refused
// call, with an error and the body unread.
//
// A write is not cut off when ctx is cancelled, as the contexts of all reconciles are when the
// process ends: Cloudflare may carry out what was cut off after the first write of the next
// leader. It has to end by ctx's deadline, and is not sent when ctx has ended already.
func (c *Client) roundTrip(ctx context.Context, op operation, out any, send func(context.Context) (*http.Response, []byte, error)) (ResultInfo, error) {
	if err := context.Cause(ctx); err != nil {
		return ResultInfo{}, &Error{Method: op.method, Route: op.route, cause: err}
	}
	if err := c.guarded(ctx, op); err != nil {
		return ResultInfo{}, &Error{Method: op.method, Route: op.route, RetryAfter: RetryAfter(err), cause: err, guarded: true}
	}
	number, err := c.admit(ctx, op)
	if err != nil {
		return ResultInfo{}, err
	}
	own, end := op.untilItsDeadline(ctx)
	defer end()
	start := c.o.Now()
	resp, body, err := send(own) //nolint:bodyclose // What sends reads the body, and closes it.
	status, header := 0, http.Header{}
	if resp != nil {
		status, header = resp.StatusCode, resp.Header
	}
	if err != nil && status >= http.StatusBadRequest {
		// The SDK leaves the body of a refused call readable.
		body, _ = io.ReadAll(resp.Body)
	}
	wait := c.budget.answered(number, reply{route: op.budgeted(), status: status, header: header, ofProduct: ofProduct(status, body, header)})
	if c.o.Observe != nil {
		c.o.Observe(Call{Method: op.method, Route: op.route, Zone: op.zone, Status: status, Took: c.o.Now().Sub(start)})
	}
	if resp == nil || (err != nil && status < http.StatusBadRequest) {
		return ResultInfo{}, c.noAnswer(ctx, op, status, err)
	}
	info, err := decode(op, status, body, out)
	var refused *Error
	if errors.As(err, &refused) {
		refused.RetryAfter = wait
		c.fitForReaders(op, refused, header)
	}
	return info, err
}

// untilItsDeadline is ctx for a read, and otherwise a context that ends by ctx's deadline alone.
func (op operation) untilItsDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if op.method == http.MethodGet {
		return ctx, func() {}
	}
	uncut := context.WithoutCancel(ctx)
	if by, ok := ctx.Deadline(); ok {
		return context.WithDeadline(uncut, by)
	}
	return uncut, func() {}
}

// noAnswer is the error of a call whose answer did not arrive whole.
func (c *Client) noAnswer(ctx context.Context, op operation, status int, err error) error {
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
	e := &Error{Method: op.method, Route: op.route, sent: true, cause: redactError(err, c.redacts(op))}
	if errors.Is(err, errTooLong) {
		e.Status = status
	}
	return e
}

// admit is nil when a call may be made now, with its number for the budget, else
// the error of the call that is not made: no worker sleeps until it may be.
func (c *Client) admit(ctx context.Context, op operation) (uint64, error) {
	if err := c.usable(ctx); err != nil {
		return 0, &Error{Method: op.method, Route: op.route, cause: err}
	}
	number, no := c.budget.admit(asking{route: op.budgeted(), tenant: TenantOf(ctx), sweep: IsSweep(ctx)})
	if no == nil {
		return number, nil
	}
	return 0, &Error{
		Method: op.method, Route: op.route, Status: http.StatusTooManyRequests, RetryAfter: no.wait,
		Details: []Detail{{Code: codeThrottled, Message: no.why}},
	}
}
