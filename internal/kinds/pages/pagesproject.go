// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package pages describes the kinds of Cloudflare Pages.
package pages

import (
	"maps"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// PagesProject describes projects.
func PagesProject() kind.Description {
	const (
		projects = "/accounts/{account_id}/pages/projects"
		project  = projects + "/{project_name}"
		most     = 10 // The API refuses more projects on a page.
	)
	return kind.Description{
		Group: "pages", Name: "PagesProject", Short: "cfpp", Noun: "Pages project", Scope: kind.Account,
		Doc: "A PagesProject is a site on Cloudflare Pages, with what its builds and its functions are given. It deploys nothing: a repository does that, or wrangler. " +
			"Of a map that is declared, such as envVars, a name that is not declared is removed.",
		Terraform: "cloudflare_pages_project",
		List:      "GET " + projects,
		Create:    "POST " + projects,
		Read:      "GET " + project,
		Update:    "PATCH " + project,
		Delete:    "DELETE " + project,
		Page:      kind.Page{Max: most}, Mode: kind.MergePatch,
		Fields:  projectFields(),
		Hide:    hidden(),
		Observe: []string{"name", "subdomain", "domains", "production_branch", "framework", "created_on"},
		Columns: []string{"PROJECT=name", "BRANCH=production_branch", "-SUBDOMAIN=subdomain"},
		ID:      "name", Natural: []string{"name"},
		Gone: []kind.Code{{Status: 404, Code: 8000007}}, Exists: []kind.Code{{Code: 8000002}},
		Busy: []kind.Code{{Code: 8000028}, {Code: 8000076}}, // It has custom domains, or too many deployments.
		ReadOnly: []string{
			"id", "subdomain", "domains", "canonical_deployment", "latest_deployment", "created_on", "framework", "framework_version",
			"preview_script_name", "production_script_name", "uses_functions", "source.config.deployments_enabled",
		},

		Permissions: []string{"Pages Write"}, Plan: "All plans",
	}
}

func projectFields() map[string]kind.Field {
	out := map[string]kind.Field{
		"name": {
			Immutable: true, Pattern: `^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`, MaxLen: 58, Because: "it is a part of a host name, and other names are refused",
			Doc: "The name of the project, which its address below pages.dev begins with.",
		},
		"production_branch":       {Doc: "The branch whose deployments are those of production."},
		"source":                  {Whole: true, Doc: "The repository that the project is deployed from. A project without one is deployed by wrangler or the API."},
		"source.config":           {Doc: "Which repository it is, and which of its commits are deployed."},
		"source.type":             {Immutable: true},
		"source.config.owner":     {Immutable: true, Required: true},
		"source.config.repo_name": {Immutable: true, Required: true},
	}
	for _, list := range []string{"path_excludes", "path_includes", "preview_branch_excludes", "preview_branch_includes"} {
		out["source.config."+list] = kind.Field{Set: true}
	}
	for _, environment := range environments() {
		maps.Copy(out, environmentFields(environment))
	}
	return out
}

// environments returns the paths of the two environments of a project.
func environments() []string {
	return []string{"deployment_configs.preview.", "deployment_configs.production."}
}

// hidden returns the paths of values that the API determines, values that Wrangler records for
// itself, and Constellation, which has been discontinued.
func hidden() []string {
	out := []string{"source.config.owner_id", "source.config.repo_id"}
	for _, environment := range environments() {
		out = append(out, environment+"ai_bindings", environment+"wrangler_config_hash")
	}
	return out
}

// environmentFields returns the fields of an environment of a project.
func environmentFields(in string) map[string]kind.Field {
	return map[string]kind.Field{
		in + "compatibility_flags": {Set: true},
		in + "env_vars{}":          {By: in + "env_vars{}.type"},
		in + "env_vars{}.type":     {Doc: "Whether everybody who may read the project sees the value."},
		in + "env_vars{}.value": {
			PlainToo: []string{"plain_text"}, Optional: true, Because: "the value of a secret comes from a Secret",
			Doc: "The value of a variable, for plain_text. For secret_text it comes from a Secret: set valueSecretRef.",
		},
		in + "hyperdrive_bindings{}.id":           {Ref: "workers.HyperdriveConfig", Doc: "The ID of the Hyperdrive configuration."},
		in + "mtls_certificates{}.certificate_id": {Ref: "ssl.MTLSCertificate", Doc: "The ID of the certificate."},
		in + "vectorize_bindings{}.index_name":    {Doc: "The name of the index."},
		in + "kv_namespaces{}.namespace_id":       {Ref: "workers.KVNamespace"},
		in + "r2_buckets{}.name":                  {Ref: "r2.R2Bucket"},
		in + "services{}.service":                 {Ref: "workers.WorkerScript"},
	}
}
