// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package drift

import (
	"slices"
	"testing"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	corev1 "k8s.io/api/core/v1"

	"github.com/provider-cloudflare/provider-cloudflare/apis/dns/v1alpha1"
)

// at returns an object of that generation whose UpToDate condition is c.
func at(generation int64, c ...xpv2.Condition) *v1alpha1.Record {
	mg := &v1alpha1.Record{}
	mg.SetGeneration(generation)
	mg.SetConditions(c...)
	return mg
}

func TestJudge(t *testing.T) {
	const (
		content = "content: live 1.0.0.1, desired 1.1.1.1"
		both    = content + "; ttl: live 120, desired 1"
		left    = " (left alone: managementPolicies does not let it be undone)"
	)
	cond := func(generation int64, s corev1.ConditionStatus, r xpv2.ConditionReason, msg string) xpv2.Condition {
		return condition(at(generation), s, r, msg)
	}
	synced := cond(3, corev1.ConditionTrue, "RecordSynced", "")
	one := Differences{{Field: "content", Live: "1.0.0.1", Desired: "1.1.1.1"}}
	two := append(slices.Clone(one), Difference{Field: "ttl", Live: "120", Desired: "1"})
	tests := []struct {
		reason  string
		mg      *v1alpha1.Record
		diff    Differences
		updates bool
		want    xpv2.Condition
		drift   bool
		news    bool
	}{
		{"as declared, first sight", at(1), nil, true, cond(1, corev1.ConditionTrue, "RecordSynced", ""), false, false},
		{"as declared, after a drift", at(3, cond(3, corev1.ConditionFalse, ReasonDetected, content)), nil, true, synced, false, false},
		{"as declared, and nothing may be updated", at(3), nil, false, synced, false, false},

		{"never judged before: an adopted record is brought to its spec", at(1), one, true, cond(1, corev1.ConditionFalse, ReasonPending, content), false, false},
		{"the spec was just edited", at(4, synced), one, true, cond(4, corev1.ConditionFalse, ReasonPending, content), false, false},
		{"the edit was not carried out yet", at(4, cond(4, corev1.ConditionFalse, ReasonPending, content)), one, true, cond(4, corev1.ConditionFalse, ReasonPending, content), false, false},
		{"the edit is carried out in part", at(4, cond(4, corev1.ConditionFalse, ReasonPending, both)), one, true, cond(4, corev1.ConditionFalse, ReasonPending, content), false, false},
		{"an edit during a drift", at(4, cond(3, corev1.ConditionFalse, ReasonDetected, content)), two, true, cond(4, corev1.ConditionFalse, ReasonPending, both), false, false},

		{"changed outside the provider", at(3, synced), one, true, cond(3, corev1.ConditionFalse, ReasonDetected, content), true, true},
		{"a drift reported before", at(3, cond(3, corev1.ConditionFalse, ReasonDetected, content)), one, true, cond(3, corev1.ConditionFalse, ReasonDetected, content), true, false},
		{"a drift that goes on", at(3, cond(3, corev1.ConditionFalse, ReasonDetected, content)), two, true, cond(3, corev1.ConditionFalse, ReasonDetected, both), true, true},
		{"changed since it was only looked at", at(3, cond(3, corev1.ConditionTrue, ReasonObserved, "")), one, true, cond(3, corev1.ConditionFalse, ReasonDetected, content), true, true},

		{"nothing may be updated: a difference is never pending", at(1), one, false, cond(1, corev1.ConditionFalse, ReasonDetected, content+left), true, true},
		{"nothing may be updated, spec edited", at(4, synced), one, false, cond(4, corev1.ConditionFalse, ReasonDetected, content+left), true, true},
		{"nothing may be updated, reported before", at(4, cond(4, corev1.ConditionFalse, ReasonDetected, content+left)), one, false, cond(4, corev1.ConditionFalse, ReasonDetected, content+left), true, false},
		{"updates are allowed now", at(5, cond(4, corev1.ConditionFalse, ReasonDetected, content+left)), one, true, cond(5, corev1.ConditionFalse, ReasonPending, content), false, false},
	}
	for _, tc := range tests {
		got := Judge(tc.mg, "Record", tc.diff, tc.updates)
		if !got.Condition.Equal(tc.want) || got.Condition.Type != xpv2.TypeUpToDate || got.Condition.ObservedGeneration != tc.mg.GetGeneration() {
			t.Errorf("%s: condition is %+v, want %+v", tc.reason, got.Condition, tc.want)
		}
		if got.Drift != tc.drift || got.News != tc.news {
			t.Errorf("%s: drift %t, news %t, want %t, %t", tc.reason, got.Drift, got.News, tc.drift, tc.news)
		}
		if tc.drift && (!slices.Equal(got.Differences, tc.diff) || got.Undone != tc.updates) {
			t.Errorf("%s: the drift is %v, undone %t", tc.reason, got.Differences, got.Undone)
		}
		if got.Condition.LastTransitionTime.IsZero() {
			t.Errorf("%s: the condition has no time", tc.reason)
		}

		// The same verdict again is no news.
		tc.mg.SetConditions(got.Condition)
		if again := Judge(tc.mg, "Record", tc.diff, tc.updates); again.News || !again.Condition.Equal(got.Condition) {
			t.Errorf("%s: judged again: %+v", tc.reason, again)
		}
	}
}

