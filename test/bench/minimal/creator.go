// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

//go:build bench

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

// zoneName is the zone of the benchmark's Records.
const zoneName = "many.example"

// annotationPending is the annotation in which the provider records what it is about to
// create.
const annotationPending = v1alpha1.Group + "/pending-record"

// A creator makes each new object Ready. No record exists at Cloudflare.
type creator struct{ kube client.Client }

// Reconcile sends the three writes. After each, the object has the content that it has
// after the provider's write.
func (c creator) Reconcile(ctx context.Context, mg *v1alpha1.Record) (ctrl.Result, error) {
	if meta.FinalizerExists(mg, managed.FinalizerName) {
		return ctrl.Result{}, nil
	}
	if err := prepare(mg); err != nil {
		return ctrl.Result{}, err
	}
	if err := c.kube.Update(ctx, mg); err != nil {
		return ctrl.Result{}, fmt.Errorf("cannot note what is about to be created: %w", err)
	}
	record(mg)
	if err := c.kube.Update(ctx, mg); err != nil {
		return ctrl.Result{}, fmt.Errorf("cannot record what was created: %w", err)
	}
	show(mg)
	if err := c.kube.Status().Update(ctx, mg); err != nil {
		return ctrl.Result{}, fmt.Errorf("cannot update the status: %w", err)
	}
	return ctrl.Result{}, nil
}

// prepare sets on mg what has to be stored before the call.
func prepare(mg *v1alpha1.Record) error {
	p := mg.Spec.ForProvider
	key, err := json.Marshal(map[string]string{
		"Name": *p.Name + "." + zoneName, "Type": *p.Type, "Rdata": *p.Content,
	})
	if err != nil {
		return fmt.Errorf("cannot note what is about to be created: %w", err)
	}
	meta.AddFinalizer(mg, managed.FinalizerName)
	meta.AddAnnotations(mg, map[string]string{annotationPending: string(key)})
	meta.SetExternalCreatePending(mg, time.Now())
	return nil
}

// record sets on mg what the answer to the call has.
func record(mg *v1alpha1.Record) {
	meta.SetExternalName(mg, strings.ReplaceAll(string(mg.GetUID()), "-", "")) // as long as an ID
	meta.SetExternalCreateSucceeded(mg, time.Now())
	meta.AddAnnotations(mg, map[string]string{annotationPending: ""})
	if proxiable(mg) {
		mg.Spec.ForProvider.Proxied = ptr.To(false)
	}
}

func proxiable(mg *v1alpha1.Record) bool {
	switch *mg.Spec.ForProvider.Type {
	case "A", "AAAA", "CNAME":
		return true
	}
	return false
}

// show sets the whole status of mg.
func show(mg *v1alpha1.Record) {
	now, p := ptr.To(metav1.Now()), mg.Spec.ForProvider
	name := *p.Name + "." + zoneName
	mg.Status.AtProvider = v1alpha1.RecordObservation{
		ID: meta.GetExternalName(mg), ZoneID: *p.ZoneID, Name: name, FQDN: name, Type: *p.Type, Content: *p.Content,
		Priority: p.Priority, TTL: p.TTL, Proxied: ptr.To(false), Proxiable: ptr.To(proxiable(mg)), Comment: p.Comment,
		CreatedOn: now, ModifiedOn: now, LastSyncedAt: now,
	}
	upToDate := xpv2.Condition{
		Type: xpv2.TypeUpToDate, Status: corev1.ConditionTrue, Reason: "RecordSynced", LastTransitionTime: *now, ObservedGeneration: mg.GetGeneration(),
	}
	mg.SetConditions(xpv2.Available().WithObservedGeneration(mg.GetGeneration()), upToDate,
		xpv2.ReconcileSuccess().WithObservedGeneration(mg.GetGeneration()))
}
