// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"errors"
	"net/http"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
)

// patched returns an object after a patch of that type.
func patched(kind schema.GroupVersionKind, of types.PatchType, old, patch []byte) ([]byte, error) {
	out, err := apply(kind, of, old, patch)
	if errors.Is(err, jsonpatch.ErrTestFailed) {
		return nil, kerrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "", schema.GroupResource{}, "", err.Error(), 0, false)
	}
	if err != nil {
		return nil, kerrors.NewBadRequest("cannot apply the patch: " + err.Error())
	}
	return out, nil
}

func apply(kind schema.GroupVersionKind, of types.PatchType, old, patch []byte) ([]byte, error) {
	switch of {
	case types.MergePatchType:
		return jsonpatch.MergePatch(old, patch)
	case types.JSONPatchType:
		p, err := jsonpatch.DecodePatch(patch)
		if err != nil {
			return nil, err
		}
		return p.Apply(old)
	case types.StrategicMergePatchType:
		if typed, err := clientgoscheme.Scheme.New(kind); err == nil {
			return strategicpatch.StrategicMergePatch(old, patch, typed)
		}
	}
	return nil, kerrors.NewGenericServerResponse(http.StatusUnsupportedMediaType, http.MethodPatch, schema.GroupResource{}, "", "this API server in memory does not take patches of type "+string(of), 0, true)
}
