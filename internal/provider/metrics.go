// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/go-logr/logr"
	"golang.org/x/time/rate"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	authentication "k8s.io/client-go/kubernetes/typed/authentication/v1"
	authorization "k8s.io/client-go/kubernetes/typed/authorization/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const (
	// reviewsPerSecond and reviewBurst limit how often a reader of metrics has the API server asked,
	// whoever it is: a scrape is one review, and a flood of wrong tokens is not passed on.
	reviewsPerSecond, reviewBurst = 2, 10
)

// metricsOptions returns how metrics are served: in plain HTTP to everybody, or by TLS to those who may
// get /metrics.
func metricsOptions(o Options) server.Options {
	out := server.Options{BindAddress: o.MetricsBindAddress}
	if o.MetricsSecure {
		out.SecureServing, out.CertDir, out.FilterProvider = true, o.MetricsCertDir, newReviewer
	}
	return out
}

// A reviewer has the API server say who reads, and whether they may. It does what the filter of
// controller-runtime does, which would link 167 packages more: an API server's own chain of filters.
type reviewer struct {
	tokens authentication.TokenReviewInterface
	access authorization.SubjectAccessReviewInterface
	pace   *rate.Limiter
}

func newReviewer(cfg *rest.Config, httpClient *http.Client) (server.Filter, error) {
	tokens, err := authentication.NewForConfigAndClient(cfg, httpClient)
	if err != nil {
		return nil, fmt.Errorf("cannot make a client for token reviews: %w", err)
	}
	access, err := authorization.NewForConfigAndClient(cfg, httpClient)
	if err != nil {
		return nil, fmt.Errorf("cannot make a client for access reviews: %w", err)
	}
	r := &reviewer{tokens: tokens.TokenReviews(), access: access.SubjectAccessReviews(), pace: rate.NewLimiter(reviewsPerSecond, reviewBurst)}
	return r.filter, nil
}

// filter lets the requests through that the API server lets through.
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

// judge returns the status of a request: OK where it is let through.
func (r *reviewer) judge(req *http.Request) (int, error) {
	scheme, token, _ := strings.Cut(req.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return http.StatusUnauthorized, nil
	}
	if !r.pace.Allow() {
		return http.StatusTooManyRequests, nil
	}
	who, err := r.authenticate(req.Context(), token)
	switch {
	case err != nil:
		return http.StatusInternalServerError, err
	case !who.Authenticated:
		return http.StatusUnauthorized, nil
	}
	allowed, err := r.authorize(req, who.User)
	switch {
	case err != nil:
		return http.StatusInternalServerError, err
	case !allowed:
		return http.StatusForbidden, nil
	}
	return http.StatusOK, nil
}

// authenticate returns whose token it is, if it is one.
func (r *reviewer) authenticate(ctx context.Context, token string) (authenticationv1.TokenReviewStatus, error) {
	review, err := r.tokens.Create(ctx, &authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: token}}, metav1.CreateOptions{})
	if err != nil {
		return authenticationv1.TokenReviewStatus{}, fmt.Errorf("cannot review a token: %w", err)
	}
	return review.Status, nil
}

// authorize reports whether a user may make a request.
func (r *reviewer) authorize(req *http.Request, user authenticationv1.UserInfo) (bool, error) {
	extra := make(map[string]authorizationv1.ExtraValue, len(user.Extra))
	for key, values := range user.Extra {
		extra[key] = authorizationv1.ExtraValue(values)
	}
	review, err := r.access.Create(req.Context(), &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User: user.Username, UID: user.UID, Groups: user.Groups, Extra: extra,
		NonResourceAttributes: &authorizationv1.NonResourceAttributes{Path: req.URL.Path, Verb: strings.ToLower(req.Method)},
	}}, metav1.CreateOptions{})
	if err != nil {
		return false, fmt.Errorf("cannot review the access of %s: %w", user.Username, err)
	}
	return review.Status.Allowed && !review.Status.Denied, nil
}
