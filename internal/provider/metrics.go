// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"golang.org/x/time/rate"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	authentication "k8s.io/client-go/kubernetes/typed/authentication/v1"
	authorization "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/lru"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const (
	// reviewsPerSecond and reviewBurst limit for how many requests of one network the API server is asked.
	// allReviewsPerSecond and allReviewBurst limit this for all networks together. So a flood of wrong tokens
	// is not passed on. A request takes two reviews.
	reviewsPerSecond, reviewBurst       = 2, 10
	allReviewsPerSecond, allReviewBurst = 20, 100
	// reviewTimeout is how long the reviews of one request may take.
	reviewTimeout = 10 * time.Second
	// acceptedFor is how long a token is accepted without another review.
	acceptedFor = time.Minute
	// maxAccepted and maxAddresses bound what is remembered.
	maxAccepted, maxAddresses = 64, 1024
)

// metricsOptions returns how metrics are served: in plain HTTP to every client, or by TLS to clients that may
// get /metrics. By TLS only HTTP/1.1 is served, because a connection of HTTP/2 has many requests at once.
func metricsOptions(o Options) server.Options {
	out := server.Options{BindAddress: o.MetricsBindAddress}
	if o.MetricsSecure {
		out.SecureServing, out.CertDir, out.FilterProvider = true, o.MetricsCertDir, newReviewer
		out.TLSOpts = []func(*tls.Config){func(c *tls.Config) { c.NextProtos = []string{"http/1.1"} }}
	}
	return out
}

// A reviewer asks the API server who a client is, and whether it may read metrics. It does what the filter of
// controller-runtime does. That filter would link 167 more packages, with an API server's own chain of
// filters.
type reviewer struct {
	tokens authentication.TokenReviewInterface
	access authorization.SubjectAccessReviewInterface
	paces  paces
	// accepted has the time at which a request was last accepted after reviews, by the result of keyOf. These
	// requests wait for no pace, so that a flood keeps out no client that may read.
	accepted *lru.Cache
}

func newReviewer(cfg *rest.Config, httpClient *http.Client) (server.Filter, error) {
	cfg = rest.CopyConfig(cfg)
	cfg.QPS, cfg.RateLimiter = -1, nil // Otherwise all would wait in one queue.
	tokens, err := authentication.NewForConfigAndClient(cfg, httpClient)
	if err != nil {
		return nil, fmt.Errorf("cannot make a client for token reviews: %w", err)
	}
	access, err := authorization.NewForConfigAndClient(cfg, httpClient)
	if err != nil {
		return nil, fmt.Errorf("cannot make a client for access reviews: %w", err)
	}
	r := &reviewer{
		tokens: tokens.TokenReviews(), access: access.SubjectAccessReviews(), accepted: lru.New(maxAccepted),
		paces: paces{all: rate.NewLimiter(allReviewsPerSecond, allReviewBurst), each: lru.New(maxAddresses)},
	}
	return r.filter, nil
}

// filter passes the requests that the API server allows.
func (r *reviewer) filter(log logr.Logger, next http.Handler) (http.Handler, error) {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		code, err := r.judge(req)
		if err != nil {
			log.Error(err, "Cannot judge who reads metrics")
		}
		if code != http.StatusOK {
			http.Error(w, http.StatusText(code), code)
			return
		}
		next.ServeHTTP(w, req)
	}), nil
}

// judge returns the status of a request, which is OK if it is allowed.
func (r *reviewer) judge(req *http.Request) (int, error) {
	scheme, token, _ := strings.Cut(req.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return http.StatusUnauthorized, nil
	}
	key := keyOf(token, req)
	last, known := r.accepted.Get(key)
	if at, _ := last.(time.Time); known && time.Since(at) < acceptedFor {
		return http.StatusOK, nil
	}
	if !known && !r.paces.allow(req.RemoteAddr) {
		return http.StatusTooManyRequests, nil
	}
	code, err := r.review(req, token)
	switch {
	case code == http.StatusOK:
		r.accepted.Add(key, time.Now())
	case err == nil:
		r.accepted.Remove(key)
	}
	return code, err
}

// keyOf returns what identifies a request: the hash of its token, method and path.
func keyOf(token string, req *http.Request) [sha256.Size]byte {
	return sha256.Sum256([]byte(req.Method + " " + req.URL.Path + "\n" + token))
}

// review asks the API server to judge a request.
func (r *reviewer) review(req *http.Request, token string) (int, error) {
	ctx, cancel := context.WithTimeout(req.Context(), reviewTimeout)
	defer cancel()
	who, err := r.authenticate(ctx, token)
	switch {
	case err != nil:
		return http.StatusInternalServerError, err
	case !who.Authenticated:
		return http.StatusUnauthorized, nil
	}
	allowed, err := r.authorize(ctx, req, who.User)
	switch {
	case err != nil:
		return http.StatusInternalServerError, err
	case !allowed:
		return http.StatusForbidden, nil
	}
	return http.StatusOK, nil
}

// paces limit how often the API server is asked, for each network and in all.
type paces struct {
	all *rate.Limiter
	// mu guards the lookup in each, which has a limiter for each network.
	mu   sync.Mutex
	each *lru.Cache
}

// allow reports whether the API server may be asked about a request from that address.
func (p *paces) allow(remote string) bool { return p.of(networkOf(remote)).Allow() && p.all.Allow() }

func (p *paces) of(network netip.Prefix) *rate.Limiter {
	p.mu.Lock()
	defer p.mu.Unlock()
	known, _ := p.each.Get(network)
	if l, ok := known.(*rate.Limiter); ok {
		return l
	}
	l := rate.NewLimiter(reviewsPerSecond, reviewBurst)
	p.each.Add(network, l)
	return l
}

// networkOf returns an IPv4 address, or the upper 64 bits of an IPv6 address, which a host does not choose.
// All invalid addresses share one network.
func networkOf(remote string) netip.Prefix {
	from, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Prefix{}
	}
	addr := from.Addr().Unmap()
	bits := addr.BitLen()
	if addr.Is6() {
		bits = 64
	}
	network, err := addr.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return network
}

// authenticate returns the user of a token, if the token is valid.
func (r *reviewer) authenticate(ctx context.Context, token string) (authenticationv1.TokenReviewStatus, error) {
	review, err := r.tokens.Create(ctx, &authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: token}}, metav1.CreateOptions{})
	if err != nil {
		return authenticationv1.TokenReviewStatus{}, fmt.Errorf("cannot review a token: %w", err)
	}
	return review.Status, nil
}

// authorize reports whether a user may make a request.
func (r *reviewer) authorize(ctx context.Context, req *http.Request, user authenticationv1.UserInfo) (bool, error) {
	extra := make(map[string]authorizationv1.ExtraValue, len(user.Extra))
	for key, values := range user.Extra {
		extra[key] = authorizationv1.ExtraValue(values)
	}
	review, err := r.access.Create(ctx, &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User: user.Username, UID: user.UID, Groups: user.Groups, Extra: extra,
		NonResourceAttributes: &authorizationv1.NonResourceAttributes{Path: req.URL.Path, Verb: strings.ToLower(req.Method)},
	}}, metav1.CreateOptions{})
	if err != nil {
		return false, fmt.Errorf("cannot review the access of %s: %w", user.Username, err)
	}
	return review.Status.Allowed && !review.Status.Denied, nil
}
