// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// fakeControlPlane ends early at its first starts, as many as %[2]d says. Then it serves
// until it is asked to end.
const fakeControlPlane = `#!/bin/sh
echo started >>"%[1]s/starts"
if [ "$(wc -l <"%[1]s/starts")" -le %[2]d ]; then exit 1; fi
cat >"$5" <<kubeconfig
apiVersion: v1
kind: Config
clusters: [{name: fake, cluster: {server: "http://127.0.0.1:1"}}]
contexts: [{name: fake, context: {cluster: fake}}]
current-context: fake
kubeconfig
sleep 600 &
trap 'kill $!; exit 0' TERM
echo ready
wait
`

func TestAControlPlaneThatEndsEarly(t *testing.T) {
	for _, tc := range []struct {
		reason string
		early  int
		fails  bool
	}{
		{"it starts", 0, false},
		{"a machine that stalls gets a second start", 1, false},
		{"what never starts is an error", 2, true},
	} {
		dir := t.TempDir()
		t.Setenv("KUBEBUILDER_ASSETS", dir)
		if err := os.WriteFile(filepath.Join(dir, "controlplane"), fmt.Appendf(nil, fakeControlPlane, dir, tc.early), 0o700); err != nil {
			t.Fatal(err)
		}
		cfg, end, err := ControlPlane{Dir: dir}.Start()
		if fails := errors.Is(err, errEarlyEnd); fails != tc.fails || !fails && err != nil {
			t.Errorf("%s: %v", tc.reason, err)
		}
		if err != nil {
			continue
		}
		if cfg.Host != "http://127.0.0.1:1" {
			t.Errorf("%s: its clients ask %s", tc.reason, cfg.Host)
		}
		if err := end(); err != nil {
			t.Errorf("%s: it did not end well: %v", tc.reason, err)
		}
	}
}
