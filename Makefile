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
IMAGE   ?= provider-cloudflare:$(VERSION)
TESTARGS ?=
# How long each fuzz target runs, and what its name has in it.
FUZZTIME ?= 30s
FUZZ ?=
# More flags for make bench, see _output/bench --help.
BENCHARGS ?=
# How long make chaos breaks things, and the seed: 0 chooses one.
CHAOS_DURATION ?= 10m
SEED ?= 0
# More flags for make chaos, see _output/chaos --help.
CHAOSARGS ?=
# What the control plane of the demo and the benchmarks must have. Empty takes
# envtest's own binaries where there are any; --full insists on a
# kube-controller-manager, which those lack. The tests always need it.
CONTROLPLANE_FLAGS ?=

export GOWORK := off

# Modules beside the main one.
MODULES := test/controlplane test/clients test/operations hack/image hack/supply
# Those whose tests read, or build, what is outside of them: Go's test cache does not see that.
UNCACHED := test/operations
SIDE_MODULES = $(foreach m,$(MODULES),$(if $(wildcard $(m)/go.mod),$(m)))

TOOL := hack/tool.sh
say   = @echo "==> $(1)" >&2
# assets sets KUBEBUILDER_ASSETS for the rest of a recipe's line.
assets = KUBEBUILDER_ASSETS="$$(hack/controlplane.sh $(CONTROLPLANE_FLAGS))" && export KUBEBUILDER_ASSETS

.PHONY: help generate verify lint test monitoring build image-binary image-tarball sbom scan licences licences-check demo dev fuzz bench bench-quick bench-programs bench-go chaos chaos-quick chaos-program clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-14s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

