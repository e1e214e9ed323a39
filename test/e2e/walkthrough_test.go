// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/provider-cloudflare/provider-cloudflare/test/page"
)

// TestWalkthroughs follows the walkthroughs of docs/README.md that need Crossplane, from an
// empty cluster. They begin with the same pages, which it follows once.
func TestWalkthroughs(t *testing.T) {
	c := newCluster(t)
	startNode(c)
	c.pushPackages()
	w := newWalker(c)
	for _, walkthrough := range c.walkthroughs() {
		for _, name := range walkthrough.Pages {
			if slices.Contains(c.followed, name) {
				continue
			}
			ok := t.Run(strings.ReplaceAll(name, "/", "_"), func(t *testing.T) {
				outer := c.t
				c.t = t
				defer func() { c.t = outer }()
				w.walk(name)
			})
			if !ok {
				t.Fatalf("%s cannot go on; logs are in %s", walkthrough.Who, c.dir)
			}
			c.followed = append(c.followed, name)
		}
	}
	if len(c.followed) < 4 || w.commands < 20 {
		t.Errorf("%d commands of %d pages were run", w.commands, len(c.followed))
	}
	t.Logf("figures:\n%s", strings.Join(c.said, "\n"))
}

// walkthroughs returns the walkthroughs that need Crossplane.
func (c *cluster) walkthroughs() []page.Walkthrough {
	raw, err := os.ReadFile(root(page.WalkthroughsPage))
	c.must(err)
	all, err := page.Walkthroughs(string(raw))
	c.must(err)
	return slices.DeleteFunc(all, func(w page.Walkthrough) bool { return !w.WithCrossplane() })
}

// A walker follows whole pages.
type walker struct {
	*cluster
	// instead replaces the reader's own values in pages by those of this test.
	instead  *strings.Replacer
	commands int
}

func newWalker(c *cluster) *walker {
	c.work = filepath.Join(c.dir, "work")
	c.must(os.MkdirAll(c.work, 0o750))
	entries, err := os.ReadDir(root())
	c.must(err)
	for _, e := range entries {
		to, err := filepath.Abs(root(e.Name()))
		c.must(err)
		c.must(os.Symlink(to, filepath.Join(c.work, e.Name())))
	}
	c.must(os.WriteFile(filepath.Join(c.work, "token"), []byte(c.cloudflare.token), 0o600))
	return &walker{cluster: c, instead: strings.NewReplacer(
		"registry.example.org/platform/provider-cloudflare:v0.1.0", source(*current),
		"https://api.cloudflare.com/client/v4", c.cloudflare.url,
		"$CLOUDFLARE_API_TOKEN", c.cloudflare.token,
		pinnedNginx, c.pushBanner(),
	)}
}

// pinnedNginx is the image in the page on MyApp. The suite replaces it with a program of its
// own.
const pinnedNginx = "docker.io/library/nginx:1.31.2@sha256:ec4ed8b5299e5e90694af7750eb6dffd2627317d30544d056b0371f8082f7bce"

// excused are commands that cannot be run here.
var excused = map[string]string{ //nolint:gochecknoglobals // A constant but for its type.
	"kind ":      "the cluster is there",
	"helm repo ": "the chart comes from Crossplane's module",
	`curl -sS -H "Authorization: Bearer $CREATOR_TOKEN"`: "it makes tokens, for which the simulator has no API",
	"dig ":                          "the simulator serves the API and no DNS",
	"(cd functions/":                "test/compositions renders",
	"crossplane composition render": "test/compositions renders",
}

// walk follows a page up to the part that removes everything.
func (w *walker) walk(name string) {
	w.t.Helper()
	raw, err := os.ReadFile(root(name))
	w.must(err)
	p, err := page.Parse(name, string(raw))
	w.must(err)
	for _, b := range p.Before("uninstall").Blocks {
		w.block(b)
	}
}

func (w *walker) block(b page.Block) {
	w.t.Helper()
	text := w.instead.Replace(b.Text())
	if file, ok := b.Word("file"); ok {
		w.must(os.WriteFile(filepath.Join(w.work, file), []byte(text), 0o600))
		return
	}
	switch _, fragment := b.Word("fragment"); {
	case b.Lang() == "console":
		commands, err := b.Commands(w.ctx)
		w.must(err)
		for i := range commands {
			w.command(&commands[i])
		}
	case b.Lang() == "yaml" && !fragment:
		w.must(os.WriteFile(filepath.Join(w.work, "block.yaml"), []byte(text), 0o600))
		w.shell("kubectl apply -f block.yaml")
	}
}

// command runs a command, and repeats it until its output is as the page shows, if the page
// waits for it.
func (w *walker) command(command *page.Command) {
	w.t.Helper()
	for begins := range excused {
		if strings.HasPrefix(command.Text, begins) {
			return
		}
	}
	if strings.HasPrefix(command.Text, "helm install ") {
		w.installCrossplane()
		w.mirrorFunctions()
		return
	}
	if strings.Contains(command.Text, "reason=DriftDetected") {
		w.driftOfHello()
	}
	w.commands++
	text := w.instead.Replace(command.Text)
	if !strings.HasPrefix(text, "kubectl get ") {
		w.expect(command, text)
		if strings.Contains(text, "/deploymentruntimeconfig.yaml") {
			w.apply(w.runtimeConfig()) // the page's, with the simulator's address
		}
		return
	}
	w.eventually(func() error { return w.fits(command, text) })
}

func (w *walker) expect(command *page.Command, text string) {
	w.t.Helper()
	if err := w.fits(command, text); err != nil {
		w.t.Fatal(err)
	}
}

// fits runs a command and returns how its result differs from the page.
func (w *walker) fits(command *page.Command, text string) error {
	out, err := w.bash(text)
	w.t.Logf("$ %s\n%s", text, out)
	shown := *command
	for i := range shown.Shown {
		shown.Shown[i] = w.instead.Replace(shown.Shown[i])
	}
	if !shown.Fits(out, err) {
		return fmt.Errorf("%s: it prints\n%s(%w), and not\n%s", text, out, err, strings.Join(shown.Shown, "\n"))
	}
	return nil
}

// driftOfHello edits the tutorial's record in the dashboard.
func (w *walker) driftOfHello() {
	for _, r := range w.cloudflare.Records(w.cloudflare.zone) {
		if r.Name == "hello."+zoneName {
			_, err := w.cloudflare.PatchRecord(w.cloudflare.zone, r.ID, map[string]any{"content": "Changed by hand"})
			w.must(err)
			return
		}
	}
	w.t.Fatal("the tutorial's record is not at Cloudflare")
}
