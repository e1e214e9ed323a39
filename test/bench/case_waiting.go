// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	emailv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/email/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
)

const (
	routeAddresses = "/accounts/{account_id}/email/routing/addresses"
	// waitingIntervals is the length of the idle time of [waiting], in intervals.
	waitingIntervals = 5
)

// waitingWorld runs [waiting].
func (b *bench) waitingWorld(ctx context.Context) (err error) {
	w, ctx, err := b.newWorld(ctx, caseWaiting, worldSpec{seed: accountsSeed(1)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.stop()) }()
	if err := w.configure(ctx, map[string]string{accountName(0): w.sim.Tokens[0]}); err != nil {
		return err
	}
	if err := w.ours(ctx, "--resource-interval", b.size.interval.String()); err != nil {
		return err
	}
	b.do(ctx, caseWaiting, w.waiting)
	return nil
}

// waiting is the case [waiting]: many addresses wait until a user confirms each.
func (w *world) waiting(ctx context.Context) error {
	n := w.size.waiting
	all := make([]client.Object, n)
	for i := range all {
		o := &emailv1alpha1.EmailRoutingAddress{ObjectMeta: metav1.ObjectMeta{Name: objectName(caseWaiting, i), Namespace: namespace}}
		o.Spec.ForProvider = emailv1alpha1.EmailRoutingAddressParameters{AccountID: ptr.To(accountID(0)), Email: ptr.To(fmt.Sprintf("person-%d@example.net", i))}
		o.Spec.ProviderConfigReference = &xpv2.ProviderConfigReference{Kind: cfv1alpha1.ClusterProviderConfigKind, Name: accountName(0)}
		all[i] = o
	}
	if err := w.createAll(ctx, all); err != nil {
		return err
	}
	err := w.until(ctx, time.Second, "all addresses wait to be confirmed", func(ctx context.Context) (bool, error) {
		l := &emailv1alpha1.EmailRoutingAddressList{}
		err := w.kube.List(ctx, l, client.InNamespace(namespace))
		return err == nil && waits(l) == n, err
	})
	if err != nil {
		return err
	}
	if err := wait(ctx, 2*w.size.interval); err != nil {
		return err
	}
	from, to, err := w.untouched(ctx, waitingIntervals*w.size.interval)
	if err != nil {
		return err
	}
	cs := w.requests.between(from.at, to.at)
	lists := cs.count(func(c call) bool { return c.method == http.MethodGet && c.route == routeAddresses })
	reads := cs.count(func(c call) bool { return strings.HasPrefix(c.route, routeAddresses+"/") })
	pages := (n + addressesInAPage - 1) / addressesInAPage
	w.judgeWaiting(n, pages, lists, reads)
	w.table.note(caseWaiting, "A list of all takes %d calls. Calls: %s.", pages, cs.byRoute())
	return nil
}

// addressesInAPage is the number of addresses that the provider lists in one call.
const addressesInAPage = 50

// judgeWaiting judges the calls for objects that wait: at most two lists an interval, and
// no GET of a single address.
func (w *world) judgeWaiting(n, pages, lists, reads int) {
	most := 2 * pages * waitingIntervals
	w.table.judge(caseWaiting, fmt.Sprintf("%d addresses wait for a person: calls for their list in %d intervals", n, waitingIntervals), fmt.Sprintf("<= %d", most), fmt.Sprint(lists), lists > 0 && lists <= most)
	w.table.judge(caseWaiting, "calls about one of them", "0", fmt.Sprint(reads), reads == 0)
}

// waits counts the addresses that exist at Cloudflare and are not Ready.
func waits(l *emailv1alpha1.EmailRoutingAddressList) int {
	n := 0
	for i := range l.Items {
		o := &l.Items[i]
		if o.Status.AtProvider.ID != "" && o.GetCondition(xpv2.TypeReady).Status == "False" {
			n++
		}
	}
	return n
}
