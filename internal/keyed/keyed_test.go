// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package keyed

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

const secret = "this-is-the-key-of-the-provider!"

func TestHash(t *testing.T) {
	k := New([]byte(secret))
	same := k.Hex("status", "a", "b")
	for _, row := range []struct {
		reason string
		got    string
		same   bool
	}{
		{"the same parts", k.Hex("status", "a", "b"), true},
		{"the same key, made again", New([]byte(secret)).Hex("status", "a", "b"), true},
		{"another key", New([]byte("another-key-of-the-same-length!!")).Hex("status", "a", "b"), false},
		{"another purpose", k.Hex("credential", "a", "b"), false},
		{"other parts", k.Hex("status", "a", "c"), false},
		{"parts that read alike when they are joined", k.Hex("status", "ab"), false},
		{"and these", k.Hex("status", "a1:b"), false},
		{"a part more", k.Hex("status", "a", "b", ""), false},
	} {
		if (row.got == same) != row.same || len(row.got) != 2*Size {
			t.Errorf("%s: the hash is %s, that of the parts %s", row.reason, row.got, same)
		}
	}
	if id := k.ID(); id != New([]byte(secret)).ID() || id == New([]byte("another")).ID() || len(id) != 8 {
		t.Errorf("the ID is %q", id)
	}
}

func TestNoHashWithoutAKey(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("there is a hash that everybody can compute")
		}
	}()
	Key{}.Hash("status", "a")
}

func TestKeyIsNotShown(t *testing.T) {
	k := New([]byte(secret))
	held := struct {
		Key Key
		key Key
		ptr *Key
	}{k, k, &k}
	asJSON, err := json.Marshal(held)
	if err != nil {
		t.Fatal(err)
	}
	shown := string(asJSON)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		shown += fmt.Sprintf(verb+verb+verb, k, &k, held)
	}
	for _, s := range []string{secret, hex.EncodeToString([]byte(secret))} {
		if strings.Contains(shown, s) {
			t.Error("a printed form shows the key")
		}
	}
}
