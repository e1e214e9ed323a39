// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	cfv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
)

const (
	// restPatience is the most time until everything is at rest. Failures back off for up to a
	// minute, and one may follow another.
	restPatience = 6 * time.Minute
	// deadlock is the time without a change that counts as the end. It is longer than any
	// back-off.
	deadlock = 3 * time.Minute
	// quietTime is the time after that in which nothing may change.
	quietTime = 2*driftInterval + 2*time.Second
)

// settle waits until everything is at rest and judges it.
func (c *chaos) settle(ctx context.Context) error {
	began := time.Now()
	found, err := c.rest(ctx)
	if err != nil {
		return err
	}
	c.result.Converged = time.Since(began).Round(100 * time.Millisecond).String()
	c.say("at rest after %s with %d violations", c.result.Converged, len(found))
	unsteady, err := c.quiet(ctx)
	if err != nil {
		return err
	}
	// The violations at the end count.
	f, err := c.facts(ctx)
	if err != nil {
		return err
	}
	found = slices.Concat(judge(f), c.users.wrong, unsteady, c.world.watch.violations(), c.hot())
	leaks, err := c.leaks(ctx)
	if err != nil {
		return err
	}
	found = append(found, leaks...)
	for i := range found {
		found[i].Log = c.world.watch.story(found[i].Record, found[i].names)
		found[i].History = c.world.history.story(found[i].names)
	}
	c.result.finish(c, f, found)
	return nil
}

