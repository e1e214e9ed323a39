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
	"github.com/provider-cloudflare/provider-cloudflare/test/leak"
)

// sweep is nil if no secret that the suite used came out anywhere.
func (s *suite) sweep() error {
	for _, line := range s.logs.all() {
		s.out.Keep("log", line)
	}
	s.out.Asked(s.sim.Requests())
	if testing.Verbose() {
		fmt.Fprintf(os.Stderr, "searched for what %d Secrets held, in characters by place: %v\n", s.out.Learned(), s.out.Size())
	}
	return errors.Join(s.nothingFrom(places()), s.out.End())
}

// nothingFrom is an error if the whole suite ran and had nothing come out of a place,
// so that nothing was searched there.
func (s *suite) nothingFrom(places []string) error {
	if flag.Lookup("test.run").Value.String() != "" || flag.Lookup("test.skip").Value.String() != "" {
		return nil
	}
	var errs []error
	size := s.out.Size()
	for _, place := range places {
		if size[place] == 0 {
			errs = append(errs, fmt.Errorf("nothing came out of %q, so nothing was searched there", place))
		}
	}
	return errors.Join(errs...)
}

// places are those that the suite has something come out of. The conditions and the
// status of objects are in the objects.
func places() []string {
	return []string{
		"log", "standard error", "metrics", "request", "change log", "events",
		"records", "zones", "providerconfigs", "clusterproviderconfigs",
	}
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
	w.out.Measure(reg)

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
		if len(probe.Search(w.out.Secrets())) != 1 {
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
