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

// A RivalError says that an object of another kind works on the same: one has a document as
// a whole, the other a part of it, and each would undo what the other does.
type RivalError struct {
	Kind   string
	Object types.NamespacedName
	// Part is what both declare, where the rest of the document is no matter of theirs both. It is "" otherwise.
	Part string
}

func (e *RivalError) Error() string {
	if e.Part != "" {
		return fmt.Sprintf("the %s %s declares %s, too: remove it from one of the two, or delete this object", e.Kind, e.Object, e.Part)
	}
	return fmt.Sprintf("the %s %s works on the same document: it is either one object's as a whole or shared by objects that each have a part, so delete that one or this one", e.Kind, e.Object)
}

// unrivalled is a *RivalError where an object of a kind that works on the same in the
// other way was there first. It reads the cache only, and comes before each write.
func (a *adapter) unrivalled(ctx context.Context) error {
	if len(a.rivals) == 0 {
		return nil
	}
	ours := works(a.Description, a.sync.Parent, a.want)
	if len(ours) == 0 {
		return nil // Nobody shares what is no document.
	}
	for _, e := range a.rivals {
		if err := a.unrivalledBy(ctx, e, ours); err != nil {
			return err
		}
	}
	return nil
}

// seeRivals looks for those who were the first to work on the resource, or on the document that it is a part of. Who has
// the whole of which others may have parts is refused the writes alone.
func (a *adapter) seeRivals(ctx context.Context) error {
	if a.Description.Parts != nil {
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

// uncontested is a *RivalError where the object is about to write what a part of it is another object's.
func (a *adapter) uncontested(ctx context.Context) error {
	if a.Description.Parts == nil {
		return nil
	}
	return a.unrivalled(ctx)
}

// rivals are the kinds among all that work on the documents of d in the other way.
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

// whole reports whether resources of d can be documents of which those of part are parts.
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

// unrivalledBy is a *RivalError where an object of that kind works on one of those paths and comes first.
func (a *adapter) unrivalledBy(ctx context.Context, e entry, ours []string) error {
	l := e.NewList()
	err := a.kube.List(ctx, l, client.UnsafeDisableDeepCopy)
	if meta.IsNoMatchError(err) {
		return nil // Where there is no such kind, there is no object.
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
		out := &RivalError{Kind: e.GVK.Kind, Object: client.ObjectKeyFromObject(o)}
		if a.Description.Parts != nil || e.Description.Parts != nil {
			out.Part = ours[i][strings.LastIndex(ours[i], "/")+1:]
		}
		return out
	}
	return nil
}

// hasAny reports whether the object has something, by its status or a claim of this process.
func (a *adapter) hasAny() bool {
	return claimKind(a.entry).HasAny(a.mg) || a.claims.Holds(a.mg, xpmeta.GetExternalName(a.mg))
}

// comesFirst reports whether o comes before the object: it has something by its status, which no user writes, and the object has
// nothing, or is younger. What only names a thing keeps nobody else from it.
func comesFirst(o Object, theirs bool, mg Object, mine bool) bool {
	return theirs && (!mine || older(o, mg))
}

// worksOf is works of another object. Only where that depends on what it declares does
// it cost more than a look at its status: there may be thousands.
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
		return nil // It is never written, either.
	}
	return works(d, o.GetSync().Parent, want)
}

// works are the paths of what an object works on, as far as another kind may work on it as well: of the document that it has
// as a whole or in part, or of each part that is a resource of another kind. They are by the key of its parent and what it declares.
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

// document is the path of the document that an object works on, as a whole or in part, by the
// key of its parent and what it declares. It is "" for none.
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

// parentPath is the path in the key of a parent.
func parentPath(d kind.Description, key string) (string, bool) {
	return strings.CutPrefix(kindapi.Canonical(d, key), d.Group+" "+d.Name+" ")
}

// older reports whether a was there before b.
func older(a, b client.Object) bool {
	ta, tb := a.GetCreationTimestamp(), b.GetCreationTimestamp()
	if ta.Equal(&tb) {
		return a.GetUID() < b.GetUID()
	}
	return ta.Before(&tb)
}
