// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package apiserver_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/provider-cloudflare/provider-cloudflare/test/apiserver"
	"github.com/provider-cloudflare/provider-cloudflare/test/harness"
)

func load(t *testing.T) *apiserver.Definitions {
	t.Helper()
	d, err := apiserver.Load(harness.Kinds())
	if err != nil {
		t.Fatal(err)
	}
	return d.Of(func(k schema.GroupKind) bool { return k.Kind == "Tunnel" || k.Kind == "ProviderConfig" })
}

const (
	tunnels = "/apis/tunnel.cloudflare.m.crossplane.io/v1alpha1/namespaces/default/tunnels"
	one     = tunnels + "/one"
	maps    = "/api/v1/namespaces/default/configmaps"

	merge = "application/merge-patch+json"
	jsonP = "application/json-patch+json"
)

// A step is a request. In its body, VERSION stands for the resource version of the object in the previous
// answer, and UID for its UID.
type step struct {
	reason, method, path, body string
	patch                      string
}

func tunnelBody(name, spec, more string) string {
	return `{"apiVersion":"tunnel.cloudflare.m.crossplane.io/v1alpha1","kind":"Tunnel","metadata":{"name":"` + name + `"` + more + `},"spec":` + spec + `}`
}

func steps() []step {
	spec := `{"forProvider":{"name":"one","configSrc":"cloudflare"}}`
	return []step{
		{"a kind that is not there", http.MethodGet, "/apis/tunnel.cloudflare.m.crossplane.io/v1alpha1/namespaces/default/nothing", "", ""},
		{"an object that is not there", http.MethodGet, one, "", ""},
		{"a value that an enum does not have", http.MethodPost, tunnels, tunnelBody("one", `{"forProvider":{"name":"one","configSrc":"nowhere"}}`, ""), ""},
		{"a value of another type", http.MethodPost, tunnels, tunnelBody("one", `{"forProvider":{"name":7}}`, ""), ""},
		{"a validation rule that is broken", http.MethodPost, tunnels, tunnelBody("one", `{"forProvider":{"configSrc":"cloudflare"},"managementPolicies":["Create"]}`, ""), ""},
		{"a bad name", http.MethodPost, tunnels, tunnelBody("One_", spec, ""), ""},
		{"a bad label", http.MethodPost, tunnels, tunnelBody("one", spec, `,"labels":{"a b":"c"}`), ""},
		{"another namespace than the path's", http.MethodPost, tunnels, tunnelBody("one", spec, `,"namespace":"other"`), ""},
		{"a namespace that is not there", http.MethodPost, strings.Replace(tunnels, "default", "nowhere", 1), tunnelBody("one", spec, ""), ""},
		{"a dry run", http.MethodPost, tunnels + "?dryRun=All", tunnelBody("one", spec, ""), ""},
		{"which leaves nothing", http.MethodGet, one, "", ""},
		{"a creation with a status, unknown fields and a generation", http.MethodPost, tunnels, tunnelBody("one", `{"forProvider":{"name":"one","unknown":1}},"status":{"sync":{"parent":"x"}},"other":{"a":1}`[:0]+spec, `,"generation":9,"finalizers":["a.example/b"]`), ""},
		{"a second creation", http.MethodPost, tunnels, tunnelBody("one", spec, ""), ""},
		{"it is there", http.MethodGet, one, "", ""},
		{"an update without a version", http.MethodPut, one, tunnelBody("one", spec, ""), ""},
		{"it is there", http.MethodGet, one, "", ""},
		{"an update with an older version", http.MethodPut, one, tunnelBody("one", spec, `,"resourceVersion":"1"`), ""},
		{"it is there", http.MethodGet, one, "", ""},
		{"an update of another object", http.MethodPut, one, tunnelBody("one", spec, `,"resourceVersion":"VERSION","uid":"b37e1ba8-3a5d-4a6b-8d5a-0d9a3f6b9a11"`), ""},
		{"it is there", http.MethodGet, one, "", ""},
		{"an update of the spec raises the generation", http.MethodPut, one, tunnelBody("one", `{"forProvider":{"name":"two"}}`, `,"resourceVersion":"VERSION","finalizers":["a.example/b"]`), ""},
		{"one of the metadata does not", http.MethodPut, one, tunnelBody("one", `{"forProvider":{"name":"two"}}`, `,"resourceVersion":"VERSION","finalizers":["a.example/b"],"labels":{"a":"b"}`), ""},
		{"one that changes nothing keeps the version", http.MethodPut, one, tunnelBody("one", `{"forProvider":{"name":"two"}}`, `,"resourceVersion":"VERSION","finalizers":["a.example/b"],"labels":{"a":"b"}`), ""},
		{"one of the whole does not change the status", http.MethodPatch, one, `{"status":{"sync":{"parent":"x"}}}`, merge},
		{"one of the status changes nothing else", http.MethodPatch, one + "/status", `{"metadata":{"labels":{"c":"d"}},"spec":{"forProvider":{"name":"three"}},"status":{"sync":{"parent":"x"}}}`, merge},
		{"a bad status", http.MethodPatch, one + "/status", `{"status":{"conditions":[{"type":7}]}}`, merge},
		{"a patch with an older version", http.MethodPatch, one, `{"metadata":{"resourceVersion":"1","labels":{"e":"f"}}}`, merge},
		{"a JSON patch", http.MethodPatch, one, `[{"op":"add","path":"/metadata/labels/g","value":"h"}]`, jsonP},
		{"a JSON patch whose test fails", http.MethodPatch, one, `[{"op":"test","path":"/metadata/labels/g","value":"i"}]`, jsonP},
		{"a patch that breaks a rule", http.MethodPatch, one, `{"spec":{"forProvider":{"configSrc":"nowhere"}}}`, merge},
		{"a patch that changes the name", http.MethodPatch, one, `{"metadata":{"name":"two"}}`, merge},
		{"a patch of what is not there", http.MethodPatch, tunnels + "/none", `{"metadata":{"labels":{"e":"f"}}}`, merge},
		{"the list by a label", http.MethodGet, tunnels + "?labelSelector=g%3Dh", "", ""},
		{"the list by another one", http.MethodGet, tunnels + "?labelSelector=g%3Dx", "", ""},
		{"the list by a name", http.MethodGet, tunnels + "?fieldSelector=metadata.name%3Done", "", ""},
		{"a deletion of another object", http.MethodDelete, one, `{"preconditions":{"uid":"b37e1ba8-3a5d-4a6b-8d5a-0d9a3f6b9a11"}}`, ""},
		{"a deletion marks what has a finalizer", http.MethodDelete, one, "", ""},
		{"a second one changes nothing", http.MethodDelete, one, "", ""},
		{"no finalizer is added", http.MethodPatch, one, `{"metadata":{"finalizers":["a.example/b","a.example/c"]}}`, merge},
		{"the last one goes, and the object with it", http.MethodPatch, one, `{"metadata":{"finalizers":null}}`, merge},
		{"it is gone", http.MethodGet, one, "", ""},
		{"a deletion of what is gone", http.MethodDelete, one, "", ""},
		{"a creation without finalizers", http.MethodPost, tunnels, tunnelBody("one", spec, ""), ""},
		{"goes at once", http.MethodDelete, one, "", ""},
		{"a built-in object", http.MethodPost, maps, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},"data":{"a":"b"},"unknown":1}`, ""},
		{"is updated without a version", http.MethodPut, maps + "/m", `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},"data":{"a":"c"}}`, ""},
		{"has no status", http.MethodGet, maps + "/m/status", "", ""},
		{"a strategic patch", http.MethodPatch, maps + "/m", `{"data":{"d":"e"}}`, "application/strategic-merge-patch+json"},
		{"a Secret is encoded", http.MethodPost, "/api/v1/namespaces/default/secrets", `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"stringData":{"a":"b"}}`, ""},
		{"a body that is none", http.MethodPost, maps, `{"apiVersion"`, ""},
		{"another kind than the path's", http.MethodPost, maps, `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"x"}}`, ""},
		{"a method that a list does not have", http.MethodPut, maps, `{}`, ""},
	}
}

// TestLikeTheRealOne sends the same requests to the real API server and to this one. Status codes, reasons,
// the invalid fields and objects are the same.
func TestLikeTheRealOne(t *testing.T) {
	env := &envtest.Environment{CRDDirectoryPaths: []string{harness.Kinds()}, ErrorIfCRDPathMissing: true}
	cfg, end, err := harness.StartAPIServer(env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := end(); err != nil {
			t.Error(err)
		}
	})
	s, err := apiserver.New(load(t))
	if err != nil {
		t.Fatal(err)
	}
	theirs, ours := newCaller(t, cfg), newCaller(t, s.Config())
	served := step{method: http.MethodGet, path: tunnels}
	harness.Eventually(t, time.Minute, func() error {
		if code := theirs.call(t, served)["code"]; code != http.StatusOK {
			return fmt.Errorf("tunnels are not served yet: %v", code)
		}
		return nil
	})
	for _, st := range steps() {
		want, got := theirs.call(t, st), ours.call(t, st)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s %s (-real +in memory):\n%s", st.reason, st.method, st.path, diff)
		}
	}
}

// A caller makes requests one after the other.
type caller struct {
	http         *http.Client
	host         string
	version, uid string
}

func newCaller(t *testing.T, cfg *rest.Config) *caller {
	t.Helper()
	c, err := rest.HTTPClientFor(cfg)
	if err != nil {
		t.Fatal(err)
	}
	host := strings.TrimSuffix(cfg.Host, "/")
	if !strings.Contains(host, "://") {
		host = "https://" + host
	}
	return &caller{http: c, host: host}
}

// call returns the answer to a step, in a form in which the answers of two servers can be compared.
func (c *caller) call(t *testing.T, s step) map[string]any {
	t.Helper()
	body := strings.NewReplacer("VERSION", c.version, "UID", c.uid).Replace(s.body)
	req, err := http.NewRequestWithContext(t.Context(), s.method, c.host+s.path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Content-Type", "application/json")
	if s.patch != "" {
		req.Header.Set("Content-Type", s.patch)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]any{}
	if err := json.Unmarshal(raw, &out); err != nil {
		out["kind"], out["status"], out["reason"] = "Status", metav1.StatusFailure, metav1.StatusReasonNotFound // Its message is in no object.
	}
	m, _ := out["metadata"].(map[string]any)
	was := c.version
	if s.method == http.MethodPost {
		was = "" // The version before is that of another object.
	}
	if v, _ := m["resourceVersion"].(string); v != "" {
		c.version = v
	}
	if v, _ := m["uid"].(string); v != "" {
		c.uid = v
	}
	is := inCommon(out, was)
	is["code"] = resp.StatusCode
	return is
}

// inCommon returns an answer without the parts that differ between two servers.
func inCommon(out map[string]any, before string) map[string]any {
	if out["kind"] == "Status" {
		return statusInCommon(out)
	}
	if items, ok := out["items"].([]any); ok {
		for i, item := range items {
			if o, ok := item.(map[string]any); ok {
				items[i] = inCommon(o, "")
			}
		}
		delete(out, "metadata")
		return out
	}
	if m, ok := out["metadata"].(map[string]any); ok {
		m["changed"] = before != "" && m["resourceVersion"] != before
		for _, of := range []string{"uid", "resourceVersion", "creationTimestamp", "deletionTimestamp"} {
			if _, ok := m[of]; ok {
				m[of] = "set"
			}
		}
		delete(m, "managedFields")
	}
	return out
}

func statusInCommon(out map[string]any) map[string]any {
	is := map[string]any{"status": out["status"], "reason": fmt.Sprint(out["reason"])}
	details, _ := out["details"].(map[string]any)
	causes, _ := details["causes"].([]any)
	var all []string
	for _, c := range causes {
		if cause, ok := c.(map[string]any); ok {
			all = append(all, fmt.Sprint(cause["reason"], " ", cause["field"]))
		}
	}
	slices.Sort(all)
	is["causes"] = slices.Compact(all)
	return is
}

// TestWatch watches one resource. Existing objects come first, then each change once and in order. A client
// that lost its watch continues from its last version.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := apiserver.New(load(t))
		if err != nil {
			t.Fatal(err)
		}
		kube := watching(t, s)
		made := func(name string, labels map[string]string) *corev1.ConfigMap {
			m := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, Labels: labels}}
			if err := kube.Create(t.Context(), m); err != nil {
				t.Fatal(err)
			}
			return m
		}
		first := made("first", nil)
		all := follow(t, kube)
		some := follow(t, kube, client.MatchingLabels{"a": "b"})
		second := made("second", map[string]string{"a": "b"})
		from := second.ResourceVersion
		second.Labels = nil
		if err := kube.Update(t.Context(), second); err != nil {
			t.Fatal(err)
		}
		if err := kube.Delete(t.Context(), first); err != nil {
			t.Fatal(err)
		}
		later := follow(t, kube, &client.ListOptions{Raw: &metav1.ListOptions{ResourceVersion: from}})
		synctest.Wait()
		for name, row := range map[string]struct {
			got  *events
			want []string
		}{
			"all of them":           {all, []string{"ADDED first", "ADDED second", "MODIFIED second", "DELETED first"}},
			"those with a label":    {some, []string{"ADDED second", "DELETED second"}},
			"those after a version": {later, []string{"MODIFIED second", "DELETED first"}},
		} {
			if diff := cmp.Diff(row.want, row.got.end()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
		silenced := follow(t, kube)
		synctest.Wait()
		s.Silence()
		made("third", nil)
		synctest.Wait()
		if diff := cmp.Diff([]string{"ADDED second"}, silenced.end()); diff != "" {
			t.Errorf("silenced (-want +got):\n%s", diff)
		}
	})
}

// events are the events of a watch.
type events struct {
	w    watch.Interface
	done chan []string
}

func (e *events) end() []string {
	e.w.Stop()
	return <-e.done
}

func follow(t *testing.T, kube client.WithWatch, opts ...client.ListOption) *events {
	t.Helper()
	w, err := kube.Watch(t.Context(), &corev1.ConfigMapList{}, opts...)
	if err != nil {
		t.Fatal(err)
	}
	e := &events{w: w, done: make(chan []string, 1)}
	go func() {
		var all []string
		for ev := range w.ResultChan() {
			if o, ok := ev.Object.(client.Object); ok {
				all = append(all, string(ev.Type)+" "+o.GetName())
			}
		}
		e.done <- all
	}()
	synctest.Wait()
	return e
}

func watching(t *testing.T, s *apiserver.Server) client.WithWatch {
	t.Helper()
	kube, err := client.NewWithWatch(s.Config(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return kube
}
