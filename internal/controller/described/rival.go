// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	xpmeta "github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/external/policy"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind/kindapi"
)

// A DocumentConflictError reports that an object of another kind works on the same document. One of the two has the document as
// a whole, and the other a part of it, so that each would undo the changes of the other.
type DocumentConflictError struct {
	Kind   string
	Object types.NamespacedName
	// Part is what both objects declare, if they share nothing else of the document. It is "" otherwise.
	Part string
}

func (e *DocumentConflictError) Error() string {
	if e.Part != "" {
		return fmt.Sprintf("the %s %s declares %s, too: remove it from one of the two, or delete this object", e.Kind, e.Object, e.Part)
	}
	return fmt.Sprintf("the %s %s works on the same document: it is either one object's as a whole or shared by objects that each have a part, so delete that one or this one", e.Kind, e.Object)
}

// unrivalled returns a *DocumentConflictError if an object of a rival kind works on the same document, or part of one, and was
// there first. It only reads the cache, and comes before each write.
func (a *adapter) unrivalled(ctx context.Context) error {
	if len(a.rivals) == 0 {
		return nil
	}
	ours := works(a.Description, a.sync.Parent, a.want)
	if len(ours) == 0 {
		return nil // The object works on nothing that another kind may work on.
	}
	for _, e := range a.rivals {
		if err := a.unrivalledBy(ctx, e, ours); err != nil {
			return err
		}
	}
	return nil
}

// seeRivals looks for objects that were the first to work on the resource, or on the document that contains it. It
// skips a resource that can have parts of other kinds: uncontested refuses the writes of such a resource.
func (a *adapter) seeRivals(ctx context.Context) error {
	if a.Description.Parts != nil {
		return nil
	}
	err := a.unrivalled(ctx)
	var rival *DocumentConflictError
	if errors.As(err, &rival) {
		a.shared = rival
		return nil
	}
	return err
}

// uncontested returns a *DocumentConflictError if the object is about to write a part that belongs to another object.
func (a *adapter) uncontested(ctx context.Context) error {
	if a.Description.Parts == nil {
		return nil
	}
	return a.unrivalled(ctx)
}

// rivals returns the kinds among all that work on the documents of d in the other way: as a whole if d works on
// parts, and on parts if d works on the whole.
func rivals(d kind.Description, all []entry) []entry {
	var out []entry
	for _, e := range all {
		o := e.Description
		if o.Group == d.Group && o.Name != d.Name && (whole(d, o) || whole(o, d)) {
			out = append(out, e)
		}
	}
	return out
}

// whole reports whether resources of d can be documents whose parts are resources of the kind part.
func whole(d, part kind.Description) bool {
	below := strings.HasPrefix(part.Read, d.List+"/")
	switch part.Shape {
	case kind.Fragment:
		return d.Shared != nil && below || d.Shape == kind.Singleton && d.Read == part.Read
	case kind.Collection:
		return d.Parts != nil && below
	}
	return false
}

// unrivalledBy returns a *DocumentConflictError if an object of the kind e works on one of the paths ours and comes first.
func (a *adapter) unrivalledBy(ctx context.Context, e entry, ours []string) error {
	l := e.NewList()
	err := a.kube.List(ctx, l, client.UnsafeDisableDeepCopy)
	if meta.IsNoMatchError(err) {
		return nil // Without the kind there is no object of it.
	}
	if err != nil {
		return fmt.Errorf("cannot find out who else works on the document of the %s: %w", a.Description.Noun, err)
	}
	mine := a.hasAny()
	for _, mg := range l.GetItems() {
		o, ok := mg.(Object)
		if !ok || !policy.Manages(o) || !comesFirst(o, claimKind(e).HasAny(o), a.mg, mine) {
			continue
		}
		theirs := worksOf(e.Description, o)
		i := slices.IndexFunc(ours, func(path string) bool { return slices.Contains(theirs, path) })
		if i < 0 {
			continue
		}
		out := &DocumentConflictError{Kind: e.GVK.Kind, Object: client.ObjectKeyFromObject(o)}
		if a.Description.Parts != nil || e.Description.Parts != nil {
			out.Part = ours[i][strings.LastIndex(ours[i], "/")+1:]
		}
		return out
	}
	return nil
}

// hasAny reports whether the object has a resource, by its status or a claim of this process.
func (a *adapter) hasAny() bool {
	return claimKind(a.entry).HasAny(a.mg) || a.claims.Holds(a.mg, xpmeta.GetExternalName(a.mg))
}

// comesFirst reports whether o comes before mg: o has a resource by its status, which no user writes, and mg has none
// or is younger. An object that only names a resource blocks no other object.
func comesFirst(o Object, theirs bool, mg Object, mine bool) bool {
	return theirs && (!mine || older(o, mg))
}

// worksOf is works for another object. It reads what the object declares only for kinds whose paths depend on it:
// there may be thousands of objects.
func worksOf(d kind.Description, o Object) []string {
	if d.Shape != kind.Collection {
		return works(d, o.GetSync().Parent, nil)
	}
	spec := o.GetForProvider()
	if d.Upload != nil {
		spec = kind.SpecWithout(spec, d.Upload.Files)
	}
	want, err := kind.Encode(spec)
	if err != nil {
		return nil // Such an object is never written to Cloudflare, either.
	}
	return works(d, o.GetSync().Parent, want)
}

// works returns the paths that an object works on and that another kind may work on as well: the document that it has
// as a whole or in part, or each part that is a resource of another kind. They follow from the key of its parent and
// from what it declares.
func works(d kind.Description, key string, want kind.Document) []string {
	if d.Shape != kind.Collection || d.Shared != nil {
		if path := document(d, key, want); path != "" {
			return []string{path}
		}
		return nil
	}
	below, ok := parentPath(d, key)
	switch {
	case !ok:
		return nil
	case d.Parts == nil:
		return []string{below + "/" + kind.Text(want, d.IDPath())}
	}
	var out []string
	for _, part := range d.Parts(want) {
		out = append(out, below+part)
	}
	return out
}

// document returns the path of the document that an object works on, as a whole or in part, or "" for none. It
// follows from the key of its parent and from what it declares.
func document(d kind.Description, key string, want kind.Document) string {
	path, ok := parentPath(d, key)
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

// parentPath returns the path in the key of a parent.
func parentPath(d kind.Description, key string) (string, bool) {
	return strings.CutPrefix(kindapi.Canonical(d, key), d.Group+" "+d.Name+" ")
}

// older reports whether a was created before b. The UIDs decide between objects of the same time.
func older(a, b client.Object) bool {
	ta, tb := a.GetCreationTimestamp(), b.GetCreationTimestamp()
	if ta.Equal(&tb) {
		return a.GetUID() < b.GetUID()
	}
	return ta.Before(&tb)
}
