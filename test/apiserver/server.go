// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

// namespaces returns the resource of the namespaces.
func namespaces() schema.GroupVersionResource {
	return schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
}

// A Server is a Kubernetes API server in memory. Its clients reach it by Config.
type Server struct {
	mu        sync.Mutex
	resources map[schema.GroupVersionResource]*resource
	version   uint64
	uids      uint64
	names     uint64
	// watches counts the watches that were started. Those with a number up to silenced show
	// nothing more.
	watches, silenced uint64
}

var _ http.RoundTripper = (*Server)(nil)

// New returns a server of those kinds, and of the built-in kinds that the provider uses. It has
// the namespace default.
func New(d *Definitions) (*Server, error) {
	s := &Server{resources: map[schema.GroupVersionResource]*resource{}, version: 1}
	for _, b := range builtins() {
		s.add(b)
	}
	crds := s.resources[crdResource()]
	for _, def := range d.all {
		s.add(def.resource())
		content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(def.established())
		if err != nil {
			return nil, fmt.Errorf("cannot store %s: %w", def.crd.Name, err)
		}
		metadata(content)["uid"] = def.crd.Name
		if _, err := s.put(crds, types.NamespacedName{Name: def.crd.Name}, content, false); err != nil {
			return nil, fmt.Errorf("cannot store %s: %w", def.crd.Name, err)
		}
	}
	ns := map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": metav1.NamespaceDefault, "uid": metav1.NamespaceDefault}}
	if _, err := s.put(s.resources[namespaces()], types.NamespacedName{Name: metav1.NamespaceDefault}, ns, false); err != nil {
		return nil, fmt.Errorf("cannot store the namespace %s: %w", metav1.NamespaceDefault, err)
	}
	return s, nil
}

func (s *Server) add(r *resource) {
	r.objects, r.changed = map[types.NamespacedName]*stored{}, make(chan struct{})
	s.resources[r.GroupVersionResource] = r
}

// crdResource returns the resource of the definitions. Only New writes to it.
func crdResource() schema.GroupVersionResource {
	return apiextensionsv1.SchemeGroupVersion.WithResource("customresourcedefinitions")
}

// builtins returns the resources that a server has without a definition.
func builtins() []*resource {
	r := func(group, plural, kind string, namespaced bool) *resource {
		gv := schema.GroupVersion{Group: group, Version: "v1"}
		b := builtinRules{kind: gv.WithKind(kind)}
		return &resource{
			GroupVersionResource: gv.WithResource(plural), kind: b.kind, singular: strings.ToLower(kind), namespaced: namespaced, unconditional: true,
			rules: func() (rules, error) { return b, nil },
		}
	}
	return []*resource{
		r("", "namespaces", "Namespace", false), r("", "secrets", "Secret", true), r("", "configmaps", "ConfigMap", true),
		r("", "events", "Event", true), r("coordination.k8s.io", "leases", "Lease", true),
		r(apiextensionsv1.GroupName, "customresourcedefinitions", "CustomResourceDefinition", false),
		r("authorization.k8s.io", "selfsubjectaccessreviews", "SelfSubjectAccessReview", false),
	}
}

func (d *definition) resource() *resource {
	return &resource{
		GroupVersionResource: d.kind().GroupVersion().WithResource(d.crd.Spec.Names.Plural), kind: d.kind(), singular: d.crd.Spec.Names.Singular,
		namespaced: d.crd.Spec.Scope == apiextensionsv1.NamespaceScoped, status: d.hasStatus(),
		rules: func() (rules, error) { return d.rules() },
	}
}

// Config returns the configuration of a client of the server. Its requests do not leave the
// process.
func (s *Server) Config() *rest.Config {
	return &rest.Config{
		Host: "http://kubernetes.test", Transport: s, QPS: -1, Burst: -1,
		ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeJSON, AcceptContentTypes: runtime.ContentTypeJSON},
	}
}

// RoundTrip answers a request.
func (s *Server) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	var body []byte
	if req.Body != nil {
		var err error
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
		if err := req.Body.Close(); err != nil {
			return nil, err
		}
	}
	a, err := s.answer(req, body)
	if err != nil {
		a = failed(err)
	}
	return &http.Response{
		StatusCode: a.code, Status: http.StatusText(a.code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req,
		Header: http.Header{"Content-Type": {runtime.ContentTypeJSON}}, Body: a.body, ContentLength: -1,
	}, nil
}

// An answer is the answer to a request.
type answer struct {
	code int
	body io.ReadCloser
}

func written(code int, raw []byte) answer {
	return answer{code: code, body: io.NopCloser(bytes.NewReader(raw))}
}

