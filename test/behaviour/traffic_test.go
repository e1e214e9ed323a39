// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// traffic records the requests of the provider to the Kubernetes API, at the transport of its client. It can
// cut the provider off.
type traffic struct {
	mu   sync.Mutex
	seen []request
	// standing are the interferences with requests, by the namespace of the requests. That of "" is for all
	// namespaces without one.
	standing map[string]*interference
	// after is called with each answered request, before the provider gets the answer.
	after func(request)
	// watches are the open streams of Records.
	watches []io.Closer
}

func newTraffic() *traffic { return &traffic{standing: map[string]*interference{}} }

// An interference decides about each request before it is sent, one request at a time.
type interference struct {
	// turn guards decide. It is a channel, as virtual time goes on in a bubble while goroutines wait for a
	// channel.
	turn   chan struct{}
	decide func(request) fate
}

// A fate is the outcome of a request.
type fate int

const (
	sent fate = iota
	// cut is a request that never arrives.
	cut
	// unanswered is a request that arrives, and whose answer is lost.
	unanswered
	// panicking is a request whose sender panics.
	panicking
	// conflicting, failing and throttled are answered with that error, without being carried out.
	conflicting
	failing
	throttled
	// slow is a request that takes half a second longer.
	slow
)

// answer returns the answer for a fate that the API server itself could answer with.
func (f fate) answer(q *http.Request) (*http.Response, bool) {
	status := map[fate]*metav1.Status{
		conflicting: {Code: http.StatusConflict, Reason: metav1.StatusReasonConflict, Message: "the object has been modified"},
		failing:     {Code: http.StatusInternalServerError, Reason: metav1.StatusReasonInternalError, Message: "etcd is not well"},
		throttled: {
			Code: http.StatusTooManyRequests, Reason: metav1.StatusReasonTooManyRequests, Message: "too many requests",
			Details: &metav1.StatusDetails{RetryAfterSeconds: 1},
		},
	}[f]
	if status == nil {
		return nil, false
	}
	status.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	status.Status = metav1.StatusFailure
	raw, err := json.Marshal(status)
	if err != nil {
		panic(err)
	}
	return &http.Response{
		StatusCode: int(status.Code), Request: q, Body: io.NopCloser(bytes.NewReader(raw)),
		Header: http.Header{"Content-Type": {"application/json"}, "Retry-After": {"1"}},
	}, true
}

// A request is a request to the Kubernetes API.
type request struct {
	method    string
	namespace string
	// resource includes the subresource ("records/status").
	resource string
	name     string
}

func (r request) String() string { return r.method + " " + r.resource }

// ofAllRecords reports whether r lists or watches Records for the cache of the provider.
func (r request) ofAllRecords() bool {
	return r.method == http.MethodGet && r.namespace == "" && strings.HasSuffix(r.resource, "/records")
}

// onPurpose begins the message of a panic that a test caused.
const onPurpose = "on purpose, at "

// errCutOff is the error that a provider gets when it is cut off.
var errCutOff = errors.New("connection refused by the test")

// wrap wraps the transport of a provider that is about to start.
func (t *traffic) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(q *http.Request) (*http.Response, error) {
		r := parse(q)
		f := t.fateOf(r)
		if f == sent || f == unanswered {
			t.mu.Lock()
			t.seen = append(t.seen, r)
			t.mu.Unlock()
		}
		switch f {
		case cut:
			return nil, errCutOff
		case panicking:
			panic(onPurpose + r.String())
		}
		if resp, ok := f.answer(q); ok {
			return resp, nil
		}
		if f == slow {
			<-time.After(500 * time.Millisecond)
		}
		resp, err := next.RoundTrip(q)
		t.mu.Lock()
		after := t.after
		t.mu.Unlock()
		if err == nil && after != nil {
			after(r)
		}
		if err == nil && resp.StatusCode == http.StatusConflict {
			t.forget(r)
		}
		if err == nil && f == unanswered {
			return nil, errors.Join(errCutOff, resp.Body.Close())
		}
		if err == nil && r.ofAllRecords() {
			t.mu.Lock()
			t.watches = append(t.watches, resp.Body)
			t.mu.Unlock()
		}
		return resp, err
	})
}

// forget removes the last request like r. It was refused because of a change of the object in between. The
// number of such requests depends on how far the cache lags behind, and not on what the provider requests.
func (t *traffic) forget(r request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := len(t.seen) - 1; i >= 0; i-- {
		if t.seen[i] == r {
			t.seen = slices.Delete(t.seen, i, i+1)
			return
		}
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(q *http.Request) (*http.Response, error) { return f(q) }

// parse parses /apis/GROUP/VERSION/namespaces/NS/RESOURCE/NAME/SUBRESOURCE.
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

// observe calls after with each request that was answered. nil ends that.
func (t *traffic) observe(after func(request)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.after = after
}

// fateOf has the interference with a request decide.
func (t *traffic) fateOf(r request) fate {
	t.mu.Lock()
	i, ok := t.standing[r.namespace]
	if !ok {
		i, ok = t.standing[""]
	}
	t.mu.Unlock()
	if !ok {
		return sent
	}
	i.turn <- struct{}{}
	defer func() { <-i.turn }()
	return i.decide(r)
}

// interfere has decide choose the fate of each request about a namespace. With the namespace "", it is for
// all namespaces without an interference of their own. If decide is nil, the requests pass.
func (t *traffic) interfere(namespace string, decide func(request) fate) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if decide == nil {
		delete(t.standing, namespace)
		return
	}
	t.standing[namespace] = &interference{turn: make(chan struct{}, 1), decide: decide}
}

// interfere has decide choose the fate of each request about the namespace of the world until the test ends.
// If decide is nil, the requests pass.
func (w *world) interfere(decide func(request) fate) {
	w.traffic.interfere(w.ns, decide)
	w.t.Cleanup(func() { w.traffic.interfere(w.ns, nil) })
}

// blind hides changes of Records from the provider until see is called. The provider then lists them, and
// sees several changes as one.
func (t *traffic) blind() (see func()) {
	t.interfere("", func(r request) fate {
		if r.ofAllRecords() {
			return cut
		}
		return sent
	})
	t.mu.Lock()
	watches := t.watches
	t.watches = nil
	t.mu.Unlock()
	for _, w := range watches {
		_ = w.Close() // Most have ended long ago.
	}
	return func() { t.interfere("", nil) }
}

// requests returns the requests about a namespace for which choose returns true, in order.
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
