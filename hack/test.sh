#!/usr/bin/env bash
# Runs the tests of every module but test/e2e: hack/test.sh [ARGUMENTS OF go test]
# make test calls it.
#
# Says first what it does and how long that takes, then a line every half minute. Where gcc, curl or jq is missing, it
# leaves out what needs it.
#
# SIDE_MODULES are the modules beside the main one.
# RACE=all runs the tests with the race detector, too, that run without it by default: those
# outside of internal/ but test/behaviour and test/simulator, and those of kinds one by one.
# PROPERTY_SEED is the seed of the tests of properties. 0 chooses one, which a failure shows.
#
# CHANCE=1 has tests of test/behaviour fail, too, that take luck or a machine of their own, shows
# all of it and of test/kinds on a real API server, and has test/docs bring 9,000 records from Terraform.
#
# _output/test/NAME.json has the events of a group of tests as they happen, NAME.flaky the
# tests that passed only when they ran once more. While this runs, _output/test leads to a folder that is its own: what
# else starts here takes nothing from it.
#
# GOGC is 400 by default: the API servers and the compiler take memory to save a tenth of the time.
set -uo pipefail
export GOGC=${GOGC:-400}
# A program with the race detector waits a second when it ends, and there are dozens.
export GORACE=${GORACE:-atexit_sleep_ms=100}
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 2
root=$PWD

# Tests that try kinds and interleavings one by one, each in one goroutine, and take long: they run without the race detector
# unless RACE is all.
alone='^(TestNothingIsDecidedOnAnOlder|TestCorrections|TestForgedAnnotations|TestTakenBack|TestUpgradeSealsHashes|TestNoValueCanBeTried|TestLostKey|TestFollowsItsZone'
alone+='|TestOneWrong404\b|TestTheSameResource\b|TestLargeSpec\b|TestSubjects\b|TestIdentity\b|TestARenewalEndsAnywhere\b|TestAcceptedAndNotDone\b|TestObservedOnlyIsNotOwned\b'
alone+='|TestTheFirstLookComesAfterTheObject\b|TestLimitedElsewhere\b|TestLimitedToItsOwn\b|TestLimitsAreNotShared\b)'
# It decides purely, and compares with what the simulator answers, one call after the other. Likewise.
pure=/internal/dnsrecord
# In whose own process the provider works on many objects at once, in every way that there is. Of the others, which run with the
# race detector where RACE is all, lifecycle and safestart end and start it.
raced=(behaviour)
# Modules whose tests read, or build, what is outside of them: Go's cache does not see that.
uncached=" test/operations hack/chart "
arguments=("$@")

say() { echo "==> test: $1" >&2; }

# fail NAME: notes that a group of tests has failed, in a file, for groups run beside each other.
fail() { grep -qsxF "$1" "$files/failed" || echo "$1" >>"$files/failed"; }

# once NAME ARGUMENTS: runs go test, and ends with the failed tests of all packages, and how long it took. It
# succeeds in any case: see fail.
once() {
	local name=$1 began=$SECONDS
	shift
	EVENTS=$files/$name.json "${low[@]}" "$root/hack/clock.sh" "test: $name" \
		"$root/hack/tool.sh" gotestsum/gotestsum --format=standard-quiet --jsonfile="$files/$name.json" \
		"${rerun[@]}" -- -timeout 60m "$@" || fail "$name"
	say "$name: ended after $((SECONDS - began)) s"
}

# twice NAME PACKAGES ARGUMENTS: as once, but tests that fail run once more, three at most, and none where the race detector
# found something. It is for tests that start processes.
twice() {
	local name=$1 packages=$2
	shift 2
	rerun=(--rerun-fails=1 --rerun-fails-max-failures=3 --rerun-fails-abort-on-data-race --rerun-fails-report="$files/$name.flaky" --packages="$packages")
	once "$name" -count=1 "$@"
	rerun=()
	outside "$name"
}

