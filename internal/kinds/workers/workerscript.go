// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import (
	"slices"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// WorkerScript describes the code of Workers, with its bindings.
func WorkerScript() kind.Description {
	const (
		scripts = "/accounts/{account_id}/workers/scripts"
		script  = scripts + "/{script_name}"
	)
	return kind.Description{
		Group: "workers", Name: "WorkerScript", Short: "cfws", Noun: "Worker", Scope: kind.Account,
		Doc: "A WorkerScript is a Worker: its code, its bindings and its settings. The code comes from the spec, or from ConfigMaps and Secrets, and is uploaded again when it changes there, or at Cloudflare. " +
			"Secrets that others put on the Worker stay.",
		Terraform: "cloudflare_workers_script",
		List:      "GET " + scripts,
		Create:    "PUT " + script,
		Read:      "GET " + script + "/settings",
		Update:    "PUT " + script,
		Delete:    "DELETE " + script,
		// The answer of Read, which has the settings, lacks the name and the etag.
		Parts:     bindings,
		ReadLacks: []string{"id", "etag", "created_on", "modified_on", "handlers", "has_modules", "has_assets", "last_deployed_from"},
		Upload:    upload(),
		Fields:    scriptFields(),
		Hide: []string{
			"annotations", "assets", "cache_options", "exports", "keep_assets", "keep_bindings", "migrations", "package_dependencies", "usage_model",
			"bindings[].key_jwk", "bindings[].old_name", "bindings[].version_id", "placement.target",
		},
		Observe: []string{"etag", "compatibility_date", "handlers", "has_modules", "created_on", "modified_on", "last_deployed_from", "usage_model"},
		Columns: []string{"ETAG=etag", "-COMPATIBILITY=compatibility_date", "-MODIFIED=modified_on"},
		ID:      "id", Natural: []string{"id"},
		Gone: []kind.Code{{Status: 404, Code: 10007}},
		Busy: []kind.Code{{Code: 10064}, {Code: 10142}}, // The consumer of a queue, and the binding of another Worker.
		Refused: []kind.Refusal{
			missing(10041, "KV namespace"), missing(10085, "R2 bucket"), missing(10144, "Worker"), missing(11000, "queue"),
			missing(10181, "D1 database"), missing(10157, "Hyperdrive configuration"), missing(10159, "Vectorize index"),
			{Code: kind.Code{Code: 10021}, Reason: "InvalidCode", Remedy: "correct the code in spec.forProvider.modules"},
			{Code: kind.Code{Code: 10027}, Reason: "TooLarge", Remedy: "make spec.forProvider.modules smaller"},
		},
		ReadOnly: []string{
			"id", "etag", "created_on", "modified_on", "handlers", "named_handlers", "has_assets", "has_modules", "last_deployed_from", "migration_tag",
			"tag", "entry_point", "startup_time_ms", "annotations", "usage_model", "placement_mode", "placement_status", "exports_reconciliation",
		},

		Permissions: []string{"Workers Scripts Write"}, Plan: "All plans",
	}
}

// bindings returns the paths that WorkerSecrets with the names of the declared bindings would have.
func bindings(worker kind.Document) []string {
	all, _ := worker["bindings"].([]any)
	var out []string
	for _, b := range all {
		if one, ok := b.(kind.Document); ok && kind.Text(one, "name") != "" {
			out = append(out, "/"+kind.Text(worker, "id")+"/secrets/"+kind.Text(one, "name"))
		}
	}
	return out
}

// missing returns the refusal of a binding to a resource that does not exist.
func missing(code int, what string) kind.Refusal {
	return kind.Refusal{Code: kind.Code{Code: code}, Reason: "BindingTargetNotFound", Remedy: "bind a " + what + " that exists in spec.forProvider.bindings"}
}

// upload returns how the code is sent.
func upload() *kind.Upload {
	return &kind.Upload{
		Metadata: "metadata", Files: "files", Entries: []string{"main_module", "body_part"}, Digest: "etag",
		Types: map[string]string{
			"esm": "application/javascript+module", "commonjs": "application/javascript", "text": "text/plain", "data": "application/octet-stream",
			"wasm": "application/wasm", "python": "text/x-python", "python-requirement": "text/x-python-requirement", "source-map": "application/source-map",
		},
	}
}

