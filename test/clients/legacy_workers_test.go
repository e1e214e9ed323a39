// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package clients

import (
	"strings"
	"testing"

	"github.com/cloudflare/cloudflare-go"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// TestLegacySDKUploadsAWorker uploads a Worker with Cloudflare's SDK from before 2024, which
// builds the form by hand. The generated SDK sends the members of the metadata as separate
// parts, which differs from the document.
func TestLegacySDKUploadsAWorker(t *testing.T) {
	c := newCloud(t, simulator.PlanPro)
	c.token = c.sim.AddToken(simulator.TokenOptions{Grants: []simulator.Grant{{Account: c.account.ID, Permission: simulator.Everything}}})
	api, ctx, account := legacySDK(t, c), t.Context(), cloudflare.AccountIdentifier(c.account.ID)
	upload := func(code string, bindings map[string]cloudflare.WorkerBinding) (cloudflare.WorkerScriptResponse, error) {
		return api.UploadWorker(ctx, account, cloudflare.CreateWorkerParams{
			ScriptName: "greeter", Script: code, Module: true, Bindings: bindings, CompatibilityFlags: []string{"nodejs_compat"}, Tags: []string{"team"},
		})
	}
	bindings := map[string]cloudflare.WorkerBinding{
		"TEXT": cloudflare.WorkerPlainTextBinding{Text: "seen"}, "KEY": cloudflare.WorkerSecretTextBinding{Text: "not-to-be-shown"},
	}
	first, err := upload("export default {}", bindings)
	must(t, "UploadWorker()", err)
	second, err := upload("export default {} // changed", bindings)
	must(t, "UploadWorker() again", err)
	if first.ID != "greeter" || first.ETAG == "" || first.ETAG == second.ETAG {
		t.Errorf("the uploads answer the name %q and the etags %q and %q, want another one for other code", first.ID, first.ETAG, second.ETAG)
	}
	list, _, err := api.ListWorkers(ctx, account, cloudflare.ListWorkersParams{})
	must(t, "ListWorkers()", err)
	if len(list.WorkerList) != 1 || list.WorkerList[0].ETAG != second.ETAG {
		t.Errorf("the list is %v, want the Worker as it was uploaded last", list.WorkerList)
	}
	settings, err := api.GetWorkersScriptSettings(ctx, account, "greeter")
	must(t, "GetWorkersScriptSettings()", err)
	if !settings.Success {
		t.Errorf("the settings are answered %v", settings.Response)
	}
	bindings["NONE"] = cloudflare.WorkerKvNamespaceBinding{NamespaceID: strings.Repeat("0", 32)}
	if _, err := upload("export default {}", bindings); err == nil || !strings.Contains(err.Error(), "10041") {
		t.Errorf("a binding to no KV namespace is answered %v, want the code 10041", err)
	}
	must(t, "DeleteWorker()", api.DeleteWorker(ctx, account, cloudflare.DeleteWorkerParams{ScriptName: "greeter"}))
	if n := c.sim.CountResources("/accounts/" + c.account.ID + "/workers/scripts"); n != 0 {
		t.Errorf("%d Workers are left", n)
	}
}