generate: ## write deep copies, method sets and CRDs from apis/ (15 s)
	$(call say,generate: deep copies and method sets)
	@$(TOOL) controller-gen object:headerFile=hack/boilerplate.go.txt paths=./apis/...
	@$(TOOL) angryjet generate-methodsets --header-file=hack/boilerplate.go.txt ./apis/...
	$(call say,generate: CRDs)
	@mkdir -p _output && rm -rf _output/crds
	@$(TOOL) controller-gen crd:crdVersions=v1 paths=./apis/... output:crd:dir=_output/crds
	@mkdir -p package/crds && rm -f package/crds/*.yaml && mv _output/crds/*.yaml package/crds/

verify: ## fail if generate or licences would change anything, or a go.mod is not tidy
	@mkdir -p _output
	@find apis package/crds -type f | LC_ALL=C sort | xargs sha256sum >_output/before.sum
	@$(MAKE) --no-print-directory generate
	@find apis package/crds -type f | LC_ALL=C sort | xargs sha256sum >_output/after.sum
	@diff _output/before.sum _output/after.sum >&2 || { echo "verify: the files above are not what 'make generate' writes; commit its result" >&2; exit 1; }
	@for m in . $(SIDE_MODULES) hack/tools; do \
		(cd $$m && go mod tidy -diff >/dev/null) || { echo "verify: $$m/go.mod is not tidy; run 'go mod tidy' there" >&2; exit 1; }; \
	done
	@$(MAKE) --no-print-directory licences-check
	$(call say,verify: ok)

lint: ## run the linters, and show that their import rules work (3 min the first time)
	$(call say,lint: rules)
	@hack/test-lint-arrows.sh
	$(call say,lint: the main module)
	@$(TOOL) golangci-lint run ./...
	@# The side modules stand on large ones (Kubernetes itself): linters that need
	@# the types of everything below would take minutes for a few files.
	@for m in $(SIDE_MODULES); do \
		echo "==> lint: $$m" >&2; \
		(cd $$m && ../../$(TOOL) golangci-lint run --fast-only --config ../../.golangci.yml ./...); \
	done

test: CONTROLPLANE_FLAGS = --full
test: ## run every test with the race detector, on a real control plane (10 min the first time)
	$(call say,test: control plane)
	@$(assets) && \
	echo "==> test: the main module ($$KUBEBUILDER_ASSETS); about 4 minutes the first time" >&2 && \
	go vet ./... && \
	go vet -tags bench ./test/bench/... && \
	go test -race -timeout 20m $(TESTARGS) ./... && \
	echo "==> test: test/controlplane; about 2 minutes the first time" >&2 && \
	(cd test/controlplane && CGO_ENABLED=0 go test -trimpath -ldflags "-s -w" -vet=off $(TESTARGS) ./...)
	@$(assets) && for m in $(filter-out test/controlplane,$(SIDE_MODULES)); do \
		echo "==> test: $$m; a few minutes the first time" >&2; \
		[[ " $(UNCACHED) " == *" $$m "* ]] && fresh=-count=1 || fresh=; \
		(cd $$m && go vet ./... && go test $$fresh $(TESTARGS) ./...); \
	done

monitoring: ## write cluster/monitoring/prometheusrule.yaml from alerts.yaml
	@$(assets) && cd test/operations && go test -count=1 -run TestThePrometheusRule . -update

build: ## put provider and cfsim into bin/ (2 min the first time)
	$(call say,build: provider and cfsim $(VERSION))
	@CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=$(VERSION)" -o bin/ ./cmd/provider ./cmd/cfsim

image-binary:
	@CGO_ENABLED=0 GOOS=linux GOARCH=$(ARCH) go build -trimpath -ldflags "-s -w -X main.version=$(VERSION)" -o _output/image/$(ARCH)/provider ./cmd/provider

image-tarball: image-binary ## put the provider's image into _output/provider-image.tar, for docker load (ARCH=amd64)
	$(call say,image-tarball: provider $(VERSION) for linux/$(ARCH))
	@(cd hack/image && go run . --binary ../../_output/image/$(ARCH)/provider --arch $(ARCH) --tag $(IMAGE) \
		--version $(VERSION) --revision "$(REVISION)" --created "$(CREATED)" --out ../../_output/provider-image.tar)

sbom: image-binary ## write the bill of materials of the image's binary (CycloneDX) to _output/sbom-ARCH.cdx.json
	$(call say,sbom: provider $(VERSION) for linux/$(ARCH))
	@(cd hack/supply && go run . sbom --binary ../../_output/image/$(ARCH)/provider --version $(VERSION) --out ../../_output/sbom-$(ARCH).cdx.json)

scan: ## look for known vulnerabilities; fails where it cannot look, see hack/scan.sh (GOVULNDB=file:///mirror)
	@hack/scan.sh

licences: ## write docs/licences.md from what is linked, and the texts to _output/third-party-licences.txt
	@(cd hack/supply && go run . licences --out ../../docs/licences.md --texts ../../_output/third-party-licences.txt)

licences-check: ## fail if docs/licences.md is out of date, or a licence is not permitted
	@(cd hack/supply && go run . licences --check --out ../../docs/licences.md --texts ../../_output/third-party-licences.txt)

demo: build ## show it all: control plane, simulator, provider, records (1 min; 4 more the first time)
	$(call say,demo: control plane)
	@go build -o _output/demo ./test/demo
	@$(assets) && exec _output/demo --bin bin

dev: build ## as demo, but leave it running and print how to reach it
	$(call say,dev: control plane)
	@go build -o _output/demo ./test/demo
	@$(assets) && exec _output/demo --bin bin --keep

fuzz: ## run every fuzz target for FUZZTIME each (30s), without the race detector (FUZZ=Record: those so named)
	@go list ./internal/... | while read -r package; do \
		for target in $$(go test -list '^Fuzz.*$(FUZZ)' $$package | grep '^Fuzz' || true); do \
			echo "==> fuzz: $$package $$target for $(FUZZTIME)" >&2; \
			go test $$package -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) || exit 1; \
		done; \
	done

bench: build bench-programs ## measure the whole system and write docs/benchmarks.md (35 min; BENCHARGS="--cases create,bad")
	@$(assets) && exec _output/bench --bin bin $(BENCHARGS)

bench-quick: build bench-programs ## as bench, but small (5 min), into _output/benchmarks-quick.md
	@$(assets) && exec _output/bench --bin bin --quick --out _output/benchmarks-quick.md $(BENCHARGS)

bench-programs:
	$(call say,bench: the driver and the baseline)
	@CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o _output/bench ./test/bench
	@CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -tags bench -o _output/provider-baseline ./test/bench/baseline

bench-go: ## run the Go benchmarks of the packages, as benchstat reads them (TESTARGS="-count 10")
	@go test -run '^$$' -bench . -benchmem $(TESTARGS) ./...

chaos: build chaos-program ## kill, throttle and disconnect everything, and see that no record is lost, doubled or stolen (CHAOS_DURATION=10m SEED=)
	@$(assets) && exec _output/chaos --bin bin --duration $(CHAOS_DURATION) --seed $(or $(SEED),0) $(CHAOSARGS)

chaos-quick: build chaos-program ## as chaos, but with fixed seeds and short (4 min)
	@$(assets) && \
	_output/chaos --bin bin --duration 40s --seed 1 --phases kills,storms --out _output/chaos-quick-1.json && \
	_output/chaos --bin bin --duration 50s --seed 2 --phases api-server,leaders --out _output/chaos-quick-2.json

chaos-program:
	$(call say,chaos: the driver)
	@go build -o _output/chaos ./test/chaos

clean: ## remove bin/ and _output/; what is cached stays in ~/.cache/provider-cloudflare
	@rm -rf bin _output
