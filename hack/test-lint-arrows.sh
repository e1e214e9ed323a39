#!/usr/bin/env bash
# Shows that .golangci.yml refuses what it says it refuses: in a skeleton of the
# repository's packages it puts one file per forbidden import (or call, or package
# name) and one per permitted import, runs the linters concerned once, and compares.
# Takes seconds.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
m=github.com/provider-cloudflare/provider-cloudflare
sdk=github.com/cloudflare/cloudflare-go/v7
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Rule, folder (or file, where the name matters), import.
forbidden=(
	"apis         apis/dns/v1alpha1          $m/internal/dnsrecord"
	"apis         apis/v1alpha1              $m/cmd/provider/options"
	"dnsrecord    internal/dnsrecord         $m/apis/v1alpha1"
	"dnsrecord    internal/dnsrecord         $m/internal/cloudflare"
	"dnsrecord    internal/dnsrecord         $m/internal/dnszone"
	"dnsrecord    internal/dnsrecord         context"
	"dnsrecord    internal/dnsrecord         net/http"
	"dnsrecord    internal/dnsrecord         os"
	"dnsrecord    internal/dnsrecord         k8s.io/apimachinery/pkg/runtime"
	"dnsrecord    internal/dnsrecord         sigs.k8s.io/controller-runtime/pkg/client"
	"sdk          internal/dnsrecord         $sdk/option"
	"ownership    internal/dnszone/ownership $m/internal/dnsrecord"
	"ownership    internal/dnszone/ownership $m/internal/dnszone"
	"ownership    internal/dnszone/ownership context"
	"ownership    internal/dnszone/ownership time"
	"ownership    internal/dnszone/ownership k8s.io/apimachinery/pkg/runtime"
	"cloudflare   internal/cloudflare        $m/internal/dnsrecord"
	"cloudflare   internal/cloudflare        $m/internal/connect"
	"cloudflare   internal/cloudflare        $m/apis/v1alpha1"
	"cloudflare   internal/cloudflare        k8s.io/apimachinery/pkg/runtime"
	"sdk-root     internal/cloudflare        $sdk"
	"sdk          internal/connect           $sdk"
	"sdk          internal/dnszone/x_test.go $sdk/dns"
	"parent       internal/parent            $m/apis/v1alpha1"
	"parent       internal/parent            $m/internal/dnsrecord"
	"parent       internal/parent            $m/internal/dnszone"
	"parent       internal/parent            $m/internal/connect"
	"parent       internal/parent            k8s.io/apimachinery/pkg/runtime"
	"parent       internal/parent            sigs.k8s.io/controller-runtime/pkg/client"
	"parent       internal/parent            github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"audit        internal/drift/audit       $m/apis/v1alpha1"
	"audit        internal/drift/audit       $m/internal/dnszone"
	"audit        internal/drift/audit       $m/internal/parent"
	"audit        internal/drift/audit       k8s.io/apimachinery/pkg/runtime"
	"audit        internal/drift/audit       sigs.k8s.io/controller-runtime/pkg/client"
	"audit        internal/drift/audit       github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"inventory    internal/export/inventory  $m/apis/v1alpha1"
	"inventory    internal/export/inventory  $m/internal/dnszone"
	"inventory    internal/export/inventory  k8s.io/apimachinery/pkg/runtime"
	"inventory    internal/export/inventory  sigs.k8s.io/controller-runtime/pkg/client"
	"export       internal/export            $m/internal/export/inventory"
	"export       internal/export            $m/internal/dnszone"
	"export       internal/export            $m/internal/kind/kindapi"
	"export       internal/export            context"
	"export       internal/export            net/http"
	"export       internal/export            os"
	"terraform    internal/export/terraform  $m/internal/export/inventory"
	"terraform    internal/export/terraform  context"
	"terraform    internal/export/terraform  os"
	"terraform    internal/export/terraform  k8s.io/apimachinery/pkg/runtime"
	"plugin       cmd/kubectl-cloudflare     $m/internal/controller"
	"plugin       cmd/kubectl-cloudflare     $m/internal/provider"
	"plugin       cmd/kubectl-cloudflare     $m/test/demo/steps"
	"dnszone      internal/dnszone           $m/apis/v1alpha1"
	"dnszone      internal/dnszone           $m/internal/connect"
	"dnszone      internal/dnszone           $m/internal/controller/record"
	"dnszone      internal/dnszone           k8s.io/apimachinery/pkg/runtime"
	"dnszone      internal/dnszone           github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"connect      internal/connect           $m/internal/controller"
	"connect      internal/connect           $m/internal/controller/zone"
	"connect      internal/connect           $m/internal/dnsrecord"
	"connect      internal/connect           $m/internal/dnszone"
	"limits       internal/connect/limits    $m/internal/connect"
	"limits       internal/connect/limits    k8s.io/apimachinery/pkg/labels"
	"limits       internal/connect/limits    sigs.k8s.io/controller-runtime/pkg/client"
	"limits       internal/connect/limits    time"
	"decision     internal/external/decision $m/internal/external/policy"
	"decision     internal/external/decision context"
	"decision     internal/external/decision time"
	"decision     internal/external/decision k8s.io/apimachinery/pkg/runtime"
	"external     internal/external          $m/apis/v1alpha1"
	"external     internal/external          $m/internal/dnszone"
	"external     internal/external          $m/internal/dnsrecord"
	"below-external internal/drift             $m/internal/external"
	"below-external internal/reconciler        $m/internal/external/decision"
	"below-controllers internal/external          $m/internal/controller/zone"
	"journal      internal/external/journal  $m/internal/dnszone"
	"journal      internal/external/journal  $m/internal/connect"
	"reach        internal/external/reach    $m/apis/v1alpha1"
	"reach        internal/external/reach    $m/internal/external/policy"
	"scope        internal/controller/scope  $m/internal/connect"
	"reconciler   internal/reconciler        $m/apis/v1alpha1"
	"reconciler   internal/reconciler        $m/internal/external/claim"
	"reconciler   internal/reconciler        $m/internal/cloudflare"
	"reconciler   internal/reconciler        $m/internal/external/journal"
	"fairqueue    internal/workers/fairqueue $m/internal/workers"
	"fairqueue    internal/workers/fairqueue $m/apis/v1alpha1"
	"fairqueue    internal/workers/fairqueue k8s.io/api/core/v1"
	"fairqueue    internal/workers/fairqueue k8s.io/apimachinery/pkg/types"
	"fairqueue    internal/workers/fairqueue sigs.k8s.io/controller-runtime/pkg/client"
	"kindapi      internal/kind/kindapi      $m/internal/parent"
	"kindapi      internal/kind/kindapi      $m/internal/kinds"
	"kindapi      internal/kind/kindapi      k8s.io/apimachinery/pkg/runtime"
	"kindapi      internal/kind/kindapi      sigs.k8s.io/controller-runtime/pkg/client"
	"kindapi      internal/kind/kindapi      github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"kind-parts   internal/controller/described/kindref $m/internal/kind"
	"kind-parts   internal/controller/described/connectionsecret $m/apis/v1alpha1"
	"kind         internal/kind              $m/internal/dnsrecord"
	"kind         internal/kind              $m/apis/v1alpha1"
	"kind         internal/kind              context"
	"kind         internal/kind              net/http"
	"kind         internal/kind              os"
	"kind         internal/kind              k8s.io/apimachinery/pkg/runtime"
	"kind         internal/kind              sigs.k8s.io/controller-runtime/pkg/client"
	"kind         internal/kind              github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	"keypair      internal/controller/described/keypair $m/internal/kind"
	"keypair      internal/controller/described/keypair k8s.io/api/core/v1"
	"keypair      internal/controller/described/keypair context"
	"keypair      internal/controller/described/keypair net/http"
	"keypair      internal/controller/described/keypair os"
	"descriptions internal/kinds/tunnel      $m/internal/connect"
	"descriptions internal/kinds/tunnel      $m/apis/v1alpha1"
	"descriptions internal/kinds/tunnel      k8s.io/apimachinery/pkg/runtime"
	"descriptions internal/kinds/tunnel      context"
	"descriptions internal/kinds/tunnel      net/http"
	"descriptions internal/kinds/tunnel      os"
	"kindgen      hack/kindgen               $m/apis/v1alpha1"
	"kindgen      hack/kindgen               $m/internal/controller/zone"
	"kinds        internal/controller/record $m/internal/controller/zone"
	"kinds        internal/controller/zone   $m/internal/controller/record"
	"kinds        internal/controller/zone   $m/internal/controller"
	"kinds        internal/controller/described $m/internal/controller/scope"
	"parts-of-described internal/controller/record $m/internal/controller/described/kindref"
	"parts-of-workers internal/reconciler        $m/internal/workers/fairqueue"
	"reconciler   internal/reconciler        $m/internal/workers/fairqueue"
	"below-controllers internal/drift             $m/internal/controller/record"
	"below-controllers internal/reconciler        $m/internal/controller"
	"below-commands internal/controller/record $m/cmd/provider/options"
	"below-commands internal/controller        $m/cmd/provider/options"
	"below-commands internal/controller        $m/test/demo/steps"
	"below-commands internal/external/policy   $m/cmd/provider/options"
	"below-provider internal/controller        $m/internal/provider"
	"below-provider internal/dnszone           $m/internal/provider"
	"provider     cmd/provider               $m/test/demo/steps"
	"cfsim        internal/cfsim             $m/internal/dnsrecord"
	"cfsim        internal/cfsim             $m/internal/cloudflare"
	"cfsim        internal/cfsim             $m/apis/v1alpha1"
	"cfsim        cmd/cfsim                  $m/internal/dnszone"
	"sdk          internal/cfsim             $sdk/dns"
	"apidoc       internal/cfsim/apidoc      $m/internal/cfsim/openapi"
	"apidoc       internal/cfsim/apidoc      net/http"
	"apidoc       internal/cfsim/apidoc      os"
	"cfsim-users  internal/controller/record $m/internal/cfsim"
	"cfsim-users  internal/controller        $m/internal/cfsim"
	"cfsim-users  internal/dnszone           $m/internal/cfsim"
	"cfsim-users  internal/connect           $m/internal/cfsim"
	"cfsim-users  internal/dnsrecord         $m/internal/cfsim"
	"cfsim-users  internal/cloudflare        $m/internal/cfsim"
	"cfsim-users  cmd/provider               $m/internal/cfsim"
	"cfsim-users  apis/v1alpha1              $m/internal/cfsim"
)
permitted=(
	"apis/dns/v1alpha1           $m/apis/v1alpha1"
	"cmd/provider                $m/internal/controller"
	"cmd/provider                $m/apis/v1alpha1"
	"cmd/cfsim                   $m/internal/cfsim"
	"internal/controller         $m/internal/controller/record"
	"internal/controller         $m/internal/controller/described"
	"internal/controller         $m/internal/controller/scope"
	"internal/controller/described $m/internal/controller/described/kindref"
	"internal/controller/record  $m/internal/connect"
	"internal/controller/record  $m/internal/dnszone"
	"internal/controller/record  $m/internal/dnsrecord"
	"internal/controller/record  $m/internal/cloudflare"
	"internal/controller/record  $m/internal/drift"
	"internal/drift/audit        $m/internal/cloudflare"
	"internal/export/inventory   $m/internal/parent"
	"internal/export/inventory   $m/internal/kind/kindapi"
	"internal/export             $m/internal/dnszone/ownership"
	"internal/export             $m/internal/kind"
	"internal/export/terraform   $m/internal/kind"
	"internal/export             k8s.io/apimachinery/pkg/runtime"
	"cmd/kubectl-cloudflare      $m/internal/export"
	"cmd/kubectl-cloudflare      $m/internal/connect"
	"cmd/kubectl-cloudflare      $m/internal/external/reach"
	"internal/external           $m/internal/drift/audit"
	"internal/controller/record  $m/internal/drift/audit"
	"internal/controller/record  $m/apis/dns/v1alpha1"
	"internal/connect            $m/internal/cloudflare"
	"internal/connect            $m/apis/v1alpha1"
	"internal/reconciler         $m/internal/connect"
	"internal/reconciler         $m/internal/workers"
	"internal/controller/record  $m/internal/external"
	"internal/controller/record  $m/internal/external/decision"
	"internal/external           $m/internal/external/claim"
	"internal/external           $m/internal/reconciler"
	"internal/external           $m/internal/external/decision"
	"internal/external/decision  strings"
	"internal/workers            $m/internal/workers/fairqueue"
	"internal/dnszone            $m/internal/dnsrecord"
	"internal/dnszone            $m/internal/cloudflare"
	"internal/dnszone            $m/internal/dnszone/ownership"
	"internal/dnszone            $m/internal/parent"
	"internal/parent             $m/internal/cloudflare"
	"internal/dnszone/ownership  strings"
	"internal/kind               encoding/json"
	"internal/kinds/tunnel       $m/internal/kind"
	"internal/kinds/tunnel       time"
	"hack/kindgen                $m/internal/kind"
	"hack/kindgen                $m/internal/kinds"
	"hack/kindgen                $m/internal/cfsim/officialdoc"
	"internal/dnsrecord          github.com/miekg/dns"
	"internal/dnsrecord          golang.org/x/net/idna"
	"internal/dnsrecord          strings"
	"internal/cloudflare         $sdk/dns"
	"internal/cloudflare         net/http"
	"internal/dnsrecord/x_test.go $m/internal/cfsim"
	"internal/dnszone/x_test.go  $m/internal/cfsim"
	"internal/controller/record/x_test.go $m/internal/cfsim"
	"test/demo                   $m/internal/cfsim"
)