# outside NAME: what fails outside of all tests, in TestMain, fails for good. The second run, of
# the tests that failed, does not show it: gotestsum runs none where no test failed.
outside() {
	local events=$files/$1.json report=$files/$1.flaky
	grep -qsE '\.: [0-9]+ runs' "$report" || grep -qs '"Output":"outside of the tests: ' "$events" || return 0
	[[ ! -e $report ]] || sed -i -E '/\.: [0-9]+ runs/d' "$report"
	fail "$1"
}

# detect and spare: with the race detector, which needs cgo, and without it unless RACE is all.
detect() {
	race=("${detector[@]}")
	((${#race[@]} == 0)) || export CGO_ENABLED=1
}
spare() {
	race=()
	export CGO_ENABLED=0
	[[ ${RACE:-} != all ]] || detect
}

# packages has the tests of packages that start nothing.
packages() {
	detect
	once main "${race[@]}" "${skip[@]}" "${more[@]}" "${plain[@]}"
	once properties "${race[@]}" "${skip[@]}" "${more[@]}" "${properties[@]}" -rapid.seed="$seed"
}

# virtual has those that wait for nothing, for their time is virtual or they have none. They take of the cores what the others
# leave.
virtual() {
	low=(nice -n 10)
	spare
	once tools "${race[@]}" "${more[@]}" "${tools[@]}"
	[[ -z $pure ]] || once pure "${more[@]}" "$pure" -rapid.seed="$seed"
	((${#skip[@]} == 0)) || once alone "${more[@]}" -run "$alone" "${single[@]/#/./}"
	twice kinds ./test/kinds "${race[@]}" "${more[@]}"
}

# processes has those that start processes, and wait for them most of the time.
processes() {
	spare
	twice integration "$others" "${race[@]}" "${more[@]}" -p "$(($(nproc) > 2 ? $(nproc) - 1 : 2))"
}

# reality has what a real API server shows of kinds, all of it where CHANCE is 1, what the race detector watches, and the other
# modules.
reality() {
	local run="^(TestEstablished|TestLife|TestKinds)\$"
	[[ ${CHANCE:-} != 1 ]] || run=.
	spare
	REAL_API_SERVER=1 twice real ./test/kinds "${race[@]}" "${more[@]}" -run "$run"
	detect
	twice raced "$(printf './test/%s ' "${raced[@]}")" "${race[@]}" "${more[@]}"
	[[ ${CHANCE:-} != 1 ]] || REAL_API_SERVER=1 twice behaviour ./test/behaviour "${race[@]}" "${more[@]}"
	export CGO_ENABLED=0
	for module in ${SIDE_MODULES:-}; do beyond "$module"; done
}

vet() { "$root/hack/clock.sh" "test: vet of $module" go vet ./...; }

# beyond MODULE: the tests of a module beside the main one.
beyond() {
	local module=$1 fresh=()
	say "$module; a few minutes the first time"
	cd "$root/$module" || exit 2
	case $module in
	# As hack/controlplane.sh builds it. A vet of all that it stands on takes minutes.
	test/controlplane) once controlplane -ldflags "-s -w" -vet=off "${arguments[@]}" ./... ;;
	test/*) vet && twice "${module##*/}" ./... "${arguments[@]}" || fail "$module" ;;
	*)
		[[ $uncached != *" $module "* ]] || fresh=(-count=1)
		vet && once "${module##*/}" "${fresh[@]}" "${arguments[@]}" ./... || fail "$module"
		;;
	esac
}

# beside FUNCTIONS: runs them beside each other, and returns when all have ended. Each has a process group of its own, which
# ends when this script does, by itself or by INT, TERM or HUP. After a KILL the groups go on to their end, in the folder of
# their run: "kill -- -GROUP" ends one.
beside() {
	local lane
	set -m
	for lane in "$@"; do
		"$lane" &
		lanes[$!]=$lane
	done
	set +m
	for lane in "${!lanes[@]}"; do
		wait "$lane" || fail "${lanes[$lane]}"
		unset "lanes[$lane]"
	done
}

finish() {
	local lane
	for lane in "${!lanes[@]}"; do kill -- "-$lane" || true; done
	# Of two runs, the one that ends last is what is seen.
	rm -rf _output/test
	mv "$files" _output/test
}

lanes=()
mkdir -p _output
files=$(mktemp -d "$root/_output/test.XXXXXX") || exit 2
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

rm -rf _output/test # That of a run that has ended, or what leads to another one's.
ln -s "${files##*/}" _output/test
rerun=()
low=()
race=()

# Without these, some tests are left out. CI installs them.
without=()
gcc -E -xc - <<<'#include <stdlib.h>' &>/dev/null || without+=(gcc)
for need in curl jq; do
	command -v "$need" >/dev/null || without+=("$need")
done
((${#without[@]} == 0)) || say "${without[*]} not found: what needs it is left out. On Debian: apt-get install gcc libc6-dev curl jq"
detector=(-race)
[[ " ${without[*]} " != *" gcc "* ]] || detector=()

minutes=25
[[ ${RACE:-} != all ]] || minutes=40
say "every test of every module, on a real control plane: about $minutes minutes on two cores"
say "some 20 more the first time: 6 for Crossplane, 7 for the control plane, which are built once, the others to compile the tests"
# test/compositions runs them; to build them is no part of its time.
for tool in core/crossplane cli/crossplane patchandtransform/function-patch-and-transform; do
	hack/clock.sh "test: building $tool" hack/tool.sh --path "$tool" >/dev/null || fail "$tool"
done
KUBEBUILDER_ASSETS=$(hack/clock.sh "test: control plane" hack/controlplane.sh --full) || exit 1
export KUBEBUILDER_ASSETS
# make lint vets this module, and not the others. Nobody debugs these programs.
more=("${arguments[@]}" -vet=off "-ldflags=-s -w")
seed=${PROPERTY_SEED:-20261124}
own=$(hack/clock.sh "test: modules" go list ./internal/... ./test/simulator/...)
mapfile -t tools < <(go list ./... | grep -vE '^([^/]*/){3}(internal|test)/')
properties=$(go list -f '{{.ImportPath}} {{.TestImports}} {{.XTestImports}}' ./... | awk '/pgregory.net\/rapid/ {print $1}')
mapfile -t plain < <(grep -vxF "$properties" <<<"$own")
pure=$(grep "$pure\$" <<<"$properties")
[[ ${RACE:-} != all ]] || pure=
mapfile -t properties < <(grep -vxF "${pure:-none}" <<<"$properties")
skip=(-skip "$alone")
[[ ${RACE:-} != all ]] || skip=()
# Where they are, and nowhere else: to build the tests of every package without the race detector takes half a minute.
mapfile -t single < <(grep -rlE "^func ${alone#^}" --include='*_test.go' -s internal test/simulator | xargs -n 1 dirname | sort -u)
((${#single[@]} > 0)) || fail alone
# Those that take longest come first. The commands in the documentation are run with curl and jq.
first=(docs rights lifecycle plugin)
[[ " ${without[*]} " != *" curl "* && " ${without[*]} " != *" jq "* ]] || first=(rights lifecycle plugin)
others="$(printf './test/%s ' "${first[@]}")$(go list ./test/... | grep -vE "/test/(simulator(/.*)?|kinds|docs|$(IFS='|' && echo "${first[*]}|${raced[*]}"))\$" | tr '\n' ' ')"

beside packages
# The others are linked from it: they would compile it beside each other.
[[ ${RACE:-} == all ]] || CGO_ENABLED=0 hack/clock.sh "test: build" go build ./apis/... ./internal/... ./test/simulator/... || fail build
beside virtual processes reality

[[ ! -e $files/failed ]] || { echo "test: failed: $(tr '\n' ' ' <"$files/failed"); each test that did is above, behind === FAIL" >&2; exit 1; }
