// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package runner

import (
	"strings"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/crossplane/function-sdk-go/request"
	"github.com/crossplane/function-sdk-go/response"

	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/input/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/record"
	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/website"
)

// typeComplete is the condition of a Website: whether its records say all they should.
const typeComplete = "Complete"

func runWebsite(req *fnv1.RunFunctionRequest, rsp *fnv1.RunFunctionResponse) error {
	in := &v1alpha1.Website{}
	if err := request.GetInput(req, in); err != nil {
		return err
	}
	x, err := readComposite(req)
	if err != nil {
		return err
	}
	spec := website.Spec{}
	if err := x.spec(&spec); err != nil {
		return err
	}
	plan, err := website.Make(spec)
	if err != nil {
		response.ConditionFalse(rsp, typeComplete, reasonRefused).WithMessage(err.Error()).TargetComposite()
		return x.refuse(rsp, err, "fqdns", "missing", "readyRecords", "records")
	}
	states, err := x.compose(rsp, record.Config(in.ProviderConfigRef), plan.Records)
	if err != nil {
		return err
	}
	complete(rsp, plan.Missing)
	return x.setStatus(rsp, map[string]any{
		"fqdns":        plan.FQDNs,
		"missing":      plan.Missing,
		"readyRecords": record.Count(states),
		"records":      states,
	})
}

// complete tells of each thing that is missing.
func complete(rsp *fnv1.RunFunctionResponse, missing []string) {
	if len(missing) == 0 {
		response.ConditionTrue(rsp, typeComplete, "NothingMissing").TargetComposite()
		return
	}
	response.ConditionFalse(rsp, typeComplete, "ValuesMissing").WithMessage(strings.Join(missing, "; ")).TargetComposite()
}
