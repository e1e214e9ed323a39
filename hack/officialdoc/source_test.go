// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package officialdoc

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"strings"
	"testing"
)

func TestUnpack(t *testing.T) {
	pack := func(s string) string {
		var packed bytes.Buffer
		zw := gzip.NewWriter(&packed)
		if _, err := zw.Write([]byte(s)); err != nil {
			t.Fatalf("gzip: %v", err)
		}
		if err := zw.Close(); err != nil {
			t.Fatalf("gzip: %v", err)
		}
		return base64.StdEncoding.EncodeToString(packed.Bytes())
	}
	tests := map[string]struct {
		reason  string
		script  string
		want    string
		wantErr string
	}{
		"Found":       {reason: "The variable holds the document.", script: "x\n  EMBEDDED_SPEC=\"" + pack("{}") + "\"\ny", want: "{}"},
		"NoVariable":  {reason: "A script of another kind.", script: "echo", wantErr: "cannot find EMBEDDED_SPEC"},
		"NoEnd":       {reason: "A script that is cut off.", script: `EMBEDDED_SPEC="abc`, wantErr: "cannot find the end"},
		"NoBase64":    {reason: "A value of another kind.", script: `EMBEDDED_SPEC="$(cat x)"`, wantErr: "cannot decompress"},
		"Damaged":     {reason: "A value that is cut off.", script: `EMBEDDED_SPEC="` + pack("{}")[:20] + `"`, wantErr: "cannot decompress"},
		"FollowedByX": {reason: "Only the variable counts.", script: `EMBEDDED_SPEC="` + pack("[1]") + `"; X="` + pack("[2]") + `"`, want: "[1]"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := unpack([]byte(tc.script))
			if tc.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), tc.wantErr) {
					t.Errorf("%s error with %q wanted, got %v", tc.reason, tc.wantErr, err)
				}
				return
			}
			if err != nil || string(got) != tc.want {
				t.Errorf("%s want %s, got %s and error %v", tc.reason, tc.want, got, err)
			}
		})
	}
}

func TestModuleDirUnknown(t *testing.T) {
	if dir, err := moduleDir(t.Context(), "example.com/no/such/module"); err == nil {
		t.Errorf("a module that go.mod does not have is an error, got %q", dir)
	}
}
