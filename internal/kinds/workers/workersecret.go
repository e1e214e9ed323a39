// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package workers

import "github.com/provider-cloudflare/provider-cloudflare/internal/kind"

// WorkerSecret describes single secrets of Workers.
func WorkerSecret() kind.Description {
	const secrets = "/accounts/{account_id}/workers/scripts/{script_name}/secrets"
	return kind.Description{
		Group: "workers", Name: "WorkerSecret", Short: "cfwsec", Noun: "Worker secret", Scope: kind.Account,
		Doc:    "A WorkerSecret is a secret variable of a Worker, with its value from a Secret. It needs no upload of the code: a new value of the Secret is a new value in the Worker, and a new version of it. A secret of that name that exists gets the value. A WorkerScript leaves the secrets that it does not declare: do not declare one in both.",
		List:   "GET " + secrets,
		Create: "PUT " + secrets,
		Read:   "GET " + secrets + "/{secret_name}",
		Update: "PUT " + secrets, // The name in the body identifies the secret.
		Delete: "DELETE " + secrets + "/{secret_name}",
		Hide:   []string{"algorithm", "format", "key_base64", "key_jwk", "usages"},
		Fields: map[string]kind.Field{
			"script_name": {Ref: "WorkerScript", Doc: "The name of the Worker."},
			"name":        {Immutable: true, Doc: "The name of the variable in the Worker."},
			"type":        {Immutable: true, Doc: "What kind of secret it is: a text. A key (secret_key) can be observed alone."},
			"text":        {Required: true, Secret: true, Doc: "The value. No answer of Cloudflare has it: what somebody else sets stays until the Secret changes."},
		},
		Observe: []string{"name", "type"},
		Columns: []string{"NAME=name"},
		ID:      "name", Natural: []string{"name"},
		// Deleting a Worker deletes its secrets.
		Gone: []kind.Code{{Code: 10056}, {Code: 10007}},
		Refused: []kind.Refusal{
			{Code: kind.Code{Code: 10053}, Reason: "BindingExists", Remedy: "choose another name in spec.forProvider.name, or remove the binding of that name from the Worker"},
			{Code: kind.Code{Code: 10215}, Reason: "VersionNotDeployed", Remedy: "deploy the newest version of the Worker"},
			{Code: kind.Code{Code: 10007}, Reason: "WorkerNotFound", Remedy: "name a Worker that exists in spec.forProvider.scriptName"},
		},

		Permissions: []string{"Workers Scripts Write"}, Plan: "All plans",
		Excused: map[string]string{
			"Busy":                  "nothing refers to it",
			"FieldUpdated":          "only the value can be changed, which no answer has: TestValueOfAWorkerSecret shows it",
			"ForeignChangeReverted": "only the value can be changed, which no answer has",
			"EchoIsNoDrift":         "only the value can be changed, which no answer has",
		},
	}
}
