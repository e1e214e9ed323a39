// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package scan

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The exit codes of hack/scan.sh.
const (
	nothing    = 0
	usage      = 2
	vulnerable = 3
	notScanned = 4
)

// packages are few, so that the scan takes seconds. Without packages, hack/scan.sh scans all
// parts of a release.
const packages = "./internal/dnsrecord"

func TestScan(t *testing.T) {
	mirror := func(name string) string {
		dir, err := filepath.Abs(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return "file://" + dir
	}
	page := func(status int, body string) string {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}))
		t.Cleanup(srv.Close)
		return srv.URL
	}
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()

	tests := []struct {
		reason, db string
		args       []string
		code       int
		says       string
	}{
		{"what we call is vulnerable", mirror("database"), []string{packages}, vulnerable, "GO-2099-0001"},
		{"what was fixed long ago is not reported", mirror("clean"), []string{packages}, nothing, "no known vulnerability"},
		{"what the composition function alone calls is vulnerable", mirror("function"), nil, vulnerable, "GO-2099-0001"},
		{"nobody answers", closed.URL, []string{packages}, notScanned, "could not scan"},
		{"a proxy answers with a page of its own", page(http.StatusOK, "<html>Sign in</html>"), []string{packages}, notScanned, "could not scan"},
		{"the database is not where it was", page(http.StatusNotFound, ""), []string{packages}, notScanned, "could not scan"},
		{"there is no such mirror", mirror("missing"), []string{packages}, notScanned, "could not scan"},
		{"an empty mirror would pass everything", mirror("empty"), []string{packages}, notScanned, "could not scan"},
		{"there is no such package", mirror("clean"), []string{"./internal/missing"}, notScanned, "could not scan"},
		{"a flag that is none", mirror("clean"), []string{"--fix"}, usage, "usage"},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			code, out := scan(t, tc.db, tc.args...)
			if code != tc.code || !strings.Contains(out, tc.says) {
				t.Errorf("%s: ended with %d, want %d and %q:\n%s", tc.reason, code, tc.code, tc.says, out)
			}
			if scanned := strings.Contains(out, "no known vulnerability"); scanned != (tc.code == nothing) {
				t.Errorf("%s: says that it found nothing: %t:\n%s", tc.reason, scanned, out)
			}
		})
	}
}

// scan runs hack/scan.sh with the database db.
func scan(t *testing.T, db string, args ...string) (code int, out string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join("..", "..", "hack", "scan.sh"), args...)
	cmd.Env = append(cmd.Environ(), "GOVULNDB="+db, "HTTP_PROXY=", "http_proxy=")
	var b bytes.Buffer
	cmd.Stdout, cmd.Stderr = &b, &b
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("cannot run the scan: %v", err)
	}
	return cmd.ProcessState.ExitCode(), b.String()
}
