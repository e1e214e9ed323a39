#!/usr/bin/env bash
# Shows that .golangci.yml refuses the names, sleeps, skips, prints and clocks that it says it refuses: in a skeleton of
# the repository's packages it puts one file for each, runs the linters concerned once, and compares. Takes seconds.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp "$root/.golangci.yml" "$tmp/"
printf 'module github.com/provider-cloudflare/provider-cloudflare\n\ngo 1.26\n' >"$tmp/go.mod"

# put FILE CODE: puts the code, with the package clause of its folder, into a file.
put() {
	local folder=${1%/*}
	mkdir -p "$tmp/$folder"
	printf '// Package %s is a stand-in.\npackage %s\n\n%s\n' "${folder##*/}" "${folder##*/}" "$2" >"$tmp/$1"
}

expected=()
# refused FILE TEXT CODE: expects a finding with that text in the file.
refused() {
	put "$1" "$3"
	expected+=("$1|$2")
}
for name in utils common helpers; do
	refused "internal/$name/refused.go" package-naming ''
done
refused internal/dnszone/refused_sleep_test.go time.Sleep $'import "time"\n\nfunc nap() { time.Sleep(time.Second) }'
refused internal/dnszone/refused_skip_test.go Skip $'import "testing"\n\nfunc TestNone(t *testing.T) { t.Skip() }'
refused internal/dnszone/refused_print.go fmt.Println $'import "fmt"\n\nfunc say() { fmt.Println() }'
refused internal/dnsrecord/refused_clock.go 'it has no clock' $'import "time"\n\nfunc now() time.Time { return time.Now() }'
put internal/dnszone/permitted.go $'import "time"\n\nfunc now() time.Time { return time.Now() }'

linter=$("$root/hack/tool.sh" --path golangci-lint)
found=$(cd "$tmp" && GOWORK=off GOPROXY=off GOLANGCI_LINT_CACHE="$tmp/cache" "$linter" run --allow-parallel-runners --enable-only forbidigo,revive \
	--output.text.print-issued-lines=false --output.text.colors=false ./... 2>&1) || true
if ! grep -q ' issues:$' <<<"$found"; then
	echo "the linter did not run: $found"
	exit 1
fi
failed=0
for line in "${expected[@]}"; do
	IFS='|' read -r file text <<<"$line"
	if ! awk -v file="$file:" -v text="$text" 'index($0, file) == 1 && index($0, text) {hit = 1} END {exit !hit}' <<<"$found"; then
		echo "not refused: $text in $file"
		failed=1
	fi
done
if grep -F permitted <<<"$found"; then
	echo "the lines above refuse what is permitted"
	failed=1
fi
exit $failed
