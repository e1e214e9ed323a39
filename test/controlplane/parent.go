// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"time"
)

// endsWithParent is the environment variable that makes a component end when the process that
// started it has ended. Tests set it, because a test run that is killed cannot stop its
// processes.
const endsWithParent = "CONTROLPLANE_ENDS_WITH_PARENT"

// watchParent ends this process within a second of the end of its parent, without an orderly
// shutdown.
func watchParent() {
	if os.Getenv(endsWithParent) == "" {
		return
	}
	parent := os.Getppid()
	go func() {
		for range time.Tick(time.Second) {
			if os.Getppid() != parent {
				fmt.Fprintln(os.Stderr, "controlplane: the process that started this one has ended")
				os.Exit(1)
			}
		}
	}()
}
