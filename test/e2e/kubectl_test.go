// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/provider-cloudflare/provider-cloudflare/test/rig"
)

// patience is the most time that a step may take. It is much longer than usual, because the
// machine may be busy.
const patience = 3 * time.Minute

// run runs a prepared program as a user of the cluster and returns its output.
func (c *cluster) run(name string, args ...string) (string, error) {
	return c.runWith(nil, name, args...)
}

func (c *cluster) runWith(stdin []byte, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(c.ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, tool(name), args...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+c.kubeconfig, "HOME="+c.dir)
	cmd.Stdin = bytes.NewReader(stdin)
	var out, fault bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &fault
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, &fault)
	}
	return out.String(), nil
}

// kubectl runs a command that has to succeed, and logs it.
func (c *cluster) kubectl(args ...string) string {
	c.t.Helper()
	out, err := c.run("kubectl", args...)
	c.must(err)
	c.t.Logf("$ kubectl %s\n%s", strings.Join(args, " "), out)
	return out
}

// apply applies objects, as a user does, and logs their names.
func (c *cluster) apply(objects ...map[string]any) {
	c.t.Helper()
	var docs [][]byte
	for _, o := range objects {
		doc, err := yaml.Marshal(o)
		c.must(err)
		docs = append(docs, doc)
	}
	out, err := c.runWith(bytes.Join(docs, []byte("---\n")), "kubectl", "apply", "-f", "-")
	c.must(err)
	c.t.Logf("$ kubectl apply -f -\n%s", out)
}

// eventually waits until f returns nil.
func (c *cluster) eventually(f func() error) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.ctx, patience)
	defer cancel()
	if err := rig.Until(ctx, 200*time.Millisecond, func(context.Context) error { return f() }); err != nil {
		c.t.Fatal(err)
	}
}

// object reads an object.
func (c *cluster) object(gvk schema.GroupVersionKind, namespace, name string) (*unstructured.Unstructured, error) {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(gvk)
	err := c.kube.Get(c.ctx, client.ObjectKey{Namespace: namespace, Name: name}, u)
	return u, err
}

// list reads all objects of a kind.
func (c *cluster) list(gvk schema.GroupVersionKind, opts ...client.ListOption) ([]unstructured.Unstructured, error) {
	l := &unstructured.UnstructuredList{}
	l.SetGroupVersionKind(gvk.GroupVersion().WithKind(gvk.Kind + "List"))
	err := c.kube.List(c.ctx, l, opts...)
	return l.Items, err
}

// field returns a field of an object as text, "" if it does not exist.
func field(u *unstructured.Unstructured, path ...string) string {
	v, _, _ := unstructured.NestedFieldNoCopy(u.Object, path...)
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// condition returns the status of a condition, and its reason and message.
func condition(u *unstructured.Unstructured, kind string) (status, says string) {
	all, _, _ := unstructured.NestedSlice(u.Object, "status", "conditions")
	for _, a := range all {
		if m, ok := a.(map[string]any); ok && m["type"] == kind {
			return fmt.Sprint(m["status"]), fmt.Sprint(m["reason"], ": ", m["message"])
		}
	}
	return "missing", ""
}

// has returns an error unless all these conditions of an object are True.
func has(u *unstructured.Unstructured, kinds ...string) error {
	for _, k := range kinds {
		if status, says := condition(u, k); status != "True" {
			return fmt.Errorf("%s %s: %s is %s (%s)", u.GetKind(), u.GetName(), k, status, says)
		}
	}
	return nil
}
