#!/usr/bin/env bash
# Shows that hack/test.sh fails where a group of tests does, and says what it does and how far it is, and that
# hack/in-one-place.sh leaves no file out: it runs both in small checkouts, with a go and a gotestsum that build nothing.
# Takes seconds.
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
cp "$root/hack/test.sh" "$root/hack/clock.sh" "$tmp/checkout/hack/"
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
[[ $1 != --path ]] || [[ $2 != "${UNBUILT:-}" ]] || exit 1
[[ $1 != --path ]] || exit 0
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
# A control plane whose build waits where SLOW says so, and fails where BROKEN does.
cat >"$tmp/checkout/hack/controlplane.sh" <<'STUB'
#!/usr/bin/env bash
if [[ -n ${SLOW:-} ]]; then
	echo reached >"$REACHED"
	read -r <"$GO_ON"
fi
[[ -z ${BROKEN:-} ]] || exit 1
echo /assets
STUB
chmod +x "$tmp/bin/go" "$tmp"/checkout/hack/*.sh
unset RACE CHANCE SIDE_MODULES PROPERTY_SEED EVERY EVENTS
export CALLS=$tmp/calls REACHED=$tmp/reached GO_ON=$tmp/go-on
mkfifo "$REACHED" "$GO_ON"

# gate FILE: runs hack/test.sh, what it says goes to the file.
gate() { PATH=$tmp/bin:$PATH "$tmp/checkout/hack/test.sh" >"$1" 2>&1; }
# reached returns when what HOLDING or SLOW names waits.
reached() { read -rt 300 <>"$REACHED" || { echo "gate: a run does not come to where it waits"; exit 1; }; }
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
reached
[[ -e $tmp/checkout/_output/test/failed ]] || wrong "_output/test does not lead to the files of the run"
gives 0 "all groups pass, beside another run"
echo >"$GO_ON"
code=0
wait "$first" || code=$?
[[ $code == 1 ]] || { wrong "a group has failed before another run: exit $code, want 1"; cat "$tmp/first"; }

UNBUILT=cli/crossplane gives 1 "a program of Crossplane does not build"
grep -q '^test: failed: cli/crossplane ' "$tmp/said" || wrong "it does not say that cli/crossplane failed"
BROKEN=yes gives 1 "there is no control plane"
! grep -q 'main: ended' "$tmp/said" || wrong "tests run without a control plane"

# before FIRST SECOND: a line of what was said stands before another one.
before() {
	awk -v first="$1" -v second="$2" '$0 ~ second {exit !seen} $0 ~ first {seen = 1} END {if (!seen) exit 1}' "$tmp/said" || {
		wrong "'$1' does not stand before '$2'"
		cat "$tmp/said"
	}
}
gives 0 "all is there"
before 'every test of every module.* about [0-9]+ minutes' 'main: ended'
before 'some [0-9]+ more the first time' 'main: ended'
! grep -q 'not found' "$tmp/said" || wrong "it misses what is there: $(grep 'not found' "$tmp/said")"

# without NAME GONE KEPT: a machine lacks a program. It says so first, and runs what can run.
without() {
	local all=$tmp/without-$1 folder folders
	mkdir "$all"
	IFS=: read -ra folders <<<"$PATH"
	for folder in "${folders[@]}"; do
		find -H "$folder" -maxdepth 1 ! -type d ! -name "$1" -exec ln -sft "$all" {} + 2>/dev/null || true
	done
	rm -f "$CALLS"
	PATH=$all gives 0 "there is no $1"
	before "$1 not found: .*apt-get install" 'every test of every module'
	! grep -qE -- "$2" "$CALLS" || wrong "without $1 it runs $2"
	grep -qE -- "$3" "$CALLS" || wrong "without $1 it does not run $3"
}
grep -q -- ' -race ' "$CALLS" || wrong "nothing runs with the race detector"
grep -q -- '[ =]./test/docs ' "$CALLS" || wrong "test/docs does not run"
without gcc ' -race ' '[ =]./test/docs '
without curl '[ =]./test/docs ' ' -race '
without jq '[ =]./test/docs ' ' -race '

# waits FILE TEXT: returns when the file has the text.
waits() {
	local i
	for ((i = 0; i < 3000; i++)); do
		! grep -qE "$2" "$1" || return 0
		read -rt 0.1 <>"$tmp/nothing" || true
	done
	wrong "it does not say '$2'"
	cat "$1"
}
mkfifo "$tmp/nothing"
SLOW=yes EVERY=0.1 gate "$tmp/slow" &
slow=$!
reached
waits "$tmp/slow" '^==> test: control plane: 0 min [0-9]+ s$'
echo >"$GO_ON"
wait "$slow" || wrong "a control plane takes long: exit $?"
HOLDING=main EVERY=0.1 gate "$tmp/slow" &
slow=$!
reached
waits "$tmp/slow" '^==> test: main: 0 min [0-9]+ s, 1 tests have passed$'
echo >"$GO_ON"
wait "$slow" || wrong "a group takes long: exit $?"

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
echo "gate: a group that fails, beside another run, too, fails it; it says what it does; and no file is left out of the lint"
