# "make" lists the targets. GNU make 4.3 and bash.
SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
ARCH    ?= amd64
# What an image says of where it comes from. SOURCE_DATE_EPOCH is the commit's time.
REVISION ?= $(shell git rev-parse HEAD 2>/dev/null)
CREATED  ?= $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct 2>/dev/null),0)
# Whether what is built may differ from the commit: it does not only where git says so.
MODIFIED = $(shell changes=$$(git status --porcelain 2>/dev/null) && test -z "$$changes" && echo false || echo true)
IMAGE   ?= provider-cloudflare:$(VERSION)
# What make xpkg writes begins with this, and is for these; its files.
XPKG     = _output/xpkg/provider-cloudflare-$(VERSION)
ARCHS   ?= amd64 arm64
FUNCTION = _output/xpkg/function-cloudflare-dns-$(VERSION)
FUNCTION_FILES = $(foreach a,$(ARCHS),$(FUNCTION)-$(a).xpkg $(FUNCTION)-$(a).cdx.json) $(FUNCTION).oci.tar $(FUNCTION).provenance.json
CONFIGURATION = _output/xpkg/configuration-cloudflare-$(VERSION)
CONFIGURATION_FILES = $(CONFIGURATION).xpkg $(CONFIGURATION).provenance.json
# The program that pushes, built before where it must not be built: _output/package
PACKAGER ?=
XPKG_FILES = $(foreach a,$(ARCHS),$(XPKG)-$(a).xpkg $(XPKG)-$(a).cdx.json) $(XPKG).oci.tar $(XPKG).provenance.json
# More flags for make reproduce.
REPRODUCEARGS ?=
# The examples that go into the package: those of its kinds, and of how to run it.
EXAMPLES ?= $(filter-out examples/composition examples/gitops,$(sort $(wildcard examples/*)))
# Where make push puts the package: registry.example.org:5000/somebody
REGISTRY ?=
TESTARGS ?=
# How long each fuzz target runs, and what its name has in it.
FUZZTIME ?= 30s
FUZZ ?=
# The revision with whose CRDs make compat compares.
BASE ?= $(shell git describe --tags --abbrev=0 2>/dev/null || cat hack/compat-base)
# How many inputs each target of make fuzz-ci gets.
FUZZINPUTS ?= 50
# More flags for make bench, see _output/bench --help.
BENCHARGS ?=
# More flags for make e2e and e2e-full, such as -test.run.
E2EARGS ?=
# How long make chaos breaks things, and the seed: 0 chooses one.
CHAOS_DURATION ?= 30m
SEED ?= 0
CHAOS_QUICK_DURATION = 130s
# More flags for make chaos, see _output/chaos --help.
CHAOSARGS ?=
# Where make cluster writes its kubeconfig.
CLUSTER_DIR ?= _output/cluster
# What the control plane of the demo and the benchmarks must have. Empty takes
# envtest's own binaries where there are any; --full insists on a
# kube-controller-manager, which those lack. The tests always need it.
CONTROLPLANE_FLAGS ?=

export GOWORK := off
# One set of flags, so that Go's cache serves every target, and every clone. The race
# detector needs cgo.
export GOFLAGS := $(filter-out -trimpath,$(GOFLAGS)) -trimpath
export CGO_ENABLED ?= 0

# Modules beside the main one.
MODULES := test/controlplane test/clients test/operations hack/package hack/supply hack/chart functions/dns
SIDE_MODULES = $(foreach m,$(MODULES),$(if $(wildcard $(m)/go.mod),$(m)))

TOOL := hack/tool.sh
say   = @echo "==> $(1)" >&2
# assets sets KUBEBUILDER_ASSETS for the rest of a recipe's line.
assets = KUBEBUILDER_ASSETS="$$(hack/clock.sh "control plane" hack/controlplane.sh $(CONTROLPLANE_FLAGS))" && export KUBEBUILDER_ASSETS

.PHONY: nightly mutants help generate verify compat lint lint-go test test-chance monitoring build image-binary packager image-tarball sbom xpkg push function-xpkg function-push configuration-xpkg configuration-push reproduce scan licences licences-check demo demo-program recording dev cluster fuzz fuzz-ci bench charts bench-quick bench-programs bench-go chaos chaos-quick chaos-program e2e e2e-full clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "%-14s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

generate: ## write all that follows from descriptions, apis/, functions/ and Cloudflare's document: types, CRDs, rights, tables, the simulator's extract (30 s)
	$(call say,generate: types of the described kinds)
	@go run ./hack/kindgen/roster
	@go run ./hack/kindgen
	$(call say,generate: deep copies and method sets)
	@# Both read types together with what they wrote before, which may not fit any more.
	@rm -f apis/*/v1alpha1/zz_generated.deepcopy.go apis/*/v1alpha1/zz_generated.managed*.go apis/*/v1alpha1/zz_generated.resolvers.go
	@$(TOOL) controller-gen object:headerFile=hack/boilerplate.go.txt paths=./apis/...
	@$(TOOL) angryjet generate-methodsets --header-file=hack/boilerplate.go.txt ./apis/...
	$(call say,generate: CRDs)
	@mkdir -p _output && rm -rf _output/crds
	@$(TOOL) controller-gen crd:crdVersions=v1 paths=./apis/... output:crd:dir=_output/crds
	@go run ./hack/kindgen/crdtext _output/crds
	@mkdir -p package/crds && rm -f package/crds/*.yaml && mv _output/crds/*.yaml package/crds/
	@{ grep -v '^- ' package/crds/Kustomization; cd package/crds && LC_ALL=C ls *.yaml | sed 's/^/- /'; } >_output/Kustomization
	@mv _output/Kustomization package/crds/Kustomization
	$(call say,generate: what the simulator follows of the official document)
	@go generate ./test/simulator/apidoc
	$(call say,generate: the inputs of functions/dns)
	@cd functions/dns && rm -f package/input/*.yaml && ../../$(TOOL) controller-gen \
		object:headerFile=../../hack/boilerplate.go.txt crd:crdVersions=v1 output:crd:dir=package/input paths=./input/...

# What make generate writes, and folders with it.
GENERATED = apis package/crds functions/*/input functions/*/package test/simulator/apidoc/extract.json internal/kinds internal/controller/described docs/kinds cluster/rbac cluster/standalone README.md

verify: ## fail if generate or licences would change anything, a go.mod is not tidy, or CRDs would break stored objects
	@mkdir -p _output
	@find $(GENERATED) -type f | LC_ALL=C sort | xargs sha256sum >_output/before.sum
	@$(MAKE) --no-print-directory generate
	@find $(GENERATED) -type f | LC_ALL=C sort | xargs sha256sum >_output/after.sum
	@diff _output/before.sum _output/after.sum >&2 || { echo "verify: the files above are not what 'make generate' writes; commit its result" >&2; exit 1; }
	@for m in . $(SIDE_MODULES) test/e2e hack/tools hack/tools/*/; do \
		(cd $$m && go mod tidy -diff >/dev/null) || { echo "verify: $$m/go.mod is not tidy; run 'go mod tidy' there" >&2; exit 1; }; \
	done
	@$(MAKE) --no-print-directory licences-check
	@$(MAKE) --no-print-directory compat
	$(call say,verify: ok)

compat: ## fail if the CRDs would break objects that are stored since BASE (the last tag; before the first, hack/compat-base)
	$(call say,compat: the CRDs of $(BASE))
	@hack/compat.sh $(BASE)

lint: ## run the linters, and show that their own rules work (3 min the first time)
	$(call say,lint: rules)
	@hack/test-lint.sh
	$(call say,lint: the gate of make compat)
	@hack/test-compat.sh
	$(call say,lint: the gate of make test)
	@hack/test-gate.sh
	$(call say,lint: workflows)
	@# Without the linters of other languages that it would use where they are installed.
	@$(TOOL) actionlint/actionlint -shellcheck= -pyflakes=
	@! grep -nE '^ *(- )?uses:' .github/workflows/*.yaml | grep -vE 'uses: (\./|[^@ ]+@[0-9a-f]{40} # v[0-9])' || \
		{ echo "lint: the actions above are not pinned by commit, with their version behind it" >&2; exit 1; }
	@hack/in-one-place.sh $(MAKE) --no-print-directory lint-go

# Called by lint, in another folder.
lint-go:
	$(call say,lint: the main module)
	@$(TOOL) golangci-lint run --allow-parallel-runners ./...
	$(call say,lint: the conventions of Kubernetes' APIs)
	@$(TOOL) kal/golangci-lint-kube-api-linter run --allow-parallel-runners --config hack/kube-api-linter.yaml ./apis/...
	@# The side modules stand on large ones (Kubernetes itself): linters that need
	@# the types of everything below would take minutes for a few files.
	@for m in $(SIDE_MODULES) test/e2e hack/tools/coredns; do \
		echo "==> lint: $$m" >&2; \
		(cd $$m && $(CURDIR)/$(TOOL) golangci-lint run --allow-parallel-runners --fast-only --config $(CURDIR)/.golangci.yml ./...); \
	done

test: ## run every test, on a real control plane (25 min; some 20 more the first time)
	@SIDE_MODULES="$(SIDE_MODULES)" hack/test.sh $(TESTARGS)

monitoring: ## write cluster/monitoring/prometheusrule.yaml from alerts.yaml
	@$(assets) && cd test/operations && go test -count=1 -run TestThePrometheusRule . -update

build: ## put provider, cfsim and kubectl-cloudflare into bin/ (2 min the first time)
	$(call say,build: provider, cfsim and kubectl-cloudflare $(VERSION))
	@CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=$(VERSION)" -o bin/ ./cmd/provider ./cmd/cfsim ./cmd/kubectl-cloudflare

# Not stamped by git: the stamp depends on which tags and how much history a clone
# has. The package, the bill of materials and the provenance name the commit.
image-binary:
	@CGO_ENABLED=0 GOOS=linux GOARCH=$(ARCH) GOAMD64=v1 GOARM64=v8.0 GOFLAGS= \
		go build -trimpath -buildvcs=false -ldflags "-s -w -X main.version=$(VERSION)" -o _output/image/$(ARCH)/provider ./cmd/provider

packager:
	@cd hack/package && go build -trimpath -buildvcs=false -o ../../_output/package .

image-tarball: image-binary packager ## put the provider's image into _output/provider-image.tar, for docker load (ARCH=amd64)
	$(call say,image-tarball: provider $(VERSION) for linux/$(ARCH))
	@_output/package image --root package --binary _output/image/$(ARCH)/provider --arch $(ARCH) --tag $(IMAGE) \
		--version $(VERSION) --revision "$(REVISION)" --created "$(CREATED)" --out _output/provider-image.tar

sbom: image-binary ## write the bill of materials of the image's binary (CycloneDX) to _output/sbom-ARCH.cdx.json
	$(call say,sbom: provider $(VERSION) for linux/$(ARCH))
	@(cd hack/supply && go run . sbom --binary ../../_output/image/$(ARCH)/provider --version $(VERSION) \
		--revision "$(REVISION)" --created "$(CREATED)" --out ../../_output/sbom-$(ARCH).cdx.json)

xpkg: packager ## put the Crossplane package, its bills of materials, provenance and checksums into _output/xpkg (VERSION= ARCHS="amd64 arm64")
	@mkdir -p _output/xpkg && rm -f $(XPKG_FILES) $(XPKG).sha256
	@for arch in $(ARCHS); do \
		$(MAKE) --no-print-directory sbom ARCH=$$arch; cp _output/sbom-$$arch.cdx.json $(XPKG)-$$arch.cdx.json; \
	done
	$(call say,xpkg: provider $(VERSION) for $(ARCHS))
	@_output/package build --root package $(EXAMPLES:%=--examples %) $(foreach a,$(ARCHS),--binary-$(a) _output/image/$(a)/provider) \
		--version $(VERSION) --revision "$(REVISION)" --created "$(CREATED)" --out '$(XPKG)-{arch}.xpkg' --archive $(XPKG).oci.tar --release-notes CHANGELOG.md
	@_output/package provenance --package $(XPKG).oci.tar $(foreach a,$(ARCHS),--file $(XPKG)-$(a).xpkg --file $(XPKG)-$(a).cdx.json) \
		--binary _output/image/$(firstword $(ARCHS))/provider --modified=$(MODIFIED) \
		--version $(VERSION) --revision "$(REVISION)" --created "$(CREATED)" --out $(XPKG).provenance.json
	@cd _output/xpkg && sha256sum $(notdir $(XPKG_FILES)) >$(notdir $(XPKG)).sha256

push: $(if $(PACKAGER),,packager) ## push what make xpkg wrote to REGISTRY/provider-cloudflare:VERSION, with bills of materials and provenance
	@test -n "$(REGISTRY)" || { echo "push: say where to: make push REGISTRY=registry.example.org/somebody" >&2; exit 2; }
	@test -e $(XPKG).oci.tar || { echo "push: there is no $(XPKG).oci.tar: make xpkg VERSION=$(VERSION) comes first" >&2; exit 2; }
	@$(or $(PACKAGER),_output/package) push --package $(XPKG).oci.tar --to $(REGISTRY)/provider-cloudflare:$(VERSION) \
		$(foreach a,$(ARCHS),--sbom $(a)=$(XPKG)-$(a).cdx.json) --provenance $(XPKG).provenance.json

function-xpkg: packager ## as make xpkg, of the composition function (VERSION= ARCHS=)
	$(call say,function-xpkg: function-cloudflare-dns $(VERSION) for $(ARCHS))
	@mkdir -p _output/xpkg && rm -f $(FUNCTION_FILES) $(FUNCTION).sha256
	@for arch in $(ARCHS); do \
		CGO_ENABLED=0 GOOS=linux GOARCH=$$arch GOAMD64=v1 GOARM64=v8.0 GOFLAGS= go build -C functions/dns -trimpath -buildvcs=false -ldflags "-s -w" -o $(CURDIR)/_output/image/$$arch/function-cloudflare-dns . && \
		go run -C hack/supply . sbom --root ../../functions/dns --package . --binary $(CURDIR)/_output/image/$$arch/function-cloudflare-dns --version $(VERSION) --revision "$(REVISION)" --created "$(CREATED)" --out $(CURDIR)/$(FUNCTION)-$$arch.cdx.json || exit 1; \
	done
	@_output/package build --root functions/dns/package $(foreach a,$(ARCHS),--binary-$(a) _output/image/$(a)/function-cloudflare-dns) \
		--version $(VERSION) --revision "$(REVISION)" --created "$(CREATED)" --out '$(FUNCTION)-{arch}.xpkg' --archive $(FUNCTION).oci.tar --release-notes CHANGELOG.md
	@_output/package provenance --target function-xpkg --package $(FUNCTION).oci.tar $(foreach a,$(ARCHS),--file $(FUNCTION)-$(a).xpkg --file $(FUNCTION)-$(a).cdx.json) \
		--binary _output/image/$(firstword $(ARCHS))/function-cloudflare-dns --modified=$(MODIFIED) \
		--version $(VERSION) --revision "$(REVISION)" --created "$(CREATED)" --out $(FUNCTION).provenance.json
	@cd _output/xpkg && sha256sum $(notdir $(FUNCTION_FILES)) >$(notdir $(FUNCTION)).sha256

function-push: $(if $(PACKAGER),,packager) ## push what make function-xpkg wrote to REGISTRY/function-cloudflare-dns:VERSION, as make push does
	@test -n "$(REGISTRY)" || { echo "function-push: say where to: make function-push REGISTRY=registry.example.org/somebody" >&2; exit 2; }
	@test -e $(FUNCTION).oci.tar || { echo "function-push: there is no $(FUNCTION).oci.tar: make function-xpkg VERSION=$(VERSION) comes first" >&2; exit 2; }
	@$(or $(PACKAGER),_output/package) push --package $(FUNCTION).oci.tar --to $(REGISTRY)/function-cloudflare-dns:$(VERSION) \
		$(foreach a,$(ARCHS),--sbom $(a)=$(FUNCTION)-$(a).cdx.json) --provenance $(FUNCTION).provenance.json

configuration-xpkg: packager ## put the Configuration package with the compositions, its provenance and checksums into _output/xpkg (VERSION=)
	$(call say,configuration-xpkg: configuration-cloudflare $(VERSION))
	@mkdir -p _output/xpkg && rm -f $(CONFIGURATION_FILES) $(CONFIGURATION).sha256
	@_output/package build --root configuration $(foreach f,$(sort $(wildcard examples/composition/*/xrd.yaml examples/composition/*/composition.yaml)),--objects $(f)) \
		--version $(VERSION) --revision "$(REVISION)" --created "$(CREATED)" --out $(CONFIGURATION).xpkg
	@_output/package provenance --target configuration-xpkg --package $(CONFIGURATION).xpkg --binary _output/package --modified=$(MODIFIED) \
		--version $(VERSION) --revision "$(REVISION)" --created "$(CREATED)" --out $(CONFIGURATION).provenance.json
	@cd _output/xpkg && sha256sum $(notdir $(CONFIGURATION_FILES)) >$(notdir $(CONFIGURATION)).sha256

configuration-push: $(if $(PACKAGER),,packager) ## push what make configuration-xpkg wrote to REGISTRY/configuration-cloudflare:VERSION, as make push does
	@test -n "$(REGISTRY)" || { echo "configuration-push: say where to: make configuration-push REGISTRY=registry.example.org/somebody" >&2; exit 2; }
	@test -e $(CONFIGURATION).xpkg || { echo "configuration-push: there is no $(CONFIGURATION).xpkg: make configuration-xpkg VERSION=$(VERSION) comes first" >&2; exit 2; }
	@$(or $(PACKAGER),_output/package) push --package $(CONFIGURATION).xpkg --to $(REGISTRY)/configuration-cloudflare:$(VERSION) \
		--provenance $(CONFIGURATION).provenance.json

reproduce: ## build the packages of the last commit twice, in other folders, and compare (2 min; REPRODUCEARGS=--fresh: some more)
	@VERSION=$(VERSION) ARCHS="$(ARCHS)" hack/reproduce.sh $(REPRODUCEARGS)

scan: ## look for known vulnerabilities; fails where it cannot look, see hack/scan.sh (GOVULNDB=file:///mirror)
	@hack/scan.sh

# What is linked into the provider, and into the composition function.
LICENCES = cd hack/supply && \
	go run . licences $(1) --out ../../docs/reference/licences.md --texts ../../_output/third-party-licences.txt && \
	go run . licences $(1) --root ../../functions/dns --package . --of functions/dns --out ../../docs/reference/licences-function.md --texts ../../_output/third-party-licences-function.txt

licences: ## write docs/reference/licences.md and licences-function.md from what is linked, and the texts to _output/third-party-licences*.txt
	@$(call LICENCES)

licences-check: ## fail if these are out of date, or a licence is not permitted
	@$(call LICENCES,--check)

demo: build demo-program ## show it all: control plane, simulator, provider, records (half a minute; 10 to 15 minutes the first time)
	$(call say,demo: control plane)
	@$(assets) && exec _output/demo --bin bin

recording: build demo-program ## play the demo and write docs/assets/demo.svg, which the README shows (2 min)
	@$(assets) && exec _output/demo --bin bin --record docs/assets/demo.svg

dev: build demo-program ## as demo, but leave it running and print how to reach it
	$(call say,dev: control plane)
	@$(assets) && exec _output/demo --bin bin --keep

demo-program:
	$(call say,demo: the program)
	@go build -o _output/demo ./test/demo

cluster: CONTROLPLANE_FLAGS = --full
cluster: ## run an empty Kubernetes API server for the tutorials, until Ctrl-C (4 s; 4 to 7 min the first time; CLUSTER_DIR=)
	$(call say,cluster: control plane)
	@$(assets) && mkdir -p $(CLUSTER_DIR) && \
		echo "When it is ready, in another terminal: export KUBECONFIG=$(abspath $(CLUSTER_DIR))/kubeconfig PATH=$$KUBEBUILDER_ASSETS:\$$PATH" >&2 && \
		exec "$$KUBEBUILDER_ASSETS/controlplane" up --kubeconfig $(abspath $(CLUSTER_DIR))/kubeconfig --controllers "*"

fuzz: ## run every fuzz target for FUZZTIME each (30s), without the race detector (FUZZ=Record: those so named)
	@go list ./internal/... ./test/simulator/... | while read -r package; do \
		for target in $$(go test -list '^Fuzz.*$(FUZZ)' $$package | grep '^Fuzz' || true); do \
			echo "==> fuzz: $$package $$target for $(FUZZTIME)" >&2; \
			go test $$package -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) || exit 1; \
		done; \
	done

# By a number of inputs, each of which takes the API server and the provider some tenths
# of a second, and without coverage to guide it, for which everything would have to be
# built once more: it is built as make test does, with the race detector.
fuzz-ci: CONTROLPLANE_FLAGS = --full
fuzz-ci: ## send Records, Zones and ProviderConfigs of any shape through an API server, others each time (2 min; FUZZINPUTS=1000)
	@CGO_ENABLED=1 go test -race -c -o _output/behaviour.test ./test/behaviour
	@$(assets) && cd test/behaviour && for target in FuzzRecordSpec FuzzZoneSpec FuzzProviderConfigSpec; do \
		echo "==> fuzz-ci: $$target" >&2; \
		../../_output/behaviour.test -test.run '^$$' -test.fuzz "^$$target\$$" -test.fuzztime $(FUZZINPUTS)x -test.fuzzcachedir ../../_output/fuzz || { \
			echo "fuzz-ci: an input that fails is kept in test/behaviour/testdata/fuzz/$$target: commit it with the fix" >&2; exit 1; }; \
	done

bench: build bench-programs ## measure the whole system and write docs/reference/benchmarks.md with its charts (an hour; BENCHARGS="--cases create,bad")
	@$(assets) && _output/bench --bin bin $(BENCHARGS)
	@$(MAKE) --no-print-directory charts

charts: ## draw docs/assets/benchmark-*.svg again, from the figures of the last make bench
	@go run -C hack/chart . --data ../../docs/assets/benchmarks.json

bench-quick: build bench-programs ## as bench, but small (10 min), into _output/benchmarks-quick.md
	@$(assets) && _output/bench --bin bin --quick --out _output/benchmarks-quick.md --data _output/quick/benchmarks.json $(BENCHARGS)
	@[[ ! -e _output/quick/benchmarks.json ]] || go run -C hack/chart . --data ../../_output/quick/benchmarks.json

bench-programs:
	$(call say,bench: the driver and what the provider is compared with)
	@CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o _output/bench ./test/bench
	@CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -tags bench -o _output/provider-baseline ./test/bench/baseline
	@CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -tags bench -o _output/provider-minimal ./test/bench/minimal

bench-go: ## run the Go benchmarks of the packages, as benchstat reads them (TESTARGS="-count 10")
	@go test -run '^$$' -bench . -benchmem $(TESTARGS) ./...

# Namespaces that are deleted need Kubernetes' namespace controller.
chaos chaos-quick: CONTROLPLANE_FLAGS = --full
chaos: build chaos-program ## kill, throttle and disconnect everything, see that nothing is lost, doubled or stolen, and write docs/reference/chaos.md (35 min; CHAOS_DURATION=30m SEED=)
	@$(assets) && exec _output/chaos --bin bin --duration $(CHAOS_DURATION) --seed $(or $(SEED),0) --doc docs/reference/chaos.md \
		--revision "$(shell git describe --tags --always --dirty 2>/dev/null)" $(CHAOSARGS)

chaos-quick: build chaos-program ## as chaos, but with a fixed seed and short (4 min)
	@$(assets) && exec _output/chaos --bin bin --duration $(CHAOS_QUICK_DURATION) --seed 1 --out _output/chaos-quick.json

chaos-program:
	$(call say,chaos: the driver)
	@go build -o _output/chaos ./test/chaos

e2e: ## install the package on a real Crossplane and use it, with processes for pods (5 min; 12 more the first time)
	@test/e2e/run.sh $(VERSION) $(E2EARGS)

e2e-full: ## as e2e, but with containers: kubelet, containerd, webhooks; needs root and Debian's packages (5 min; 15 more the first time)
	@test/e2e/run.sh --full $(VERSION) $(E2EARGS)

test-chance: ## run every test as make test does, but all with the race detector, new seeds, and bounds of time that need a machine of one's own (40 min)
	@RACE=all PROPERTY_SEED=0 CHANCE=1 ARCHS="$(ARCHS)" $(MAKE) --no-print-directory test

mutants: ## put faults into the engine, one at a time, and fail unless the conformance suite finds each (half an hour)
	@go run ./test/mutants

# Steps of .ci/run that find things by chance or under load, or that take long.
NIGHTLY_STEPS = test-chance fuzz-ci mutants chaos-quick reproduce e2e-full chaos
nightly: ## run what finds things by chance, under load or slowly: fuzz-ci, mutants, chaos, containers, packages built twice (NIGHTLY_STEPS=)
	@CI_STEPS="$(NIGHTLY_STEPS)" .ci/run

clean: ## remove bin/ and _output/; what is cached stays in ~/.cache/provider-cloudflare
	@rm -rf bin _output
