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
		state := record.Judge(r, x.record(name))
		d := resource.NewDesiredComposed()
		d.Resource.SetUnstructuredContent(r.Manifest(config))
		d.Ready = resource.ReadyFalse
		if state.Ready {
			d.Ready = resource.ReadyTrue
		}
		x.want[name] = d
		states = append(states, state)
	}
	report(rsp, states)
	return states, response.SetDesiredComposedResources(rsp, x.want)
}

// Condition RecordsReady of a composite resource says in one place which of its records
// are not ready and why: of these Crossplane's own Ready has the names alone.
const (
	typeRecordsReady = "RecordsReady"
	reasonAllReady   = "AllReady"
	reasonNotReady   = "NotReady"
	reasonRefused    = "Refused"
)

// report sets condition RecordsReady.
func report(rsp *fnv1.RunFunctionResponse, states []record.State) {
	if why := record.Unready(states); why != "" {
		response.ConditionFalse(rsp, typeRecordsReady, reasonNotReady).WithMessage(why).TargetComposite()
		return
	}
	response.ConditionTrue(rsp, typeRecordsReady, reasonAllReady).TargetComposite()
}

// refuse says that what the composite resource asks for cannot be, and leaves what exists
// as it is. These fields of the status stay, too.
func (x *composite) refuse(rsp *fnv1.RunFunctionResponse, why error, status ...string) error {
	response.Warning(rsp, why)
	response.ConditionFalse(rsp, typeRecordsReady, reasonRefused).WithMessage(why.Error()).TargetComposite()
	for _, field := range status {
		value, found, err := unstructured.NestedFieldCopy(x.observed.Resource.Object, "status", field)
		if err != nil || !found {
			continue // It has no status of this form yet.
		}
		if err := x.desired.Resource.SetValue("status."+field, value); err != nil {
			return fmt.Errorf("cannot set status.%s: %w", field, err)
		}
	}
	return x.keep(rsp)
}

// keep leaves the Records that exist as they are, and has the composite resource not be
// ready: a response without Records would have them deleted. Those that earlier steps of
// the pipeline want are theirs to decide on.
func (x *composite) keep(rsp *fnv1.RunFunctionResponse) error {
	kept := 0
	for name, o := range x.exist {
		if _, wanted := x.want[name]; wanted || o.Resource.GetAPIVersion() != record.APIVersion || o.Resource.GetKind() != record.Kind {
			continue
		}
		spec, _, err := unstructured.NestedMap(o.Resource.Object, "spec")
		if err != nil {
			return fmt.Errorf("cannot read the Record %s: %w", o.Resource.GetName(), err)
		}
		d := resource.NewDesiredComposed()
		d.Resource.SetUnstructuredContent(record.Keep(spec))
		d.Ready = resource.ReadyFalse
		x.want[name] = d
		kept++
	}
	if kept == 0 {
		// With nothing composed, Crossplane would take it for ready.
		x.desired.Ready = resource.ReadyFalse
	}
	if err := response.SetDesiredCompositeResource(rsp, x.desired); err != nil {
		return err
	}
	return response.SetDesiredComposedResources(rsp, x.want)
}

// record is what there is of a composed resource, nil where it does not exist.
func (x *composite) record(name resource.Name) *record.Observed {
	o, ok := x.exist[name]
	if !ok {
		return nil
	}
	out := &record.Observed{}
	if at, ok := o.Resource.Object["metadata"].(map[string]any); ok {
		out.Generation = integer(at["generation"])
	}
	// What has another shape than it should is as if it were not there yet.
	out.ForProvider, _, _ = unstructured.NestedMap(o.Resource.Object, "spec", "forProvider")
	list, _, _ := unstructured.NestedSlice(o.Resource.Object, "status", "conditions")
	for _, c := range list {
		m, _ := c.(map[string]any)
		r := record.Condition{}
		r.Type, _ = m["type"].(string)
		r.Status, _ = m["status"].(string)
		r.Message, _ = m["message"].(string)
		r.Generation = integer(m["observedGeneration"])
		out.Conditions = append(out.Conditions, r)
	}
	return out
}

// integer is a number of an object that came through a protocol buffer, which has no integers.
func integer(v any) int64 {
	switch v := v.(type) {
	case int64:
		return v
	case float64:
		return int64(v)
	}
	return 0
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