func failed(err error) answer {
	var known kerrors.APIStatus
	if !errors.As(err, &known) {
		known = kerrors.NewInternalError(err)
	}
	status := known.Status()
	status.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	raw, err := json.Marshal(status)
	if err != nil {
		return written(http.StatusInternalServerError, nil)
	}
	return written(int(status.Code), raw)
}

// A target is the resource, object and subresource that the path of a request names.
type target struct {
	*resource
	types.NamespacedName
	subresource string
}

// target parses a path: /api/v1/... or /apis/GROUP/VERSION/..., then an optional
// namespaces/NAME/, the resource, an optional name, and an optional subresource.
func (s *Server) target(path string) (target, error) {
	var t target
	gv, parts := versioned(strings.Split(strings.Trim(path, "/"), "/"))
	if len(parts) > 2 && parts[0] == namespaces().Resource {
		t.Namespace, parts = parts[1], parts[2:]
	}
	if len(parts) == 0 || len(parts) > 3 {
		return t, unknownPath()
	}
	t.resource = s.resources[gv.WithResource(parts[0])]
	parts = append(parts, "", "")
	t.Name, t.subresource = parts[1], parts[2]
	if t.resource == nil || !t.has() {
		return t, unknownPath()
	}
	return t, nil
}

// versioned returns the version that a path begins with, and the parts that follow it.
func versioned(parts []string) (schema.GroupVersion, []string) {
	switch {
	case len(parts) > 2 && parts[0] == "api":
		return schema.GroupVersion{Version: parts[1]}, parts[2:]
	case len(parts) > 3 && parts[0] == "apis":
		return schema.GroupVersion{Group: parts[1], Version: parts[2]}, parts[3:]
	}
	return schema.GroupVersion{}, nil
}

// has reports whether the resource has the scope and the subresource of the target.
func (t target) has() bool {
	return (t.Namespace == "" || t.namespaced) && (t.subresource == "" || t.subresource == "status" && t.status)
}

// unknownPath returns the error for a path that no resource has.
func unknownPath() error {
	return &kerrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusNotFound, Reason: metav1.StatusReasonNotFound,
		Message: "the server could not find the requested resource", Details: &metav1.StatusDetails{},
	}}
}

// discovered returns the resources of a version, sorted by name.
func (s *Server) discovered(gv schema.GroupVersion) []metav1.APIResource {
	verbs := metav1.Verbs{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}
	var out []metav1.APIResource
	for gvr, r := range s.resources {
		if gvr.GroupVersion() != gv {
			continue
		}
		out = append(out, metav1.APIResource{Name: gvr.Resource, SingularName: r.singular, Namespaced: r.namespaced, Kind: r.kind.Kind, Verbs: verbs})
		if r.status {
			out = append(out, metav1.APIResource{Name: gvr.Resource + "/status", Namespaced: r.namespaced, Kind: r.kind.Kind, Verbs: metav1.Verbs{"get", "patch", "update"}})
		}
	}
	slices.SortFunc(out, func(a, b metav1.APIResource) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// discovery answers a request for the kinds of the server. It returns false if the path asks for
// anything else.
func (s *Server) discovery(path string) (any, bool) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case path == "/api":
		return metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{"v1"}}, true
	case path == "/apis":
		return s.groups(), true
	case len(parts) == 2 && parts[0] == "api":
		return s.resourceList(schema.GroupVersion{Version: parts[1]}), true
	case len(parts) == 3 && parts[0] == "apis":
		return s.resourceList(schema.GroupVersion{Group: parts[1], Version: parts[2]}), true
	}
	return nil, false
}

func (s *Server) resourceList(gv schema.GroupVersion) metav1.APIResourceList {
	return metav1.APIResourceList{TypeMeta: metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}, GroupVersion: gv.String(), APIResources: s.discovered(gv)}
}

func (s *Server) groups() metav1.APIGroupList {
	out := metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}}
	for gvr := range s.resources {
		if gvr.Group == "" || slices.ContainsFunc(out.Groups, func(g metav1.APIGroup) bool { return g.Name == gvr.Group }) {
			continue
		}
		v := metav1.GroupVersionForDiscovery{GroupVersion: gvr.GroupVersion().String(), Version: gvr.Version}
		out.Groups = append(out.Groups, metav1.APIGroup{Name: gvr.Group, Versions: []metav1.GroupVersionForDiscovery{v}, PreferredVersion: v})
	}
	slices.SortFunc(out.Groups, func(a, b metav1.APIGroup) int { return strings.Compare(a.Name, b.Name) })
	return out
}
