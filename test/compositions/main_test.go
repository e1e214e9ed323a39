// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package compositions

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/yaml"

	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// The names of the examples, which are the names of their folders.
const (
	website  = "website"
	hostname = "hostname"
	myapp    = "myapp"
	exposed  = "exposedapplication"
	bucket   = "bucket"
)

// all returns the names of the examples.
func all() []string { return []string{website, hostname, myapp, exposed, bucket} }

// A suite is what all tests share.
type suite struct {
	// cli and core are the paths of Crossplane's programs.
	cli, core string
	// functions is a file with the addresses of the functions for the CLI.
	functions string
	// schemas is a folder with the CRDs of the provider. cache is one with Crossplane's own CRDs,
	// in the layout of the CLI's cache.
	schemas, cache string
	home           string
	kube           client.Client
	// config is the administrator's. kube uses it, too.
	config *rest.Config
	// cloud is a simulated Cloudflare with a provider that uses it.
	cloud *harness.Cloud
}

// shared is set by TestMain, before any test runs.
var shared suite

var update = flag.Bool("update", false, "write the golden files")

func TestMain(m *testing.M) {
	flag.Parse()
	harness.Main(m, run)
}

func run(m *testing.M) (code int, err error) {
	ctrl.SetLogger(logr.Discard())
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	dir, err := os.MkdirTemp("", "compositions-")
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s := suite{home: dir, schemas: filepath.Join(root(), "package", "crds"), functions: filepath.Join(dir, "functions.yaml"), cache: filepath.Join(dir, "cache")}
	if s.cli, err = tool(ctx, "cli/crossplane"); err != nil {
		return 1, err
	}
	if s.core, err = tool(ctx, "core/crossplane"); err != nil {
		return 1, err
	}
	stop, err := startFunctions(ctx, dir, s.functions)
	if err != nil {
		return 1, err
	}
	defer stop()
	core, err := crossplaneCRDs(ctx)
	if err != nil {
		return 1, err
	}
	if err := fillCache(core, s.cache); err != nil {
		return 1, err
	}
	kinds := filepath.Join(dir, "kinds")
	if err := s.convertXRDs(ctx, kinds); err != nil {
		return 1, err
	}
	env := &envtest.Environment{CRDDirectoryPaths: []string{s.schemas, core, kinds}, ErrorIfCRDPathMissing: true}
	cfg, end, err := harness.StartAPIServer(env)
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, end()) }()
	s.config = cfg
	if s.kube, err = client.New(cfg, client.Options{}); err != nil {
		return 1, err
	}
	if s.cloud, err = harness.StartCloud(simulator.Options{}); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, s.cloud.End()) }()
	stopProvider := harness.StartProvider(cfg, harness.Options(s.cloud.URL))
	shared = s
	code = m.Run()
	return code, stopProvider()
}

// root returns the path of the repository's root.
func root() string { return filepath.Join("..", "..") }

// tool returns the path of a tool of hack/tools, which is built if necessary.
func tool(ctx context.Context, name string) (string, error) {
	out, err := output(exec.CommandContext(ctx, filepath.Join(root(), "hack", "tool.sh"), "--path", name))
	return strings.TrimSpace(out), err
}

// output runs a command and returns its output. The error of a failure has its standard error.
func output(cmd *exec.Cmd) (string, error) {
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", filepath.Base(cmd.Path), err, errs.String())
	}
	return string(out), nil
}

// crossplaneCRDs returns the folder of Crossplane's CRDs in the module from which its core is
// built.
func crossplaneCRDs(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/crossplane/crossplane/v2")
	cmd.Dir = filepath.Join(root(), "hack", "tools", "core")
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly")
	out, err := output(cmd)
	if err != nil {
		return "", err
	}
	if strings.TrimSpace(out) == "" {
		return "", errors.New("Crossplane's module is not there: run go mod download in hack/tools/core")
	}
	return filepath.Join(strings.TrimSpace(out), "cluster", "crds"), nil
}

// crossplaneImage is the name under which the CLI caches Crossplane's CRDs.
const crossplaneImage = "xpkg.crossplane.io/crossplane/crossplane"

// fillCache copies the CRDs to the place to which the CLI would download them.
func fillCache(crds, cache string) error {
	dir := filepath.Join(cache, crossplaneImage+"@v0.0.0")
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(crds, "*.yaml"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("%d files in %s: %w", len(files), crds, err)
	}
	var all strings.Builder
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		all.WriteString("---\n")
		all.Write(raw)
	}
	return os.WriteFile(filepath.Join(dir, "package.yaml"), []byte(all.String()), 0o600)
}

// convertXRDs writes the CRDs that Crossplane would create from the examples' XRDs.
func (s suite) convertXRDs(ctx context.Context, to string) error {
	if err := os.MkdirAll(to, 0o750); err != nil {
		return err
	}
	for _, name := range all() {
		out, err := output(s.command(ctx, "xrd", "convert", example(name, "xrd.yaml")))
		if err != nil {
			return err
		}
		crd := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(out), &crd.Object); err != nil {
			return err
		}
		// The owner is the XRD, which does not exist here.
		crd.SetOwnerReferences(nil)
		raw, err := yaml.Marshal(crd.Object)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name+".yaml"), raw, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// command returns a command of the CLI with a home of its own, without the settings and caches of
// the user.
func (s suite) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, s.cli, args...)
	cmd.Env = append(os.Environ(), "HOME="+s.home)
	return cmd
}

// example returns the path of an example's file.
func example(name, file string) string {
	return filepath.Join(root(), "examples", "composition", name, file)
}
