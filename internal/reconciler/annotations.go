// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package reconciler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// An AnnotationUpdater persists what Create left on an object. If the creation is
// complete, it first tries one update of the whole object under its resource version.
// That update also persists the spec that Create filled in. In any other case it
// patches only the annotations of the controller, so that concurrent changes of other
// clients stay.
//
// After such a patch, the object in hand keeps the spec and the generation that the
// reconcile decided on. A concurrent change enqueues the object again, and the next
// reconcile decides on it.
type AnnotationUpdater struct {
	kube  Client
	api   client.Reader // reads past the cache
	notes []string
	// gone is called with the UID of an object that does not exist any more.
	gone func(types.UID)
}

// NewAnnotationUpdater returns an AnnotationUpdater. The controller keeps notes in the
// annotations called notes. gone is called with the UID of an object that does not
// exist any more.
func NewAnnotationUpdater(kube Client, api client.Reader, notes []string, gone func(types.UID)) AnnotationUpdater {
	return AnnotationUpdater{kube: kube, api: api, notes: notes, gone: gone}
}

// UpdateCriticalAnnotations persists the annotations of o.
func (u AnnotationUpdater) UpdateCriticalAnnotations(ctx context.Context, o client.Object) error {
	state := StateFrom(ctx)
	if state.Complete != nil {
		if err := u.kube.Update(ctx, o); err == nil {
			return nil
		}
		state.Complete = nil
	}
	err := retry.OnError(retry.DefaultRetry, transient, func() error { return u.patch(ctx, o) })
	if state.Gone = kerrors.IsNotFound(err); state.Gone {
		u.gone(o.GetUID())
	}
	if err != nil {
		return fmt.Errorf("cannot record what was created: %w", err)
	}
	return nil
}

func transient(err error) bool { return !kerrors.IsNotFound(err) && !errors.Is(err, context.Canceled) }

// patch sends the annotations of the controller under the object's UID: what was
// created for one object must not become that of another object with the same name.
func (u AnnotationUpdater) patch(ctx context.Context, o client.Object) error {
	body, err := annotationsPatch(o, u.notes)
	if err != nil {
		return err
	}
	sent := &metav1.PartialObjectMetadata{}
	sent.SetGroupVersionKind(o.GetObjectKind().GroupVersionKind())
	sent.SetNamespace(o.GetNamespace())
	sent.SetName(o.GetName())
	// The patch goes past the Client's record, so its event enqueues the object: the
	// object may hold changes of other clients.
	if err := u.kube.Client.Patch(ctx, sent, client.RawPatch(types.MergePatchType, body)); err != nil {
		return u.unlessReplaced(ctx, o, err)
	}
	u.kube.writes.Wrote(o.GetUID(), o.GetResourceVersion(), sent.GetResourceVersion())
	o.SetAnnotations(sent.GetAnnotations())
	o.SetResourceVersion(sent.GetResourceVersion())
	return nil
}

// unlessReplaced returns err, or a NotFound error if another object has taken the name
// of o. The API server refuses a wrong UID with different reasons.
func (u AnnotationUpdater) unlessReplaced(ctx context.Context, o client.Object, err error) error {
	if !kerrors.IsConflict(err) && !kerrors.IsInvalid(err) {
		return err
	}
	now := &metav1.PartialObjectMetadata{}
	now.SetGroupVersionKind(o.GetObjectKind().GroupVersionKind())
	if getErr := u.api.Get(ctx, client.ObjectKeyFromObject(o), now); getErr != nil {
		return errors.Join(getErr, err)
	}
	if now.GetUID() != o.GetUID() {
		return kerrors.NewNotFound(schema.GroupResource{Group: o.GetObjectKind().GroupVersionKind().Group, Resource: "object"}, string(o.GetUID()))
	}
	return err
}

// annotationsPatch returns a merge patch of the annotations that the runtime and the
// controller keep on o. It sets those that o has, and removes those that o does not
// have.
func annotationsPatch(o client.Object, notes []string) ([]byte, error) {
	own := []string{
		meta.AnnotationKeyExternalName, meta.AnnotationKeyExternalCreatePending,
		meta.AnnotationKeyExternalCreateSucceeded, meta.AnnotationKeyExternalCreateFailed,
	}
	annotations := map[string]*string{}
	for _, key := range append(own, notes...) {
		annotations[key] = nil
		if v, ok := o.GetAnnotations()[key]; ok {
			annotations[key] = &v
		}
	}
	body, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": o.GetUID(), "annotations": annotations}})
	if err != nil {
		return nil, fmt.Errorf("cannot encode the annotations: %w", err)
	}
	return body, nil
}
