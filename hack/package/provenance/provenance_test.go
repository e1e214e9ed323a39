// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provenance

import (
	"bytes"
	"strings"
	"testing"
	"time"

	provenancev1 "github.com/in-toto/attestation/go/predicates/provenance/v1"
	attestationv1 "github.com/in-toto/attestation/go/v1"
	"google.golang.org/protobuf/encoding/protojson"
)

const (
	digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	commit = "4191f241b202f0cd4ab19117663d439bb31c4849"
)

func valid() Build {
	return Build{
		Subjects: []Subject{{"provider", map[string]string{"sha256": digest}}},
		Target:   "xpkg", Version: "v1.2.3", Architectures: []string{"amd64", "arm64"},
		Source: "https://github.com/example/provider", Revision: commit, Created: time.Unix(1767225600, 0), GoVersion: "go1.26.8",
	}
}

// read makes the libraries of in-toto and SLSA read and validate a statement. They
// refuse unknown fields.
func read(t *testing.T, raw []byte) (*attestationv1.Statement, *provenancev1.Provenance) {
	t.Helper()
	s, p := &attestationv1.Statement{}, &provenancev1.Provenance{}
	if err := protojson.Unmarshal(raw, s); err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(); err != nil {
		t.Errorf("the statement is not valid: %v", err)
	}
	predicate, err := protojson.Marshal(s.GetPredicate())
	if err != nil {
		t.Fatal(err)
	}
	if err := protojson.Unmarshal(predicate, p); err != nil {
		t.Fatal(err)
	}
	if err := p.Validate(); err != nil {
		t.Errorf("the predicate is not valid: %v", err)
	}
	return s, p
}

func TestStatement(t *testing.T) {
	raw, err := Statement(valid(), Environment{Builder: Local})
	if err != nil {
		t.Fatal(err)
	}
	s, p := read(t, raw)
	if s.GetPredicateType() != "https://slsa.dev/provenance/v1" || s.GetSubject()[0].GetDigest()["sha256"] != digest {
		t.Errorf("the statement is %v", s)
	}
	if got := p.GetBuildDefinition().GetExternalParameters().AsMap()["target"]; got != "xpkg" {
		t.Errorf("the target is %v", got)
	}
	source, compiler := p.GetBuildDefinition().GetResolvedDependencies()[0], p.GetBuildDefinition().GetResolvedDependencies()[1]
	if source.GetUri() != "git+https://github.com/example/provider" || source.GetDigest()["gitCommit"] != commit || source.GetAnnotations() != nil {
		t.Errorf("the source is %v", source)
	}
	if compiler.GetUri() != "pkg:generic/go@1.26.8" {
		t.Errorf("the compiler is %v", compiler)
	}
	if p.GetRunDetails().GetBuilder().GetId() != Local || p.GetRunDetails().GetMetadata() != nil {
		t.Errorf("the run is %v, want one that does not pose as anybody else's", p.GetRunDetails())
	}
	again, err := Statement(valid(), Environment{Builder: Local})
	if err != nil || !bytes.Equal(raw, again) {
		t.Errorf("the same build gave another statement (%v)", err)
	}
}

func TestStatementOfModifiedSources(t *testing.T) {
	b := valid()
	b.Modified = true
	raw, err := Statement(b, Environment{Builder: Local})
	if err != nil {
		t.Fatal(err)
	}
	_, p := read(t, raw)
	if got := p.GetBuildDefinition().GetResolvedDependencies()[0].GetAnnotations().AsMap()["modified"]; got != true {
		t.Errorf("modified is %v: the commit is not what was built", got)
	}
}

func TestStatementRefuses(t *testing.T) {
	b := valid()
	b.Subjects = append(b.Subjects, b.Subjects[0])
	if _, err := Statement(b, Environment{}); err == nil || !strings.Contains(err.Error(), "provider") {
		t.Errorf("two subjects of one name: got %v", err)
	}
	b.Subjects = nil
	if _, err := Statement(b, Environment{}); err == nil {
		t.Error("a statement about nothing was written")
	}
}

func TestEnvironmentFrom(t *testing.T) {
	github := map[string]string{
		"GITHUB_ACTIONS": "true", "GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "example/provider",
		"GITHUB_RUN_ID": "7", "GITHUB_RUN_ATTEMPT": "2", "RUNNER_ENVIRONMENT": "github-hosted",
	}
	const run = "https://github.com/example/provider/actions/runs/7/attempts/2"
	cases := map[string]struct {
		reason        string
		change        func(map[string]string)
		builder, uses string
	}{
		"GitHub":     {"a runner of GitHub's", func(map[string]string) {}, "https://github.com/actions/runner/github-hosted", run},
		"SelfHosted": {"a runner of somebody's is less trusted", func(m map[string]string) { m["RUNNER_ENVIRONMENT"] = "self-hosted" }, "https://github.com/actions/runner/self-hosted", run},
		"Unknown":    {"a runner that does not say is not GitHub's", func(m map[string]string) { delete(m, "RUNNER_ENVIRONMENT") }, "https://github.com/actions/runner/self-hosted", run},
		"Local":      {"anywhere else", func(m map[string]string) { delete(m, "GITHUB_ACTIONS") }, Local, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			env := map[string]string{}
			for k, v := range github {
				env[k] = v
			}
			tc.change(env)
			if got := EnvironmentFrom(func(key string) string { return env[key] }); got.Builder != tc.builder || got.Invocation != tc.uses {
				t.Errorf("%s: got %+v, want %s and %q", tc.reason, got, tc.builder, tc.uses)
			}
		})
	}
}
