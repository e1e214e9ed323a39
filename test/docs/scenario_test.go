// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/external/journal"
	"github.com/provider-cloudflare/provider-cloudflare/test/page"
)

const (
	// patience is the most time that a command may take.
	patience = 10 * time.Minute
	// apiURL is the API's URL in pages. It is replaced by the simulator's.
	apiURL = "https://api.cloudflare.com/client/v4"
)

// repeats is the time for which a command is repeated until its output is as shown.
const repeats = 45 * time.Second

var repeatable = regexp.MustCompile(`(^|\| )kubectl (get|auth can-i|apply|replace) `)

// tally counts the results of blocks and commands, over all pages.
type tally struct{ blocks, applied, checked, parsed, shown, commands, compared, excused, e2e, targets int }

func (a *tally) add(b tally) {
	a.blocks, a.applied, a.checked, a.parsed, a.shown = a.blocks+b.blocks, a.applied+b.applied, a.checked+b.checked, a.parsed+b.parsed, a.shown+b.shown
	a.commands, a.compared, a.excused = a.commands+b.commands, a.compared+b.compared, a.excused+b.excused
	a.e2e, a.targets = a.e2e+b.e2e, a.targets+b.targets
}

func (a *tally) String() string {
	return fmt.Sprintf("%d blocks: %d with manifests that became Ready, %d held against a schema, %d parsed only, %d that show something; "+
		"%d commands run, of which the output of %d was compared; %d make targets looked up; %d commands and manifests left to test/e2e, %d commands excused",
		a.blocks, a.applied, a.checked, a.parsed, a.shown, a.commands, a.compared, a.targets, a.e2e, a.excused)
}

// TestPages runs the pages one after the other, because they share the cluster.
func TestPages(t *testing.T) {
	t.Parallel() // The pages are not parallel, because they share a cluster.
	play(t, func(s setup) bool { return !s.empty })
}

// TestPagesFromNothing runs the pages with a cluster of their own, in parallel with TestPages.
func TestPagesFromNothing(t *testing.T) {
	t.Parallel()
	play(t, func(s setup) bool { return s.empty })
}

// play runs the pages whose setup matches, except those of TestWalkthroughs.
func play(t *testing.T, with func(setup) bool) {
	t.Helper()
	var all tally
	var used, read []string // With -run, only some pages are.
	for _, p := range pages(t) {
		if s := setups[p.Path]; s.walked || !with(s) {
			continue
		}
		t.Run(p.Path, func(t *testing.T) {
			read = append(read, p.Path)
			r := newReader(t, p)
			r.read()
			all.add(r.tally)
			used = append(used, r.used...)
		})
	}
	if t.Failed() {
		return
	}
	for _, e := range excused {
		if slices.Contains(read, e.page) && !slices.Contains(used, e.page+e.command) {
			t.Errorf("%s: no command begins with %q: it needs no excuse", e.page, e.command)
		}
	}
	t.Logf("%s", &all)
}

// A reader follows a page, as a user does.
type reader struct {
	t     *testing.T
	page  page.Page
	setup setup
	dir   string
	cloud *cloud
	api   string // the simulator's URL, which replaces apiURL
	env   []string
	tally tally
	used  []string // excuses that were needed
	// patience is the most time that a command may take.
	patience time.Duration
}

func newReader(t *testing.T, p page.Page) *reader {
	t.Helper()
	return &reader{t: t, page: p, setup: setups[p.Path], dir: t.TempDir(), patience: patience}
}

// read sets up the initial state of the page and runs its blocks.
func (r *reader) read() {
	r.t.Helper()
	switch {
	case r.setup.empty:
		r.beginEmpty()
	case r.acts():
		r.begin()
	default:
		r.enter(shared.kubeconfig)
	}
	r.follow()
}

// follow runs all blocks of the page.
func (r *reader) follow() {
	r.t.Helper()
	for _, b := range r.page.Blocks {
		r.tally.blocks++
		if err := r.block(b); err != nil {
			r.t.Fatalf("%s:%d: %v", r.page.Path, b.Line, err)
		}
	}
}

