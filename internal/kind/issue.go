// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kind

import "time"

// An Option is a field of the spec that is the provider's own: Cloudflare does not have it.
type Option struct {
	// Name in the spec, and Doc.
	Name, Doc string
	// Enum are the values that it takes. Without any it is a duration.
	Enum []string
	// Default is what it has if it is left out, "" for nothing.
	Default string
}

// A Source is what a value of the connection secret may be made of.
type Source struct {
	// Answer is the resource as Cloudflare shows it.
	Answer Document
	// Details are the values before this one.
	Details map[string][]byte
	// Params are the parameters of the paths, Options the values of the kind's options.
	Params, Options map[string]string
}

// An Issue says that resources are certificates: the provider makes their private keys,
// and orders another one before one expires.
type Issue struct {
	// Request is the path of the signing request, Names that of the host names, and
	// Algorithm that of the field whose values Keys maps to a type of private key. The
	// provider makes the key where the spec has no request.
	Request, Names, Algorithm string
	Keys                      map[string]string
	// Certificate and Expires are paths of an answer.
	Certificate, Expires string
	// RenewBefore is the option that says how long before its end a certificate is replaced.
	// It is never more than a third of the time for which the certificate is valid.
	RenewBefore string
	// RevokeAfter is the option that says how long a certificate stays valid after another
	// one replaced it.
	RevokeAfter string
}

// timeLayouts are the forms in which Cloudflare writes the end of a certificate.
func timeLayouts() []string { return []string{time.RFC3339, "2006-01-02 15:04:05 -0700 MST"} }

// Ends is when the certificate in an answer expires, false where the answer does not say.
func (i Issue) Ends(live Document) (time.Time, bool) {
	for _, layout := range timeLayouts() {
		if t, err := time.Parse(layout, Text(live, i.Expires)); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// Due reports whether a certificate that is valid for so long, and ends then, is to be
// replaced.
func Due(now, ends time.Time, lifetime, before time.Duration) bool {
	return !now.Before(ends.Add(-min(before, lifetime/3)))
}
