// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// machine describes the machine, the revision and the time of the benchmark.
type machine struct {
	cpu, memory, system, goVersion, revision string
	cores                                    int
	began                                    time.Time
}

func thisMachine(ctx context.Context) machine {
	m := machine{cores: runtime.NumCPU(), goVersion: runtime.Version(), began: time.Now()}
	m.cpu = cmp.Or(field("/proc/cpuinfo", "model name"), runtime.GOARCH)
	m.memory = "unknown"
	if kb, err := strconv.ParseInt(strings.TrimSuffix(field("/proc/meminfo", "MemTotal"), " kB"), 10, 64); err == nil {
		m.memory = fmt.Sprintf("%.1f GB", float64(kb)*1024/1e9)
	}
	kernel, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	m.system = strings.TrimSpace(runtime.GOOS + " " + string(kernel))
	m.revision = "unknown"
	if out, err := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty", "--abbrev=12").Output(); err == nil {
		m.revision = strings.TrimSpace(string(out))
	}
	return m
}

// name describes the machine in one line.
func (m machine) name() string {
	return fmt.Sprintf("%s, %d cores, %s of memory", m.cpu, m.cores, m.memory)
}

// field returns the value of the first line "key: value" of a file, "" if there is none.
func field(file, key string) string {
	raw, _ := os.ReadFile(file)
	for line := range strings.Lines(string(raw)) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}
