// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// errObjectChanged is the reason of a conflict, in the words of the real API server.
var errObjectChanged = errors.New("the object has been modified; please apply your changes to the latest version and try again")

func errPrecondition(what, want string, have any) error {
	return fmt.Errorf("Precondition failed: %s in precondition: %v, %s in object meta: %v", what, want, what, have) //nolint:staticcheck // The words of the real API server.
}

// create creates an object in a namespace, which is "" for a cluster-scoped object.
func (s *Server) create(ctx context.Context, r *resource, namespace string, obj map[string]any, dry bool) (*stored, error) {
	rules, err := r.rules()
	if err != nil {
		return nil, kerrors.NewInternalError(err)
	}
	if err := r.decode(rules, obj, namespace); err != nil {
		return nil, err
	}
	m := metadata(obj)
	if v, _ := m["resourceVersion"].(string); v != "" {
		return nil, kerrors.NewInternalError(errors.New("resourceVersion should not be set on objects to be created"))
	}
	name, _ := m["name"].(string)
	if prefix, _ := m["generateName"].(string); name == "" && prefix != "" {
		s.names++
		name = prefix + fmt.Sprintf("%05s", strconv.FormatUint(s.names, 36))
		m["name"] = name
	}
	key := types.NamespacedName{Namespace: namespace, Name: name}
	if err := s.inNamespace(r, namespace, name); err != nil {
		return nil, err
	}
	for _, of := range []string{"deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "managedFields", "generation"} {
		delete(m, of)
	}
	s.uids++
	m["uid"] = fmt.Sprintf("00000000-0000-4000-8000-%012x", s.uids)
	m["creationTimestamp"] = time.Now().UTC().Format(time.RFC3339)
	errs := rules.create(ctx, obj)
	if wrong := append(r.metaErrors(obj), errs...); len(wrong) > 0 {
		return nil, kerrors.NewInvalid(r.kind.GroupKind(), name, wrong)
	}
	if r.objects[key] != nil {
		return nil, kerrors.NewAlreadyExists(r.GroupResource(), name)
	}
	o, err := s.put(r, key, obj, dry)
	if err == nil && dry {
		delete(m, "resourceVersion") // An object of a dry run has none.
		o.raw, err = json.Marshal(obj)
	}
	return o, err
}

