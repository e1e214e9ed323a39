// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// traffic is what the provider asks of the Kubernetes API, seen at its client's
// transport. It can cut the provider off.
type traffic struct {
	mu   sync.Mutex
	seen []request
	// refuse is asked before each request that is to be sent.
	refuse func(request) bool
}

// A request to the Kubernetes API.
type request struct {
	method    string
	namespace string
	// resource with its subresource ("records/status").
	resource string
	name     string
	status   int
}

func (r request) String() string { return r.method + " " + r.resource }

func (r request) writes() bool { return r.method != http.MethodGet }

// errCutOff is what a provider sees that was cut off.
var errCutOff = errors.New("connection refused by the test")

// wrap puts t around the transport of a provider that is about to start.
func (t *traffic) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(q *http.Request) (*http.Response, error) {
		r := parse(q)
		t.mu.Lock()
		cut := t.refuse != nil && t.refuse(r)
		t.mu.Unlock()
		if cut {
			return nil, errCutOff
		}
		resp, err := next.RoundTrip(q)
		if err == nil {
			r.status = resp.StatusCode
			t.mu.Lock()
			t.seen = append(t.seen, r)
			t.mu.Unlock()
		}
		return resp, err
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(q *http.Request) (*http.Response, error) { return f(q) }

// parse reads /apis/GROUP/VERSION/namespaces/NS/RESOURCE/NAME/SUBRESOURCE.
func parse(q *http.Request) request {
	r := request{method: q.Method}
	p := strings.Split(strings.Trim(q.URL.Path, "/"), "/")
	i := slices.Index(p, "namespaces")
	if i < 0 || len(p) < i+3 {
		r.resource = strings.Join(p, "/")
		return r
	}
	r.namespace, r.resource = p[i+1], p[i+2]
	if len(p) > i+3 {
		r.name = p[i+3]
	}
	if len(p) > i+4 {
		r.resource += "/" + p[i+4]
	}
	return r
}

// cutOff makes every request that refuse chooses fail; nil lets all pass.
func (t *traffic) cutOff(refuse func(request) bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refuse = refuse
}

// requests gives those about a namespace that choose picks, in order.
func (t *traffic) requests(namespace string, choose func(request) bool) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []string
	for _, r := range t.seen {
		if r.namespace == namespace && choose(r) {
			out = append(out, r.String())
		}
	}
	return out
}
