// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package runner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/crossplane/function-sdk-go/logging"
	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"
	"sigs.k8s.io/yaml"

	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/runner"
)

const (
	websiteInput  = `{apiVersion: dns.fn.cloudflare.m.crossplane.io/v1alpha1, kind: Website, providerConfigRef: {kind: ProviderConfig, name: team}}`
	endpointInput = `{apiVersion: dns.fn.cloudflare.m.crossplane.io/v1alpha1, kind: Endpoint, environmentPrefix: dns-}`

	site = `{apiVersion: p.example.org/v1, kind: Website, metadata: {name: a, namespace: team}, spec: {domain: example.net, origin: {ipv4: 192.0.2.1}, mail: {provider: google}}}`
	shop = `{apiVersion: p.example.org/v1, kind: Hostname, metadata: {name: a, namespace: team}, spec: {name: shop.example.com, target: 192.0.2.1, ttl: 300}}`

	environment = `{apiVersion: apiextensions.crossplane.io/v1beta1, kind: EnvironmentConfig, metadata: {name: dns-team},
  data: {domains: [{domain: example.com, providerConfigRef: {kind: ClusterProviderConfig, name: shared}}]}}`
)

// object reads YAML.
func object(t *testing.T, text string) *structpb.Struct {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s := &structpb.Struct{}
	if err := protojson.Unmarshal(raw, s); err != nil {
		t.Fatal(err)
	}
	return s
}

func request(t *testing.T, input, composite string, observed map[string]string) *fnv1.RunFunctionRequest {
	t.Helper()
	req := &fnv1.RunFunctionRequest{
		Input:    object(t, input),
		Observed: &fnv1.State{Composite: &fnv1.Resource{Resource: object(t, composite)}, Resources: map[string]*fnv1.Resource{}},
	}
	for name, text := range observed {
		req.Observed.Resources[name] = &fnv1.Resource{Resource: object(t, text)}
	}
	return req
}

