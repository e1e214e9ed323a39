// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/provider-cloudflare/provider-cloudflare/apis"
	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
	"github.com/provider-cloudflare/provider-cloudflare/internal/export"
	"github.com/provider-cloudflare/provider-cloudflare/internal/export/inventory"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kind"
	"github.com/provider-cloudflare/provider-cloudflare/internal/kinds"
)

const (
	groupSuffix = ".cloudflare.m.crossplane.io"
	apiVersion  = "v1alpha1"
	zoneKind    = "zone.Zone"
)

const accountExample = `  # See all zones, and the resources of all kinds but Record
  kubectl cloudflare export account

  # Manage the tunnels and their configurations
  kubectl cloudflare export account --manage --kind Tunnel,TunnelConfiguration`

func newExportAccount(c *connection, s streams) *cobra.Command {
	e := &exporting{to: output{streams: s}}
	var only []string
	cmd := &cobra.Command{
		Use:   "account",
		Short: "Write manifests of an account: its zones, and resources of all kinds but Record",
		Long: "Write manifests of an account: its zones, and resources of all kinds but Record. Rules of a ruleset and hostnames of a tunnel are " +
			"in the Ruleset or TunnelConfiguration. Settings that nobody ever changed are left out. No manifest has a value that Cloudflare conceals.",
		Example: accountExample,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return e.account(cmd.Context(), c, only)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&only, "kind", nil, "kinds, such as Zone,Tunnel; by default all")
	f.BoolVar(&e.manage, "manage", false, "make objects that manage what they stand for")
	e.to.flags(f)
	return cmd
}

func (e *exporting) account(ctx context.Context, c *connection, only []string) error {
	chosen, err := choose(only)
	if err := errors.Join(err, e.to.validate()); err != nil {
		return err
	}
	o, err := e.options(c)
	if err != nil {
		return err
	}
	a, err := c.cloudflare(ctx)
	if err != nil {
		return err
	}
	zones, err := inventory.Zones(ctx, a.client, a.id)
	if err != nil {
		return err
	}
	if a.id == "" {
		if a.id, err = accountOf(zones); err != nil {
			return err
		}
	}
	var found []export.Found
	var failed []export.LeftOut
	all, err := inventory.Resources(ctx, a.client, inventory.Account{ID: a.id, Zones: zones}, kinds.All(), chosen)
	if err != nil {
		return err
	}
	for _, l := range all {
		for _, err := range l.Refused {
			failed = append(failed, export.LeftOut{What: "kind " + l.Kind.Name, Why: err.Error()})
		}
		found = append(found, export.Found{Kind: l.Kind, Resources: l.Resources})
	}
	if !chosen(zoneKind) {
		zones = nil
	}
	scheme := runtime.NewScheme()
	if err := apis.AddToScheme(scheme); err != nil {
		return err
	}
	result, err := o.Account(zones, found, func(d kind.Description) (export.Described, error) { return empty(scheme, d) })
	if err != nil {
		return err
	}
	result.LeftOut = append(result.LeftOut, failed...)
	return e.write(result)
}

// choose returns a function that reports whether a kind, by group and name, is among those of
// these names. Without names, all kinds are.
func choose(only []string) (func(kind string) bool, error) {
	all := []string{zoneKind}
	for _, d := range kinds.All() {
		if d.Shape != kind.Fragment || d.Bulk != "" {
			all = append(all, d.Group+"."+d.Name)
		}
	}
	if len(only) == 0 {
		return func(string) bool { return true }, nil
	}
	chosen := map[string]bool{}
	for _, name := range only {
		i := slices.IndexFunc(all, func(kind string) bool { return strings.EqualFold(kind[strings.Index(kind, ".")+1:], name) })
		if i < 0 {
			return nil, fmt.Errorf("--kind: there is no kind %q here: Records are part of export zone, rules of the Ruleset, and hostnames of the TunnelConfiguration", name)
		}
		chosen[all[i]] = true
	}
	return func(kind string) bool { return chosen[kind] }, nil
}

// accountOf returns the account of zones, which must be a single one.
func accountOf(zones []cloudflare.Zone) (string, error) {
	ids := map[string]bool{}
	for _, z := range zones {
		ids[z.Account.ID] = true
	}
	if len(ids) != 1 {
		return "", fmt.Errorf("the credential sees zones of %d accounts: set --account-id", len(ids))
	}
	return zones[0].Account.ID, nil
}

// empty returns a new object of a kind.
func empty(scheme *runtime.Scheme, d kind.Description) (export.Described, error) {
	gvk := schema.GroupVersionKind{Group: d.Group + groupSuffix, Version: apiVersion, Kind: d.Name}
	o, err := scheme.New(gvk)
	if err != nil {
		return nil, err
	}
	out, ok := o.(export.Described)
	if !ok {
		return nil, fmt.Errorf("%T is of no described kind", o)
	}
	out.GetObjectKind().SetGroupVersionKind(gvk)
	return out, nil
}
