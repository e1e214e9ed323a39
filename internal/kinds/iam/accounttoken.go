// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package iam describes the kinds of accounts' tokens and members.
package iam

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// AccountToken describes API tokens that belong to an account.
func AccountToken() kind.Description {
	d := apiToken("/accounts/{account_id}/tokens")
	d.Name, d.Short, d.Scope = "AccountToken", "cftok", kind.Account
	d.Doc = "An AccountToken is an API token that belongs to an account. Its value, and with spec.preset the S3 keys of R2 that follow from it, are in the connection secret. Its deletion revokes it at once. The token that the provider itself uses is not deleted."
	d.Terraform, d.Permissions = "cloudflare_account_token", []string{"Account API Tokens Write"}
	return d
}

// apiToken returns the description of API tokens of any owner. collection is the path below which they are.
func apiToken(collection string) kind.Description {
	return kind.Description{
		Group: "iam", Noun: "token",
		List:   "GET " + collection,
		Create: "POST " + collection,
		Read:   "GET " + collection + "/{token_id}",
		Update: "PUT " + collection + "/{token_id}",
		Delete: "DELETE " + collection + "/{token_id}",
		Page:   kind.Page{Max: 50}, ListQuery: map[string]string{"include_expired": "true"},
		Fields:   tokenFields(collection),
		Observe:  []string{"name", "status", "expires_on", "not_before", "issued_on", "last_used_on", "modified_on"},
		Columns:  []string{"TOKEN=name", "STATUS=status", "-EXPIRES=expires_on"},
		Gone:     []kind.Code{{Status: 404}},
		ReadOnly: []string{"id", "issued_on", "last_used_on", "modified_on", "policies[].id", "policies[].permission_groups[].name"},
		Details:  tokenDetails(),
		Options: []kind.ProviderField{{
			Name: optionPreset, Enum: []string{presetR2, presetR2 + "-eu", presetR2 + "-fedramp"},
			Doc: "What the token is for. With r2 the connection secret has the keys of R2's S3 API as well, with r2-eu and r2-fedramp those of buckets in that jurisdiction. The policies have to allow what the keys are for.",
		}},
		Roll:       "PUT " + collection + "/{token_id}/value",
		Credential: true,
		Excused: map[string]string{
			"FieldUpdated": "a policy that changes is another policy at Cloudflare, with another ID",
			"Adopted":      "names of tokens are not unique, so no name says which token is meant",
		},

		Plan: "All plans",
	}
}

func tokenFields(collection string) map[string]kind.Field {
	return map[string]kind.Field{
		"policies":                                  {Set: true, Doc: "What the token may do: a set of policies."},
		"policies[].permission_groups":              {Set: true, Key: "id"},
		"policies[].permission_groups[]":            {Lookup: permissionGroups(collection)},
		"policies[].permission_groups[].id":         {Optional: true, Because: "a name stands for it", Doc: "The ID of the permission group: this or name."},
		"policies[].permission_groups[].meta.key":   {Doc: "A key of the permission group."},
		"policies[].permission_groups[].meta.value": {Doc: "The value of that key."},
		"condition":                   {Doc: "From where the token may be used."},
		"policies[].resources":        {Doc: `What the permissions are for: the name of a resource, such as "com.cloudflare.api.account.zone.*", and "*", or for the parts of a resource a map of the same form.`},
		"policies[].resources{}":      {Variant: "any", Because: "it is a text or a map of texts"},
		"condition.request_ip.in":     {Set: true},
		"condition.request_ip.not_in": {Set: true},
	}
}

func tokenDetails() []kind.Detail {
	return []kind.Detail{
		{Key: "token", Path: "value", Once: true, Doc: "The value of the token, for example for CLOUDFLARE_API_TOKEN, or for the apiTokenSecretRef of external-dns and cert-manager."},
		{Key: "accessKeyId", Value: accessKeyID, Public: true, Doc: "With spec.preset: the access key of R2's S3 API, which is the token's ID: AWS_ACCESS_KEY_ID, or aws_access_key_id in Velero's credentials file."},
		{Key: "secretAccessKey", Value: secretAccessKey, Doc: "With spec.preset: the secret key that belongs to it, which is the SHA-256 of the token's value in hexadecimal: AWS_SECRET_ACCESS_KEY, or aws_secret_access_key."},
		{Key: "endpoint", Value: endpoint, Public: true, Doc: "With spec.preset: the address of R2's S3 API for this account: AWS_ENDPOINT_URL_S3, or s3Url in Velero's BackupStorageLocation. The region is \"auto\"."},
		{Key: "credentials", Value: credentials, Doc: "With spec.preset: both keys as the credentials file of the AWS SDK, with the profile default. Velero calls it cloud."},
	}
}

// permissionGroups lets policies name permission groups. A name alone is not unique.
func permissionGroups(collection string) *kind.Lookup {
	return &kind.Lookup{
		Operation: "GET " + collection + "/permission_groups", Noun: "permission group",
		By: []kind.Selector{
			{Member: "name", Row: "name", Doc: "The name of the permission group, such as Zone Read, in place of its ID."},
			{Member: "scope", Row: "scopes", Doc: "What the named permission group is about, such as com.cloudflare.api.account.zone. It is needed where two groups have the same name."},
		},
	}
}

const (
	optionPreset = "preset"
	presetR2     = "r2"
)

// accessKeyID returns the S3 key ID of a token for R2.
func accessKeyID(from kind.DetailInput) ([]byte, error) {
	if from.Options[optionPreset] == "" {
		return nil, nil
	}
	return []byte(kind.Text(from.Answer, "id")), nil
}

// secretAccessKey returns the S3 secret key of a token for R2.
func secretAccessKey(from kind.DetailInput) ([]byte, error) {
	token := from.Details["token"]
	if from.Options[optionPreset] == "" || len(token) == 0 {
		return nil, nil
	}
	sum := sha256.Sum256(token)
	return []byte(hex.EncodeToString(sum[:])), nil
}

// credentials returns the shared credentials file of the AWS SDK, which Velero reads as well.
func credentials(from kind.DetailInput) ([]byte, error) {
	secret, err := secretAccessKey(from)
	if err != nil || len(secret) == 0 {
		return nil, err
	}
	return fmt.Appendf(nil, "[default]\naws_access_key_id=%s\naws_secret_access_key=%s\n", kind.Text(from.Answer, "id"), secret), nil
}

// endpoint returns the host on which R2 serves the S3 API of an account, or of one of its jurisdictions.
func endpoint(from kind.DetailInput) ([]byte, error) {
	preset, host := from.Options[optionPreset], from.Params["account_id"]
	if preset == "" || host == "" {
		return nil, nil
	}
	if _, jurisdiction, ok := strings.Cut(preset, "-"); ok {
		host += "." + jurisdiction
	}
	return []byte("https://" + host + ".r2.cloudflarestorage.com"), nil
}