# stub path folder: an empty package to import.
stub() {
	local name=${1##*/}
	if [[ $name == v[0-9] ]]; then
		name=$(basename "${1%/*}")
	fi
	mkdir -p "$tmp/$2"
	printf 'package %s\n' "${name//-/}" >"$tmp/$2/stub.go"
}

# provide import: makes sure that it can be imported.
provide() {
	local module
	case $1 in
	$m/*)
		stub "$1" "${1#"$m"/}"
		return
		;;
	*.*/*) ;;
	*) return ;; # The standard library.
	esac
	for module in "${modules[@]}"; do
		if [[ $1 == "$module" || $1 == "$module"/* ]]; then
			stub "$1" "stub/$1"
			printf 'module %s\n\ngo 1.26\n' "$module" >"$tmp/stub/$module/go.mod"
			return
		fi
	done
	echo "no stand-in for the module of $1" >&2
	exit 1
}
modules=("$sdk" k8s.io/api k8s.io/apimachinery sigs.k8s.io/controller-runtime github.com/crossplane/crossplane-runtime/v2
	github.com/miekg/dns golang.org/x/net)

number=0
# add where import name: puts a file with that import there; $file says which. Each
# is a package of its own below where, for two forbidden imports can make a cycle,
# except for the packages that a rule covers without what is below them.
add() {
	local where=$1 import=$2 suffix=.go package
	number=$((number + 1))
	if [[ $where == *_test.go ]]; then
		suffix=_test.go
		where=${where%/*}
	fi
	if [[ $where == internal/controller ]]; then
		package=controller
	else
		package=p$number
		where=$where/$package
	fi
	file=$where/$3_$number$suffix
	mkdir -p "$tmp/$where"
	printf 'package %s\n\nimport _ "%s"\n' "$package" "$import" >"$tmp/$file"
	provide "$import"
}

cp "$root/.golangci.yml" "$tmp/"
{
	printf 'module %s\n\ngo 1.26\n\n' "$m"
	for module in "${modules[@]}"; do
		version=v0.0.0
		[[ $module == */v[0-9] ]] && version=${module##*/}.0.0
		printf 'require %s %s\nreplace %s => ./stub/%s\n' "$module" "$version" "$module" "$module"
	done
} >"$tmp/go.mod"
expected=()
for line in "${forbidden[@]}"; do
	read -r rule where import <<<"$line"
	add "$where" "$import" forbidden
	expected+=("$file|list '$rule'|$rule: $where imports $import")
