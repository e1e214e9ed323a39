// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

const (
	zoneName      = "example.com"
	driftInterval = 5 * time.Second
	namespace     = "default"
)

// manifests of the demo, from the examples.
func manifests() []string {
	files := []string{"providerconfig/providerconfig.yaml", "zone/zone.yaml"}
	for _, r := range []string{"a", "txt", "mx", "srv", "caa", "cname"} {
		files = append(files, "record/"+r+".yaml")
	}
	for i, f := range files {
		files[i] = filepath.Join("examples", f)
	}
	return files
}

func (s *stage) setUp() []step {
	return []step{
		{"A Kubernetes API server", s.startControlPlane},
		{"A simulated Cloudflare", s.startSimulator},
		{"The provider", s.startProvider},
		{"A credential, a zone that exists already, and six DNS records", s.apply},
		{"Everything is Ready", s.ready},
	}
}

func (s *stage) lifecycle() []step {
	return []step{
		{"Someone edits the A record in the dashboard", s.drift},
		{"kubectl delete deletes the DNS record", s.deleteOne},
		{"deletionPolicy: Orphan keeps it", s.orphanOne},
	}
}

// kubectl runs kubectl and shows the command and what it says.
func (s *stage) kubectl(ctx context.Context, args ...string) error {
	s.say("$ kubectl %s\n", typed(args))
	cmd := exec.CommandContext(ctx, filepath.Join(s.assets, "kubectl"), args...) //nolint:gosec // Our own arguments.
	cmd.Env = append(os.Environ(), "KUBECONFIG="+s.kubeconfig)
	cmd.Stdout, cmd.Stderr = s.out, s.out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("kubectl %s: %w", args[0], err)
	}
	return nil
}

// typed gives arguments as one types them into a shell.
func typed(args []string) string {
	out := make([]string, len(args))
	for i, a := range args {
		if out[i] = a; strings.ContainsAny(a, " {}\"$") {
			out[i] = "'" + a + "'"
		}
	}
	return strings.Join(out, " ")
}

func (s *stage) apply(ctx context.Context) error {
	token := filepath.Join(s.dir, "token")
	if err := os.WriteFile(token, []byte(s.sim.Tokens[0]), 0o600); err != nil {
		return fmt.Errorf("cannot write the token: %w", err)
	}
	if err := s.kubectl(ctx, "create", "secret", "generic", "cloudflare", "--from-file=token="+token); err != nil {
		return err
	}
	args := []string{"apply"}
	for _, f := range manifests() {
		args = append(args, "-f", f)
	}
	return s.kubectl(ctx, args...)
}

func (s *stage) ready(ctx context.Context) error {
	for _, kinds := range []string{"providerconfig", "zones,records"} {
		if err := s.kubectl(ctx, "wait", kinds, "--all", "--for=condition=Ready", "--timeout=50s"); err != nil {
			return err
		}
	}
	return s.kubectl(ctx, "get", "managed", "-o", "wide")
}

// record reads a Record.
func (s *stage) record(ctx context.Context, name string) (*dnsv1alpha1.Record, error) {
	r := &dnsv1alpha1.Record{}
	if err := s.kube.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, r); err != nil {
		return nil, fmt.Errorf("cannot get the Record %s: %w", name, err)
	}
	return r, nil
}

// drift changes the live A record and shows how the object tells and undoes it.
func (s *stage) drift(ctx context.Context) error {
	r, err := s.record(ctx, "example-a")
	if err != nil {
		return err
	}
	l := &dnsv1alpha1.RecordList{}
	w, err := s.kube.Watch(ctx, l, client.InNamespace(namespace), client.MatchingFields{"metadata.name": r.Name})
	if err != nil {
		return fmt.Errorf("cannot watch the Record: %w", err)
	}
	defer w.Stop()
	live, err := s.liveRecord(ctx, meta.GetExternalName(r))
	if err != nil {
		return err
	}
	s.say("In the dashboard: the content of %s becomes 203.0.113.66 (it was %s)\n", live.Name, live.Content)
	if err := s.sim.Edit(ctx, zoneName, live.ID, map[string]any{"content": "203.0.113.66"}); err != nil {
		return err
	}
	began, drifted := time.Now(), false
	for e := range w.ResultChan() {
		r, ok := e.Object.(*dnsv1alpha1.Record)
		if !ok {
			continue
		}
		c := r.GetCondition(xpv2.TypeUpToDate)
		switch {
		case c.Status == corev1.ConditionFalse && !drifted:
			drifted = true
			s.say("after %4.1fs  UpToDate=%s  %s  %s\n", time.Since(began).Seconds(), c.Status, c.Reason, c.Message)
		case c.Status == corev1.ConditionTrue && drifted:
			s.say("after %4.1fs  UpToDate=%s   %s\n", time.Since(began).Seconds(), c.Status, c.Reason)
			return s.reverted(ctx, live)
		}
	}
	return fmt.Errorf("the drift was not undone: %w", context.Cause(ctx))
}

func (s *stage) reverted(ctx context.Context, was liveRecord) error {
	is, err := s.liveRecord(ctx, was.ID)
	if err != nil {
		return err
	}
	if is.Content != was.Content {
		return fmt.Errorf("the live content is %s, want %s", is.Content, was.Content)
	}
	s.say("At Cloudflare the content of %s is %s again\n", is.Name, is.Content)
	return nil
}

func (s *stage) deleteOne(ctx context.Context) error {
	r, err := s.record(ctx, "example-mx")
	if err != nil {
		return err
	}
	if err := s.kubectl(ctx, "delete", "record", r.Name); err != nil {
		return err
	}
	if is, err := s.exists(ctx, meta.GetExternalName(r)); err != nil || is {
		return fmt.Errorf("the DNS record should be gone from Cloudflare: exists: %t, error: %w", is, err)
	}
	s.say("At Cloudflare the MX record is gone\n")
	return nil
}

func (s *stage) orphanOne(ctx context.Context) error {
	r, err := s.record(ctx, "example-txt")
	if err != nil {
		return err
	}
	if err := s.kubectl(ctx, "patch", "record", r.Name, "--type=merge", "-p", `{"spec":{"deletionPolicy":"Orphan"}}`); err != nil {
		return err
	}
	if err := s.kubectl(ctx, "delete", "record", r.Name); err != nil {
		return err
	}
	live, err := s.liveRecord(ctx, meta.GetExternalName(r))
	if err != nil {
		return err
	}
	s.say("At Cloudflare the TXT record is still there: %s\n", live.Content)
	return nil
}

// summary shows what it took.
func (s *stage) summary() error {
	ctx, cancel := context.WithTimeout(context.Background(), stepTimeout)
	defer cancel()
	calls, err := s.calls(ctx)
	if err != nil {
		return err
	}
	s.say("\n=== Summary\n")
	for _, p := range s.steps {
		s.say("ok  %5.1fs  %s\n", p.took.Seconds(), p.title)
	}
	total := 0
	var lines []string
	for call, n := range calls {
		total += n
		lines = append(lines, fmt.Sprintf("%4d  %s\n", n, call))
	}
	slices.Sort(lines)
	s.say("\nThe provider made %d calls to the Cloudflare API:\n%s", total, strings.Join(lines, ""))
	return nil
}