func call(t *testing.T, req *fnv1.RunFunctionRequest) *fnv1.RunFunctionResponse {
	t.Helper()
	rsp, err := runner.New(logging.NewNopLogger()).RunFunction(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return rsp
}

// condition is "status reason: message" of a condition in a response.
func condition(rsp *fnv1.RunFunctionResponse, typ string) string {
	for _, c := range rsp.GetConditions() {
		if c.GetType() == typ {
			return strings.TrimPrefix(c.GetStatus().String(), "STATUS_CONDITION_") + " " + c.GetReason() + ": " + c.GetMessage()
		}
	}
	return ""
}

// fatal is the message of a fatal result.
func fatal(rsp *fnv1.RunFunctionResponse) string {
	for _, r := range rsp.GetResults() {
		if r.GetSeverity() == fnv1.Severity_SEVERITY_FATAL {
			return r.GetMessage()
		}
	}
	return ""
}

func TestWebsite(t *testing.T) {
	t.Parallel()
	req := request(t, websiteInput, site, map[string]string{
		"apex-a": `{spec: {forProvider: {zoneName: example.net, name: "@", type: A, content: 192.0.2.1, proxied: true}}, status: {conditions: [{type: Ready, status: "True"}, {type: Synced, status: "True"}]}}`,
		"mx-1":   `{status: {conditions: [{type: Synced, status: "False", message: no such zone}]}}`,
		"spf":    `{status: {conditions: unreadable}}`,
	})
	req.Desired = &fnv1.State{Resources: map[string]*fnv1.Resource{"earlier": {Resource: object(t, `{kind: Thing}`)}}}
	rsp := call(t, req)

	if got := fatal(rsp); got != "" {
		t.Fatal(got)
	}
	want := map[string]fnv1.Ready{
		"apex-a": fnv1.Ready_READY_TRUE, "mx-1": fnv1.Ready_READY_FALSE, "spf": fnv1.Ready_READY_FALSE, "dmarc": fnv1.Ready_READY_FALSE,
		"earlier": fnv1.Ready_READY_UNSPECIFIED,
	}
	got := map[string]fnv1.Ready{}
	for name, r := range rsp.GetDesired().GetResources() {
		got[name] = r.GetReady()
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what is desired, and whether it is ready (-want +got):\n%s", diff)
	}
	config := rsp.GetDesired().GetResources()["apex-a"].GetResource().AsMap()["spec"].(map[string]any)["providerConfigRef"]
	if diff := cmp.Diff(map[string]any{"kind": "ProviderConfig", "name": "team"}, config); diff != "" {
		t.Errorf("the credential is the input's (-want +got):\n%s", diff)
	}
	status := rsp.GetDesired().GetComposite().GetResource().AsMap()["status"].(map[string]any)
	if status["readyRecords"] != "1/4" || len(status["missing"].([]any)) != 1 {
		t.Errorf("got status %v, want 1/4 ready and one thing missing", status)
	}
	if got := status["records"].([]any)[1].(map[string]any)["message"]; got != "no such zone" {
		t.Errorf("got message %v of the MX, want what the provider says", got)
	}
	if got, want := condition(rsp, "RecordsReady"), "FALSE NotReady: MX record of example.net: no such zone; TXT record of example.net: "; !strings.HasPrefix(got, want) {
		t.Errorf("got condition RecordsReady %q, want it to name each record with its reason", got)
	}
	if got := condition(rsp, "Complete"); !strings.HasPrefix(got, "FALSE ValuesMissing: DKIM") {
		t.Errorf("got condition Complete %q, want it to ask for a DKIM key", got)
	}
}

// A condition of an earlier generation says nothing of what the Record declares now.
func TestRecordOfAnEarlierGeneration(t *testing.T) {
	t.Parallel()
	apex := `{metadata: {generation: %d}, spec: {forProvider: {zoneName: example.net, name: "@", type: A, content: 192.0.2.1, proxied: true}},
	  status: {conditions: [{type: Ready, status: "True", observedGeneration: 1}, {type: Synced, status: "True", observedGeneration: 1}]}}`
	for generation, want := range map[int]fnv1.Ready{1: fnv1.Ready_READY_TRUE, 2: fnv1.Ready_READY_FALSE} {
		rsp := call(t, request(t, websiteInput, site, map[string]string{"apex-a": fmt.Sprintf(apex, generation)}))
		if got := rsp.GetDesired().GetResources()["apex-a"].GetReady(); got != want {
			t.Errorf("generation %d, observed at 1: %s, want %s", generation, got, want)
		}
	}
}

func TestWebsiteComplete(t *testing.T) {
	t.Parallel()
	rsp := call(t, request(t, websiteInput, strings.Replace(site, "google", "fastmail", 1), nil))
	if got := condition(rsp, "Complete"); got != "TRUE NothingMissing: " {
		t.Errorf("got condition Complete %q", got)
	}
	missing := rsp.GetDesired().GetComposite().GetResource().GetFields()["status"].GetStructValue().GetFields()["missing"]
	if missing.GetListValue() == nil {
		t.Errorf("got status.missing %v, want an empty list: a status refuses null", missing)
	}
}

func TestEndpoint(t *testing.T) {
	t.Parallel()
	req := request(t, endpointInput, shop, nil)
	rsp := call(t, req)
	if got := rsp.GetRequirements().GetResources()["environment"]; got.GetMatchName() != "dns-team" || got.GetKind() != "EnvironmentConfig" {
		t.Fatalf("got requirement %v, want the EnvironmentConfig of the namespace", got)
	}
	if len(rsp.GetDesired().GetResources())+len(rsp.GetResults())+len(rsp.GetConditions()) > 0 {
		t.Fatalf("got %v before the answer came", rsp)
	}

	req.RequiredResources = map[string]*fnv1.Resources{"environment": {Items: []*fnv1.Resource{{Resource: object(t, environment)}}}}
	rsp = call(t, req)
	if got := fatal(rsp); got != "" {
		t.Fatal(got)
	}
	if rsp.GetRequirements().GetResources()["environment"] == nil {
		t.Error("the requirement is gone: Crossplane would not watch it")
	}
	spec := rsp.GetDesired().GetResources()["a-in-example.com"].GetResource().AsMap()["spec"]
	want := map[string]any{
		"forProvider":       map[string]any{"zoneName": "example.com", "name": "shop.example.com", "type": "A", "content": "192.0.2.1", "ttl": 300.0, "proxied": false},
		"providerConfigRef": map[string]any{"kind": "ClusterProviderConfig", "name": "shared"},
	}
	if diff := cmp.Diff(want, spec); diff != "" {
		t.Errorf("the Record (-want +got):\n%s", diff)
	}
	if got := condition(rsp, "Allowed"); got != "TRUE InDomain: " {
		t.Errorf("got condition Allowed %q", got)
	}
}

// TestRefusals wants no new Records of everything that is not to be, and those that exist
// as they are. A team's error makes the composite resource not ready; the platform's is a
// fatal result, at which Crossplane leaves everything alone.
func TestRefusals(t *testing.T) {
	t.Parallel()
	answer := func(text string) map[string]*fnv1.Resources {
		r := &fnv1.Resources{}
		if text != "" {
			r.Items = []*fnv1.Resource{{Resource: object(t, text)}}
		}
		return map[string]*fnv1.Resources{"environment": r}
	}
	cases := map[string]struct {
		input, composite          string
		answer                    map[string]*fnv1.Resources
		refused, fatal, condition string
		reason                    string
	}{
		"NoEnvironment": {
			input: endpointInput, composite: shop, answer: answer(""),
			refused: "no EnvironmentConfig dns-team", condition: "FALSE NoDomains",
			reason: "a namespace the platform has not heard of may use nothing",
		},
		"NotAllowed": {
			input: endpointInput, composite: strings.Replace(shop, "shop.example.com", "shop.example.org", 1), answer: answer(environment),
			refused: "shop.example.org is not in a domain", condition: "FALSE NameNotAllowed",
			reason: "the message and the condition say what is allowed",
		},
		"MisspeltEnvironment": {
			input: endpointInput, composite: shop, answer: answer(strings.Replace(environment, "providerConfigRef", "providerConfig", 1)),
			refused: "cannot be read", condition: "FALSE Misconfigured",
			reason: "a field nobody reads is a decision nobody made",
		},
		"EnvironmentOfAnotherShape": {
			input: endpointInput, composite: shop, answer: answer(`{data: [1]}`),
			refused: "cannot be read", condition: "FALSE Misconfigured",
			reason: "it must not be taken for an empty one",
		},
		"InvalidTarget": {
			input: endpointInput, composite: strings.Replace(shop, "192.0.2.1", "192.0.2", 1), answer: answer(environment),
			refused: "neither an IP address nor a full hostname", condition: "FALSE InvalidTarget",
			reason: "what the XRD cannot tell the function does",
		},
		"NoNamespace": {
			input: endpointInput, composite: strings.Replace(shop, "namespace", "generateName", 1),
			fatal:  "no namespace",
			reason: "of a cluster's resource nobody could say what it may use",
		},
		"RefusedWebsite": {
			input: websiteInput, composite: strings.Replace(site, "google", "pigeon", 1),
			refused: "not known", condition: "FALSE Refused",
			reason: "an unknown provider is no reason to delete the MX",
		},
		"SpecOfAnotherShape": {
			input: websiteInput, composite: strings.Replace(site, "{provider: google}", "google", 1),
			fatal:  "cannot read spec",
			reason: "an XRD that differs has to be seen",
		},
		"UnknownField": {
			input: strings.Replace(endpointInput, "environmentPrefix", "prefix", 1), composite: shop,
			fatal:  "prefix",
			reason: "a Composition with a typing error must not be half understood",
		},
		"UnknownKind": {
			input: strings.Replace(endpointInput, "Endpoint", "Nothing", 1), composite: shop,
			fatal:  "Website or Endpoint",
			reason: "there is no such task",
		},
		"OtherVersion": {
			input: strings.Replace(endpointInput, "v1alpha1", "v9", 1), composite: shop,
			fatal:  "must be dns.fn.cloudflare.m.crossplane.io/v1alpha1",
			reason: "what a later version means is not known here",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const kept = "kept"
			req := request(t, tc.input, tc.composite, map[string]string{
				kept:    live,
				"other": `{apiVersion: v1, kind: ConfigMap, metadata: {name: of-a-later-step}}`,
			})
			req.RequiredResources = tc.answer
			rsp := call(t, req)
			if got := fatal(rsp); !strings.Contains(got, tc.fatal) || (got == "") != (tc.fatal == "") {
				t.Errorf("%s: got fatal %q, want %q", tc.reason, got, tc.fatal)
			}
			if got := condition(rsp, "Allowed") + condition(rsp, "Complete"); !strings.HasPrefix(got, tc.condition) {
				t.Errorf("%s: got condition %q, want %q", tc.reason, got, tc.condition)
			}
			if tc.fatal != "" {
				if n := len(rsp.GetDesired().GetResources()); n > 0 {
					t.Errorf("%s: got %d Records all the same", tc.reason, n)
				}
				return
			}
			if got := condition(rsp, "RecordsReady"); !strings.HasPrefix(got, "FALSE Refused: ") || !strings.Contains(got, tc.refused) || tc.refused == "" {
				t.Errorf("%s: got condition RecordsReady %q, want %q", tc.reason, got, tc.refused)
			}
			keptAlone(t, rsp, kept)
			none := request(t, tc.input, tc.composite, nil)
			none.RequiredResources = tc.answer
			if got := call(t, none).GetDesired().GetComposite().GetReady(); got != fnv1.Ready_READY_FALSE {
				t.Errorf("%s: with nothing composed the composite resource is %v, want it not to be ready", tc.reason, got)
			}
		})
	}
}

