// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package provenance says how a package came to be: a statement of in-toto whose
// predicate is SLSA's provenance, version 1.
//
// The statement is written by the build itself and is not signed, so it proves nothing
// to whoever does not trust the build. What it says is true: a build on somebody's
// machine does not pose as one on GitHub, and sources with changes are said to have
// some.
package provenance

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Types of what is written, and of the build. The last two are addresses at which
// they are described.
const (
	StatementType = "https://in-toto.io/Statement/v1"
	PredicateType = "https://slsa.dev/provenance/v1"

	docs      = "https://github.com/provider-cloudflare/provider-cloudflare/blob/main/docs/reference/package.md"
	BuildType = docs + "#build-type"
	Local     = docs + "#local-builder"
)

// Subject is something that was built.
type Subject struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

// Build is what there is to say of a build.
type Build struct {
	Subjects []Subject
	// Target is what make was asked to build.
	Target string
	// Version is that of the package, Architectures those it is for.
	Version       string
	Architectures []string
	// Source is the address of the repository and Revision the commit, from which what was
	// built differs where Modified is true. Created is the commit's time.
	Source, Revision string
	Modified         bool
	Created          time.Time
	// GoVersion is that of the compiler, as "go version" says it of a binary.
	GoVersion string
}

// Environment is where the build ran.
type Environment struct {
	// Builder is the address that identifies who built, Invocation that of the run, if it
	// has one.
	Builder, Invocation string
}

// EnvironmentFrom tells GitHub Actions, by the variables it sets, from any other place.
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

// Statement is the document. It has nothing of the moment: the same build in the same
// environment gives the same bytes.
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
