// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/external/policy"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
)

// A RivalError says that an object of another kind works on the same document: one has it as
// a whole, the other a part of it, and each would undo what the other does.
type RivalError struct {
	Kind   string
	Object types.NamespacedName
}

func (e *RivalError) Error() string {
	return fmt.Sprintf("the %s %s works on the same document: it is either one object's as a whole or shared by objects that each have a part, so delete that one or this one", e.Kind, e.Object)
}

// unrivalled is a *RivalError where an object of a kind that works on the document in the
// other way was there first. It reads the cache only, and comes before each write.
func (a *adapter) unrivalled(ctx context.Context) error {
	for _, e := range a.rivals {
		o, found, err := a.rival(ctx, e)
		if err != nil {
			return fmt.Errorf("cannot find out who else works on the document of the %s: %w", a.Description.Noun, err)
		}
		if found {
			return &RivalError{Kind: e.GVK.Kind, Object: client.ObjectKeyFromObject(o)}
		}
	}
	return nil
}

// seeRivals looks for those who share the resource, where that may be a document.
func (a *adapter) seeRivals(ctx context.Context) error {
	if a.Description.Shared == nil {
		return nil
	}
	err := a.unrivalled(ctx)
	var rival *RivalError
	if errors.As(err, &rival) {
		a.shared = rival
		return nil
	}
	return err
}

// rivals are the kinds among all that work on the documents of d in the other way.
func rivals(d kind.Description, all []entry) []entry {
	var out []entry
	for _, e := range all {
		o := e.Description
		if o.Group == d.Group && (whole(d, o) || whole(o, d)) {
			out = append(out, e)
		}
	}
	return out
}

// whole reports whether resources of d can be documents of which those of part are parts.
func whole(d, part kind.Description) bool {
	return part.Shape == kind.Fragment &&
		(d.Shared != nil && strings.HasPrefix(part.Read, d.List+"/") || d.Shape == kind.Singleton && d.Read == part.Read)
}

// rival is an object of that kind which works on the document of this one and is older, false
// for none.
func (a *adapter) rival(ctx context.Context, e entry) (o Object, found bool, err error) {
	ours := document(a.Description, a.sync.Parent, a.want)
	if ours == "" {
		return nil, false, nil // Nobody shares what is no document.
	}
	l := e.NewList()
	err = a.kube.List(ctx, l, client.UnsafeDisableDeepCopy)
	if meta.IsNoMatchError(err) {
		return nil, false, nil // Where there is no such kind, there is no object.
	}
	if err != nil {
		return nil, false, err
	}
	for _, mg := range l.GetItems() {
		o, ok := mg.(Object)
		if !ok || !policy.Manages(o) || !older(o, a.mg) {
			continue
		}
		if documentOf(e.Description, o) == ours {
			return o, true, nil
		}
	}
	return nil, false, nil
}

// documentOf is the document of another object. Only where that depends on what it declares does
// it cost more than a look at its status: there may be thousands.
func documentOf(d kind.Description, o Object) string {
	if d.Shared == nil {
		return document(d, o.GetSync().Parent, nil)
	}
	want, err := kind.Encode(o.GetForProvider())
	if err != nil {
		return "" // It is never written, either.
	}
	return document(d, o.GetSync().Parent, want)
}

// document is the path of the document that an object works on, as a whole or in part, by the
// key of its parent and what it declares. It is "" for none.
func document(d kind.Description, key string, want kind.Document) string {
	path, ok := strings.CutPrefix(kindapi.Canonical(d, key), d.Group+" "+d.Name+" ")
	if !ok {
		return ""
	}
	if d.Shared == nil {
		return path
	}
	below := d.Shared(want)
	if below == "" {
		return ""
	}
	return path + below
}

// older reports whether a was there before b.
func older(a, b client.Object) bool {
	ta, tb := a.GetCreationTimestamp(), b.GetCreationTimestamp()
	if ta.Equal(&tb) {
		return a.GetUID() < b.GetUID()
	}
	return ta.Before(&tb)
}
