// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package behaviour

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/leak"
)

// fromBubbles has the sizes of the output of bubbles, by place.
var fromBubbles = struct {
	sync.Mutex
	size map[string]int
}{size: map[string]int{}}

// sweep returns nil if the output of a bubble shows no secret that its suite used.
func (s *suite) sweep() error {
	s.keepIn(s.out)
	// The output of the process is searched for them when all tests have ended.
	emitted.out.LearnFrom(s.out)
	fromBubbles.Lock()
	defer fromBubbles.Unlock()
	for place, n := range s.out.Size() {
		fromBubbles.size[place] += n
	}
	return s.out.End()
}

// keepIn keeps the output of a bubble so far. The metrics of a provider that has ended are kept by start.
func (s *suite) keepIn(out *leak.Output) {
	for _, line := range s.logs.all() {
		out.Keep("log", line)
	}
	out.Asked(s.sim.Requests())
	s.bubble.API.History(out.Stored)
}

// sweep returns nil if no output of the process or of the real API server shows a secret that any suite used.
func sweep() error {
	for _, line := range emitted.logs.all() {
		emitted.out.Keep("log", line)
	}
	size := emitted.out.Size()
	if testing.Verbose() {
		fmt.Fprintf(os.Stderr, "searched for what %d Secrets held, in characters by place: %v, and in bubbles: %v\n", emitted.out.Learned(), size, fromBubbles.size)
	}
	errs := []error{nothingFrom(size, append(ofProcess(), places()...))}
	if os.Getenv(realAPIServer) != "1" {
		errs = append(errs, nothingFrom(fromBubbles.size, places()))
	}
	return errors.Join(append(errs, emitted.out.End())...)
}

// nothingFrom returns an error if all tests ran and a place had no output, so that nothing was searched there.
func nothingFrom(size map[string]int, places []string) error {
	if flag.Lookup("test.run").Value.String() != "" || flag.Lookup("test.skip").Value.String() != "" {
		return nil
	}
	var errs []error
	for _, place := range places {
		if size[place] == 0 {
			errs = append(errs, fmt.Errorf("nothing came out of %q, so nothing was searched there", place))
		}
	}
	return errors.Join(errs...)
}

// ofProcess returns the places that bubbles do not have.
func ofProcess() []string { return []string{"standard error", "change log"} }

// places returns the places of output that tests need. The conditions and the status of objects are in the
// objects.
func places() []string {
	return []string{
		"log", "metrics", "request", "events",
		"records", "zones", "providerconfigs", "clusterproviderconfigs",
	}
}

// planted returns the secret that a test plants at a place.
func planted(place string) string {
	sum := sha256.Sum256([]byte(place))
	return hex.EncodeToString(sum[:])
}

// plant writes secrets to places whose output suites keep.
func (w *world) plant() {
	w.t.Helper()
	w.logs.logger().V(1).Info("planted", "token", planted("log"))
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
	if err := w.kube.Status().Patch(w.t.Context(), r, client.MergeFrom(was)); err != nil {
		w.t.Fatal(err)
	}
	w.create(&cfv1alpha1.ClusterProviderConfig{
		ObjectMeta: metav1.ObjectMeta{Name: "planted-" + w.ns, Annotations: map[string]string{"planted": planted("annotation")}},
		Spec: cfv1alpha1.ClusterProviderConfigSpec{Credentials: cfv1alpha1.ClusterCredentials{
			SecretRef: cfv1alpha1.SecretKeySelector{
				LocalSecretKeySelector: cfv1alpha1.LocalSecretKeySelector{Name: "cloudflare", Key: "token"}, Namespace: w.ns,
			},
		}},
	})
	counter := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "planted_total"}, []string{"token"})
	reg := prometheus.NewRegistry()
	reg.MustRegister(counter)
	counter.WithLabelValues(planted("metric")).Inc()
	w.out.Measure(reg)
}

// TestEveryPlaceOfABubbleIsSearched plants a secret at each place of a bubble, and removes it.
func TestEveryPlaceOfABubbleIsSearched(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.plant()
		w.made("other", "TXT", planted("request"))
		if err := w.kube.DeleteAllOf(t.Context(), &corev1.Event{}, client.InNamespace(w.ns)); err != nil {
			t.Fatal(err)
		}
		w.keepIn(w.out)
		for _, place := range []string{"log", "event", "status", "annotation", "metric", "request"} {
			s := &leak.Secrets{}
			s.Add(planted(place))
			if found := w.out.Search(s); len(found) == 0 {
				t.Errorf("the secret planted at %s was not found", place)
			}
		}
		probe := &leak.Record{}
		probe.Keep("probe", "xx"+w.token[9:22]+"xx")
		if len(probe.Search(w.out.Secrets())) != 1 {
			t.Error("the world's token is not looked for")
		}
	})
}

// TestEveryPlaceIsSearched plants a secret at each place of the process and of the suite on the real API server.
func TestEveryPlaceIsSearched(t *testing.T) {
	t.Parallel()
	onReal(t)
	w := newWorld(t)
	klog.ErrorS(nil, planted("klog"))
	fmt.Fprintln(os.Stderr, planted("stderr"))
	log.Print(planted("stdlog"))
	w.plant()
	for _, place := range []string{"klog", "log", "stderr", "stdlog", "event", "status", "annotation", "metric"} {
		s := &leak.Secrets{}
		s.Add(planted(place))
		w.eventually(func() error {
			for _, line := range w.logs.all() { // The lines are kept when the suite ends.
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
	// The Secret of the world is among the secrets that are searched for.
	w.eventually(func() error {
		probe := &leak.Record{}
		probe.Keep("probe", "xx"+w.token[9:22]+"xx")
		if len(probe.Search(w.out.Secrets())) != 1 {
			return errors.New("the world's token is not looked for")
		}
		return nil
	})
}

// registries returns the registries of the metrics of the provider.
func registries(own *prometheus.Registry) []prometheus.Gatherer {
	return []prometheus.Gatherer{own, metrics.Registry}
}

// captureKlog sends the logs of client-go and controller-runtime to b, as the process of the provider sends them
// to its log.
func captureKlog(b *logBook) { logging.SetFilteredKlogLogger(b.logger()) }
