// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package lifecycle

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/connect"
)

// many is the number of Records in a namespace.
const many = 20

// TestNamespaceIsDeleted deletes namespaces with all their objects. The deletion
// of each ends without help, and leaves at Cloudflare what it should.
func TestNamespaceIsDeleted(t *testing.T) {
	t.Parallel()
	none := func(*world) {}
	deleted := func(os ...func(*world) client.Object) func(*world) {
		return func(w *world) {
			for _, o := range os {
				w.delete(o(w))
			}
		}
	}
	secret := func(w *world) client.Object { return w.secret(w.ns) }
	config := func(w *world) client.Object { return w.config() }
	cases := map[string]struct {
		reason string
		opts   []recordOption
		// ready is true if the objects are Ready before the deletion.
		ready bool
		first func(*world)
		left  int
	}{
		"Delete":                {"the records go with the objects", nil, true, none, 0},
		"Orphan":                {"the records stay", []recordOption{orphan}, true, none, many},
		"OrphanByPolicies":      {"without Delete the records stay", []recordOption{policies("Observe", "Create", "Update")}, true, none, many},
		"WhileCreating":         {"what is created at that moment goes as well", nil, false, none, 0},
		"SecretFirst":           {"the credential is known", nil, true, deleted(secret), 0},
		"ConfigFirst":           {"the config waits for its users", nil, true, deleted(config), 0},
		"SecretAndConfigFirst":  {"both", nil, true, deleted(secret, config), 0},
		"SecretFirstAndOrphans": {"nothing is asked of Cloudflare", []recordOption{orphan}, true, deleted(secret, config), many},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			z := w.zoneObject()
			z.Spec.DeletionPolicy = xpv2.DeletionOrphan
			w.create(z)
			rs := w.records(many, tc.opts...)
			if tc.ready {
				w.settled(z)
				for _, r := range rs {
					w.settled(r)
				}
			}
			tc.first(w)
			w.delete(w.namespaceObject())
			w.gone(w.namespaceObject())
			w.count(tc.left)
			if !w.zoneExists() {
				t.Errorf("%s: the zone is gone", tc.reason)
			}
		})
	}
}

// TestNamespaceIsDeletedInTheMiddle deletes namespaces at different moments of the
// creation of their objects.
func TestNamespaceIsDeletedInTheMiddle(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 7, 15} {
		t.Run(fmt.Sprintf("After%d", n), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.records(many)
			w.eventually(func() error {
				if got := len(w.sim.Records(w.zone.ID)); got < n {
					return fmt.Errorf("there are %d records", got)
				}
				return nil
			})
			w.delete(w.namespaceObject())
			w.gone(w.namespaceObject())
			w.count(0)
		})
	}
}

// TestNamespaceIsDeletedWithItsZone deletes a zone and its records at once.
func TestNamespaceIsDeletedWithItsZone(t *testing.T) {
	t.Parallel()
	t.Run("Delete", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		z := w.zoneObject()
		z.Spec.DeletionPolicy = xpv2.DeletionDelete
		w.create(z)
		w.settled(z)
		for _, r := range w.records(many) {
			w.settled(r)
		}
		w.delete(w.namespaceObject())
		w.gone(w.namespaceObject())
		if w.zoneExists() {
			t.Error("the zone is still there")
		}
	})
	t.Run("Default", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		z := w.zoneObject()
		w.create(z)
		w.settled(z)
		for _, r := range w.records(3) {
			w.settled(r)
		}
		w.delete(w.namespaceObject())
		w.gone(w.namespaceObject())
		w.count(0)
		if !w.zoneExists() {
			t.Error("the zone was deleted without consent")
		}
	})
}

// secretIsGone waits until the namespace controller has removed the Secret.
func (w *world) secretIsGone() {
	w.t.Helper()
	w.gone(w.secret(w.ns))
}

// shell runs a kubectl command that a message names.
func (w *world) shell(command string) {
	w.t.Helper()
	if !strings.HasPrefix(command, "kubectl ") {
		w.t.Fatalf("%q is no command of kubectl", command)
	}
	cmd := exec.CommandContext(w.t.Context(), "sh", "-c", command)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+w.kubeconfig, "PATH="+os.Getenv("KUBEBUILDER_ASSETS")+":"+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("%s: %v: %s", command, err, out)
	}
}

// TestNamespaceIsDeletedWhileTheProviderIsDown starts the provider after the
// Secret is gone, when nothing can be created in the namespace. It is not
// parallel.
func TestNamespaceIsDeletedWhileTheProviderIsDown(t *testing.T) {
	w := newWorld(t)
	other := w.namespace()
	rs := []client.Object{w.made("kept"), w.made("removed")}
	kept, removed := w.record("kept"), w.record("removed")
	fresh := w.record("fresh")
	w.without(t, func() {
		w.create(fresh) // It has no resource at Cloudflare.
		w.delete(w.namespaceObject())
		w.secretIsGone()
	})
	w.gone(fresh)
	var frees string
	for _, r := range []conditioned{removed, kept} {
		w.says(r, xpv2.TypeSynced, "cannot read the credentials Secret "+w.ns+"/cloudflare", "not found",
			"ClusterProviderConfig", "spec.providerConfigRef", "spec.deletionPolicy Orphan")
		_, frees, _ = strings.Cut(w.says(r, xpv2.TypeReady, "deletion waits for a credential", "Secret "+w.ns+"/cloudflare"), "run: ")
		if c := r.GetCondition(xpv2.TypeReady); c.Reason != connect.ReasonDeletionBlocked {
			t.Errorf("the reason is %s", c.Reason)
		}
	}
	w.says(w.config(), xpv2.TypeReady, "deletion waits for 2 managed resources", w.ns+"/")
	if err := w.kube.Create(t.Context(), w.secret(w.ns)); err == nil {
		t.Fatal("a Secret can be created in a namespace that is being deleted")
	}
	w.count(len(rs))

	w.shell(frees)
	w.gone(kept)
	w.create(w.secret(other))
	pc := w.clusterConfig(other)
	w.create(pc)
	w.patch(removed, fmt.Sprintf(`{"spec":{"providerConfigRef":{"kind":%q,"name":%q}}}`, cfv1alpha1.ClusterProviderConfigKind, pc.Name))
	w.gone(removed, w.namespaceObject())
	if got := w.live(); len(got) != 1 || got[0].Name != "kept."+w.zone.Name {
		t.Errorf("the live records are %+v, want the one that was kept", got)
	}
	w.delete(pc)
	w.gone(pc)
}
