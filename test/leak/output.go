// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package leak

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http/httptest"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// again is the wait before the objects of a kind are listed again.
const again = 25 * time.Millisecond

// An Output collects the output of a provider while a suite runs: its logs, its standard error,
// its requests to Kubernetes and Cloudflare, and its metrics. It learns the content of every
// Secret. The zero value keeps only what the other methods receive; Watch and Streams start to
// listen.
type Output struct {
	Record

	mu      sync.Mutex
	values  map[string]struct{}
	stopped bool
	errs    []error
	running sync.WaitGroup
	cancel  context.CancelFunc
	stderr  *os.File
	pipe    *os.File
}

// watched returns the resources that the provider reads or writes.
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
		{Group: "tunnel.cloudflare.m.crossplane.io", Version: "v1alpha1", Resource: "tunnels"}, // Tunnels write Secrets.
	}
}

// Watch starts to keep every version of every object that the provider reads or writes. It does
// not keep Secrets, but learns their content. The API server must serve the kinds.
func (o *Output) Watch(cfg *rest.Config) error {
	c, err := dynamic.NewForConfig(cfg)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	o.cancel = cancel
	for _, r := range watched() {
		of := c.Resource(r)
		from, err := o.look(ctx, r.Resource, of)
		if err != nil {
			return err
		}
		o.running.Go(func() { o.follow(ctx, r.Resource, of, from) })
	}
	return nil
}

// look keeps the current versions of all objects, and returns the version of the list.
func (o *Output) look(ctx context.Context, resource string, of dynamic.ResourceInterface) (version string, err error) {
	l, err := of.List(ctx, metav1.ListOptions{})
	if err != nil {
		return "", fmt.Errorf("cannot list %s: %w", resource, err)
	}
	for i := range l.Items {
		o.keep(resource, &l.Items[i])
	}
	return l.GetResourceVersion(), nil
}

// follow keeps every version of every object after a resource version. If the API server cannot
// continue from there after a restart, follow lists all objects again. Versions between two
// lists are missing, but the provider's requests contain them.
func (o *Output) follow(ctx context.Context, resource string, of dynamic.ResourceInterface, from string) {
	for ctx.Err() == nil {
		w, err := watchtools.NewRetryWatcherWithContext(ctx, from, &cache.ListWatch{WatchFuncWithContext: of.Watch})
		if err != nil {
			o.fail(fmt.Errorf("cannot watch %s: %w", resource, err))
			return
		}
		for ev := range w.ResultChan() {
			if u, ok := ev.Object.(*unstructured.Unstructured); ok {
				o.keep(resource, u)
			}
		}
		err = wait.PollUntilContextCancel(ctx, again, true, func(context.Context) (bool, error) {
			from, err = o.look(ctx, resource, of)
			return err == nil, nil
		})
		if err != nil {
			o.fail(fmt.Errorf("%s were not seen any more: %w", resource, err))
		}
	}
}

func (o *Output) keep(resource string, u *unstructured.Unstructured) {
	raw, err := u.MarshalJSON()
	if err != nil {
		o.fail(err)
	}
	o.Stored(resource, raw)
}

// Stored keeps an object as the API server returns it. It does not keep a Secret, but learns
// its content.
func (o *Output) Stored(resource string, raw []byte) {
	if resource != "secrets" {
		o.Keep(resource, string(raw))
		return
	}
	var s struct{ Data map[string][]byte }
	if err := json.Unmarshal(raw, &s); err != nil {
		o.fail(fmt.Errorf("cannot read a Secret: %w", err))
	}
	for _, v := range s.Data {
		o.learn(string(v))
	}
}

// fail records an error that made the collected output incomplete, unless the Output has ended.
func (o *Output) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.stopped {
		o.errs = append(o.errs, err)
	}
}

// learn records a value of a Secret.
func (o *Output) learn(value string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.values == nil {
		o.values = map[string]struct{}{}
	}
	o.values[value] = struct{}{}
}

// LearnFrom records what another Output has learned.
func (o *Output) LearnFrom(other *Output) {
	other.mu.Lock()
	values := slices.Collect(maps.Keys(other.values))
	other.mu.Unlock()
	for _, v := range values {
		o.learn(v)
	}
}

// Streams captures the standard error of the process, and logs that bypass its logger. It
// forwards what it captures. It must be called before the tests run.
func (o *Output) Streams() error {
	if err := keepStderr(); err != nil {
		return err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	o.stderr, o.pipe = os.Stderr, w
	os.Stderr = w
	log.SetOutput(w)
	o.running.Go(func() {
		lines := bufio.NewReader(io.TeeReader(r, o.stderr))
		for {
			line, err := lines.ReadString('\n')
			o.Keep("standard error", line)
			if err != nil {
				return
			}
		}
	})
	return nil
}

// keepStderr prevents package testing from setting os.Stderr to os.Stdout under "go test
// -json", because the capture would miss the output then.
func keepStderr() error {
	const verbose = "test.v"
	if f := flag.Lookup(verbose); f != nil && f.Value.String() == "test2json" {
		return flag.Set(verbose, "true")
	}
	return nil
}

// Measure keeps the current text of metrics.
func (o *Output) Measure(gatherers ...prometheus.Gatherer) {
	for _, g := range gatherers {
		rec := httptest.NewRecorder()
		promhttp.HandlerFor(g, promhttp.HandlerOpts{}).ServeHTTP(rec, httptest.NewRequestWithContext(context.Background(), "GET", "/metrics", nil))
		o.Keep("metrics", rec.Body.String())
	}
}

// Asked keeps requests to Cloudflare.
func (o *Output) Asked(requests []simulator.LoggedRequest) {
	for _, q := range requests {
		o.Keep("request", q.Method+" "+q.Path+"?"+q.Query+" "+q.UserAgent+"\n"+q.RequestBody)
	}
}

// Logger returns a logger that keeps its messages.
func (o *Output) Logger() logr.Logger {
	return funcr.New(func(prefix, args string) { o.Keep("log", prefix+" "+args) }, funcr.Options{Verbosity: Verbosity})
}

// Verbosity is higher than that of the provider's --debug, which is 1. From 5 on, the queue of
// controller-runtime logs objects that it still writes, which is a race. From 8 on, client-go
// logs the bodies of its answers, including Secrets.
const Verbosity = 4

// End stops listening. It returns nil if all output was seen and contains no secret.
func (o *Output) End() error {
	o.mu.Lock()
	o.stopped = true
	o.mu.Unlock()
	if o.cancel != nil {
		o.cancel()
	}
	if o.pipe != nil {
		os.Stderr = o.stderr
		log.SetOutput(o.stderr)
		_ = o.pipe.Close()
	}
	o.running.Wait()
	errs := o.errs
	for _, f := range o.Search(o.Secrets()) {
		errs = append(errs, errors.New(f.String()))
	}
	return errors.Join(errs...)
}

// Learned returns the number of different values in Secrets.
func (o *Output) Learned() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.values)
}

// Secrets returns the values of all Secrets.
func (o *Output) Secrets() *Secrets {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := &Secrets{}
	for v := range o.values {
		s.AddCredential(v)
	}
	return s
}