// acts reports whether the page has a block to run or to apply. Blocks that are only checked
// against a schema need no Cloudflare and no provider.
func (r *reader) acts() bool {
	return slices.ContainsFunc(r.page.Blocks, func(b page.Block) bool {
		return slices.Contains([]string{"yaml", "console", "sh"}, b.Lang()) && !onlyChecked(b)
	})
}

// onlyChecked reports whether a block is a manifest that is not applied.
func onlyChecked(b page.Block) bool {
	return b.Lang() == "yaml" && slices.ContainsFunc([]string{"fragment", "dry-run", "file", "e2e"}, func(word string) bool {
		_, is := b.Word(word)
		return is
	})
}

// begin creates a simulated Cloudflare, a provider, and the setup of the page.
func (r *reader) begin() {
	r.t.Helper()
	r.cloud = newCloud(r.t)
	r.api = r.cloud.url
	r.t.Cleanup(func() {
		if err := errors.Join(r.cloud.stop(), shared.clear()); err != nil {
			r.t.Errorf("cannot clear up: %v", err)
		}
	})
	r.enter(shared.kubeconfig)
	vars, err := r.setup.make(r.t.Context(), r.cloud)
	if err != nil {
		r.t.Fatalf("%s: cannot set up: %v", r.page.Path, err)
	}
	r.env = append(append(r.env, "CLOUDFLARE_API_URL="+r.api), vars...)
	files := map[string]string{}
	if r.setup.files != nil {
		if files, err = r.setup.files(r.cloud); err != nil {
			r.t.Fatal(err)
		}
	}
	files["token"] = r.setup.token
	for name, text := range files {
		if err := r.write(name, text); err != nil {
			r.t.Fatal(err)
		}
	}
}

// enter creates the folder in which the page's commands run, with their environment. The folder
// has all files of the repository, and the programs.
func (r *reader) enter(kubeconfig string) {
	r.t.Helper()
	entries, err := os.ReadDir(root)
	if err != nil {
		r.t.Fatal(err)
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == "bin" {
			continue // It may have files of another revision.
		}
		if err := os.Symlink(filepath.Join(abs, e.Name()), filepath.Join(r.dir, e.Name())); err != nil {
			r.t.Fatal(err)
		}
	}
	bin, err := shared.programs()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := os.Symlink(bin, filepath.Join(r.dir, "bin")); err != nil {
		r.t.Fatal(err)
	}
	home := r.t.TempDir()
	r.env = append(os.Environ(),
		"KUBECONFIG="+kubeconfig, "HOME="+home, "PAGE_STATE="+filepath.Join(home, "state"),
		"PATH="+os.Getenv("KUBEBUILDER_ASSETS")+":"+filepath.Join(r.dir, "bin")+":"+os.Getenv("PATH"))
}

// block handles a block according to its language and words.
func (r *reader) block(b page.Block) error {
	if _, ok := b.Word("e2e"); ok && b.Lang() != "console" {
		r.tally.e2e++
		return parse(b)
	}
	switch {
	case b.Lang() == "console":
		return r.console(b)
	case b.Lang() == "yaml":
		return r.yaml(b)
	}
	if name, ok := b.Word("file"); ok {
		r.tally.parsed++
		return errors.Join(parse(b), r.write(name, b.Text()))
	}
	if b.Lang() == "sh" {
		r.tally.commands++
		_, err := r.run(b.Text())
		return err
	}
	if shows[b.Lang()] {
		r.tally.shown++
		return nil
	}
	r.tally.parsed++
	return parse(b)
}

func (r *reader) write(name, text string) error {
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}

