// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Manifest returns an object in the form of a manifest: without status, and without what the API server sets.
func Manifest(o client.Object) (map[string]any, error) {
	out, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		return nil, fmt.Errorf("cannot write %s %s as a manifest: %w", o.GetObjectKind().GroupVersionKind().Kind, o.GetName(), err)
	}
	delete(out, "status")
	if m, ok := out["metadata"].(map[string]any); ok {
		delete(m, "creationTimestamp")
	}
	return out, nil
}
