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

// latency is how long an answer takes in a bubble. Without it, two events of one object at the same time get the
// same name, and one of them is lost.
const latency = time.Millisecond

// A Bubble is the environment of a test with virtual time: an API server in memory, and a simulator.
type Bubble struct {
	API    *apiserver.Server
	Config *rest.Config
	Kube   client.Client
	Cloud  *CloudInProcess
}

// PrepareBubbles prepares a process for tests in bubbles. TestMain calls it. After an error that they only log,
// the libraries of Kubernetes wait if the previous error was a moment ago. The previous error may be of another
// bubble, or of none, and years ahead by the clock of this bubble.
func PrepareBubbles() {
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1] //nolint:reassign // The library has no other way.
}

// InBubble runs a test with virtual time, and with an API server of these kinds (see Definitions). start runs a
// provider and returns the function that stops it. The provider is stopped before the cleanups that start
// registers.
//
// A test in a bubble must not call Run, Parallel or Deadline, and must not wait for anything outside of the
// bubble.
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
			<-time.After(slowest) // Events that are under way arrive, or the attempts to send them end.
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

// Stop waits until the provider is idle, silences its watches, and stops it.
func (b *Bubble) Stop(provider func() error) error {
	synctest.Wait()
	b.API.Silence()
	return provider()
}

// Definitions returns the definitions of these kinds and those of the provider configs. Without kinds, it returns
// all definitions. A provider of all kinds takes longer to start.
func Definitions(kinds ...string) (*apiserver.Definitions, error) {
	d, err := definitions()
	if err != nil || len(kinds) == 0 {
		return d, err
	}
	return d.Of(func(k schema.GroupKind) bool { return k.Group == cfv1alpha1.Group || slices.Contains(kinds, k.Kind) }), nil
}

//nolint:gochecknoglobals // They are read once, and never change.
var definitions = sync.OnceValues(func() (*apiserver.Definitions, error) { return apiserver.Load(Kinds()) })
