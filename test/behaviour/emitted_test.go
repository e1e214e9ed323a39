// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/leak"
)

// emitted is everything that came out of the provider while the suite ran: what it
// logged, wrote to its standard error, told Kubernetes and Cloudflare, and measured.
// It learns every secret that was ever in a Secret.
type emitted struct {
	leak.Record

	mu      sync.Mutex
	values  map[string]struct{}
	stopped bool
	errs    []error
	running sync.WaitGroup
	cancel  context.CancelFunc
	stderr  *os.File
	pipe    *os.File
}

// watched are the kinds that the provider reads or writes.
func watched() []schema.GroupVersionResource {
	return []schema.GroupVersionResource{
		{Version: "v1", Resource: "secrets"},
		{Version: "v1", Resource: "events"},
		{Version: "v1", Resource: "configmaps"},
		{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"},
		{Group: "cloudflare.m.crossplane.io", Version: "v1alpha1", Resource: "providerconfigs"},
		{Group: "cloudflare.m.crossplane.io", Version: "v1alpha1", Resource: "clusterproviderconfigs"},
		{Group: "cloudflare.m.crossplane.io", Version: "v1alpha1", Resource: "providerconfigusages"},
		{Group: "dns.cloudflare.m.crossplane.io", Version: "v1alpha1", Resource: "records"},
		{Group: "zone.cloudflare.m.crossplane.io", Version: "v1alpha1", Resource: "zones"},
	}
}

// listen begins to keep what comes out, of every version of every object.
func (e *emitted) listen(cfg *rest.Config) error {
	e.values = map[string]struct{}{}
	c, err := dynamic.NewForConfig(cfg)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	e.cancel = cancel
	for _, r := range watched() {
		of := c.Resource(r)
		from, err := e.look(ctx, r.Resource, of)
		if err != nil {
			return err
		}
		e.running.Go(func() { e.follow(ctx, r.Resource, of, from) })
	}
	return e.listenToStreams()
}

// look keeps all objects as they are, and gives the version of the list.
func (e *emitted) look(ctx context.Context, resource string, of dynamic.ResourceInterface) (version string, err error) {
	l, err := of.List(ctx, metav1.ListOptions{})
	if err != nil {
		return "", fmt.Errorf("cannot list %s: %w", resource, err)
	}
	for i := range l.Items {
		e.keep(resource, &l.Items[i])
	}
	return l.GetResourceVersion(), nil
}

// follow keeps every version of every object from one on. An API server that was
// restarted does not go on from there: then all are looked at again. What was
// between two looks is in the requests that the provider made.
func (e *emitted) follow(ctx context.Context, resource string, of dynamic.ResourceInterface, from string) {
	for ctx.Err() == nil {
		w, err := watchtools.NewRetryWatcherWithContext(ctx, from, &cache.ListWatch{WatchFuncWithContext: of.Watch})
		if err != nil {
			e.fail(fmt.Errorf("cannot watch %s: %w", resource, err))
			return
		}
		for ev := range w.ResultChan() {
			if u, ok := ev.Object.(*unstructured.Unstructured); ok {
				e.keep(resource, u)
			}
		}
		err = wait.PollUntilContextCancel(ctx, tick, true, func(context.Context) (bool, error) {
			from, err = e.look(ctx, resource, of)
			return err == nil, nil
		})
		if err != nil {
			e.fail(fmt.Errorf("%s were not seen any more: %w", resource, err))
		}
	}
}

func (e *emitted) keep(resource string, u *unstructured.Unstructured) {
	if resource == "secrets" {
		e.learn(u)
		return
	}
	raw, err := u.MarshalJSON()
	if err != nil {
		e.fail(err)
	}
	e.Keep(resource, string(raw))
}

// fail notes what kept something from being seen, as long as anything was to be.
func (e *emitted) fail(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.stopped {
		e.errs = append(e.errs, err)
	}
}

// learn notes what a Secret holds.
func (e *emitted) learn(u *unstructured.Unstructured) {
	data, _, _ := unstructured.NestedStringMap(u.Object, "data")
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, v := range data {
		if raw, err := base64.StdEncoding.DecodeString(v); err == nil {
			e.values[string(raw)] = struct{}{}
		}
	}
}

// listenToStreams takes the process's standard error and what is logged past its
// logger. What a test writes there is passed on.
func (e *emitted) listenToStreams() error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	e.stderr, e.pipe = os.Stderr, w
	os.Stderr = w
	log.SetOutput(w)
	e.running.Go(func() {
		lines := bufio.NewReader(io.TeeReader(r, e.stderr))
		for {
			line, err := lines.ReadString('\n')
			e.Keep("standard error", line)
			if err != nil {
				return
			}
		}
	})
	return nil
}

// measure keeps the text of metrics as they are now.
func (e *emitted) measure(gatherers ...prometheus.Gatherer) {
	for _, g := range gatherers {
		rec := httptest.NewRecorder()
		promhttp.HandlerFor(g, promhttp.HandlerOpts{}).ServeHTTP(rec, httptest.NewRequestWithContext(context.Background(), "GET", "/metrics", nil))
		e.Keep("metrics", rec.Body.String())
	}
}

