// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// memory is the memory of a process, in bytes.
type memory struct {
	resident, peak int64
}

// megabytes formats bytes as MB of a million.
func megabytes(n int64) string { return fmt.Sprintf("%.0f MB", float64(n)/1e6) }

func procFile(pid int, name string) string { return fmt.Sprintf("/proc/%d/%s", pid, name) }

// memoryOf reads /proc/PID/status. Its kB are 1,024 bytes.
func memoryOf(pid int) (memory, error) {
	raw, err := os.ReadFile(procFile(pid, "status"))
	if err != nil {
		return memory{}, fmt.Errorf("cannot read a process's memory: %w", err)
	}
	return parseStatus(string(raw))
}

func parseStatus(status string) (memory, error) {
	var m memory
	for line := range strings.Lines(status) {
		key, value, _ := strings.Cut(line, ":")
		var to *int64
		switch key {
		case "VmRSS":
			to = &m.resident
		case "VmHWM":
			to = &m.peak
		default:
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		if err != nil {
			return memory{}, fmt.Errorf("cannot understand %q: %w", line, err)
		}
		*to = n * 1024
	}
	if m.resident == 0 || m.peak == 0 {
		return memory{}, errors.New("cannot find the memory of a process in its status")
	}
	return m, nil
}

// stat is the content of /proc/PID/stat.
type stat struct {
	parent int
	cpu    time.Duration
}

func statOf(pid int) (stat, error) {
	raw, err := os.ReadFile(procFile(pid, "stat"))
	if err != nil {
		return stat{}, fmt.Errorf("cannot read a process's CPU time: %w", err)
	}
	return parseStat(string(raw))
}

// ticks is the number of ticks of the kernel's accounting in a second, a constant of Linux's
// interface.
const ticks = 100

// parseStat parses a line of proc(5). The name is in parentheses and may hold any
// character. The fields after it are numbered from 3.
func parseStat(line string) (stat, error) {
	fields := strings.Fields(line[strings.LastIndexByte(line, ')')+1:])
	if len(fields) < 13 {
		return stat{}, fmt.Errorf("cannot understand %q", line)
	}
	parent, err := strconv.Atoi(fields[4-3])
	user, userErr := strconv.ParseInt(fields[14-3], 10, 64)
	system, systemErr := strconv.ParseInt(fields[15-3], 10, 64)
	if err := errors.Join(err, userErr, systemErr); err != nil {
		return stat{}, fmt.Errorf("cannot understand %q: %w", line, err)
	}
	return stat{parent: parent, cpu: time.Duration(user+system) * time.Second / ticks}, nil
}

// program returns the file name of a process's program.
func program(pid int) string {
	raw, _ := os.ReadFile(procFile(pid, "cmdline"))
	path, _, _ := strings.Cut(string(raw), "\x00")
	return filepath.Base(path)
}

// cpuTimes returns the CPU times of this process and its children, by name.
func cpuTimes() (map[string]time.Duration, error) {
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil, fmt.Errorf("cannot list the processes: %w", err)
	}
	out := map[string]time.Duration{}
	for _, dir := range dirs {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			continue
		}
		s, err := statOf(pid)
		if err != nil {
			continue // It has ended meanwhile.
		}
		switch os.Getpid() {
		case pid:
			out["driver"] += s.cpu
		case s.parent:
			out[program(pid)] += s.cpu
		}
	}
	return out, nil
}
