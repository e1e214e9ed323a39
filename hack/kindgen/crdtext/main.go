// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Command crdtext replaces descriptions in the CRDs in a folder by this project's own. It does so for fields whose
// types come from crossplane-runtime and Kubernetes.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: crdtext FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "crdtext:", err)
		os.Exit(1)
	}
}

// texts returns descriptions by the field of a managed resource or a provider config, "[]" for the elements of a
// list.
func texts() map[string]string {
	return map[string]string{
		"spec.managementPolicies": "What the provider may do with the resource at Cloudflare: Observe, Create, Update, Delete and LateInitialize, " +
			`or "*" for all of them. With Observe alone, it shows what is there and changes nothing.`,
		"spec.managementPolicies[]":            "An action that the provider may take.",
		"spec.providerConfigRef":               "The provider config that has the credential. Left out, it is the ClusterProviderConfig default.",
		"spec.providerConfigRef.kind":          "ProviderConfig, for one in the namespace of this object, or ClusterProviderConfig.",
		"spec.providerConfigRef.name":          "The name of the provider config.",
		"spec.writeConnectionSecretToRef":      "The Secret, in the namespace of this object, that the provider writes connection details to.",
		"spec.writeConnectionSecretToRef.name": "The name of the Secret.",

		"spec.allowedNamespaces.matchLabels":                 "The labels that a namespace has to have, with their values.",
		"spec.allowedNamespaces.matchExpressions":            "What has to hold of the labels of a namespace, all of it.",
		"spec.allowedNamespaces.matchExpressions[]":          "What has to hold of one label.",
		"spec.allowedNamespaces.matchExpressions[].key":      "The label, such as kubernetes.io/metadata.name, which has the name of the namespace.",
		"spec.allowedNamespaces.matchExpressions[].operator": "In, NotIn, Exists or DoesNotExist.",
		"spec.allowedNamespaces.matchExpressions[].values":   "The values, for In and NotIn; none for Exists and DoesNotExist.",
	}
}

func run(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return fmt.Errorf("cannot list the CRDs: %w", err)
	}
	if len(files) == 0 {
		return fmt.Errorf("there are no CRDs in %s", dir) //nolint:err113 // Nobody decides on it.
	}
	for _, file := range files {
		raw, err := os.ReadFile(file) //nolint:gosec // The generator's own.
		if err != nil {
			return err
		}
		out, err := rewritten(raw)
		if err != nil {
			return fmt.Errorf("cannot rewrite %s: %w", file, err)
		}
		if err := os.WriteFile(file, out, 0o644); err != nil { //nolint:gosec // As controller-gen writes it.
			return err
		}
	}
	return nil
}

// rewritten returns a CRD with the project's texts for the fields that it has.
func rewritten(crd []byte) ([]byte, error) {
	var doc map[string]any
	if err := yaml.Unmarshal(crd, &doc); err != nil {
		return nil, err
	}
	spec, _ := doc["spec"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	for _, v := range versions {
		version, _ := v.(map[string]any)
		schema, _ := version["schema"].(map[string]any)
		root, _ := schema["openAPIV3Schema"].(map[string]any)
		for path, text := range texts() {
			if at := field(root, path); at != nil {
				at["description"] = text
			}
		}
		names, _ := spec["names"].(map[string]any)
		if at := field(root, "spec.writeConnectionSecretToRef"); at != nil && !connects(names["kind"]) {
			at["description"] = "Ignored: this kind has no connection details."
		}
	}
	out, err := yaml.Marshal(doc)
	return append([]byte("---\n"), out...), err
}

// connects reports whether a kind has connection details.
func connects(name any) bool {
	return slices.ContainsFunc(kinds.All(), func(d kind.Description) bool { return d.Name == name && len(d.Details) > 0 })
}

// field returns the schema at a path, or nil if there is none.
func field(schema map[string]any, path string) map[string]any {
	for part := range strings.SplitSeq(path, ".") {
		name, list := strings.CutSuffix(part, "[]")
		properties, _ := schema["properties"].(map[string]any)
		schema, _ = properties[name].(map[string]any)
		if list {
			schema, _ = schema["items"].(map[string]any)
		}
	}
	return schema
}
