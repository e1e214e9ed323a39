// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/provider-cloudflare/provider-cloudflare/test/e2e/registry"
)

// exampleAccount is the account in the examples, which users replace.
const exampleAccount = "0123456789abcdef0123456789abcdef"

//nolint:gochecknoglobals // Constants but for their type.
var (
	connector      = regexp.MustCompile(`docker\.io/cloudflare/cloudflared:\S+`)
	connectorImage = registryAddress + "/cloudflared:e2e"
)

// installConfiguration installs a package with Compositions of the examples, as platform teams
// build it, and waits until it is Healthy. Crossplane does not resolve its dependencies, which
// are installed already: the provider's version is that of a commit, which no range of versions
// includes.
func (c *cluster) installConfiguration(names ...string) {
	var files []string
	for _, name := range names {
		files = append(files, example("composition", name, "xrd.yaml"), c.ownComposition(name))
	}
	c.pushConfiguration(files...)
	began := time.Now()
	c.apply(configurationManifest(map[string]any{"skipDependencyResolution": true}))
	c.eventually(c.configured)
	c.took("Configuration from apply to Healthy", began)
}

// ownComposition returns the path of a copy of an example's Composition with the simulator's
// account and an available image. Platform teams make the same changes before they build their
// own package.
func (c *cluster) ownComposition(name string) string {
	raw, err := os.ReadFile(example("composition", name, "composition.yaml"))
	c.must(err)
	text := connector.ReplaceAllString(strings.ReplaceAll(string(raw), exampleAccount, c.cloudflare.account), connectorImage)
	file := filepath.Join(c.dir, "composition-"+name+".yaml")
	c.must(os.WriteFile(file, []byte(text), 0o600))
	return file
}

// exposed exposes an application through a tunnel, behind a login.
func (c *cluster) exposed() {
	// It replaces cloudflared, which could not connect to a simulator.
	ready := registry.Content{Files: map[string]string{"/banner": tool("banner")}, Entrypoint: []string{"/banner", "-listen=:2000", "-text=ready"}}
	c.must(registry.Push(c.ctx, connectorImage, ready))
	u := c.composite("exposedapplication", nil)
	host, tunnel := field(u, "spec", "host"), field(u, "status", "tunnelId")
	if got := c.live(c.cloudflare.zone, host, "CNAME"); len(got) != 1 || got[0] != tunnel+".cfargotunnel.com" {
		c.t.Errorf("%s leads to %q, want the tunnel %q", host, got, tunnel)
	}
	c.follow("examples/composition/exposedapplication/README.md")
}

// bucket creates a bucket, and checks that the team's Secret has its keys.
func (c *cluster) bucket() {
	u := c.composite("bucket", nil)
	name := field(u, "status", "bucket")
	if doc, err := c.cloudflare.Resource("/accounts/" + c.cloudflare.account + "/r2/buckets/" + name); err != nil {
		c.t.Errorf("there is no bucket %q: %v, %v", name, doc, err)
	}
	c.eventually(func() error {
		s, err := c.object(schema.GroupVersionKind{Version: "v1", Kind: "Secret"}, "default", field(u, "status", "secret"))
		if err != nil {
			return err
		}
		for _, key := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ENDPOINT_URL_S3", "AWS_REGION", "BUCKET", "cloud"} {
			if field(s, "data", key) == "" {
				return fmt.Errorf("the Secret %s has no %s", s.GetName(), key)
			}
		}
		if field(s, "data", "token") != "" {
			return errors.New("the team's Secret has the token")
		}
		return nil
	})
	c.follow("examples/composition/bucket/README.md")
}

// noneComposed returns an error if Cloudflare still has a resource that was composed in the
// namespace default. Its name begins with the namespace.
func (c *cluster) noneComposed(path string) error {
	for _, doc := range c.cloudflare.Resources("/accounts/" + c.cloudflare.account + "/" + path) {
		if name := fmt.Sprint(doc["name"]); strings.HasPrefix(name, "default-") && doc["deleted_at"] == nil {
			return fmt.Errorf("%s %s is left", path, name)
		}
	}
	return nil
}