// yaml applies a manifest, or does less, according to its words.
func (r *reader) yaml(b page.Block) error {
	if err := parse(b); err != nil {
		return err
	}
	if kind, ok := b.Word("fragment"); ok {
		if kind == "" {
			r.tally.parsed++
			return nil
		}
		r.tally.checked++
		return shared.fragment(r.t.Context(), kind, b.Text())
	}
	if name, ok := b.Word("file"); ok {
		r.tally.parsed++
		return r.write(name, b.Text())
	}
	args := []string{"apply", "--server-side", "--force-conflicts", "--validate=strict", "-f", "-"}
	_, dryRun := b.Word("dry-run")
	if dryRun {
		args = append(args, "--dry-run=server")
	}
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	out, err := tool(ctx, r.dir, r.env, strings.NewReader(r.setup.fill(b.Text())), "kubectl", args...)
	if err != nil {
		return fmt.Errorf("the manifest is not taken: %s", out)
	}
	if _, pending := b.Word("pending"); dryRun || pending {
		r.tally.checked++
		return nil
	}
	r.tally.applied++
	return r.ready(ctx, b.Text())
}

// ready waits until the managed resources of a manifest are Ready.
func (r *reader) ready(ctx context.Context, text string) error {
	objects, err := objectsOf(text)
	if err != nil {
		return err
	}
	for _, o := range objects {
		if !strings.Contains(o.GetAPIVersion(), "cloudflare.m.crossplane.io/") {
			continue
		}
		gk := o.GroupVersionKind()
		resource := strings.ToLower(gk.Kind) + "." + gk.Version + "." + gk.Group + "/" + o.GetName()
		out, err := tool(ctx, r.dir, r.env, nil, "kubectl", "wait", "--for=condition=Ready", "--timeout=90s", "-n", o.GetNamespace(), resource)
		if err != nil {
			if r.cloud != nil {
				_ = r.cloud.stop()
			}
			said, _ := tool(r.t.Context(), r.dir, r.env, nil, "kubectl", "get", "-n", o.GetNamespace(), resource, "-o", "jsonpath={.status.conditions}")
			return fmt.Errorf("%s does not become Ready: %s%s", resource, out, said)
		}
	}
	return nil
}

// console runs the commands of a block.
func (r *reader) console(b page.Block) error {
	commands, err := b.Commands(r.t.Context())
	if err != nil {
		return err
	}
	_, e2e := b.Word("e2e")
	for _, c := range commands {
		if err := r.command(c, e2e); err != nil {
			return fmt.Errorf("$ %s (line %d): %w", c.Text, c.Line, err)
		}
	}
	return nil
}

func (r *reader) command(c page.Command, e2e bool) error {
	if e2e {
		r.tally.e2e++
		return nil
	}
	if target, ok := strings.CutPrefix(c.Text, "make"); ok && (target == "" || target[0] == ' ') && !r.setup.checkout {
		r.tally.targets++ // TestNames checks them, and TestMakesOfPagesAreRun checks that CI runs them.
		return nil
	}
	for _, e := range excused {
		if (e.page == r.page.Path) && strings.HasPrefix(c.Text, e.command) {
			r.tally.excused++
			r.used = append(r.used, e.page+e.command)
			return nil
		}
	}
	if o, ok := r.setup.before[c.Text]; ok {
		if err := o(r.t.Context(), r.cloud); err != nil {
			return err
		}
	}
	r.tally.commands++
	out, err := r.run(c.Text)
	for end := time.Now().Add(repeats); repeatable.MatchString(c.Text) && !c.Fits(out, err) && time.Now().Before(end); {
		out, err = r.run(c.Text)
	}
	switch {
	case err == nil && c.Fails():
		return fmt.Errorf("it does not fail, and prints\n%s", out)
	case err != nil && !c.Fails():
		return fmt.Errorf("%w:\n%s", err, out)
	case !c.Shows():
		return nil
	case !page.Alike(c.Shown, out):
		return fmt.Errorf("it prints\n%s\nand not\n%s", out, strings.Join(c.Shown, "\n"))
	}
	r.tally.compared++
	return nil
}

