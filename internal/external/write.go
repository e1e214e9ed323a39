// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package external

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/crossplane/crossplane-runtime/v2/pkg/event"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	kerrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/internal/external/claim"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/decision"
	"github.com/provider-cloudflare/provider-cloudflare/internal/external/policy"
	"github.com/provider-cloudflare/provider-cloudflare/internal/reconciler"
)

// decided is a step, and the version of the object that it was decided on.
type decided struct {
	step       decision.Step
	uid        types.UID
	generation int64
	version    string
}

func decidedOn(mg resource.Managed, step decision.Step) decided {
	return decided{step: step, uid: mg.GetUID(), generation: mg.GetGeneration(), version: mg.GetResourceVersion()}
}

var errDecidedOnAnother = errors.New("the step was decided on another version of the object")

// holds returns nil if the step that is about to be carried out was decided on mg as it is. It
// returns a conflict otherwise, so that the next reconcile decides again. Before a creation or an
// update, the runtime itself writes to the object under the version that was decided on. That write
// fails after a write of any other client, so holds then compares only UID and generation.
func (d decided) holds(mg resource.Managed, do decision.Action) error {
	if d.step.Do == do && d.uid == mg.GetUID() && d.generation == mg.GetGeneration() &&
		(do != decision.Delete || d.version == mg.GetResourceVersion()) {
		return nil
	}
	return kerrors.NewConflict(schema.GroupResource{Resource: "object"}, mg.GetName(), errDecidedOnAnother)
}

// write persists a change of mg under the resource version that was decided on. It returns a
// conflict after any other write, which may have removed the reason for the change.
func (c *Client[L]) write(ctx context.Context, mg resource.Managed, change func(next resource.Managed)) error {
	next, err := copyOf(mg)
	if err != nil {
		return err
	}
	change(next)
	if err := c.deps.Kube.Update(ctx, next); err != nil {
		return err
	}
	// The answer is what was sent, and has no changes of other clients.
	reflect.ValueOf(mg).Elem().Set(reflect.ValueOf(next).Elem())
	return nil
}

func copyOf(mg resource.Managed) (resource.Managed, error) {
	next, ok := mg.DeepCopyObject().(resource.Managed)
	if !ok {
		return nil, fmt.Errorf("cannot copy %T", mg)
	}
	return next, nil
}

// adopt makes the resource that was found the object's own: it persists the external name and what
// belongs to it.
func (c *Client[L]) adopt(ctx context.Context, mg resource.Managed, step decision.Step) error {
	live := c.lives[step.Live.ID]
	err := c.showAdopted(ctx, mg, step.Live.ID)
	if err == nil {
		err = c.write(ctx, mg, func(next resource.Managed) {
			meta.SetExternalName(next, step.Live.ID)
			meta.RemoveAnnotations(next, c.kind.Notes.creation()...)
			// The finalizer is written together with the external name. Otherwise an object that is
			// deleted in between would leave the resource. The runtime would add it in any case.
			// The fields that the spec leaves unset are known already, so the same write fills them
			// in.
			meta.AddFinalizer(next, managed.FinalizerName)
			c.fillIn(next, live)
		})
	}
	if err != nil {
		c.deps.Claims.Release(mg, step.Live.ID)
		return fmt.Errorf("cannot record the ID of the adopted %s: %w", c.kind.Noun.Name, err)
	}
	if policy.Manages(mg) {
		c.took(mg, step)
	}
	c.facts.Object = c.object(mg)
	c.facts.ByID = c.answer([]L{live}, nil)
	return nil
}

// showAdopted makes the status show the resource of that ID, and that the object takes it over. It
// does so before the external name says so, and before anything is written to the resource. A name
// without that status proves nothing: a user may have set it. The status without that name proves
// nothing either: after an edit in between there may be no reason to take anything over.
func (c *Client[L]) showAdopted(ctx context.Context, mg resource.Managed, id string) error {
	if !policy.Manages(mg) || c.origin.owns(id) || c.attempted(id) {
		return nil // An object that only observes shows nothing. Otherwise the status or the journal says so already.
	}
	owner, ok := mg.(claim.OwnershipStatus)
	if !ok {
		return nil
	}
	before, err := copyOf(mg)
	if err != nil {
		return err
	}
	c.adapter.SetStatus(c.lives[id], reconciler.LastSync(mg, c.adapter.LastWrite()))
	owner.SetOwnership(claim.Adopting)
	next, err := copyOf(mg)
	if err != nil {
		return err
	}
	if err := c.deps.Kube.Status().Patch(ctx, next, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{})); err != nil {
		reflect.ValueOf(mg).Elem().Set(reflect.ValueOf(before).Elem())
		return err
	}
	mg.SetResourceVersion(next.GetResourceVersion())
	c.origin.stored = append(c.origin.stored, id)
	return nil
}

