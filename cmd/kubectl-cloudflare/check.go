// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/reach"
)

const checkExample = `  # See which objects of a cluster are refused
  kubectl get cloudflare --all-namespaces -o json | kubectl cloudflare check -

  # See which manifests are refused
  kubectl cloudflare check deploy/*.yaml`

// stdin is the name of the standard input on the command line.
const stdin = "-"

func newCheck(c *connection, s streams) *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE...",
		Short: "List the objects that refer to other namespaces",
		Long: "List the objects that refer to other namespaces, with each field that does. The provider refuses them, unless it runs with " +
			"--allow-cross-namespace-references. A file has manifests in YAML or JSON; - is the standard input. The exit code is 1 if there is such an object.",
		Example: checkExample,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return check(args, cmd.InOrStdin(), c.namespace, s)
		},
	}
}

// check lists the objects in files that refer to other namespaces. An object without a namespace
// is in the given one.
func check(files []string, in io.Reader, namespace string, s streams) error {
	k := &checking{scheme: runtime.NewScheme(), namespace: namespace, out: s.out}
	if err := apis.AddToScheme(k.scheme); err != nil {
		return err
	}
	for _, path := range files {
		if err := k.file(path, in); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	fmt.Fprintf(s.err, "%d objects, %d refer to other namespaces\n", k.seen, k.refused)
	if k.refused > 0 {
		return errors.New("the provider refuses objects that refer to other namespaces, unless it runs with --allow-cross-namespace-references")
	}
	return nil
}

// A checking counts the objects of Cloudflare's kinds, and those of them that are refused.
type checking struct {
	scheme        *runtime.Scheme
	namespace     string
	out           io.Writer
	seen, refused int
}

func (k *checking) file(path string, in io.Reader) error {
	if path == stdin {
		return k.stream(in)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // It is only read.
	return k.stream(f)
}

// stream checks all manifests of a stream.
func (k *checking) stream(in io.Reader) error {
	manifests := yaml.NewYAMLOrJSONDecoder(in, 4096)
	for {
		u := &unstructured.Unstructured{}
		switch err := manifests.Decode(&u.Object); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("cannot read the manifests: %w", err)
		}
		if err := k.manifest(u); err != nil {
			return err
		}
	}
}

// manifest checks an object, or all objects of a list.
func (k *checking) manifest(u *unstructured.Unstructured) error {
	if u.IsList() {
		return u.EachListItem(k.object)
	}
	return k.object(u)
}

// object checks one object. It skips objects of other kinds.
func (k *checking) object(o runtime.Object) error {
	u, ok := o.(*unstructured.Unstructured)
	if !ok {
		return fmt.Errorf("%T is no object", o)
	}
	empty, err := k.scheme.New(u.GroupVersionKind())
	if runtime.IsNotRegisteredError(err) {
		return nil
	}
	typed, ok := empty.(client.Object)
	if err != nil || !ok {
		return err
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, typed); err != nil {
		return fmt.Errorf("cannot read the %s %s: %w", u.GetKind(), u.GetName(), err)
	}
	namespace := cmp.Or(u.GetNamespace(), k.namespace)
	found := reach.Outsides(typed, namespace)
	for _, f := range found {
		fmt.Fprintf(k.out, "%s %s/%s: %s names the namespace %s\n", u.GetKind(), namespace, u.GetName(), f.Field, f.Namespace)
	}
	k.seen++
	k.refused += min(len(found), 1)
	return nil
}
