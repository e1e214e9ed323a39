// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
)

// Barred are the objects of a kind that their provider configs do not allow, by their last reconciles. A parent with
// only such objects is not listed. Barred is safe for concurrent use. A nil *Barred knows none.
type Barred struct {
	mu    sync.Mutex
	names map[types.NamespacedName]bool
}

// note records the outcome of a look at an object.
func (b *Barred) note(o client.Object, err error) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	name := client.ObjectKeyFromObject(o)
	if !connect.IsRefused(err) {
		delete(b.names, name)
		return
	}
	if b.names == nil {
		b.names = map[types.NamespacedName]bool{}
	}
	b.names[name] = true
}

// has reports whether the provider config of the object of that name does not allow it.
func (b *Barred) has(name types.NamespacedName) bool {
	if b == nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.names[name]
}

// count returns the maximum number of such objects.
func (b *Barred) count() int {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.names)
}

// forget removes an object that is gone.
func (b *Barred) forget(o client.Object) { b.note(o, nil) }
