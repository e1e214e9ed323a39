#!/usr/bin/env bash
# Shows that hack/test.sh fails where a group of tests does, and that hack/in-one-place.sh leaves no file out: it runs both in
# small checkouts, with a go and a gotestsum that build nothing. Takes seconds.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0
wrong() {
	echo "gate: $1"
	failed=1
}

# --- hack/test.sh
mkdir -p "$tmp/bin" "$tmp/checkout/hack" "$tmp/checkout/internal/a"
cp "$root/hack/test.sh" "$tmp/checkout/hack/"
echo 'func TestCorrections(t *testing.T) {}' >"$tmp/checkout/internal/a/a_test.go"
cat >"$tmp/bin/go" <<'STUB'
#!/usr/bin/env bash
case "$*" in
list\ -f*) printf 'example.org/o/p/%s [pgregory.net/rapid] []\n' internal/dnsrecord internal/b ;;
list*) printf 'example.org/o/p/%s\n' internal/a internal/b internal/dnsrecord cmd/c test/kinds test/d ;;
esac
STUB
# A gotestsum whose group FAILING fails, whose group OUTSIDE does so outside of its tests, and which, once
# the group HOLDING is reached, says so and waits.
cat >"$tmp/checkout/hack/tool.sh" <<'STUB'
#!/usr/bin/env bash
echo "$*" >>"$CALLS"
for a in "$@"; do
	case $a in
	--jsonfile=*) events=${a#*=} ;;
	--rerun-fails-report=*) report=${a#*=} ;;
	esac
done
group=${events##*/} group=${group%.json}
echo '{"Action":"pass"}' >"$events"
if [[ $group == "${OUTSIDE:-}" ]]; then
	echo '{"Output":"outside of the tests: a port is taken"}' >>"$events"
	: >"$report"
fi
if [[ $group == "${HOLDING:-}" ]]; then
	echo reached >"$REACHED"
	read -r <"$GO_ON"
fi
[[ $group != "${FAILING:-}" ]]
STUB
chmod +x "$tmp/bin/go" "$tmp/checkout/hack/tool.sh"
unset RACE CHANCE SIDE_MODULES PROPERTY_SEED
export CALLS=$tmp/calls REACHED=$tmp/reached GO_ON=$tmp/go-on
mkfifo "$REACHED" "$GO_ON"

# gate FILE: runs hack/test.sh, what it says goes to the file.
gate() { PATH=$tmp/bin:$PATH "$tmp/checkout/hack/test.sh" >"$1" 2>&1; }
# gives CODE WHAT: runs hack/test.sh to its end.
gives() {
	local code=0
	gate "$tmp/said" || code=$?
	[[ $code == "$1" ]] || { wrong "$2: exit $code, want $1"; cat "$tmp/said"; }
}

gives 0 "all groups pass"
[[ -e $tmp/checkout/_output/test/main.json && ! -L $tmp/checkout/_output/test ]] || wrong "the events of a run that has ended are not in _output/test"
[[ $(ls "$tmp/checkout/_output") == test ]] || wrong "a run leaves more than _output/test: $(ls "$tmp/checkout/_output")"
grep -q -- --rerun-fails=1 "$CALLS" || wrong "no group runs once more"
! grep -- --rerun-fails=1 "$CALLS" | grep -v -- ' --rerun-fails-abort-on-data-race ' || wrong "a data race may pass when the test runs once more"
for group in main properties tools pure alone kinds integration raced real; do
	FAILING=$group gives 1 "the group $group fails"
	grep -q "^test: failed: $group " "$tmp/said" || wrong "it does not say that $group failed"
done
for group in kinds integration raced real; do
	OUTSIDE=$group gives 1 "the group $group fails outside of its tests"
done

# A run in which a group has failed waits, while another one starts and ends.
FAILING=main HOLDING=properties gate "$tmp/first" &
first=$!
read -r <"$REACHED"
[[ -e $tmp/checkout/_output/test/failed ]] || wrong "_output/test does not lead to the files of the run"
gives 0 "all groups pass, beside another run"
echo >"$GO_ON"
code=0
wait "$first" || code=$?
[[ $code == 1 ]] || { wrong "a group has failed before another run: exit $code, want 1"; cat "$tmp/first"; }

# --- hack/in-one-place.sh
mkdir -p "$tmp/repository/hack"
cp "$root/hack/in-one-place.sh" "$tmp/repository/hack/"
cd "$tmp/repository"
export XDG_CACHE_HOME=$tmp/cache
echo one >"a file"
echo two >gone
git init -q
git add .
rm gone
echo three >new
copied=$(hack/in-one-place.sh bash -c 'pwd; LC_ALL=C ls' | tail -n +2 | tr '\n' ',') || wrong "a file that is deleted, and not committed so, ends it"
[[ $copied == "a file,hack,new," ]] || wrong "the copy has $copied"
# A file that git has listed, and that cannot be read.
git=$(command -v git)
cat >"$tmp/bin/git" <<STUB
#!/usr/bin/env bash
"$git" "\$@" || exit
[[ "\$*" != *--others* ]] || printf 'unreadable\0'
STUB
chmod +x "$tmp/bin/git"
! PATH=$tmp/bin:$PATH hack/in-one-place.sh touch "$tmp/ran" 2>/dev/null || wrong "a file cannot be read: it passes"
[[ ! -e $tmp/ran ]] || wrong "a file cannot be read: the command runs without it"

[[ $failed == 0 ]] || exit 1
echo "gate: a group that fails, beside another run, too, fails it, and no file is left out of the lint"
