// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	authv1 "k8s.io/api/authorization/v1"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// answer carries out a request.
func (s *Server) answer(req *http.Request, body []byte) (answer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if req.Method == http.MethodGet {
		if found, ok := s.discovery(req.URL.Path); ok {
			return encoded(http.StatusOK, found)
		}
	}
	t, err := s.target(req.URL.Path)
	if err != nil {
		return answer{}, err
	}
	c := call{Server: s, target: t, request: req, body: body, query: req.URL.Query()}
	c.partial = strings.Contains(req.Header.Get("Accept"), "as=PartialObjectMetadata")
	c.dry = slices.Contains(c.query["dryRun"], metav1.DryRunAll)
	return c.answer()
}

func encoded(code int, v any) (answer, error) {
	raw, err := json.Marshal(v)
	return written(code, raw), err
}

// A call is a request about a resource.
type call struct {
	*Server
	target
	request *http.Request
	query   url.Values
	body    []byte
	// partial is true if the client asks for the metadata only.
	partial, dry bool
}

func (c call) answer() (answer, error) {
	if c.request.Method == http.MethodGet {
		return c.read()
	}
	if c.GroupVersionResource == crdResource() {
		return answer{}, c.unsupported("definitions do not change while it runs")
	}
	byMethod := map[string]func() (answer, error){http.MethodPut: c.replaced, http.MethodPatch: c.patched, http.MethodDelete: c.deleted}
	if c.Name == "" {
		byMethod = map[string]func() (answer, error){http.MethodPost: c.created, http.MethodDelete: c.allDeleted}
	}
	if do, ok := byMethod[c.request.Method]; ok && (c.subresource == "" || c.request.Method != http.MethodDelete) {
		return do()
	}
	return answer{}, kerrors.NewMethodNotSupported(c.GroupResource(), c.request.Method)
}

func (c call) read() (answer, error) {
	switch {
	case c.query.Get("watch") != "":
		return c.watch()
	case c.Name != "":
		return c.get()
	}
	return c.listed()
}

// unsupported returns the error of a request that the real API server would answer.
func (c call) unsupported(why string) error {
	return kerrors.NewGenericServerResponse(http.StatusNotImplemented, c.request.Method, c.GroupResource(), c.Name, "this API server in memory cannot do that: "+why, 0, true)
}

// shown returns an object in the form that the client asks for.
func (c call) shown(o *stored) (json.RawMessage, error) {
	if !c.partial {
		return o.raw, nil
	}
	return json.Marshal(map[string]any{"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata", "metadata": o.content["metadata"]})
}

func (c call) show(code int, o *stored) (answer, error) {
	raw, err := c.shown(o)
	return written(code, raw), err
}

func (c call) get() (answer, error) {
	o := c.objects[c.NamespacedName]
	if o == nil {
		return answer{}, c.notFound(c.Name)
	}
	return c.show(http.StatusOK, o)
}

// selector returns what a list or a watch selects: by labels, and by the field metadata.name.
func (c call) selector() (labels.Selector, func(name string) bool, error) {
	byLabel, err := labels.Parse(c.query.Get("labelSelector"))
	if err != nil {
		return nil, nil, kerrors.NewBadRequest(err.Error())
	}
	byField, err := fields.ParseSelector(c.query.Get("fieldSelector"))
	if err != nil {
		return nil, nil, kerrors.NewBadRequest(err.Error())
	}
	for _, r := range byField.Requirements() {
		if r.Field != "metadata.name" {
			return nil, nil, c.unsupported("to select by field " + r.Field)
		}
	}
	return byLabel, func(name string) bool { return byField.Matches(fields.Set{"metadata.name": name}) }, nil
}

