// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package leak finds secrets in the output of a process. Keep all output in a Record, and
// search it when all secrets are known.
//
// It finds a secret as it is, in base64 of any alignment, in hexadecimal and escaped for a URL.
// It finds the whole secret, or any twelve characters of it in a row.
package leak
