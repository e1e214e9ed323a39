// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	tunnelv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/tunnel/v1alpha1"
	workersv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/workers/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// TestRivals checks that a document either belongs to one object as a whole or is shared. An object that has some of
// it decides which, and the older one if both have some. An object that has nothing blocks no other. The refused
// object says so and writes nothing.
func TestRivals(t *testing.T) {
	t.Parallel()
	const part, whole = "TunnelIngress", "TunnelConfiguration"
	now := time.Now()
	before, after := now.Add(-time.Hour), now.Add(time.Hour)
	observes := xpv2.ManagementPolicies{xpv2.ManagementActionObserve}
	for _, tc := range []struct {
		because     string
		kind, rival string
		is          rival
		// settled is true if the object has what it declares before the rival exists.
		settled bool
		refused bool
	}{
		{"the whole was there first, and has nothing", part, whole, rival{created: before}, false, false},
		{"a part was there first, and has nothing", whole, part, rival{created: before}, false, false},
		{"the whole came later", part, whole, rival{created: after}, false, false},
		{"as old, and its UID comes before", part, whole, rival{created: now, uid: "a", has: true}, true, true},
		{"as old, and its UID comes after", part, whole, rival{created: now, uid: "z", has: true}, true, false},
		{"the whole is only observed", part, whole, rival{created: before, policies: observes, has: true}, false, false},
		{"that is another tunnel", part, whole, rival{created: before, elsewhere: "/else", has: true}, false, false},
		{"the whole came later, and has it", part, whole, rival{created: after, has: true}, false, true},
		{"a part came later, and has it", whole, part, rival{created: after, has: true}, false, true},
		{"the whole was there first, and has it with another config", part, whole, rival{created: before, has: true, config: "other"}, false, true},
		{"the whole was there first, and turns to what the part has", part, whole, rival{created: before}, true, false},
		{"a part was there first, and turns to what the whole has", whole, part, rival{created: before}, true, false},
		{"both have it, and the whole was there first", part, whole, rival{created: before, has: true}, true, true},
		{"both have it, and the whole came later", part, whole, rival{created: after, has: true}, true, false},
	} {
		t.Run(tc.kind+" "+tc.because, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, entryOf(t, tc.kind))
			mg := s.read(s.kind, s.key)
			mg.SetCreationTimestamp(metav1.NewTime(now))
			must(t, s.server.Update(t.Context(), mg))
			if tc.settled {
				s.settle(s.kind, s.key)
			}
			s.addRival(tc.rival, tc.is)
			for range 3 {
				s.reconcile(s.kind, s.key)
				if tc.refused && slices.ContainsFunc(s.log, asked.writes) {
					t.Errorf("%s, and it is written: %v", tc.because, s.log)
				}
			}
			said := s.read(s.kind, s.key).GetCondition(xpv2.TypeSynced)
			if refused := strings.Contains(said.Message, "the "+tc.rival+" default/rival works on the same document"); refused != tc.refused || said.Status == "True" == tc.refused {
				t.Errorf("%s, and the object says %v", tc.because, said)
			}
		})
	}
}

// TestDocumentInAnotherSpelling checks that objects that name one tunnel in two spellings work on one document.
func TestDocumentInAnotherSpelling(t *testing.T) {
	t.Parallel()
	part, whole := entryOf(t, "TunnelIngress").Description, entryOf(t, "TunnelConfiguration").Description
	key := func(d kind.Description, tunnel string) string {
		return d.Group + " " + d.Name + " /accounts/a/cfd_tunnel/" + tunnel + "/configurations"
	}
	const one, spelled, other = "f70ff985-a4ef-4643-bbbc-4a0ed4fc8415", "F70FF985A4EF4643BBBC4A0ED4FC8415", "a70ff985-a4ef-4643-bbbc-4a0ed4fc8415"
	ours := document(part, key(part, one), nil)
	if theirs := document(whole, key(whole, spelled), nil); ours == "" || theirs != ours {
		t.Errorf("the documents are %q and %q", ours, theirs)
	}
	if theirs := document(whole, key(whole, other), nil); theirs == ours {
		t.Errorf("two tunnels have the document %q", ours)
	}
}

// A rival is another object that works on the same document, once its place is known.
type rival struct {
	created  time.Time
	uid      types.UID
	policies xpv2.ManagementPolicies
	// elsewhere is the rest of the path of another document.
	elsewhere string
	// has is true if its status says that it has a resource.
	has bool
	// config is its provider config, "" for that of the object.
	config string
	// declares changes its spec.
	declares func(Object)
}