// rest waits until the oracle finds no violation, or patience ends.
func (c *chaos) rest(ctx context.Context) ([]violation, error) {
	deadline := time.Now().Add(restPatience)
	before, since, said := "", time.Now(), ""
	for {
		f, err := c.facts(ctx)
		if err != nil {
			return nil, err
		}
		found := judge(f)
		if now := fmt.Sprint(found); now != before {
			before, since = now, time.Now()
		}
		if now := counted(kinds(found)); now != said {
			said = now
			c.say("to rest: %s", said)
		}
		if len(found) == 0 || time.Since(since) > deadlock || time.Now().After(deadline) {
			return found, nil
		}
		wait(ctx, time.Second)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
}

func kinds(found []violation) map[string]int {
	n := map[string]int{}
	for _, v := range found {
		n[v.Kind]++
	}
	return n
}

// facts reads the facts. It reads the live state last, because objects are compared with it.
func (c *chaos) facts(ctx context.Context) (facts, error) {
	f := facts{Zones: c.world.sim.Zones, Foreign: c.users.untouched(c.world.foreign), Strangers: c.users.foreignResources(c.world.strangers), Live: map[string][]liveRecord{}, Grants: c.users.grants}
	records, zones, namespaces := &dnsv1alpha1.RecordList{}, &zonev1alpha1.ZoneList{}, &corev1.NamespaceList{}
	for _, l := range []client.ObjectList{namespaces, zones, records} {
		if err := c.users.patiently(ctx, func() error { return c.world.kube.List(ctx, l) }); err != nil {
			return f, fmt.Errorf("cannot list %T: %w", l, err)
		}
	}
	f.Objects, f.ZoneObjects, f.Namespaces = records.Items, zones.Items, namespaces.Items
	journal := &corev1.ConfigMapList{}
	if err := c.users.patiently(ctx, func() error {
		return c.world.kube.List(ctx, journal, client.InNamespace(home), client.HasLabels{journalLabel})
	}); err != nil {
		return f, fmt.Errorf("cannot list the journal: %w", err)
	}
	f.Journal = journal.Items
	for _, one := range families() {
		l := one.objects()
		if err := c.users.patiently(ctx, func() error { return c.world.kube.List(ctx, l) }); err != nil {
			return f, fmt.Errorf("cannot list the objects of kind %s: %w", one.name(), err)
		}
		for i := range l.Items {
			f.ResourceObjects = append(f.ResourceObjects, described{&l.Items[i]})
		}
	}
	var err error
	if f.LiveResources, err = liveResources(ctx, c.world.sim, c.world.place); err != nil {
		return f, err
	}
	if f.LiveZones, err = c.world.sim.AllZones(ctx); err != nil {
		return f, err
	}
	for _, zone := range zoneNames() {
		if f.Live[zone], err = liveRecords(ctx, c.world.sim, zone); err != nil {
			return f, err
		}
	}
	return f, nil
}

// quiet checks that nothing changes while no user does anything.
func (c *chaos) quiet(ctx context.Context) ([]violation, error) {
	f, err := c.facts(ctx)
	if err != nil {
		return nil, err
	}
	versions := f.versions()
	calls, writes := c.world.watch.calls(), len(c.world.watch.written())
	wait(ctx, quietTime)
	var out []violation
	after, err := c.facts(ctx)
	if err != nil {
		return nil, err
	}
	now := after.versions()
	for name, v := range versions {
		if now[name] != v {
			out = append(out, violation{Kind: vUnsteady, Object: name, Detail: fmt.Sprintf("it changed from version %s to %q with nothing to do", v, now[name])})
		}
	}
	for _, r := range c.world.watch.written()[writes:] {
		out = append(out, violation{Kind: vUnsteady, Detail: "a write with nothing to do: " + line(r)})
	}
	c.result.QuietCalls = c.world.watch.calls() - calls
	// In each interval: each zone once for each credential, in up to three pages; each Zone; a
	// list of each family for each credential; and each resource once, for what lists do not
	// show.
	each := 3*c.world.stage.pairs() + len(domainNamespaces())*maxDomains + c.world.stage.families() + len(f.ResourceObjects)
	if most := each * int(quietTime/driftInterval+1); c.result.QuietCalls > most {
		out = append(out, violation{Kind: vHot, Detail: fmt.Sprintf("%d calls within %s at rest, want %d at most", c.result.QuietCalls, quietTime, most)})
	}
	return out, nil
}

// versions returns the resource versions of all objects.
func (f facts) versions() map[string]string {
	out := map[string]string{}
	for i := range f.Objects {
		out[nameOf(&f.Objects[i])] = f.Objects[i].ResourceVersion
	}
	for i := range f.ZoneObjects {
		out["zone "+nameOf(&f.ZoneObjects[i])] = f.ZoneObjects[i].ResourceVersion
	}
	for i := range f.ResourceObjects {
		o := f.ResourceObjects[i]
		out[o.GetKind()+" "+nameOf(o)] = o.GetResourceVersion()
	}
	return out
}

// hot finds unlimited loops in an outage. At other times such a loop reaches the rate limit of
// its credential, which is a violation of its own.
func (c *chaos) hot() []violation {
	most := outageBound(c.result.OutageLasted, c.world.stage)
	c.result.OutageBound = most
	if c.result.OutageCalls <= most {
		return nil
	}
	return []violation{{Kind: vHot, Detail: fmt.Sprintf("%d calls within %s in which every call failed (%s), want %d at most",
		c.result.OutageCalls, c.result.OutageLasted.Round(time.Second), counted(c.result.Outages), most)}}
}

// leaks searches all logs for credentials and crashes.
func (c *chaos) leaks(ctx context.Context) ([]violation, error) {
	texts := map[string][]byte{}
	logs, err := filepath.Glob(c.world.path("provider-*.log"))
	if err != nil {
		return nil, fmt.Errorf("cannot find the logs: %w", err)
	}
	for _, path := range append(logs, c.world.path("cfsim.log")) {
		if texts[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			return nil, fmt.Errorf("cannot read a log: %w", err)
		}
	}
	lists := map[string]client.ObjectList{
		"events": &corev1.EventList{}, "ConfigMaps": &corev1.ConfigMapList{}, "Records": &dnsv1alpha1.RecordList{}, "Zones": &zonev1alpha1.ZoneList{}, "ProviderConfigs": &cfv1alpha1.ProviderConfigList{},
		"ClusterProviderConfigs": &cfv1alpha1.ClusterProviderConfigList{}, "ProviderConfigUsages": &cfv1alpha1.ProviderConfigUsageList{},
	}
	for _, f := range families() {
		lists[f.name()] = f.objects()
	}
	for name, l := range lists {
		err := c.world.kube.List(ctx, l)
		raw, encodeErr := json.Marshal(l)
		if err := errors.Join(err, encodeErr); err != nil {
			return nil, fmt.Errorf("cannot list %s: %w", name, err)
		}
		texts[name] = raw
	}
	return search(texts, c.world.sim.Tokens), nil
}

// search finds secrets and crashes in texts.
func search(texts map[string][]byte, secrets []string) []violation {
	var out []violation
	for name, text := range texts {
		for i, s := range secrets {
			if bytes.Contains(text, []byte(s)) {
				out = append(out, violation{Kind: vLeak, Object: name, Detail: fmt.Sprintf("it has token %d", i)})
			}
		}
		for _, crash := range []string{"panic: ", "Observed a panic", "fatal error: "} {
			if i := bytes.Index(text, []byte(crash)); i >= 0 {
				out = append(out, violation{Kind: vPanic, Object: name, Detail: string(text[i:min(len(text), i+2000)])})
			}
		}
	}
	return out
}