func (c call) listed() (answer, error) {
	byLabel, named, err := c.selector()
	if err != nil {
		return answer{}, err
	}
	gv, kind := c.kind.GroupVersion().String(), c.kind.Kind+"List"
	if c.partial {
		gv, kind = "meta.k8s.io/v1", "PartialObjectMetadataList"
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"apiVersion":%q,"kind":%q,"metadata":{"resourceVersion":"%d"},"items":[`, gv, kind, c.version)
	first := true
	for _, o := range c.list(c.Namespace, byLabel) {
		if !named(nameOf(o)) {
			continue
		}
		raw, err := c.shown(o)
		if err != nil {
			return answer{}, err
		}
		if !first {
			b.WriteByte(',')
		}
		first = false
		b.Write(raw)
	}
	b.WriteString("]}")
	return written(http.StatusOK, b.Bytes()), nil
}

func nameOf(o *stored) string {
	name, _ := metadata(o.content)["name"].(string)
	return name
}

// reviewed answers a review of access: the client may do everything.
func (c call) reviewed() (answer, error) {
	r := &authv1.SelfSubjectAccessReview{}
	if err := json.Unmarshal(c.body, r); err != nil {
		return answer{}, kerrors.NewBadRequest(err.Error())
	}
	r.Status = authv1.SubjectAccessReviewStatus{Allowed: true}
	return encoded(http.StatusCreated, r)
}

// sent returns the object that a client sent.
func (c call) sent() (map[string]any, error) {
	obj := map[string]any{}
	if err := utiljson.Unmarshal(c.body, &obj); err != nil {
		return nil, kerrors.NewBadRequest("the object provided is unrecognized: " + err.Error())
	}
	return obj, nil
}

func (c call) created() (answer, error) {
	if c.kind == authv1.SchemeGroupVersion.WithKind("SelfSubjectAccessReview") {
		return c.reviewed()
	}
	obj, err := c.sent()
	if err != nil {
		return answer{}, err
	}
	o, err := c.create(c.request.Context(), c.resource, c.Namespace, obj, c.dry)
	if err != nil {
		return answer{}, err
	}
	return c.show(http.StatusCreated, o)
}

func (c call) replaced() (answer, error) {
	obj, err := c.sent()
	if err != nil {
		return answer{}, err
	}
	o, err := c.update(c.request.Context(), c.resource, c.NamespacedName, c.subresource, obj, c.dry)
	if err != nil {
		return answer{}, err
	}
	return c.show(http.StatusOK, o)
}

func (c call) patched() (answer, error) {
	old := c.objects[c.NamespacedName]
	if old == nil {
		return answer{}, c.notFound(c.Name)
	}
	next, err := patched(c.kind, types.PatchType(c.request.Header.Get("Content-Type")), old.raw, c.body)
	if err != nil {
		return answer{}, err
	}
	c.body = next
	return c.replaced()
}

func (c call) options() (*metav1.DeleteOptions, error) {
	o := &metav1.DeleteOptions{}
	if len(c.body) > 0 {
		if err := json.Unmarshal(c.body, o); err != nil {
			return nil, kerrors.NewBadRequest(err.Error())
		}
	}
	if o.PropagationPolicy != nil && *o.PropagationPolicy != metav1.DeletePropagationBackground {
		return nil, c.unsupported("propagation " + string(*o.PropagationPolicy))
	}
	return o, nil
}

func (c call) deleted() (answer, error) {
	o, err := c.options()
	if err != nil {
		return answer{}, err
	}
	last, gone, err := c.delete(c.resource, c.NamespacedName, o.Preconditions, c.dry || slices.Contains(o.DryRun, metav1.DryRunAll))
	if err != nil {
		return answer{}, err
	}
	if !gone {
		return c.show(http.StatusOK, last)
	}
	uid, _ := metadata(last.content)["uid"].(string)
	return encoded(http.StatusOK, metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusSuccess,
		Details: &metav1.StatusDetails{Name: c.Name, Group: c.Group, Kind: c.Resource, UID: types.UID(uid)},
	})
}

func (c call) allDeleted() (answer, error) {
	byLabel, named, err := c.selector()
	if err != nil {
		return answer{}, err
	}
	if _, err := c.options(); err != nil {
		return answer{}, err
	}
	for _, o := range c.list(c.Namespace, byLabel) {
		namespace, _ := metadata(o.content)["namespace"].(string)
		if !named(nameOf(o)) {
			continue
		}
		if _, _, err := c.delete(c.resource, types.NamespacedName{Namespace: namespace, Name: nameOf(o)}, nil, c.dry); err != nil {
			return answer{}, err
		}
	}
	return encoded(http.StatusOK, metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusSuccess})
}

// versionOf parses a resource version.
func versionOf(s string) (uint64, error) {
	if s == "" {
		return 0, nil
	}
	v, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0, kerrors.NewBadRequest("invalid resource version " + s)
	}
	return v, nil
}