// store persists the status of mg under the resource version that was decided on.
func (c *Client[L]) store(ctx context.Context, mg resource.Managed) error {
	next, err := copyOf(mg)
	if err != nil {
		return err
	}
	if err := c.deps.Kube.Status().Update(ctx, next); err != nil {
		return fmt.Errorf("cannot record what is the object's: %w", err)
	}
	mg.SetResourceVersion(next.GetResourceVersion())
	return nil
}

// attempted reports whether a creation of unknown outcome turned out to have made the resource of
// that ID.
func (c *Client[L]) attempted(id string) bool {
	by := c.facts.ByAttempt
	return by.Result == decision.Found && by.Live[0].ID == id
}

// took notes that mg now owns the resource that it took over, and announces it.
func (c *Client[L]) took(mg resource.Managed, step decision.Step) {
	c.origin.own = append(c.origin.own, step.Live.ID)
	if c.attempted(step.Live.ID) {
		c.deps.Journal.Made(c.origin.open[0], step.Live.ID)
	}
	c.announceAdoption(mg, step)
}

func (c *Client[L]) fillIn(mg resource.Managed, live L) {
	if a, ok := c.adapter.(LateInitializer[L]); ok && policy.May(mg, xpv2.ManagementActionLateInitialize) {
		a.LateInitialize(mg, live)
	}
}

// beginToManage takes over the resource that the external name of mg names. It persists that before
// anything is written to the resource, under the resource version that was decided on. An edit
// since then may have removed the reason for it.
func (c *Client[L]) beginToManage(ctx context.Context, mg resource.Managed, step decision.Step) error {
	cannot := func(err error) error {
		c.deps.Claims.Release(mg, step.Live.ID) // A held claim counts as ownership.
		return fmt.Errorf("cannot record that the %s is adopted: %w", c.kind.Noun.Name, err)
	}
	if len(c.kind.Notes.ofCreation(mg)) > 0 {
		err := c.write(ctx, mg, func(next resource.Managed) {
			meta.RemoveAnnotations(next, append(c.kind.Notes.creation(), meta.AnnotationKeyExternalCreatePending)...)
		})
		if err != nil {
			return cannot(err)
		}
	}
	if err := c.showAdopted(ctx, mg, step.Live.ID); err != nil {
		return cannot(err)
	}
	c.took(mg, step)
	c.facts.Object = c.object(mg)
	return nil
}

// announceAdoption says what mg has taken over, why, and whether it is changed, unless the resource
// was empty.
func (c *Client[L]) announceAdoption(mg resource.Managed, step decision.Step) {
	if step.Live.Empty {
		return
	}
	msg := fmt.Sprintf("Adopted %s %s (%s): %s", c.kind.Noun.Name, step.Live.ID, step.Live.Label, step.Why)
	diff, _ := c.adapter.Compare(c.lives[step.Live.ID])
	switch {
	case len(diff) == 0:
	case policy.May(mg, xpv2.ManagementActionUpdate):
		msg += fmt.Sprintf(". It is changed: %s", diff)
	default:
		msg += fmt.Sprintf(". It differs and is left as it is, for spec.managementPolicies does not include Update: %s", diff)
	}
	c.deps.Events.Event(mg, event.Normal(claim.EventAdopted, msg))
}

// fill persists the fields that the spec leaves unset and Cloudflare has set. The runtime would
// update the whole object for that, and lose the status that was just observed.
func (c *Client[L]) fill(ctx context.Context, mg resource.Managed, id string) error {
	filled, err := copyOf(mg)
	if err != nil {
		return err
	}
	c.fillIn(filled, c.lives[id])
	if err := c.deps.Kube.Patch(ctx, filled, client.MergeFromWithOptions(mg, client.MergeFromWithOptimisticLock{})); err != nil {
		return fmt.Errorf("cannot fill in what the spec leaves open: %w", err)
	}
	c.fillIn(mg, c.lives[id])
	mg.SetResourceVersion(filled.GetResourceVersion())
	mg.SetGeneration(filled.GetGeneration())
	c.facts.ByID = c.answer([]L{c.lives[id]}, nil)
	return nil
}

// note persists an annotation, "" removes it. A conflict says that mg is not the latest version.
// Then no step may follow that was decided on mg.
func (c *Client[L]) note(ctx context.Context, mg resource.Managed, annotation, value string) error {
	if read(mg, annotation) == value {
		return reconciler.EnsureCurrent(ctx, c.deps.API, mg)
	}
	next, err := copyOf(mg)
	if err != nil {
		return err
	}
	if value == "" {
		meta.RemoveAnnotations(next, annotation)
	} else {
		meta.AddAnnotations(next, map[string]string{annotation: value})
	}
	if err := c.deps.Kube.Update(ctx, next); err != nil {
		return err
	}
	mg.SetAnnotations(next.GetAnnotations())
	mg.SetResourceVersion(next.GetResourceVersion())
	return nil
}
