// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package cloudflare

import (
	"errors"
	"fmt"
	"net"
	"net/url"
)

// An InsecureURLError says that a URL would send credentials to another machine without
// TLS. URL holds its scheme and host only.
type InsecureURLError struct{ URL string }

func (e *InsecureURLError) Error() string {
	return fmt.Sprintf("%q would send credentials without TLS to another machine: use https", e.URL)
}

// CheckBaseURL returns an error if raw cannot be the base URL of the API. The error is an *InsecureURLError if the URL
// leads to another host by http. No error shows a user or password of the URL.
func CheckBaseURL(raw string) error {
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "":
		return errors.New("must be an http or https URL") // The URL may hold a password, at a place that is not known.
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		return &InsecureURLError{URL: "http://" + u.Host}
	}
	return nil
}

func isLoopback(host string) bool { return host == "localhost" || net.ParseIP(host).IsLoopback() }
