// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package runtimeimage

import (
	"bytes"
	"debug/elf"
	"fmt"
)

// runsAlone returns why a binary would not run in an image without other files.
func runsAlone(binary []byte, arch string) error {
	machines := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}
	want, ok := machines[arch]
	if !ok {
		return fmt.Errorf("architecture %q is neither amd64 nor arm64", arch)
	}
	f, err := elf.NewFile(bytes.NewReader(binary))
	if err != nil {
		return fmt.Errorf("it is no Linux binary: %w", err)
	}
	if f.Machine != want {
		return fmt.Errorf("it is for %s, and the image for %s", f.Machine, arch)
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			return fmt.Errorf("it is linked dynamically (%s): build it with CGO_ENABLED=0", p.Type)
		}
	}
	return nil
}