// decode converts the object that a client sent into the form in which it is stored.
func (r *resource) decode(rules rules, obj map[string]any, namespace string) error {
	u := unstructured.Unstructured{Object: obj}
	if u.GetKind() != "" && u.GroupVersionKind() != r.kind {
		return kerrors.NewBadRequest(fmt.Sprintf("%s in version %q cannot be handled as a %s", u.GetKind(), u.GetAPIVersion(), r.kind.Kind))
	}
	u.SetGroupVersionKind(r.kind)
	if given := u.GetNamespace(); given != "" && given != namespace {
		return kerrors.NewBadRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	if namespace != "" {
		u.SetNamespace(namespace)
	}
	delete(metadata(obj), "managedFields")
	if err := rules.decoded(obj); err != nil {
		return kerrors.NewBadRequest(err.Error())
	}
	return nil
}

// inNamespace returns an error if no object can be created in a namespace.
func (s *Server) inNamespace(r *resource, namespace, name string) error {
	if !r.namespaced || namespace == "" {
		return nil
	}
	ns := s.resources[namespaces()].objects[types.NamespacedName{Name: namespace}]
	if ns == nil {
		return kerrors.NewNotFound(namespaces().GroupResource(), namespace)
	}
	if _, ends := metadata(ns.content)["deletionTimestamp"]; ends {
		return kerrors.NewForbidden(r.GroupResource(), name, fmt.Errorf("unable to create new content in namespace %s because it is being terminated", namespace))
	}
	return nil
}

// metaErrors returns the errors of the metadata of an object.
func (r *resource) metaErrors(obj map[string]any) field.ErrorList {
	return validation.ValidateObjectMetaAccessor(&unstructured.Unstructured{Object: obj}, r.namespaced, validation.NameIsDNSSubdomain, field.NewPath("metadata"))
}

// update replaces the object of that key by obj, or only its status if the subresource is status.
func (s *Server) update(ctx context.Context, r *resource, key types.NamespacedName, subresource string, obj map[string]any, dry bool) (*stored, error) {
	rules, err := r.rules()
	if err != nil {
		return nil, kerrors.NewInternalError(err)
	}
	if err := r.decode(rules, obj, key.Namespace); err != nil {
		return nil, err
	}
	old := r.objects[key]
	if old == nil {
		return nil, r.notFound(key.Name)
	}
	m, was := metadata(obj), metadata(old.content)
	if name, _ := m["name"].(string); name != "" && name != key.Name {
		return nil, kerrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", name, key.Name))
	}
	if err := r.current(key.Name, m, was); err != nil {
		return nil, err
	}
	for _, of := range []string{"uid", "name", "namespace", "generateName", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "resourceVersion"} {
		setOrDelete(m, of, was)
	}
	var errs field.ErrorList
	if subresource == "status" {
		errs = rules.updateStatus(ctx, obj, old.content)
	} else {
		errs = append(r.metaUpdateErrors(obj, old.content), rules.update(ctx, obj, old.content)...)
	}
	if len(errs) > 0 {
		return nil, kerrors.NewInvalid(r.kind.GroupKind(), key.Name, errs)
	}
	if _, ends := was["deletionTimestamp"]; ends && len(finalizers(obj)) == 0 {
		if _, err := s.remove(r, key, runtime.DeepCopyJSON(obj), dry); err != nil {
			return nil, err
		}
		return newStored(obj, old.version) // Watches show a later version.
	}
	return s.put(r, key, obj, dry)
}

// current returns an error if the metadata that a client sent is not that of the stored object.
func (r *resource) current(name string, m, was map[string]any) error {
	version, _ := m["resourceVersion"].(string)
	if version == "" && !r.unconditional {
		return kerrors.NewInvalid(r.kind.GroupKind(), name, field.ErrorList{
			field.Invalid(field.NewPath("metadata", "resourceVersion"), "0x0", "must be specified for an update"),
		})
	}
	if uid, _ := m["uid"].(string); uid != "" && uid != was["uid"] {
		return kerrors.NewConflict(r.GroupResource(), name, errPrecondition("UID", uid, was["uid"]))
	}
	if version != "" && version != was["resourceVersion"] {
		return kerrors.NewConflict(r.GroupResource(), name, errObjectChanged)
	}
	return nil
}

func (r *resource) metaUpdateErrors(obj, old map[string]any) field.ErrorList {
	return validation.ValidateObjectMetaAccessorUpdate(&unstructured.Unstructured{Object: obj}, &unstructured.Unstructured{Object: old}, field.NewPath("metadata"))
}

// delete deletes the object of that key. If the object has finalizers, it is only marked for
// deletion, and gone is false.
func (s *Server) delete(r *resource, key types.NamespacedName, p *metav1.Preconditions, dry bool) (last *stored, gone bool, err error) {
	old := r.objects[key]
	if old == nil {
		return nil, false, r.notFound(key.Name)
	}
	if err := r.meet(key.Name, old, p); err != nil {
		return nil, false, err
	}
	next := runtime.DeepCopyJSON(old.content)
	if len(finalizers(next)) == 0 && r.GroupVersionResource != namespaces() {
		last, err = s.remove(r, key, next, dry)
		return last, true, err
	}
	m := metadata(next)
	if _, ends := m["deletionTimestamp"]; ends {
		return old, false, nil
	}
	m["deletionTimestamp"] = time.Now().UTC().Format(time.RFC3339)
	m["deletionGracePeriodSeconds"] = int64(0)
	if generation, ok := m["generation"].(int64); ok {
		m["generation"] = generation + 1
	}
	last, err = s.put(r, key, next, dry)
	return last, false, err
}

func finalizers(obj map[string]any) []any {
	all, _ := metadata(obj)["finalizers"].([]any)
	return all
}
