// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
)

// Barred are the objects of a kind which their provider configs do not allow, as their last reconciles found. What nobody
// else is in is not listed for them. It is safe for concurrent use; a nil one knows none.
type Barred struct {
	mu    sync.Mutex
	names map[types.NamespacedName]bool
}

// note notes what a look at an object came to.
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

// has reports whether the config of the object of that name does not allow it.
func (b *Barred) has(name types.NamespacedName) bool {
	if b == nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.names[name]
}

// count is how many objects there are at most.
func (b *Barred) count() int {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.names)
}

// forget forgets an object that is gone.
func (b *Barred) forget(o client.Object) { b.note(o, nil) }
