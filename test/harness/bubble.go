// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/test/apiserver"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// latency is how long an answer takes in a bubble. Two events of one object at the same time have one name,
// and one of them is lost.
const latency = time.Millisecond

// A Bubble is what a test has whose time is virtual: an API server in memory and a simulator of its own.
type Bubble struct {
	API    *apiserver.Server
	Config *rest.Config
	Kube   client.Client
	Cloud  *CloudInProcess
}

// PrepareBubbles is for the TestMain of tests in bubbles. Where Kubernetes' libraries meet an error that they only
// log, they wait if the last one was a moment ago. The last one was in another bubble, or in none: by the clock
// of this one that may be in years.
func PrepareBubbles() {
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1] //nolint:reassign // The library has no other way.
}

// InBubble runs a test whose time is virtual, with an API server of these kinds (see Definitions). start runs a
// provider and gives what ends it, which happens before what start has the test clean up.
//
// A test in a bubble must not call Run, Parallel or Deadline, nor wait for what is outside of it.
func InBubble(t *testing.T, sim simulator.Options, start func(*testing.T, *Bubble) (stop func() error), f func(*testing.T), kinds ...string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b, err := newBubble(sim, kinds)
		if err != nil {
			t.Fatal(err)
		}
		stop := start(t, b)
		t.Cleanup(func() {
			err := b.Stop(stop)
			<-time.After(slowest) // Events that are under way arrive, or are given up.
			if err := errors.Join(err, b.Cloud.End()); err != nil {
				t.Error(err)
			}
		})
		f(t)
	})
}

func newBubble(sim simulator.Options, kinds []string) (*Bubble, error) {
	d, err := Definitions(kinds...)
	if err != nil {
		return nil, err
	}
	b := &Bubble{}
	if b.API, err = apiserver.New(d); err != nil {
		return nil, err
	}
	b.Config = b.API.Config()
	b.Config.Transport = Late{RoundTripper: b.Config.Transport, By: latency, Only: func(r *http.Request) bool { return r.Method != http.MethodGet }}
	if b.Kube, err = Client(b.Config); err != nil {
		return nil, err
	}
	b.Cloud, err = LocalCloud(sim, latency)
	return b, err
}

// Stop ends a provider: its watches show nothing more from the moment on in which it has nothing to do.
func (b *Bubble) Stop(provider func() error) error {
	synctest.Wait()
	b.API.Silence()
	return provider()
}

// Definitions are those of these kinds, of all where there are none, and those of the provider configs. A
// provider of all kinds takes longer to start.
func Definitions(kinds ...string) (*apiserver.Definitions, error) {
	d, err := definitions()
	if err != nil || len(kinds) == 0 {
		return d, err
	}
	return d.Of(func(k schema.GroupKind) bool { return k.Group == cfv1alpha1.Group || slices.Contains(kinds, k.Kind) }), nil
}

//nolint:gochecknoglobals // They are read once, and never change.
var definitions = sync.OnceValues(func() (*apiserver.Definitions, error) { return apiserver.Load(Kinds()) })