// addRival adds an object of that kind.
func (s *stage) addRival(name string, is rival) {
	s.t.Helper()
	e := entryOf(s.t, name)
	o := e.New()
	o.SetName("rival")
	o.SetNamespace("default")
	o.SetUID(cmp.Or(is.uid, "x"))
	o.SetCreationTimestamp(metav1.NewTime(is.created))
	o.SetManagementPolicies(xpv2.ManagementPolicies{xpv2.ManagementActionAll})
	if is.policies != nil {
		o.SetManagementPolicies(is.policies)
	}
	ref := s.read(s.kind, s.key).GetProviderConfigReference()
	o.SetProviderConfigReference(&xpv2.ProviderConfigReference{Kind: ref.Kind, Name: cmp.Or(is.config, ref.Name)})
	if is.declares != nil {
		is.declares(o)
	}
	path := strings.TrimPrefix(cmp.Or(e.Description.List, e.Description.Read), "GET ")
	for from, to := range s.places() {
		path = strings.ReplaceAll(path, from, to)
	}
	o.GetSync().Parent = e.Description.Group + " " + name + " " + path + is.elsewhere
	status := o.GetSync().DeepCopy()
	must(s.t, s.server.Create(s.t.Context(), o))
	*o.GetSync() = *status
	if is.has {
		reflect.ValueOf(o.GetAtProvider()).Elem().FieldByName(fieldID).SetString("theirs")
		o.SetOwnership(claim.Own)
	}
	must(s.t, s.server.Status().Update(s.t.Context(), o))
}

// places returns the parameters of the paths below the example's tunnel or Worker.
func (s *stage) places() map[string]string {
	s.t.Helper()
	out := map[string]string{"{account_id}": s.session.AccountID, "{script_name}": "example-greeter"}
	l := &tunnelv1alpha1.TunnelList{}
	must(s.t, s.server.List(s.t.Context(), l))
	if len(l.Items) > 0 {
		out["{tunnel_id}"] = meta.GetExternalName(&l.Items[0])
	}
	return out
}

// TestBindingsOfAWorker checks a binding of a WorkerScript that may be a WorkerSecret, too. It belongs to the object
// that has it. The other object says so, and neither writes nor deletes it.
func TestBindingsOfAWorker(t *testing.T) {
	t.Parallel()
	const says = " declares NAME, too"
	now := time.Now()
	secret := func(o Object) {
		if w, ok := o.(*workersv1alpha1.WorkerSecret); ok {
			w.Spec.ForProvider.Name = ptr.To("NAME")
		}
	}
	for _, tc := range []struct {
		because string
		is      rival
		refused bool
	}{
		{"a secret of that name has it", rival{has: true, declares: secret}, true},
		{"a secret of that name was there first, and has nothing", rival{created: now.Add(-time.Hour), declares: secret}, false},
		{"the secret has another name", rival{has: true}, false},
		{"the secret is another Worker's", rival{has: true, declares: secret, elsewhere: "/else"}, false},
	} {
		t.Run("script/"+tc.because, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, entryOf(t, "WorkerScript"))
			mg := s.read(s.kind, s.key)
			mg.SetCreationTimestamp(metav1.NewTime(now))
			must(t, s.server.Update(t.Context(), mg))
			s.addRival("WorkerSecret", tc.is)
			wrote := false
			for range 4 {
				s.reconcile(s.kind, s.key)
				wrote = wrote || slices.ContainsFunc(s.log, asked.writes)
			}
			said := s.read(s.kind, s.key).GetCondition(xpv2.TypeSynced)
			if refused := strings.Contains(said.Message, "the WorkerSecret default/rival"+says); refused != tc.refused || wrote == tc.refused {
				t.Errorf("%s: it writes: %t, and says %v", tc.because, wrote, said)
			}
		})
	}
	for reason, has := range map[string]bool{"new": false, "it was there before the binding": true} {
		t.Run("secret/"+reason, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, entryOf(t, "WorkerSecret"))
			if has {
				s.settle(s.kind, s.key)
				mg := s.read(s.kind, s.key)
				mg.SetCreationTimestamp(metav1.NewTime(now))
				must(t, s.server.Update(t.Context(), mg))
				s.declareBinding("API_TOKEN")
			} else {
				s.declare("Name", "NAME")
			}
			for range 4 {
				s.reconcile(s.kind, s.key)
				if i := slices.IndexFunc(s.log, asked.writes); i >= 0 {
					t.Errorf("%s is sent", s.log[i].what)
				}
			}
			if said := s.read(s.kind, s.key).GetCondition(xpv2.TypeSynced); said.Status != "False" || !strings.Contains(said.Message, "the WorkerScript default/example-greeter declares ") {
				t.Errorf("it says %v", said)
			}
			s.delete()
			s.goesAlone()
		})
	}
}

// declareBinding makes the example's Worker, which was there first, declare a secret.
func (s *stage) declareBinding(name string) {
	s.t.Helper()
	w, ok := s.read("WorkerScript", client.ObjectKey{Namespace: "default", Name: "example-greeter"}).(*workersv1alpha1.WorkerScript)
	if !ok {
		s.t.Fatal("there is no Worker")
	}
	w.SetCreationTimestamp(metav1.NewTime(time.Now().Add(-time.Hour)))
	w.Spec.ForProvider.Bindings = append(w.Spec.ForProvider.Bindings, workersv1alpha1.WorkerScriptBindings{Name: ptr.To(name), Type: ptr.To("secret_text")})
	must(s.t, s.server.Update(s.t.Context(), w))
}
