// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package imports

// kubernetes returns the modules with types and clients of Kubernetes.
func kubernetes(more ...string) []string {
	return append([]string{"k8s.io/...", "sigs.k8s.io/..."}, more...)
}

// kubernetesOrCrossplane returns the modules of kubernetes and those of Crossplane.
func kubernetesOrCrossplane(more ...string) []string {
	return kubernetes(append([]string{"github.com/crossplane/..."}, more...)...)
}

// acting returns the packages that wait, call a server, or read files.
func acting(more ...string) []string {
	return append([]string{"context", "net/http/...", "os/..."}, more...)
}

// rules returns the rules. Packages import each other in one direction: cmd -> provider ->
// controller -> the kinds -> external, connect and dnszone -> cloudflare -> the SDK.
func rules() []rule {
	return []rule{
		{
			name: "apis", why: "others import the API types, and get nothing else with them",
			of: []string{"./apis/..."}, tests: true,
			deny: []string{"./..."}, allow: []string{"./apis/..."},
		},
		{
			name: "dnsrecord", why: "a record is parsed and compared without a context, a client or a file",
			of:   []string{"./internal/dnsrecord/..."},
			deny: acting("..."), allow: []string{"std", "./internal/dnsrecord/...", "github.com/miekg/dns", "golang.org/x/net/idna", "golang.org/x/text/..."},
		},
		{
			name: "ownership", why: "marks of owners are text, and reading them needs no context, client, file or clock",
			of:   []string{"./internal/dnszone/ownership/..."},
			deny: acting("...", "time"), allow: []string{"std"},
		},
		{
			name: "cloudflare", why: "the client of the API stands on nothing of the project",
			of:   []string{"./internal/cloudflare/..."},
			deny: kubernetesOrCrossplane("./..."), allow: []string{"./internal/cloudflare/..."},
		},
		{
			name: "parent", why: "lists that callers share are the same for every kind",
			of:   []string{"./internal/parent/..."},
			deny: kubernetesOrCrossplane("./..."), allow: []string{"./internal/cloudflare/...", "./internal/parent/..."},
		},
		{
			name: "audit", why: "audit logs are the same for every kind",
			of:   []string{"./internal/drift/audit/..."},
			deny: kubernetesOrCrossplane("./..."), allow: []string{"./internal/cloudflare/...", "./internal/drift/audit/..."},
		},
		{
			name: "dnszone", why: "the engine of DNS records knows no Kubernetes",
			of:   []string{"./internal/dnszone/..."},
			deny: kubernetesOrCrossplane("./..."),
			allow: []string{
				"./internal/cloudflare/...", "./internal/dnsrecord/...", "./internal/dnszone/...", "./internal/parent/...",
			},
		},
		{
			name: "inventory", why: "the plugin reads an account without a cluster",
			of:   []string{"./internal/export/inventory/..."},
			deny: kubernetes("./..."),
			allow: []string{
				"./internal/cloudflare/...", "./internal/dnsrecord/...", "./internal/export/inventory/...", "./internal/kind",
				"./internal/kind/kindapi/...", "./internal/parent/...",
			},
		},
		{
			name: "export", why: "manifests are made of what was read, without a context, a client or a file",
			of: []string{"./internal/export/..."}, except: []string{"./internal/export/inventory/...", "./internal/export/terraform/..."},
			deny: acting("./..."),
			allow: []string{
				"./apis/...", "./internal/cloudflare/...", "./internal/dnsrecord/...", "./internal/dnszone/ownership/...", "./internal/kind",
			},
		},
		{
			name: "terraform", why: "a state of Terraform is read without a context or a file",
			of:   []string{"./internal/export/terraform/..."},
			deny: []string{"./...", "context", "os/...", "k8s.io/..."}, allow: []string{"./internal/kind"},
		},
		{
			name: "plugin", why: "the plugin runs no controllers",
			of:   []string{"./cmd/kubectl-cloudflare/..."},
			deny: []string{"./internal/controller/...", "./internal/provider/..."},
		},
		{
			name: "connect", why: "the way from a managed resource to a client needs no kind",
			of:   []string{"./internal/connect/..."},
			deny: []string{"./..."}, allow: []string{"./apis/...", "./internal/cloudflare/...", "./internal/connect/..."},
		},
		{
			name: "limits", why: "what a config allows is decided by what the caller hands over",
			of:   []string{"./internal/connect/limits/..."},
			deny: kubernetes("./...", "time"),
		},
		{
			name: "decision", why: "facts decide the next step, and deciding waits for nothing",
			of:   []string{"./internal/external/decision/..."},
			deny: acting("...", "time"), allow: []string{"std"},
		},
		{
			name: "external", why: "the external client knows no kind: kinds hand it adapters",
			of:   []string{"./internal/external/..."},
			deny: []string{"./apis/...", "./internal/dnszone/...", "./internal/dnsrecord/..."},
		},
		{
			name: "below-external", why: "only controllers stand on the external client",
			of:     []string{"./internal/..."},
			except: []string{"./internal/controller/...", "./internal/external/...", "./internal/provider/..."},
			deny:   []string{"./internal/external/..."},
		},
		{
			name: "journal", why: "the journal knows no kind and no call",
			of:   []string{"./internal/external/journal/..."},
			deny: []string{"./..."},
		},
		{
			name: "reach", why: "the plugin decides on references as the provider does",
			of:   []string{"./internal/external/reach/..."},
			deny: []string{"./..."},
		},
		{
			name: "scope", why: "which namespaces are watched depends on nothing of the project",
			of:   []string{"./internal/controller/scope/..."},
			deny: []string{"./..."},
		},
		{
			name: "reconciler", why: "what stands between the runtime's reconciler and the kinds knows no kind and no call",
			of: []string{"./internal/reconciler/..."}, except: []string{"./internal/reconciler/reconcilertest/..."},
			deny: []string{"./..."}, allow: []string{"./internal/connect/...", "./internal/reconciler", "./internal/workers"},
		},
		{
			name: "fairqueue", why: "the queue schedules without knowing what",
			of:   []string{"./internal/workers/fairqueue/..."},
			deny: []string{"./...", "k8s.io/api/...", "k8s.io/apimachinery/...", "sigs.k8s.io/controller-runtime/pkg/client/..."},
		},
		{
			name: "kindapi", why: "the calls of a description need no Kubernetes",
			of:   []string{"./internal/kind/kindapi/..."},
			deny: kubernetesOrCrossplane("./..."), allow: []string{"./internal/cloudflare/...", "./internal/kind"},
		},
		{
			name: "parts-without-cloudflare", why: "references and connection secrets are the same for every kind",
			of:   []string{"./internal/controller/described/kindref/...", "./internal/controller/described/connectionsecret/..."},
			deny: []string{"./..."},
		},
		{
			name: "kind", why: "the generator, the engine and the plugin stand on what a kind is",
			of: []string{"./internal/kind/..."}, except: []string{"./internal/kind/kindapi/..."},
			deny: kubernetesOrCrossplane(acting("./...")...),
		},
		{
			name: "keypair", why: "keys and the requests for their certificates are made without knowing for what",
			of:   []string{"./internal/controller/described/keypair/..."},
			deny: acting("./...", "k8s.io/..."),
		},
		{
			name: "descriptions", why: "a description is data and pure functions",
			of:   []string{"./internal/kinds/..."},
			deny: acting("..."), allow: []string{"std", "./internal/kind", "./internal/kinds/..."},
		},
		{
			name: "kindgen", why: "the generator writes what others compile, so it must not need that",
			of:   []string{"./hack/kindgen/..."},
			deny: []string{"./..."},
			allow: []string{
				"./hack/kindgen/...", "./hack/officialdoc", "./internal/kind", "./internal/kinds/...",
			},
		},
		{
			name: "controllers", why: "controllers never import each other: what they share is a package below them",
			of: []string{"./internal/controller/..."}, except: []string{"./internal/controller"},
			deny: []string{"./internal/controller/..."},
			allow: []string{
				"./internal/controller/described/connectionsecret", "./internal/controller/described/keypair",
				"./internal/controller/described/kindref", "./internal/controller/zonefield",
			},
		},
		{
			name: "zonefield", why: "what the kinds with a zone share is none of them, and makes no call",
			of:   []string{"./internal/controller/zonefield/..."},
			deny: []string{"./..."}, allow: []string{"./internal/dnsrecord", "./internal/external"},
		},
		{
			name: "parts-of-described", why: "a package inside of another one is a part of it",
			of: []string{"./internal/..."}, except: []string{"./internal/controller/described/..."},
			deny: []string{"./internal/controller/described/..."}, allow: []string{"./internal/controller/described"},
		},
		{
			name: "parts-of-workers", why: "a package inside of another one is a part of it",
			of: []string{"./internal/..."}, except: []string{"./internal/workers/..."},
			deny: []string{"./internal/workers/..."}, allow: []string{"./internal/workers"},
		},
		{
			name: "below-controllers", why: "controllers are above every other package of internal but provider, which runs them",
			of: []string{"./internal/..."}, except: []string{"./internal/controller/...", "./internal/provider/..."},
			deny: []string{"./internal/controller/..."},
		},
		{
			name: "below-provider", why: "provider puts everything together, and only commands are above it",
			of: []string{"./internal/..."}, except: []string{"./internal/provider/..."},
			deny: []string{"./internal/provider/..."},
		},
		{
			name: "below-commands", why: "commands, test programs and what generates are at the top",
			of:   []string{"./internal/...", "./cmd/provider/...", "./cmd/kubectl-cloudflare/..."},
			deny: []string{"./cmd/...", "./hack/...", "./test/..."}, allow: []string{"./cmd/provider/...", "./cmd/kubectl-cloudflare/..."},
		},
		{
			name: "simulator", why: "a simulator that shares code with what it tests shares its mistakes",
			of:   []string{"./test/simulator/...", "./cmd/cfsim/..."},
			deny: kubernetesOrCrossplane("./..."), allow: []string{"./test/simulator/...", "./hack/officialdoc"},
		},
		{
			name: "apidoc", why: "what the simulator knows of the document is embedded in it",
			of: []string{"./test/simulator/apidoc/..."}, except: []string{"./test/simulator/apidoc/extract/..."},
			deny: acting("..."), allow: []string{"std", "./test/simulator/apidoc"},
		},
		{
			name: "users-of-the-simulator", why: "nothing that users run imports the simulator",
			of: []string{"./..."}, except: []string{"./test/simulator/...", "./cmd/cfsim/...", "./test/..."},
			deny: []string{"./test/simulator/..."},
		},
		{
			name: "sdk", why: "only internal/cloudflare speaks through the SDK",
			of: []string{"./..."}, except: []string{"./internal/cloudflare/..."}, tests: true,
			deny: []string{"github.com/cloudflare/cloudflare-go/..."},
		},
		{
			name: "root-of-the-sdk", why: "the root package links every service of Cloudflare (18 MB)",
			of: []string{"./internal/cloudflare/..."}, tests: true,
			deny: []string{"github.com/cloudflare/cloudflare-go/v7"},
		},
	}
}
