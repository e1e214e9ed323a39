// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A reported is a bug that users of other clients of Cloudflare's API have reported, mostly of
// its Terraform provider, with the tests that show that this provider does not have it.
type reported struct {
	// trap is the number of the bug in the tests.
	trap int
	bug  string
	// shown are rows of the suite, tests of this package, or tests of other packages with their
	// folder.
	shown []string
}

func reportedBugs() []reported {
	const (
		described = "internal/controller/described."
		kind      = "internal/kind."
		parent    = "internal/parent."
	)
	return []reported{
		{1, "a secret that no answer shows is a change each time", []string{"SteadyIsSilent", "TestInputFromASecret"}},
		{2, "a concealed or lost secret drifts, or is written back", []string{"TestConcealedSecretStays", "TestLostSecretOfASaaSApplication", "TestDeletedSecretOfAToken"}},
		{3, "an upload wipes the secrets that others set", []string{"TestSecretsOfOthersStay"}},
		{4, "rules get new IDs, and computed values are a difference", []string{"TestRulesKeepTheirIDs", "EchoIsNoDrift"}},
		{5, "a phase, a tunnel or a list has one owner", []string{"TestTeamsShareAPhase", "TestTeamsShareATunnel", "TestItemsOfTeams", "TestManyItemsFewCalls"}},
		{6, "one object deletes what belongs to others", []string{"TestTeamsShareATunnel", "TestItemsOfTeams", "TestPhaseWithRulesOfOthers"}},
		{7, "what is not declared is reset", []string{"UndeclaredIsLeft", "TestPartOfASetting"}},
		{8, "a default that nobody declared is sent, and the plan lacks it", []string{"TestUnentitledDefaultIsNotSentBack"}},
		{9, "the order of a set is drift", []string{"SetReordered", "TestCiphersAreASet", kind + "TestSetsInAnyOrder"}},
		{10, "an empty list or object differs from none", []string{"FalseOmitted", kind + "TestDifferences", "TestEachKindOfItem"}},
		{11, "false differs from nothing", []string{"FalseOmitted", kind + "TestDifferences"}},
		{12, "the removal of the last element does nothing", []string{"TestLastOneOut", "TestRulesKeepTheirIDs"}},
		{13, "an object in the place of an ID is drift", []string{kind + "TestReference", kind + "TestDifferences"}},
		{14, "live values are compared", []string{"TestLiveValuesAreNoDrift"}},
		{15, "a text that Cloudflare formats is drift", []string{"EchoIsNoDrift", kind + "TestEchoes"}},
		{16, "a normalized field replaces the resource", []string{"ImmutableRefused", "SteadyIsSilent", "TestImmutableDiffers"}},
		{17, "a deletion is refused for something in use, and that is the end", []string{"Busy", "TestBusyNamesTheHolder", "TestRoutesKeepConnections", "TestScriptInUse", "TestConnectionsAreCut"}},
		{18, "the deletion of a part deletes the whole", []string{"TestTeamsShareATunnel", "TestOneOwnerOfAConfiguration", "TestPartLeavesTheTunnel"}},
		{19, "the deletion of a setting restores an old value", []string{"TestDeletedSettingStays", "TestOnDeleteOfASetting", "TestFlagsOfDNSSEC"}},
		{20, "a resource is read without its ID", []string{"TestDeletedSettingStays"}},
		{21, "a bucket of another jurisdiction is taken for this one", []string{"TestBucketsOfTwoJurisdictions"}},
		{22, "operations on items are not awaited, and there is one for each item", []string{"TestManyItemsFewCalls", "TestAnothersOperation", "TestOneBadItem", described + "TestGroupsCostFewCalls"}},
		{23, "a read that lags is taken for the truth", []string{parent + "TestAnOlderCopyUndoesNoWrite", parent + "TestTimesTellForeignChangesAtOnce", "TestDegradedDomainIsNoDrift"}},
		{24, "what exists blocks the creation, or is doubled", []string{"Adopted", "TestPhaseWithRulesOfOthers"}},
		{25, "a step that a person has to take is an error", []string{"TestTenantHasToAct", "TestDSRecord"}},
		{26, "a value has another type than its setting", []string{"TestSettingOfAnotherType", "TestSettingThatIsOnOrOff", kind + "TestDifferences"}},
		{27, "one refusal for a plan keeps all else from being done", []string{"NotEntitled", "TestSettingThatThePlanLacks"}},
		{28, "an update without a difference is sent, and refused", []string{kind + "TestUpdateBody", "SteadyIsSilent"}},
		{29, "a foreign change is not seen", []string{"ForeignChangeReverted", "TestCodeThatChanges", "TestEachKindOfItem"}},
		{30, "a token is replaced to change it, or ends itself", []string{"TestChangedPermissionsKeepTheToken", "TestRenamedSecretRollsNothing", "TestOwnTokenIsNotDeleted"}},
	}
}

// TestReportedBugs shows that the tests of the list exist.
func TestReportedBugs(t *testing.T) {
	inParallel(t, func(t *testing.T) {
		var names []string
		for _, r := range rows() {
			names = append(names, r.name)
		}
		for i, r := range reportedBugs() {
			if r.trap != i+1 || r.bug == "" || len(r.shown) == 0 {
				t.Errorf("trap %d stands at place %d, is %q and shown by %q", r.trap, i+1, r.bug, r.shown)
			}
			for _, by := range r.shown {
				folder, name, elsewhere := cutLast(by, ".")
				if !elsewhere {
					folder, name = "test/kinds", by
				}
				if !slices.Contains(names, by) && !slices.Contains(testsIn(t, folder), name) {
					t.Errorf("trap %d is shown by %s, which is no test of %s", r.trap, name, folder)
				}
			}
		}
	})
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return "", s, false
	}
	return s[:i], s[i+len(sep):], true
}

// testsIn returns the names of the tests in a folder of this repository.
func testsIn(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(folder), "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no tests in %s: %v", folder, err)
	}
	var out []string
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\)`).FindAllSubmatch(raw, -1) {
			out = append(out, string(m[1]))
		}
	}
	return out
}
