// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
)

const (
	// servedTimeout is how long a kind may take to be found after its CRD was
	// established.
	servedTimeout = time.Minute
	servedPoll    = 200 * time.Millisecond
)

// awaitServed returns when every one of kinds can be asked for. The gate opens when
// a CRD is established; discovery, which leads to the kind, follows a moment later.
func awaitServed(mapper meta.RESTMapper, kinds []schema.GroupVersionKind) error {
	var missing error
	err := wait.PollUntilContextTimeout(context.Background(), servedPoll, servedTimeout, true, func(context.Context) (bool, error) {
		missing = nil
		for _, k := range kinds {
			if _, err := mapper.RESTMapping(k.GroupKind(), k.Version); err != nil {
				missing = fmt.Errorf("cannot find kind %s: %w", k.Kind, err)
				return false, nil
			}
		}
		return true, nil
	})
	if err != nil && missing != nil {
		return missing
	}
	return err
}
