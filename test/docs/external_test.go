// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// hostForm matches a name of at least two labels. The last one has only letters.
var (
	hostForm = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$`)
	linkForm = regexp.MustCompile(`\]\(<?([a-zA-Z][a-zA-Z0-9+.-]*://[^)>\s]+)>?\)|<([a-zA-Z][a-zA-Z0-9+.-]*://[^>\s]+)>|(?m)^\[[^\]]+\]:\s+([a-zA-Z][a-zA-Z0-9+.-]*://\S+)`)
)

// TestExternalLinks checks the form of each external link in every Markdown file. It requests
// none of them, because external pages may change or disappear.
func TestExternalLinks(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard", "--", "*.md").Output()
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, name := range strings.Fields(string(out)) {
		raw, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue // The deletion of the file is not committed yet.
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range externalLinks(string(raw)) {
			links++
			if why := malformed(link); why != "" {
				t.Errorf("%s: the link to %s %s", name, link, why)
			}
		}
	}
	if links < 20 {
		t.Errorf("%d links were found, want those of all pages: are they read?", links)
	}
}

// externalLinks returns the external links of a page, except those in fenced blocks, which are
// data of examples.
func externalLinks(text string) []string {
	var prose strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		} else if !fenced {
			prose.WriteString(line)
		}
	}
	var links []string
	for _, m := range linkForm.FindAllStringSubmatch(prose.String(), -1) {
		links = append(links, m[1]+m[2]+m[3])
	}
	return links
}

// malformed returns what is wrong with the form of a link, "" if nothing is.
func malformed(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return "cannot be read"
	}
	host := u.Hostname()
	_, address := netip.ParseAddr(host)
	switch {
	case u.Scheme != "https":
		return "is not https"
	case u.User != nil:
		return "has credentials"
	case host == "localhost" || strings.HasSuffix(host, ".localhost") || address == nil:
		return "leads to a machine and not to a site"
	case !hostForm.MatchString(host):
		return "has a malformed host"
	case strings.ContainsAny(link[len(link)-1:], ".,;:!?'\"*_"):
		return "ends with punctuation"
	case host == "github.com":
		return malformedGitHub(u.Path)
	}
	return ""
}

// malformedGitHub returns what is wrong with a path at GitHub.
func malformedGitHub(path string) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if len(parts) < 2 || parts[0] == "" || parts[1] == "" {
		return "names no owner and repository"
	}
	if len(parts) > 2 && (parts[2] == "blob" || parts[2] == "tree") && len(parts) < 4 {
		return "names no revision"
	}
	return ""
}

func TestMalformed(t *testing.T) {
	t.Parallel()
	for link, want := range map[string]string{
		"https://example.com":                           "",
		"https://example.com/a/b?c=d#e":                 "",
		"https://github.com/crossplane/crossplane":      "",
		"https://github.com/a/b/blob/main/README.md":    "",
		"http://example.com":                            "is not https",
		"ftp://example.com":                             "is not https",
		"https://me:secret@example.com":                 "has credentials",
		"https://localhost/x":                           "leads to a machine and not to a site",
		"https://127.0.0.1/x":                           "leads to a machine and not to a site",
		"https://[::1]/x":                               "leads to a machine and not to a site",
		"https://example":                               "has a malformed host",
		"https://-a.example.com":                        "has a malformed host",
		"https:///nothing":                              "has a malformed host",
		"https://example.com/x.":                        "ends with punctuation",
		"https://github.com/crossplane":                 "names no owner and repository",
		"https://github.com/crossplane/crossplane/blob": "names no revision",
		"https://exa mple.com":                          "cannot be read",
	} {
		if got := malformed(link); got != want {
			t.Errorf("%s: %q, want %q", link, got, want)
		}
	}
}

func TestExternalLinksOf(t *testing.T) {
	t.Parallel()
	text := "See [a](https://a.example.com) and <https://b.example.com>, not [c](c.md).\n```text\n[d](https://d.example.com)\n```\n[e]: https://e.example.com\n"
	if got := strings.Join(externalLinks(text), " "); got != "https://a.example.com https://b.example.com https://e.example.com" {
		t.Errorf("got %s", got)
	}
}
