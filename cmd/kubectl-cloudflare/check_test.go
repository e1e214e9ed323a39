// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const manifests = `
---
apiVersion: dns.cloudflare.m.crossplane.io/v1alpha1
kind: Record
metadata: {name: within, namespace: team}
spec: {forProvider: {zoneIdRef: {name: a, namespace: team}, tunnelIdSelector: {matchLabels: {a: b}}}}
---
apiVersion: dns.cloudflare.m.crossplane.io/v1alpha1
kind: Record
metadata: {name: both, namespace: team}
spec: {forProvider: {zoneId: id, zoneIdRef: {name: a, namespace: victim}, tunnelIdSelector: {namespace: other}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: other}
spec: {zoneIdRef: {name: a, namespace: victim}}
---
apiVersion: loadbalancer.cloudflare.m.crossplane.io/v1alpha1
kind: LoadBalancer
metadata: {name: one}
spec: {forProvider: {zoneIdRef: {name: a, namespace: team}, defaultPoolRefs: [{name: a}, {name: b, namespace: victim}]}}
`

// list is a List as kubectl get -o json writes it.
const list = `{"apiVersion": "v1", "kind": "List", "items": [
	{"apiVersion": "dns.cloudflare.m.crossplane.io/v1alpha1", "kind": "DNSSEC", "metadata": {"name": "one", "namespace": "team"},
	 "spec": {"forProvider": {"zoneIdRef": {"name": "a", "namespace": "victim"}}}},
	{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "one", "namespace": "team"}}
]}`

func TestCheck(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "manifests.yaml")
	if err := os.WriteFile(file, []byte(manifests), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		reason    string
		args      []string
		in        string
		out, says string
		fails     string
	}{
		{
			"each field is named, and objects without a namespace are in that of the command line",
			[]string{"--namespace", "team", file},
			"",
			"Record team/both: spec.forProvider.zoneIdRef names the namespace victim\n" +
				"Record team/both: spec.forProvider.tunnelIdSelector names the namespace other\n" +
				"LoadBalancer team/one: spec.forProvider.defaultPoolRefs[1] names the namespace victim\n",
			"3 objects, 2 refer to other namespaces\n", "--allow-cross-namespace-references",
		},
		{
			"the objects of a cluster come through the standard input",
			[]string{"-"},
			list,
			"DNSSEC team/one: spec.forProvider.zoneIdRef names the namespace victim\n",
			"1 objects, 1 refer to other namespaces\n", "--allow-cross-namespace-references",
		},
		{"nothing is refused", []string{"-"}, `{"apiVersion": "v1", "kind": "List", "items": []}`, "", "0 objects, 0 refer to other namespaces\n", ""},
		{"what cannot be read is no success", []string{"-"}, `{"kind": [`, "", "", "cannot read the manifests"},
		{"what is not there is no success", []string{file + "s"}, "", "", "", "no such file"},
	}
	for _, tc := range tests {
		var out, said bytes.Buffer
		root := newRoot(streams{out: &out, err: &said})
		root.SetIn(strings.NewReader(tc.in))
		root.SetArgs(append([]string{"check"}, tc.args...))
		err := root.ExecuteContext(t.Context())
		if (err == nil) != (tc.fails == "") || err != nil && !strings.Contains(err.Error(), tc.fails) {
			t.Errorf("%s: the error is %v, want %q", tc.reason, err, tc.fails)
		}
		if out.String() != tc.out || said.String() != tc.says {
			t.Errorf("%s: it writes %q and %q, want %q and %q", tc.reason, out.String(), said.String(), tc.out, tc.says)
		}
	}
}
