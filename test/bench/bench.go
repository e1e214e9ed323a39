// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/provider-cloudflare/provider-cloudflare/test/simulator"
)

// bench is one run.
type bench struct {
	flags   *flags
	size    size
	machine machine
	dir     string // of the logs
	log     logger
	table   table
	failed  []error
}

// logger writes the progress of the run to w.
type logger struct{ w io.Writer }

func newLog(w io.Writer) logger { return logger{w} }

func (l logger) say(format string, args ...any) {
	fmt.Fprintf(l.w, "%s %s\n", time.Now().Format("15:04:05.000"), fmt.Sprintf(format, args...))
}

// runAll runs the cases, each group in a world of its own. It returns the errors of those
// that could not be run.
func (b *bench) runAll(ctx context.Context) error {
	worlds := []struct {
		cases []string
		run   func(context.Context) error
	}{
		{[]string{caseCreate, caseBad}, b.burstWorld},
		{[]string{caseRatio}, b.ratioWorlds},
		{[]string{caseBaseline}, b.baselineWorld},
		{[]string{caseScale}, b.scaleWorlds},
		{[]string{caseMemory, caseAdopt, caseSteady, caseDrift, caseEdit, caseRestart}, b.steadyWorld},
		{[]string{caseIdle, caseKinds}, b.kindsWorld},
		{[]string{caseMixed}, b.mixedWorld},
		{[]string{caseSets}, b.withoutWorld},
		{[]string{caseRefused}, b.refusedWorld},
		{[]string{caseWaiting}, b.waitingWorld},
	}
	began := time.Now()
	for _, w := range worlds {
		if !b.flags.wants(w.cases...) || ctx.Err() != nil {
			continue
		}
		if err := w.run(ctx); err != nil {
			// Nothing of this world was measured, or the world did not end well.
			b.failed = append(b.failed, err)
			for _, c := range w.cases {
				if b.flags.wants(c) && !b.table.has(c) {
					b.table.fail(c, err)
				}
			}
		}
	}
	b.log.say("all done after %s", seconds(time.Since(began)))
	return errors.Join(b.failed...)
}

// do runs a case if it is selected, and records that it could not be run.
func (b *bench) do(ctx context.Context, name string, f func(context.Context) error) {
	if !b.flags.wants(name) {
		return
	}
	b.log.say("[%s] begins", name)
	began := time.Now()
	err := context.Cause(ctx) // The cause that ended the world ends the cases after it.
	if err == nil {
		err = f(ctx)
	}
	if err != nil {
		b.table.fail(name, err)
		err = fmt.Errorf("[%s] could not be run: %w", name, err)
		b.log.say("%v", err)
		b.failed = append(b.failed, err)
		return
	}
	b.log.say("[%s] took %s", name, seconds(time.Since(began)))
}

// permissions returns the permissions that the provider needs in every zone.
func permissions() []simulator.Grant {
	return []simulator.Grant{{Permission: simulator.ZoneRead}, {Permission: simulator.DNSWrite}}
}

// worldOf returns a seed of one account with those zones and n tokens. Each token has a
// limit of its own.
func worldOf(n int, zones ...simulator.SeedZone) simulator.Seed {
	s := simulator.Seed{Accounts: []simulator.SeedAccount{{Name: "Example Inc", Zones: zones}}}
	for range n {
		s.Tokens = append(s.Tokens, simulator.TokenOptions{Grants: permissions()})
	}
	return s
}

func onPlan(p simulator.Plan, name string, records ...map[string]any) simulator.SeedZone {
	return simulator.SeedZone{Name: name, ZoneOptions: simulator.ZoneOptions{Plan: p}, Records: records}
}

// Zones and provider configs of the worlds.
const (
	zoneMany  = "many.example"
	zoneBad   = "bad.example"
	zoneBurst = "burst.example"

	configMain = "main"
	configBad  = "bad"
)

// burstWorld runs [create] and, with a credential of its own, [bad].
func (b *bench) burstWorld(ctx context.Context) (err error) {
	taken := map[string]any{"type": "A", "name": takenName, "content": "192.0.2.1", "ttl": ttl}
	w, ctx, err := b.newWorld(ctx, "burst", worldSpec{seed: worldOf(2, onPlan(simulator.PlanPro, zoneMany), onPlan(simulator.PlanPro, zoneBad, taken))})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.stop()) }()
	if err := w.configure(ctx, map[string]string{configMain: w.sim.Tokens[0], configBad: w.sim.Tokens[1]}); err != nil {
		return err
	}
	if err := w.ours(ctx, "--max-batch", fmt.Sprint(b.size.maxBatch)); err != nil {
		return err
	}
	b.do(ctx, caseCreate, w.create)
	b.do(ctx, caseBad, w.bad)
	return nil
}

// withoutWorld runs the cases that need no processes.
func (b *bench) withoutWorld(ctx context.Context) error {
	b.do(ctx, caseSets, b.sets)
	return nil
}

// baselineWorld runs the baseline of [create].
func (b *bench) baselineWorld(ctx context.Context) (err error) {
	w, ctx, err := b.newWorld(ctx, "baseline", worldSpec{seed: worldOf(1, onPlan(simulator.PlanPro, zoneMany))})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.stop()) }()
	if err := w.configure(ctx, map[string]string{configMain: w.sim.Tokens[0]}); err != nil {
		return err
	}
	binary, err := filepath.Abs(b.flags.Baseline)
	if err != nil {
		return fmt.Errorf("cannot find the baseline: %w", err)
	}
	if err := w.startProvider(ctx, binary); err != nil {
		return err
	}
	b.do(ctx, caseBaseline, w.baseline)
	return nil
}