func scriptFields() map[string]kind.Field {
	return map[string]kind.Field{
		"id": {Name: "scriptName", Pattern: `^[a-z0-9_][a-z0-9-_]*$`, Because: "the document has no bound, and other names are refused", MaxLen: 255, Doc: "The name of the Worker in the account."},
		"files": {
			Name: "modules", Set: true, Key: kind.FileName, Required: true, WriteOnly: true,
			Doc: "The files of the Worker. A file that is no text, such as WebAssembly, comes from binaryData of a ConfigMap, or from a Secret.",
		},
		"main_module":               {WriteOnly: true, Doc: "The name of the module that handles events, for a Worker in module syntax. Set this or bodyPart."},
		"body_part":                 {WriteOnly: true, Doc: "The name of the file that adds listeners, for a Worker in service worker syntax. Set this or mainModule."},
		"compatibility_flags":       {Set: true},
		"tags":                      {Set: true, Doc: "Tags of the Worker."},
		"logpush":                   {Doc: "Whether Logpush gets the trace events of the Worker."},
		"placement":                 {OneOf: true, Doc: "Where the Worker runs: mode for Smart Placement, or one of region, hostname and host."},
		"placement.mode":            {Without: []string{"targeted"}},
		"tail_consumers":            {Set: true},
		"bindings":                  {Set: true, Key: "name", Others: otherSecrets(), Doc: "What the Worker is bound to. A binding that is not declared is removed, but for secrets that others put on the Worker."},
		"bindings[]":                {By: "bindings[].type"},
		"bindings[].type":           {Without: []string{"assets", "inherit"}, Doc: "What kind of thing is bound."},
		"bindings[].name":           {Doc: "The name of the variable in the Worker."},
		"bindings[].text":           {PlainToo: []string{"plain_text"}, Doc: "The value of a variable, for plain_text. For secret_text it comes from a Secret: set textSecretRef."},
		"bindings[].json":           {Variant: "any", Because: "the API takes any JSON", Doc: "The value of a variable, any JSON."},
		"bindings[].algorithm":      {Variant: "any", Because: "the document does not say what is in it"},
		"bindings[].usages":         {Set: true},
		"bindings[].namespace_id":   {Ref: "KVNamespace", Doc: "The ID of the KV namespace, rate limit namespace or Durable Object namespace. A reference leads to a KVNamespace."},
		"bindings[].bucket_name":    {Ref: "r2.R2Bucket"},
		"bindings[].service":        {Ref: "WorkerScript", Doc: "The name of the Worker."},
		"bindings[].queue_name":     {Doc: "The name of the queue, as spec.forProvider.queueName of a Queue has it."},
		"bindings[].database_id":    {Ref: "D1Database", Doc: "The ID of the D1 database."},
		"bindings[].certificate_id": {Ref: "ssl.MTLSCertificate", Doc: "The ID of the mTLS certificate."},
		"bindings[].id":             {Ref: "HyperdriveConfig", Doc: "The ID of the Hyperdrive configuration."},
		"tail_consumers[].service":  {Ref: "WorkerScript", Doc: "The name of the Worker that gets the events."},
		// Cloudflare refuses the value of its own answer to accounts that may not set it.
		"observability.traces.propagation_policy": {Entitled: true, Default: "authenticated"},
	}
}

// otherSecrets returns the secrets of a Worker that another tool or user put there. No answer has
// their values, so an upload can only ask to keep them.
func otherSecrets() *kind.UnmanagedElements {
	types := []string{"secret_text", "secret_key"}
	return &kind.UnmanagedElements{
		Are:  func(binding kind.Document) bool { return slices.Contains(types, kind.Text(binding, "type")) },
		Keep: kind.Document{"keep_bindings": []any{"secret_text", "secret_key"}},
		As: func(binding kind.Document) kind.Document {
			return kind.Document{"type": "inherit", "name": kind.Text(binding, "name")}
		},
	}
}
