// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package described

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/utils/ptr"

	zonev1alpha1 "github.com/provider-cloudflare/provider-cloudflare/apis/zone/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/parent"
)

// setBack returns the singletons whose deletion changes something.
func setBack(t *testing.T) []entry {
	t.Helper()
	out := slices.DeleteFunc(roster(), func(e entry) bool {
		return e.Description.Shape != kind.Singleton || e.Description.OnDelete.Verb == ""
	})
	if len(out) < 8 {
		t.Fatalf("%d kinds are fewer than there were", len(out))
	}
	return out
}

// onDelete sets what the deletion of a ZoneSetting does. Other kinds have no choice.
func (s *stage) onDelete(does string) {
	s.t.Helper()
	if mg, ok := s.read(s.kind, s.key).(*zonev1alpha1.ZoneSetting); ok {
		mg.Spec.OnDelete = ptr.To(does)
		must(s.t, s.server.Update(s.t.Context(), mg))
	}
}

// nothingSet returns an answer that nothing of a singleton is set.
func nothingSet(r *http.Request, d kind.Description) *http.Response {
	code := 10003
	for _, c := range slices.Concat(d.Unset, d.Gone) {
		if c.Code != 0 {
			code = c.Code
			break
		}
	}
	return answered(r, http.StatusNotFound, fmt.Sprintf(`{"success":false,"errors":[{"code":%d,"message":"not found"}],"messages":[],"result":null}`, code))
}

// TestSettingBackIsAnsweredWrongly checks each singleton whose deletion changes something, if the call for that
// returns that nothing is set. After one such answer the call is made again. The object is gone when all answers say
// so.
func TestSettingBackIsAnsweredWrongly(t *testing.T) {
	t.Parallel()
	for _, e := range setBack(t) {
		for reason, times := range map[string]int{"once": 1, "always": 1000} {
			t.Run(e.GVK.Kind+"/"+reason, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					s := newStage(t, e)
					s.onDelete(kind.Reset)
					s.settle(s.kind, s.key)
					s.reconcile(s.kind, s.key)
					s.delete()
					wrong, made := 0, 0
					s.answers = func(r *http.Request) *http.Response {
						switch {
						case r.Method == http.MethodGet:
							return nil
						case wrong < times:
							wrong++
							return nothingSet(r, e.Description)
						}
						made++
						return nil
					}
					for range 12 {
						s.reconcile(s.kind, s.key)
						<-time.After(parent.Lag / 2)
					}
					believed := len(e.Description.Gone) > 0 || len(e.Description.Unset) > 0
					switch mg := s.read(s.kind, s.key); {
					case times == 1 && (wrong != 1 || made == 0 || mg != nil):
						t.Errorf("after %d wrong answers the call is made %d times, and the object is %v", wrong, made, mg)
					case times > 1 && believed && (wrong < 2 || wrong > 4 || mg != nil):
						t.Errorf("after %d answers the object is %v", wrong, mg)
					case times > 1 && !believed && mg == nil:
						t.Error("the object goes after a refusal")
					}
				})
			})
		}
	}
}

// TestDeletionOfASettingThatWasNeverWritten checks a ZoneSetting if each of its writes is refused. Its deletion does
// nothing, unless its user asks for a reset of the setting, independent of who set it.
func TestDeletionOfASettingThatWasNeverWritten(t *testing.T) {
	t.Parallel()
	for _, does := range []string{kind.Leave, kind.Restore, kind.Reset} {
		t.Run(does, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, entryOf(t, "ZoneSetting"))
			s.onDelete(does)
			s.refuseWrites()
			tried := false
			for range 3 {
				s.reconcile(s.kind, s.key)
				tried = tried || slices.ContainsFunc(s.log, asked.writes)
			}
			if !tried {
				t.Fatal("the object writes nothing")
			}
			s.answers = nil
			s.delete()
			wrote := false
			for range 4 {
				s.reconcile(s.kind, s.key)
				wrote = wrote || slices.ContainsFunc(s.log, asked.writes)
			}
			if mg := s.read(s.kind, s.key); mg != nil || wrote != (does == kind.Reset) {
				t.Errorf("the object is %v, and the deletion writes: %t", mg, wrote)
			}
		})
	}
}
