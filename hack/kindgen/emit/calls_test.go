// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/provider-cloudflare/provider-cloudflare/hack/kindgen/model"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
)

// TestCalls checks that each operation of a kind is listed once, with all its purposes.
func TestCalls(t *testing.T) {
	t.Parallel()
	k := &model.Kind{Description: kind.Description{
		Name: "Thing", List: "GET /things", Read: "GET /things", Update: "PATCH /things/{id}", Delete: "DELETE /things/{id}",
		BeforeDelete: []string{"DELETE /things/{id}/uses"}, Permissions: []string{"Things Write", "All Write"},
	}}
	want := `| kind | method | path | when | permission of the token, one of these |
|---|---|---|---|---|
| [Thing](thing.md) | GET | ` + "`/things`" + ` | look for drift, adopt, look at one | Things Write, All Write |
| [Thing](thing.md) | PATCH | ` + "`/things/{id}`" + ` | update | Things Write, All Write |
| [Thing](thing.md) | DELETE | ` + "`/things/{id}`" + ` | delete | Things Write, All Write |
| [Thing](thing.md) | DELETE | ` + "`/things/{id}/uses`" + ` | free it before it is deleted | Things Write, All Write |
`
	if diff := cmp.Diff(want, Calls([]*model.Kind{k})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
