// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package provenance describes how a package was built, in a statement of in-toto whose
// predicate is SLSA's provenance, version 1.
//
// The build itself writes the statement and does not sign it, so it proves nothing to a
// reader who does not trust the build. Its content is true: a build on a developer's
// machine does not claim to be one on GitHub, and modified sources are reported as
// modified.
package provenance

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Types of the statement, its predicate and the build. The last two are addresses of their
// descriptions.
const (
	StatementType = "https://in-toto.io/Statement/v1"
	PredicateType = "https://slsa.dev/provenance/v1"

	docs      = "https://github.com/provider-cloudflare/provider-cloudflare/blob/main/docs/reference/package.md"
	BuildType = docs + "#build-type"
	Local     = docs + "#local-builder"
)

// Subject is a result of the build.
type Subject struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

// Build describes a build.
type Build struct {
	Subjects []Subject
	// Target is the target of make.
	Target string
	// Version is the version of the package. Architectures are those it is for.
	Version       string
	Architectures []string
	// Source is the address of the repository. Revision is the commit. Modified is true if
	// the built sources differ from it. Created is the commit's time.
	Source, Revision string
	Modified         bool
	Created          time.Time
	// GoVersion is the compiler's version, as "go version" reports it for a binary.
	GoVersion string
}

// Environment is where the build ran.
type Environment struct {
	// Builder is the address that identifies the builder. Invocation is the address of the
	// run, if it has one.
	Builder, Invocation string
}

// EnvironmentFrom returns the environment of a run of GitHub Actions, by the variables it
// sets, or else that of a local build.
func EnvironmentFrom(getenv func(string) string) Environment {
	if getenv("GITHUB_ACTIONS") != "true" {
		return Environment{Builder: Local}
	}
	kind := getenv("RUNNER_ENVIRONMENT")
	if kind != "github-hosted" {
		kind = "self-hosted"
	}
	return Environment{
		Builder: "https://github.com/actions/runner/" + kind,
		Invocation: fmt.Sprintf("%s/%s/actions/runs/%s/attempts/%s", getenv("GITHUB_SERVER_URL"),
			getenv("GITHUB_REPOSITORY"), getenv("GITHUB_RUN_ID"), getenv("GITHUB_RUN_ATTEMPT")),
	}
}

type statement struct {
	Type          string    `json:"_type"`
	Subject       []Subject `json:"subject"`
	PredicateType string    `json:"predicateType"`
	Predicate     predicate `json:"predicate"`
}

type predicate struct {
	BuildDefinition definition `json:"buildDefinition"`
	RunDetails      details    `json:"runDetails"`
}

type definition struct {
	BuildType            string         `json:"buildType"`
	ExternalParameters   map[string]any `json:"externalParameters"`
	InternalParameters   map[string]any `json:"internalParameters"`
	ResolvedDependencies []resource     `json:"resolvedDependencies"`
}

type resource struct {
	URI         string            `json:"uri"`
	Digest      map[string]string `json:"digest,omitempty"`
	Annotations map[string]any    `json:"annotations,omitempty"`
}

type details struct {
	Builder struct {
		ID string `json:"id"`
	} `json:"builder"`
	Metadata *metadata `json:"metadata,omitempty"`
}

type metadata struct {
	InvocationID string `json:"invocationId"`
}

// Statement returns the document. It does not depend on the time: the same build in the
// same environment produces the same bytes.
func Statement(b Build, e Environment) ([]byte, error) {
	if len(b.Subjects) == 0 {
		return nil, errors.New("nothing was built")
	}
	names := map[string]bool{}
	for _, s := range b.Subjects {
		if names[s.Name] {
			return nil, fmt.Errorf("two subjects are named %s", s.Name)
		}
		names[s.Name] = true
	}
	source := resource{URI: "git+" + b.Source, Digest: map[string]string{}}
	if b.Revision != "" {
		source.Digest["gitCommit"] = b.Revision
	}
	if b.Modified {
		source.Annotations = map[string]any{"modified": true}
	}
	s := statement{
		Type: StatementType, Subject: b.Subjects, PredicateType: PredicateType,
		Predicate: predicate{BuildDefinition: definition{
			BuildType:          BuildType,
			ExternalParameters: map[string]any{"target": b.Target, "version": b.Version, "architectures": b.Architectures},
			InternalParameters: map[string]any{"created": b.Created.UTC().Format(time.RFC3339)},
			ResolvedDependencies: []resource{
				source,
				{URI: "pkg:generic/go@" + strings.TrimPrefix(b.GoVersion, "go")},
			},
		}},
	}
	s.Predicate.RunDetails.Builder.ID = e.Builder
	if e.Invocation != "" {
		s.Predicate.RunDetails.Metadata = &metadata{InvocationID: e.Invocation}
	}
	out, err := json.MarshalIndent(s, "", "  ")
	return append(out, '\n'), err
}
