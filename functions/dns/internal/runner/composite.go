// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package runner

import (
	"fmt"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/crossplane/function-sdk-go/request"
	"github.com/crossplane/function-sdk-go/resource"
	"github.com/crossplane/function-sdk-go/response"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/provider-cloudflare/provider-cloudflare/functions/dns/internal/record"
)

// A composite is the composite resource of a request with what is composed of it.
type composite struct {
	observed *resource.Composite
	desired  *resource.Composite
	exist    map[resource.Name]resource.ObservedComposed
	want     map[resource.Name]*resource.DesiredComposed
}

func readComposite(req *fnv1.RunFunctionRequest) (*composite, error) {
	x := &composite{}
	var err error
	if x.observed, err = request.GetObservedCompositeResource(req); err != nil {
		return nil, err
	}
	if x.desired, err = request.GetDesiredCompositeResource(req); err != nil {
		return nil, err
	}
	if x.exist, err = request.GetObservedComposedResources(req); err != nil {
		return nil, err
	}
	if x.want, err = request.GetDesiredComposedResources(req); err != nil {
		return nil, err
	}
	// Steps after this one may need to know what they patch.
	x.desired.Resource.SetAPIVersion(x.observed.Resource.GetAPIVersion())
	x.desired.Resource.SetKind(x.observed.Resource.GetKind())
	return x, nil
}

// spec reads the composite resource's spec. Fields the function does not know are the
// XRD's business.
func (x *composite) spec(into any) error {
	spec, _, err := unstructured.NestedMap(x.observed.Resource.Object, "spec")
	if err != nil {
		return err
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(spec, into); err != nil {
		return fmt.Errorf("cannot read spec: %w", err)
	}
	return nil
}

// compose adds records to what earlier steps of the pipeline want, and tells what has
// become of each.
func (x *composite) compose(rsp *fnv1.RunFunctionResponse, config record.Config, records []record.Record) ([]record.State, error) {
	states := make([]record.State, 0, len(records))
	for _, r := range records {
		name := resource.Name(r.ID)
		state := record.Judge(r, x.conditions(name))
		d := resource.NewDesiredComposed()
		d.Resource.SetUnstructuredContent(r.Manifest(config))
		d.Ready = resource.ReadyFalse
		if state.Ready {
			d.Ready = resource.ReadyTrue
		}
		x.want[name] = d
		states = append(states, state)
	}
	return states, response.SetDesiredComposedResources(rsp, x.want)
}

// conditions of a composed resource, nil where it does not exist.
func (x *composite) conditions(name resource.Name) []record.Condition {
	o, ok := x.exist[name]
	if !ok {
		return nil
	}
	out := []record.Condition{}
	// What has not the shape of conditions is as if there were none yet.
	list, _, _ := unstructured.NestedSlice(o.Resource.Object, "status", "conditions")
	for _, c := range list {
		m, _ := c.(map[string]any)
		typ, _ := m["type"].(string)
		status, _ := m["status"].(string)
		message, _ := m["message"].(string)
		out = append(out, record.Condition{Type: typ, Status: status, Message: message})
	}
	return out
}

// setStatus sets fields of the composite resource's status.
func (x *composite) setStatus(rsp *fnv1.RunFunctionResponse, status map[string]any) error {
	for name, value := range status {
		if err := x.desired.Resource.SetValue("status."+name, value); err != nil {
			return fmt.Errorf("cannot set status.%s: %w", name, err)
		}
	}
	return response.SetDesiredCompositeResource(rsp, x.desired)
}