// run runs a command in bash. Its exported variables stay for the next command.
func (r *reader) run(text string) (string, error) {
	ctx, cancel := context.WithTimeout(r.t.Context(), r.patience)
	defer cancel()
	script := `[ -z "$PAGE_GROUPS" ] || echo $$ >>"$PAGE_GROUPS"; set -a; [ ! -e "$PAGE_STATE" ] || . "$PAGE_STATE"
` + r.setup.fill(text) + `
code=$?; export -p >"$PAGE_STATE"; exit $code
`
	if r.api != "" {
		script = strings.ReplaceAll(script, apiURL, r.api)
	}
	out, err := tool(ctx, r.dir, r.env, strings.NewReader(""), "/bin/bash", "-c", script)
	if ctx.Err() != nil {
		return out, fmt.Errorf("it takes over %s", r.patience)
	}
	return out, err
}

// clear removes everything that a page may have created, including the journal of creations:
// the next page has a Cloudflare of its own, with the same IDs.
func (c *cluster) clear() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	errs := []error{c.kube.DeleteAllOf(ctx, &corev1.ConfigMap{},
		client.InNamespace(metav1.NamespaceDefault), client.HasLabels{journal.Label})}
	for _, gvk := range leftByPages() {
		l := &unstructured.UnstructuredList{}
		l.SetGroupVersionKind(gvk)
		errs = append(errs, c.kube.List(ctx, l))
		for _, o := range l.Items {
			if gvk.Kind == "Secret" && strings.HasPrefix(o.GetNamespace(), "kube-") {
				continue
			}
			if len(o.GetFinalizers()) > 0 {
				o.SetFinalizers(nil)
				errs = append(errs, client.IgnoreNotFound(c.kube.Update(ctx, &o)))
			}
			errs = append(errs, client.IgnoreNotFound(c.kube.Delete(ctx, &o)))
		}
	}
	for _, k := range contribKinds() {
		errs = append(errs, client.IgnoreNotFound(c.kube.Delete(ctx, k)))
	}
	l := &corev1.NamespaceList{}
	errs = append(errs, c.kube.List(ctx, l))
	for _, ns := range l.Items {
		if ns.Name != metav1.NamespaceDefault && !strings.HasPrefix(ns.Name, "kube-") && ns.DeletionTimestamp == nil {
			errs = append(errs, client.IgnoreNotFound(c.kube.Delete(ctx, &ns)))
		}
	}
	return errors.Join(errs...)
}

func leftByPages() []schema.GroupVersionKind {
	var out []schema.GroupVersionKind
	for _, k := range []struct{ group, version, kind string }{
		{"dns.cloudflare.m.crossplane.io", "v1alpha1", "Record"},
		{"zone.cloudflare.m.crossplane.io", "v1alpha1", "Zone"},
		{"zone.cloudflare.m.crossplane.io", "v1alpha1", "ZoneSetting"},
		{"loadbalancer.cloudflare.m.crossplane.io", "v1alpha1", "LoadBalancer"},
		{"loadbalancer.cloudflare.m.crossplane.io", "v1alpha1", "LoadBalancerPool"},
		{"loadbalancer.cloudflare.m.crossplane.io", "v1alpha1", "LoadBalancerMonitor"},
		{"ssl.cloudflare.m.crossplane.io", "v1alpha1", "OriginCACertificate"},
		{"networking.k8s.io", "v1", "Ingress"},
		{"cloudflare.m.crossplane.io", "v1alpha1", "ProviderConfigUsage"},
		{"cloudflare.m.crossplane.io", "v1alpha1", "ProviderConfig"},
		{"cloudflare.m.crossplane.io", "v1alpha1", "ClusterProviderConfig"},
		{"pkg.crossplane.io", "v1", "Provider"},
		{"pkg.crossplane.io", "v1", "Function"},
		{"pkg.crossplane.io", "v1beta1", "ImageConfig"},
		{"pkg.crossplane.io", "v1beta1", "DeploymentRuntimeConfig"},
		{"apiextensions.crossplane.io", "v1alpha1", "ManagedResourceActivationPolicy"},
		{"apiextensions.crossplane.io", "v1", "Composition"},
		{"apiextensions.crossplane.io", "v2", "CompositeResourceDefinition"},
		{"admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicyBinding"},
		{"admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicy"},
		{"", "v1", "Secret"},
	} {
		out = append(out, schema.GroupVersionKind{Group: k.group, Version: k.version, Kind: k.kind})
	}
	return out
}
