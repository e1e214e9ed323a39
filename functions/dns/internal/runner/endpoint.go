// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package runner

import (
	"errors"
	"fmt"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/crossplane/function-sdk-go/request"
	"github.com/crossplane/function-sdk-go/resource"
	"github.com/crossplane/function-sdk-go/response"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/input/v1alpha1"
	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/endpoint"
	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/record"
)

// typeAllowed is the condition of an endpoint: whether it may have its name.
const typeAllowed = "Allowed"

// environment is what the function calls the EnvironmentConfig it asks Crossplane for.
const environment = "environment"

func runEndpoint(req *fnv1.RunFunctionRequest, rsp *fnv1.RunFunctionResponse) error {
	in := &v1alpha1.Endpoint{}
	if err := request.GetInput(req, in); err != nil {
		return err
	}
	x, err := readComposite(req)
	if err != nil {
		return err
	}
	namespace := x.observed.Resource.GetNamespace()
	if namespace == "" {
		return errors.New("this composite resource has no namespace: the function allows names by namespace, its XRD must have scope Namespaced")
	}
	name := in.EnvironmentPrefix + namespace
	rsp.Requirements = need(name)
	found, answered, err := request.GetRequiredResource(req, environment)
	if err != nil || !answered {
		return err // Crossplane calls again, with the answer.
	}
	spec := endpoint.Spec{}
	if err := x.spec(&spec); err != nil {
		return err
	}
	rec, config, err := decide(spec, namespace, name, found)
	if err != nil {
		response.ConditionFalse(rsp, typeAllowed, reasonOf(err)).WithMessage(err.Error()).TargetComposite()
		if err := x.desired.Resource.SetValue("status.message", err.Error()); err != nil {
			return fmt.Errorf("cannot set status.message: %w", err)
		}
		return x.refuse(rsp, err, "fqdn", "type", "zone")
	}
	response.ConditionTrue(rsp, typeAllowed, "InDomain").TargetComposite()
	states, err := x.compose(rsp, config, []record.Record{rec})
	if err != nil {
		return err
	}
	return x.setStatus(rsp, map[string]any{"fqdn": states[0].FQDN, "type": states[0].Type, "zone": rec.Zone, "message": states[0].Message})
}

// need asks for the EnvironmentConfig of that name.
func need(name string) *fnv1.Requirements {
	return &fnv1.Requirements{Resources: map[string]*fnv1.ResourceSelector{environment: {
		ApiVersion: "apiextensions.crossplane.io/v1beta1",
		Kind:       "EnvironmentConfig",
		Match:      &fnv1.ResourceSelector_MatchName{MatchName: name},
	}}}
}

// decide makes the record of an endpoint from what the platform allows.
func decide(spec endpoint.Spec, namespace, name string, found []resource.Required) (record.Record, record.Config, error) {
	if len(found) == 0 {
		return record.Record{}, record.Config{}, &endpoint.Refusal{
			Reason:  endpoint.ReasonNoDomains,
			Message: fmt.Sprintf("namespace %s may use no domain: the platform has no EnvironmentConfig %s", namespace, name),
		}
	}
	domains, err := readDomains(found[0].Resource)
	if err != nil {
		return record.Record{}, record.Config{}, &endpoint.Refusal{
			Reason:  endpoint.ReasonMisconfigured,
			Message: fmt.Sprintf("the platform's EnvironmentConfig %s cannot be read: %v", name, err),
		}
	}
	return endpoint.Make(spec, namespace, domains)
}

func readDomains(env *unstructured.Unstructured) ([]endpoint.Domain, error) {
	data, _, err := unstructured.NestedMap(env.Object, "data")
	if err != nil {
		return nil, err
	}
	var out struct {
		Domains []endpoint.Domain `json:"domains"`
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(data, &out, true); err != nil {
		return nil, err
	}
	return out.Domains, nil
}

// reasonOf is the reason of a refusal.
func reasonOf(err error) string {
	if r := (*endpoint.Refusal)(nil); errors.As(err, &r) {
		return r.Reason
	}
	return reasonRefused
}
