// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
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

// kubectl runs the step's next command, and prints it with its output.
func (s *stage) kubectl(ctx context.Context) error {
	if len(s.next) == 0 {
		return errors.New("the step runs more commands than it declares")
	}
	args := s.next[0]
	s.next = s.next[1:]
	s.say("%s%s\n", prompt, typed(args))
	cmd := exec.CommandContext(ctx, filepath.Join(s.assets, "kubectl")) //nolint:gosec // Our own arguments.
	for _, a := range args {
		cmd.Args = append(cmd.Args, strings.ReplaceAll(a, folder, s.dir))
	}
	cmd.Env = append(os.Environ(), "KUBECONFIG="+s.kubeconfig)
	cmd.Stdout, cmd.Stderr = s.out, s.out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("kubectl %s: %w", args[0], err)
	}
	return nil
}

func (s *stage) apply(ctx context.Context) error {
	if err := os.WriteFile(filepath.Join(s.dir, "token"), []byte(s.sim.Tokens[0]), 0o600); err != nil {
		return fmt.Errorf("cannot write the token: %w", err)
	}
	s.say("The token of the simulated account is in %s/token\n", folder)
	return s.runAll(ctx)
}

// record reads a Record.
func (s *stage) record(ctx context.Context, name string) (*dnsv1alpha1.Record, error) {
	r := &dnsv1alpha1.Record{}
	if err := s.kube.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, r); err != nil {
		return nil, fmt.Errorf("cannot get the Record %s: %w", name, err)
	}
	return r, nil
}

// drift changes the live A record, and shows how the object reports and reverts it.
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
	if err := s.kubectl(ctx); err != nil {
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
	if err := s.runAll(ctx); err != nil {
		return err
	}
	live, err := s.liveRecord(ctx, meta.GetExternalName(r))
	if err != nil {
		return err
	}
	s.say("At Cloudflare the TXT record is still there: %s\n", live.Content)
	return nil
}

// summary prints the time of each step, and the number of API calls.
func (s *stage) summary() error {
	ctx, cancel := context.WithTimeout(context.Background(), stepTimeout)
	defer cancel()
	calls, err := s.calls(ctx)
	if err != nil {
		return err
	}
	s.say("\n%sSummary\n", titleMark)
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