done
for line in "${permitted[@]}"; do
	read -r where import <<<"$line"
	add "$where" "$import" permitted
done

# What is not an import.
for name in utils common helpers; do
	mkdir -p "$tmp/internal/$name"
	printf '// Package %s is badly named.\npackage %s\n' "$name" "$name" >"$tmp/internal/$name/forbidden.go"
	expected+=("internal/$name/forbidden.go|package-naming|a package named $name")
done
printf 'package dnszone\n\nimport "time"\n\nfunc nap() { time.Sleep(time.Second) }\n' >"$tmp/internal/dnszone/forbidden_sleep_test.go"
expected+=("internal/dnszone/forbidden_sleep_test.go|time.Sleep|time.Sleep in a test")
printf 'package dnszone\n\nimport "testing"\n\nfunc TestNone(t *testing.T) { t.Skip() }\n' >"$tmp/internal/dnszone/forbidden_skip_test.go"
expected+=("internal/dnszone/forbidden_skip_test.go|Skip|t.Skip in a test")
printf 'package dnszone\n\nimport "fmt"\n\nfunc say() { fmt.Println() }\n' >"$tmp/internal/dnszone/forbidden_print.go"
expected+=("internal/dnszone/forbidden_print.go|fmt.Println|fmt.Println in a package")
printf 'package dnsrecord\n\nimport "time"\n\nfunc now() time.Time { return time.Now() }\n' >"$tmp/internal/dnsrecord/forbidden_clock.go"
expected+=("internal/dnsrecord/forbidden_clock.go|it has no clock|time.Now in dnsrecord")
printf 'package dnszone\n\nimport "time"\n\nfunc now() time.Time { return time.Now() }\n' >"$tmp/internal/dnszone/permitted_clock.go"

