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

// DefaultBaseURL is the URL of the public API.
const DefaultBaseURL = "https://api.cloudflare.com/client/v4"

// ClockSkew is how far the clocks of the API and of this process may be apart.
const ClockSkew = time.Minute

const (
	// callTimeout bounds one call, its answer's body included. A list of a large
	// zone takes a while.
	callTimeout = 60 * time.Second
)

// Options are the options of a Client.
type Options struct {
	// BaseURL is the URL of the API, without a trailing slash. Empty means DefaultBaseURL.
	BaseURL string
	// UserAgent is sent with every call.
	UserAgent string
	// Transport carries the calls. Nil means http.DefaultTransport.
	Transport http.RoundTripper
	// Observe is called for every call that ended. Nil is ignored.
	Observe func(Call)
	// Fingerprint returns the keyed hash of a secret, which tells a credential from others. Without the key, a guessed
	// secret cannot be checked against a part of the hash. Nil means a hash without a key.
	Fingerprint func(secret string) string
	// Refused is called with the fingerprint of a credential when the API refuses a call
	// because the credential is not valid or lacks a permission. Calls that verify the
	// credential do not count. It must not block. Nil is ignored.
	Refused func(fingerprint string)
	// Now is the clock. Nil means time.Now.
	Now func() time.Time
}

// A Call describes a call that was made.
type Call struct {
	// Method and Route are those of the call ("GET", "/zones/{zone}").
	Method, Route string
	// Zone is the ID of the zone that the call is about, "" if there is none.
	Zone string
	// Status is the HTTP status, 0 if there was no answer.
	Status int
	// Took is how long the call took, including its answer.
	Took time.Duration
}

// An operation says what a call does, and in which zone ("": in none).
type operation struct {
	method, route, zone string
	// secrets are values in the request that must not appear in an error.
	secrets []string

	// The fields below are for a Guard. path is "" if it follows from the route with the zone or the account.
	account, path string
	query         url.Values
	bodies        func() ([][]byte, error)
}

// budgeted returns the name under which the throttles of a product count: the operation, of all zones and accounts.
func (op operation) budgeted() string { return op.method + " " + op.route }

// A Client makes calls with one credential. It is safe for concurrent use.
type Client struct {
	cred Credential
	// fingerprint is the fingerprint of cred.
	fingerprint string
	o           Options
	http        *http.Client
	records     *dns.RecordService
	zones       *zones.ZoneService
	user        *user.UserService
	account     *accounts.TokenService

	budget *budget
	// guard decides about each call. Nil allows every call.
	guard Guard
	// tokenID is the ID of the API token, once verifying it has shown the ID.
	tokenID *atomic.Pointer[string]
	// userTokenID is the ID of the API token of a user, once verifying it has shown the ID.
	userTokenID *atomic.Pointer[string]
}

// New returns a Client that uses cred.
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

// noRedirect keeps the client from following a redirect, which could send the credential to another host.
func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// A CredentialState says whether the owner of a credential still wants it to be used.
type CredentialState int32

const (
	// InUse is the state of a new client.
	InUse CredentialState = iota
	// Withdrawn is the state of a credential that its owner removed. No zone is listed for
	// drift with it. It may still be used to clean up.
	Withdrawn
	// Replaced is the state of a credential whose owner set another one. No calls are made
	// with it. The caller must get the client of the other credential.
	Replaced
)

// SetCredentialState sets the state of the client's credential.
func (c *Client) SetCredentialState(s CredentialState) { c.budget.credentialState.Store(int32(s)) }

// usable returns nil if the state of the credential allows a call.
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

// Fingerprint returns the fingerprint of the client's credential.
func (c *Client) Fingerprint() string { return c.fingerprint }

// ShownAs reports whether label stands for the client's credential in a status that this version or
// an earlier one wrote.
func (c *Client) ShownAs(label string) bool {
	return label == CredentialLabel(c.fingerprint) || label == c.cred.earlierLabel()
}

// String returns the kind and the label of the client's credential. Without it, a printed
// client would show the secret: fmt calls no methods of unexported fields.
func (c *Client) String() string {
	return "Cloudflare client with " + c.cred.String() + " " + CredentialLabel(c.fingerprint)
}

// GoString returns String.
func (c *Client) GoString() string { return c.String() }

// call is exchange for all calls except those that verify the credential. It reports
// refusals to Options.Refused.
func (c *Client) call(ctx context.Context, op operation, out any, send func(context.Context, ...option.RequestOption) error) (ResultInfo, error) {
	info, err := c.exchange(ctx, op, out, send)
	c.report(err)
	return info, err
}

// report calls Options.Refused if the API refused the credential or said that it lacks a permission.
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

// roundTrip sends one call, if the budget allows it, and decodes the answer's result into out
// (which may be nil). send returns the answer with its body read. For a refused call, it
// returns an error and the answer with its body unread.
//
// A write is not cut off when ctx is cancelled, as the contexts of all reconciles are when the
// process ends: Cloudflare might carry it out after the first write of the next leader. A
// write has to end by ctx's deadline, and is not sent if ctx has ended already.
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

// untilItsDeadline returns ctx for a read. For a write it returns a context that only ctx's deadline ends.
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

// noAnswer returns the error of a call whose answer did not arrive whole.
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

// admit returns the call's number for the budget if the call may be made now, and otherwise
// the error of the call. No worker sleeps until the call may be made.
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