func TestObservedAndSynced(t *testing.T) {
	mg := at(7)
	for c, want := range map[xpv2.ConditionReason]xpv2.Condition{
		"Observed": Observed(mg), "RecordSynced": UpToDate(mg, "Record"), "ZoneSynced": UpToDate(mg, "Zone"),
	} {
		if want.Reason != c || want.Status != corev1.ConditionTrue || want.Type != xpv2.TypeUpToDate || want.ObservedGeneration != 7 {
			t.Errorf("condition is %+v, want True because of %s at generation 7", want, c)
		}
	}
}

func TestDifferencesRead(t *testing.T) {
	both := Differences{{Field: "a", Live: "1", Desired: "2"}, {Field: "b", Says: "it ends soon"}}
	if got := both.String(); got != "a: live 1, desired 2; b: it ends soon" {
		t.Errorf("got %q", got)
	}
	if got := Differences(nil).String(); got != "" {
		t.Errorf("no difference reads %q", got)
	}
}

// TestWhoCausedADrift follows one drift through its reports.
func TestWhoCausedADrift(t *testing.T) {
	const (
		content = "content: live 1.0.0.1, desired 1.1.1.1"
		who     = "changed by jane@example.com in the dashboard at 2026-11-23T12:00:00Z"
		bob     = "deleted with the account's API token \"ci\" at 2026-11-23T12:05:00Z"
		left    = " (left alone: managementPolicies does not let it be undone)"
	)
	change := Difference{Field: "content", Live: "1.0.0.1", Desired: "1.1.1.1"}
	one, two := Differences{change}, Differences{change, {Field: "ttl", Live: "120", Desired: "1"}}
	for _, updates := range []bool{true, false} {
		after := map[bool]string{true: "", false: left}[updates]
		mg := at(3)
		mg.SetConditions(UpToDate(mg, "Record"))
		step := func(reason string, diff Differences, by, want string, news, unexplained bool) {
			t.Helper()
			v := Judge(mg, "Record", diff, updates)
			if v.Cause == "" {
				v = v.By(by)
			}
			if v.Condition.Message != want+after || v.News != news || !v.Drift {
				t.Errorf("%s: %q, news %t, want %q, news %t", reason, v.Condition.Message, v.News, want+after, news)
			}
			mg.SetConditions(v.Condition)
			if Unexplained(mg) != unexplained {
				t.Errorf("%s: unexplained is %t: %s", reason, !unexplained, v.Condition.Message)
			}
		}
		step("nobody knows yet", one, "", content, true, true)
		step("the entry comes late", one, who, content+"; "+who, false, false)
		step("it is known: nobody is asked again", one, bob, content+"; "+who, false, false)
		step("it goes on, and that may be somebody else's work", two, "", two.String(), true, true)
		step("known at once", one, bob, content+"; "+bob, true, false)
		mg.SetGeneration(4)
		if updates {
			if v := Judge(mg, "Record", one, updates); v.Drift || v.By(who).Condition.Message != content {
				t.Errorf("an edit is no drift: %+v", v)
			}
			continue
		}
		step("an edited spec is judged again", one, "", content, true, true)
	}
	if mg := at(3); Unexplained(mg) {
		t.Error("an object without a drift has one that is unexplained")
	}
}
