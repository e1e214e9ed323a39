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

// traffic is what the provider asks of the Kubernetes API, seen at its client's
// transport. It can cut the provider off.
type traffic struct {
	mu   sync.Mutex
	seen []request
	// standing are those in the way of requests, by the namespace that these are about; the
	// one of "" is in the way of all others.
	standing map[string]*interference
	// after is called with each request that was answered, before the provider sees the
	// answer.
	after func(request)
	// watches are the streams of Records that are open.
	watches []io.Closer
}

func newTraffic() *traffic { return &traffic{standing: map[string]*interference{}} }

// An interference is asked before each request that is to be sent, one after the other.
type interference struct {
	// turn is who decides: a channel, for time goes on in a bubble for as long as others wait for their turn.
	turn   chan struct{}
	decide func(request) fate
}

// A fate is what becomes of a request.
type fate int

const (
	sent fate = iota
	// refused is a request that never arrives.
	cut
	// unanswered is one that arrives, and whose answer does not.
	unanswered
	// panicking is one that brings down whoever sends it.
	panicking
	// conflicting, failing and throttled are answered so, without being carried out.
	conflicting
	failing
	throttled
	// slow is one that takes half a second longer.
	slow
)

// answers are those of fates that the API server itself would give.
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

// A request to the Kubernetes API.
type request struct {
	method    string
	namespace string
	// resource with its subresource ("records/status").
	resource string
	name     string
}

func (r request) String() string { return r.method + " " + r.resource }

// ofAllRecords reports whether r fills or feeds the provider's cache of Records.
func (r request) ofAllRecords() bool {
	return r.method == http.MethodGet && r.namespace == "" && strings.HasSuffix(r.resource, "/records")
}

// onPurpose begins what a panic says that a test wanted.
const onPurpose = "on purpose, at "

// errCutOff is what a provider sees that was cut off.
var errCutOff = errors.New("connection refused by the test")

// wrap puts t around the transport of a provider that is about to start.
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

// forget takes back the last request like r, which was refused because the object
// had changed meanwhile: how often that is, is a matter of how far the cache lags
// behind, and not of what the provider asks.
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

// observe lets after see each request that was answered; nil ends that.
func (t *traffic) observe(after func(request)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.after = after
}

// fateOf lets whoever stands in the way of a request decide.
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

// interfere lets decide choose the fate of each request about a namespace, or of all in whose
// way nobody else stands where that is ""; nil lets them pass.
func (t *traffic) interfere(namespace string, decide func(request) fate) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if decide == nil {
		delete(t.standing, namespace)
		return
	}
	t.standing[namespace] = &interference{turn: make(chan struct{}, 1), decide: decide}
}

// interfere lets decide choose the fate of each request about the world's namespace until the
// test ends; nil lets them pass.
func (w *world) interfere(decide func(request) fate) {
	w.traffic.interfere(w.ns, decide)
	w.t.Cleanup(func() { w.traffic.interfere(w.ns, nil) })
}

// blind keeps the provider from seeing what becomes of Records, until it is let see
// again: it then lists them, and sees many changes as one.
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
