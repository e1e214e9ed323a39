// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package keyed makes hashes of secrets with a key. Without the key they cannot be computed, so no value can be
// tried against them.
package keyed

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"unique"
)

// Size is the number of bytes that suffice for a key, and the length of a Hash.
const Size = sha256.Size

// A Key is the key of hashes. No printed form of it, or of a value that holds it, shows the key. Keys of equal
// secrets are ==.
type Key struct{ secret unique.Handle[string] }

// New returns the Key of a secret, which is Size random bytes.
func New(secret []byte) Key { return Key{unique.Make(string(secret))} }

// Hash returns a hash that identifies parts among all parts of that purpose. It panics without a key.
func (k Key) Hash(purpose string, parts ...string) []byte {
	if k == (Key{}) {
		panic("keyed: a hash without a key")
	}
	mac := hmac.New(sha256.New, []byte(k.secret.Value()))
	for _, part := range append([]string{purpose}, parts...) {
		mac.Write(strconv.AppendInt(nil, int64(len(part)), 10)) // So that no two lists of parts read alike.
		mac.Write([]byte{':'})
		mac.Write([]byte(part))
	}
	return mac.Sum(nil)
}

// Hex returns Hash in hexadecimal.
func (k Key) Hex(purpose string, parts ...string) string {
	return hex.EncodeToString(k.Hash(purpose, parts...))
}

// ID returns a short text that identifies the key and does not reveal it.
func (k Key) ID() string { return k.Hex("id")[:8] }
