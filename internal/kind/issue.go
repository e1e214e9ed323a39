// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import "time"

// A ProviderField is a field of the spec that belongs to the provider: Cloudflare does not have it.
type ProviderField struct {
	// Name is its name in the spec, and Doc its text.
	Name, Doc string
	// Enum are the allowed values. Without any, the option is a duration.
	Enum []string
	// Default is the value if it is left out, "" for none.
	Default string
}

// A DetailInput is the input of a value of the connection secret.
type DetailInput struct {
	// Answer is the resource as Cloudflare shows it.
	Answer Document
	// Details are the values of the keys before this one.
	Details map[string][]byte
	// Params are the parameters of the paths. Options are the values of the kind's options.
	Params, Options map[string]string
}

// An Issue says that resources are certificates. The provider makes their private keys, and
// orders a new certificate before the old one expires.
type Issue struct {
	// Request is the path of the signing request, and Names is that of the host names. Algorithm
	// is the path of the field whose values Keys maps to a type of private key. The provider
	// makes the key if the spec has no request.
	Request, Names, Algorithm string
	Keys                      map[string]string
	// Certificate and Expires are paths of an answer.
	Certificate, Expires string
	// RenewBefore is the option that says how long before its expiry a certificate is replaced.
	// It is at most a third of the certificate's lifetime.
	RenewBefore string
	// RevokeAfter is the option that says how long a replaced certificate stays valid.
	RevokeAfter string
}

// timeLayouts returns the formats in which Cloudflare writes the expiry of a certificate.
func timeLayouts() []string { return []string{time.RFC3339, "2006-01-02 15:04:05 -0700 MST"} }

// Ends returns when the certificate in an answer expires, and false if the answer does not say.
func (i Issue) Ends(live Document) (time.Time, bool) {
	for _, layout := range timeLayouts() {
		if t, err := time.Parse(layout, Text(live, i.Expires)); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// Due reports whether a certificate with that lifetime, which expires at ends, must be replaced now.
func Due(now, ends time.Time, lifetime, before time.Duration) bool {
	return !now.Before(ends.Add(-min(before, lifetime/3)))
}
