// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"encoding/base64"
	"slices"
	"strings"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

// sealEnds ends the ID of the key in a sealed hash. The hashes of earlier versions do not have it.
const sealEnds = "."

// sealed returns a hash as a status has it. Without the provider's key, no value can be tried against it. It is of no
// use on another object.
func (a *adapter) sealed(hash string) string {
	return a.key.ID() + sealEnds + base64.RawURLEncoding.EncodeToString(a.key.Hash("status", string(a.mg.GetUID()), hash))
}

// seal seals the hashes that an earlier version put on a status. They stay valid: nothing is sent again. The digest
// that Cloudflare shows of files is no secret, and stays as it is.
func (a *adapter) seal(s *cfv1alpha1.SyncStatus) {
	for _, all := range [][]cfv1alpha1.FieldHash{s.Secrets, s.Details} {
		for i, h := range all {
			if !strings.Contains(h.Hash, sealEnds) && !a.isDigest(h.Path) {
				all[i].Hash = a.sealed(h.Hash)
			}
		}
	}
}

func (a *adapter) isDigest(path string) bool {
	u := a.Description.Upload
	return u != nil && path == u.Digest
}

// ofLostKey reports whether the status has a value of the connection secret sealed with another key than the
// provider's. path is its key in the Secret. The other sealing key is lost, so any value may be the recorded one.
func (a *adapter) ofLostKey(path string) bool {
	return slices.ContainsFunc(a.sync.Details, func(h cfv1alpha1.FieldHash) bool {
		return h.Path == path && !strings.HasPrefix(h.Hash, a.key.ID()+sealEnds)
	})
}