// end stops listening.
func (e *emitted) end() error {
	e.mu.Lock()
	e.stopped = true
	e.mu.Unlock()
	e.cancel()
	os.Stderr = e.stderr
	log.SetOutput(e.stderr)
	_ = e.pipe.Close()
	e.running.Wait()
	return errors.Join(e.errs...)
}

// secrets are what every Secret held. What is asked of Cloudflare is kept with it.
func (e *emitted) secrets() *leak.Secrets {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := &leak.Secrets{}
	for v := range e.values {
		addCredential(s, v)
	}
	return s
}

// broken finds what stands where values do in JSON that does not parse.
var broken = regexp.MustCompile(`:\s*"([^"]*)`)

// addCredential adds what is secret in the value of a Secret's key, good or bad.
func addCredential(s *leak.Secrets, value string) {
	value = strings.TrimSpace(value)
	if u, err := url.Parse(value); err == nil && u.Host != "" {
		return // A trap, which is to be seen elsewhere.
	}
	if !strings.HasPrefix(value, "{") {
		for _, part := range strings.FieldsFunc(value, func(r rune) bool { return r <= ' ' || r > '~' }) {
			if len(part) >= 12 { // No word of what is no token.
				s.Add(part)
			}
		}
		return
	}
	var v struct{ APIToken, APIKey, Email any }
	if json.Unmarshal([]byte(value), &v) != nil {
		for _, m := range broken.FindAllStringSubmatch(value, -1) {
			s.Add(m[1])
		}
		return
	}
	for _, part := range []any{v.APIToken, v.APIKey} {
		if text, ok := part.(string); ok {
			s.Add(text)
		}
	}
	if text, ok := v.Email.(string); ok {
		s.AddWhole(text)
	}
}

// sweep is nil if no secret that the suite used came out anywhere.
func (s *suite) sweep() error {
	for _, line := range s.logs.all() {
		s.out.Keep("log", line)
	}
	for _, q := range s.sim.Requests() {
		s.out.Keep("request", q.Method+" "+q.Path+"?"+q.Query+" "+q.UserAgent+"\n"+q.RequestBody)
	}
	if testing.Verbose() {
		fmt.Fprintf(os.Stderr, "searched for what %d Secrets held, in characters by place: %v\n", len(s.out.values), s.out.Size())
	}
	var errs []error
	for _, f := range s.out.Search(s.out.secrets()) {
		errs = append(errs, errors.New(f.String()))
	}
	return errors.Join(errs...)
}

// TestEveryPlaceIsSearched has a secret come out at each place that is kept.
func TestEveryPlaceIsSearched(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	planted := func(place string) string {
		sum := sha256.Sum256([]byte(place))
		return hex.EncodeToString(sum[:])
	}

	w.logs.logger().V(1).Info("planted", "token", planted("log"))
	klog.ErrorS(nil, planted("klog"))
	fmt.Fprintln(os.Stderr, planted("stderr"))
	log.Print(planted("stdlog"))
	w.create(&corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{GenerateName: "planted-", Namespace: w.ns},
		InvolvedObject: corev1.ObjectReference{Namespace: w.ns}, Message: planted("event"),
	})
	r := w.record("www", "A", "192.0.2.1", func(r *dnsv1alpha1.Record) {
		r.Annotations = map[string]string{"crossplane.io/paused": "true"}
	})
	w.create(r)
	was := r.DeepCopy()
	r.Status.AtProvider.Comment = ptr.To(base64.StdEncoding.EncodeToString([]byte("Bearer " + planted("status"))))
	if err := w.kube.Status().Patch(t.Context(), r, client.MergeFrom(was)); err != nil {
		t.Fatal(err)
	}
	counter := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "planted_total"}, []string{"token"})
	reg := prometheus.NewRegistry()
	reg.MustRegister(counter)
	counter.WithLabelValues(planted("metric")).Inc()
	w.out.measure(reg)

	for _, place := range []string{"klog", "log", "stderr", "stdlog", "event", "status", "metric"} {
		s := &leak.Secrets{}
		s.Add(planted(place))
		w.eventually(func() error {
			for _, line := range w.logs.all() { // They are kept when the suite ends.
				if strings.Contains(line, planted(place)) {
					return nil
				}
			}
			if found := w.out.Search(s); len(found) == 0 {
				return fmt.Errorf("the secret planted at %s was not found", place)
			}
			return nil
		})
	}
	// The world's own Secret is among those that are looked for.
	w.eventually(func() error {
		probe := &leak.Record{}
		probe.Keep("probe", "xx"+w.token[9:22]+"xx")
		if len(probe.Search(w.out.secrets())) != 1 {
			return errors.New("the world's token is not looked for")
		}
		return nil
	})
}

// registries are those that the provider's metrics are in.
func registries(own *prometheus.Registry) []prometheus.Gatherer {
	return []prometheus.Gatherer{own, metrics.Registry}
}

// captureKlog leads what client-go and controller-runtime log where the provider's
// own process does.
func captureKlog(b *logBook) { logging.SetFilteredKlogLogger(b.logger()) }