linter=$("$root/hack/tool.sh" --path golangci-lint)
found=$(cd "$tmp" && GOWORK=off GOFLAGS=-mod=mod GOPROXY=off GOLANGCI_LINT_CACHE="$tmp/cache" "$linter" run --allow-parallel-runners --enable-only depguard,forbidigo,revive \
	--output.text.print-issued-lines=false --output.text.colors=false ./... 2>&1 |
	grep -vE ': (package-comments|blank-imports): ') || true # The skeleton's own style is not the question.

if ! grep -q ' issues:$' <<<"$found"; then
	echo "the linter did not run: $found"
	exit 1
fi
failed=0
for line in "${expected[@]}"; do
	IFS='|' read -r file text what <<<"$line"
	if ! awk -v file="$file:" -v text="$text" 'index($0, file) == 1 && index($0, text) {hit = 1} END {exit !hit}' <<<"$found"; then
		echo "not refused: $what"
		failed=1
	fi
done
if grep -F permitted <<<"$found"; then
	echo "the lines above refuse what the design permits"
	failed=1
fi
if [[ $failed != 0 ]]; then
	echo "--- the linter said:"
	echo "$found"
	exit 1
fi
echo "lint rules: ${#expected[@]} violations refused, $((${#permitted[@]} + 1)) permitted uses accepted"
