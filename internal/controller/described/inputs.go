// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/drift"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// An input is a value that no answer has: a value that the spec takes from a Secret, or, if plain is set, a value
// that is no secret.
type input struct {
	// path identifies the input by the keys of elements. at is its place in what is declared, by the positions of
	// elements.
	path, at    string
	name, value string
	plain       bool
}

// readInputs puts the values of the Secrets and ConfigMaps that the spec names into what is
// declared.
func (a *adapter) readInputs(ctx context.Context) error {
	for _, f := range kind.KeyFields(a.mg.GetForProvider()) {
		value, plain, err := a.keyValue(ctx, f.Value)
		if err != nil {
			return fmt.Errorf("cannot read spec.forProvider.%s: %w", f.Name, err)
		}
		in := input{path: a.Description.Keyed(f.Path, a.want), at: f.Path, name: f.Name, value: value, plain: plain}
		if in.path != in.at {
			in.name = kind.Difference{Path: in.path}.Name(a.names)
		}
		kind.Put(a.want, f.Path, value)
		a.inputs = append(a.inputs, in)
	}
	a.inputs = append(a.inputs, a.unanswered()...)
	a.inputs = append(a.inputs, a.files()...)
	return nil
}

// unanswered returns the values of the spec that no answer repeats and that each write of a document or of files
// sends. Those of a fragment say what to do with it.
func (a *adapter) unanswered() []input {
	if a.Description.Shape != kind.Fragment && a.Description.Upload == nil {
		return nil
	}
	var out []input
	for path, f := range a.Description.Fields {
		v, ok := kind.At(a.want, path)
		if !ok || !f.WriteOnly || slices.Contains(a.createOnly, path) || a.listsFiles(path) {
			continue
		}
		out = append(out, input{path: path, at: path, name: kind.Difference{Path: path}.Name(a.names), value: kind.Hash(v), plain: true})
	}
	slices.SortFunc(out, func(x, y input) int { return strings.Compare(x.path, y.path) })
	return out
}

// keyValue returns the value that a reference names. plain reports whether the value is no secret.
func (a *adapter) keyValue(ctx context.Context, ref any) (value string, plain bool, err error) {
	switch ref := ref.(type) {
	case cfv1alpha1.SecretKeyReference:
		value, err = a.secretValue(ctx, ref)
		return value, false, err
	case cfv1alpha1.ConfigMapKeyReference:
		value, err = a.configMapValue(ctx, ref)
		return value, true, err
	}
	return "", false, errors.Errorf("%T names no key", ref)
}

func (a *adapter) secretValue(ctx context.Context, ref cfv1alpha1.SecretKeyReference) (string, error) {
	s := &corev1.Secret{}
	at := types.NamespacedName{Namespace: a.mg.GetNamespace(), Name: ref.Name}
	if err := a.api.Get(ctx, at, s); err != nil {
		return "", err
	}
	v, ok := s.Data[ref.Key]
	if !ok || len(v) == 0 {
		return "", errors.Errorf("Secret %s has no value under the key %q", at, ref.Key)
	}
	return string(v), nil
}

func (a *adapter) configMapValue(ctx context.Context, ref cfv1alpha1.ConfigMapKeyReference) (string, error) {
	m := &corev1.ConfigMap{}
	at := types.NamespacedName{Namespace: a.mg.GetNamespace(), Name: ref.Name}
	if err := a.api.Get(ctx, at, m); err != nil {
		return "", err
	}
	if v := cmp.Or(m.Data[ref.Key], string(m.BinaryData[ref.Key])); v != "" {
		return v, nil
	}
	return "", errors.Errorf("ConfigMap %s has no value under the key %q", at, ref.Key)
}

// secretValues returns the values that no error may show.
func (a *adapter) secretValues() []string {
	var out []string
	for _, in := range a.inputs {
		if !in.plain {
			out = append(out, in.value)
		}
	}
	return out
}

// changedInputs returns the inputs whose values differ from what was sent last. That is all that can be known of
// them, because no answer has them.
func (a *adapter) changedInputs() []input {
	if a.Description.Shape == kind.Collection && a.Description.Update == "" {
		return nil // Only the creation sends them.
	}
	sync := &a.sync
	return slices.DeleteFunc(slices.Clone(a.inputs), func(in input) bool {
		return slices.Contains(sync.Secrets, cfv1alpha1.FieldHash{Path: in.path, Hash: a.hashOf(in)})
	})
}

// secretDifferences returns which inputs have to be sent.
func (a *adapter) secretDifferences() drift.Differences {
	var out drift.Differences
	for _, in := range a.changedInputs() {
		says := "the value in the Secret is not the one that was sent last"
		if in.plain {
			says = "it is not what was sent last"
		}
		out = append(out, drift.Difference{Field: in.name, Says: says})
	}
	return out
}

// keepSecrets leaves the inputs that Cloudflare already has out of an update that merges.
func (a *adapter) keepSecrets(body kind.Document, now Live) {
	merges := a.Description.Mode == kind.MergePatch
	if !merges && a.Description.Mode != kind.DeclaredOnly && a.Description.Shape != kind.Fragment {
		return
	}
	changed := a.changedInputs()
	for _, in := range a.inputs {
		switch {
		case slices.Contains(changed, in):
		case merges:
			kind.Unpatch(body, in.at, a.different(now))
		default:
			kind.Without(body, in.at)
		}
	}
}

// rememberInputs records what was sent.
func (a *adapter) rememberInputs() {
	sync := &a.sync
	sync.Secrets = nil
	if len(a.inputs) == 0 && len(sync.Details) == 0 {
		sync.Salt = ""
		return
	}
	a.salted()
	for _, in := range a.inputs {
		sync.Secrets = append(sync.Secrets, cfv1alpha1.FieldHash{Path: in.path, Hash: a.hashOf(in)})
	}
}

// salted makes sure that there is a salt.
func (a *adapter) salted() {
	if a.sync.Salt == "" {
		a.sync.Salt = rand.Text()
	}
}

// hashOf returns the hash of an input for a status.
func (a *adapter) hashOf(in input) string { return a.sealed(saltedHash(a.sync.Salt, in)) }

// saltedHash returns a hash that identifies a value. A reader who has the salt can try values, so a status has the
// hashes of secrets sealed.
func saltedHash(salt string, in input) string {
	sum := sha256.Sum256([]byte(salt + "\x00" + in.path + "\x00" + in.value))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