// live is a Record that exists, is ready, and has fields of the provider's.
const live = `{apiVersion: dns.cloudflare.m.crossplane.io/v1alpha1, kind: Record, metadata: {name: a-1, uid: u},
  spec: {forProvider: {zoneName: example.com, name: shop.example.com, type: A, content: 192.0.2.1, ttl: 300, proxied: false, comment: theirs},
    providerConfigRef: {kind: ClusterProviderConfig, name: shared}, managementPolicies: ["*"]},
  status: {conditions: [{type: Ready, status: "True"}, {type: Synced, status: "True"}]}}`

// keptAlone wants the one Record that exists as it is, not to be ready, and nothing else.
func keptAlone(t *testing.T, rsp *fnv1.RunFunctionResponse, name string) {
	t.Helper()
	desired := rsp.GetDesired().GetResources()
	if len(desired) != 1 || desired[name].GetReady() != fnv1.Ready_READY_FALSE {
		t.Fatalf("got %v, want the Record that exists, and that it is not ready", desired)
	}
	want := map[string]any{
		"apiVersion": "dns.cloudflare.m.crossplane.io/v1alpha1", "kind": "Record",
		"spec": map[string]any{
			"forProvider":       map[string]any{"zoneName": "example.com", "name": "shop.example.com", "type": "A", "content": "192.0.2.1", "ttl": 300.0, "proxied": false},
			"providerConfigRef": map[string]any{"kind": "ClusterProviderConfig", "name": "shared"},
		},
	}
	if diff := cmp.Diff(want, desired[name].GetResource().AsMap()); diff != "" {
		t.Errorf("the Record that exists (-want +got):\n%s", diff)
	}
}

// TestRefusalKeepsStatus wants what the status says of the Record that is kept to stay, with
// the reason of the refusal.
func TestRefusalKeepsStatus(t *testing.T) {
	t.Parallel()
	moved := strings.Replace(shop, "shop.example.com", "shop.example.org", 1)
	moved = strings.TrimSuffix(moved, "}") + `, status: {fqdn: shop.example.com, type: A, zone: example.com, message: ""}}`
	req := request(t, endpointInput, moved, map[string]string{"a-in-example.com": live})
	req.RequiredResources = map[string]*fnv1.Resources{"environment": {Items: []*fnv1.Resource{{Resource: object(t, environment)}}}}
	status := call(t, req).GetDesired().GetComposite().GetResource().AsMap()["status"]
	want := map[string]any{
		"fqdn": "shop.example.com", "type": "A", "zone": "example.com",
		"message": "shop.example.org is not in a domain of namespace team, which may use example.com",
	}
	if diff := cmp.Diff(any(want), status); diff != "" {
		t.Errorf("the status (-want +got):\n%s", diff)
	}
}
