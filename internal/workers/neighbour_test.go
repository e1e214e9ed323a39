// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// api refuses requests for one path, and carries out all others.
type api struct{}

func (api) RoundTrip(r *http.Request) (*http.Response, error) {
	body, status := `{"success":true,"errors":[],"messages":[],"result":{"id":"x"}}`, http.StatusOK
	if strings.Contains(r.URL.Path, "refused") {
		body, status = `{"success":false,"errors":[{"code":20217,"message":"not entitled"}],"messages":[],"result":null}`, http.StatusBadRequest
	}
	<-time.After(50 * time.Millisecond) // On the clock of the bubble.
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: r, ContentLength: int64(len(body))}, nil
}

// TestRefusedObjectsDelayNoNeighbour: one namespace has objects whose creation Cloudflare refuses each time. They
// use up the budget of a credential. Another namespace with the same credential creates some objects.
func TestRefusedObjectsDelayNoNeighbour(t *testing.T) {
	for _, refused := range []int{300, 3000} {
		synctest.Test(t, func(t *testing.T) {
			c := cloudflare.New(cloudflare.NewToken("0123456789abcdef"), cloudflare.Options{BaseURL: "http://api.test", Transport: api{}})
			made := make(chan time.Time, 20)
			k := &kind{name: "things"}
			k.reconcile = func(ctx context.Context, key types.NamespacedName) (reconcile.Result, error) {
				path := "/refused"
				if key.Namespace == "b" {
					path = "/good"
				}
				_, err := c.Do(ctx, cloudflare.Request{Method: http.MethodPost, Path: path, Route: path})
				if err == nil {
					made <- time.Now()
					return reconcile.Result{}, nil
				}
				if wait := cloudflare.RetryAfter(err); wait >= 2*time.Second { // As internal/reconciler does it.
					return reconcile.Result{RequeueAfter: wait}, nil
				}
				return reconcile.Result{}, errors.New("refused")
			}
			o := &operator{pool: New(Options{PerSecond: 100, PerConfig: 64})}
			if err := o.pool.Add(o, k.of(t)); err != nil {
				t.Fatal(err)
			}
			o.start(t.Context())
			synctest.Wait()
			for i := range refused { // They come over a minute, as from many users.
				k.handed().AddAfter(k.request("a", fmt.Sprint("refused-", i)), time.Duration(i)*time.Minute/time.Duration(refused))
			}
			<-time.After(10 * time.Minute)
			began := time.Now()
			const others = 20
			for i := range others {
				k.handed().Add(k.request("b", fmt.Sprint("good-", i)))
			}
			for range others {
				if took := (<-made).Sub(began); took > 10*time.Second {
					t.Errorf("%d refused objects of one namespace hold up another one for %s", refused, took)
				}
			}
			o.stop()
			o.running.Wait()
		})
	}
}
