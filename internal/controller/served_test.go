// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"

	dnsv1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
)

// late knows a kind from a time on.
type late struct {
	meta.RESTMapper

	from map[schema.GroupKind]time.Time
}

func (l late) RESTMapping(gk schema.GroupKind, _ ...string) (*meta.RESTMapping, error) {
	if from, ok := l.from[gk]; !ok || time.Now().Before(from) {
		return nil, &meta.NoKindMatchError{GroupKind: gk}
	}
	return &meta.RESTMapping{}, nil
}

func TestAwaitServed(t *testing.T) {
	record, zone := dnsv1alpha1.RecordGroupVersionKind, zonev1alpha1.ZoneGroupVersionKind
	tests := []struct {
		reason string
		// after is when a kind is found; a kind that is not there never is.
		after map[schema.GroupVersionKind]time.Duration
		took  time.Duration
		found bool
	}{
		{"both are there", map[schema.GroupVersionKind]time.Duration{record: 0, zone: 0}, 0, true},
		{"one comes a second after the gate has opened", map[schema.GroupVersionKind]time.Duration{record: 0, zone: time.Second}, time.Second, true},
		{"one never comes", map[schema.GroupVersionKind]time.Duration{record: 0}, servedTimeout, false},
	}
	for _, tc := range tests {
		t.Run(tc.reason, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				m := late{from: map[schema.GroupKind]time.Time{}}
				for k, d := range tc.after {
					m.from[k.GroupKind()] = start.Add(d)
				}
				err := awaitServed(m, []schema.GroupVersionKind{record, zone})
				if (err == nil) != tc.found || (err != nil && !meta.IsNoMatchError(err)) {
					t.Errorf("%s: got %v", tc.reason, err)
				}
				if took := time.Since(start); took != tc.took {
					t.Errorf("%s: took %v, want %v", tc.reason, took, tc.took)
				}
			})
		})
	}
}
