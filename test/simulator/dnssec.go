// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"encoding/base64"
	"fmt"
	"strings"
	"time"
)

// A dnssecState is the DNSSEC of a zone. It takes some time to become active and to
// become disabled.
type dnssecState struct {
	status     string // "" means disabled.
	since      time.Time
	keyTag     int
	digest     string
	publicKey  string
	flags      map[string]bool // multi_signer and similar flags, by member.
	modifiedOn time.Time
}

const (
	dnssecActive          = "active"
	dnssecPending         = "pending"
	dnssecDisabled        = "disabled"
	dnssecPendingDisabled = "pending-disabled"
)

func (d *dnssecState) settle(zone ZoneStatus, now time.Time, delay time.Duration) {
	due := now.Sub(d.since) >= delay
	switch {
	case d.status == dnssecPending && due && zone == ZoneActive:
		d.status, d.since = dnssecActive, now
	case d.status == dnssecPendingDisabled && due:
		d.status, d.since = dnssecDisabled, now
	}
}

// want starts the transition to a status: active or disabled.
func (d *dnssecState) want(status string, now time.Time) {
	enabled := d.status == dnssecActive || d.status == dnssecPending
	switch {
	case status == dnssecActive && !enabled:
		d.status, d.since, d.modifiedOn = dnssecPending, now, now
	case status == dnssecDisabled && enabled:
		d.status, d.since, d.modifiedOn = dnssecPendingDisabled, now, now
	}
}

func (z *zone) dnssecBody() map[string]any {
	d := &z.dnssec
	status := d.status
	if status == "" {
		status = dnssecDisabled
	}
	b := map[string]any{
		"status": status, "dnssec_multi_signer": d.flags["dnssec_multi_signer"],
		"dnssec_presigned": d.flags["dnssec_presigned"], "dnssec_use_nsec3": d.flags["dnssec_use_nsec3"],
	}
	for _, member := range []string{"algorithm", "digest", "digest_algorithm", "digest_type", "ds", "flags", "key_tag", "key_type", "public_key", "modified_on"} {
		b[member] = nil
	}
	if !d.modifiedOn.IsZero() {
		b["modified_on"] = timestamp(d.modifiedOn)
	}
	if status != dnssecDisabled {
		b["algorithm"], b["digest_algorithm"], b["digest_type"] = "13", "SHA256", "2"
		b["flags"], b["key_tag"], b["key_type"] = 257, d.keyTag, "ECDSAP256SHA256"
		b["digest"], b["public_key"] = d.digest, d.publicKey
		b["ds"] = fmt.Sprintf("%s. 3600 IN DS %d 13 2 %s", z.name, d.keyTag, d.digest)
	}
	return b
}

func getDNSSEC(c *call) (reply, *Error) { return reply{result: c.zone.dnssecBody()}, nil }

func patchDNSSEC(c *call) (reply, *Error) {
	body, err := c.decode()
	if err != nil {
		return reply{}, err
	}
	flags := map[string]bool{}
	for _, member := range []string{"dnssec_multi_signer", "dnssec_presigned", "dnssec_use_nsec3"} {
		if value, given := body[member]; given {
			on, ok := value.(bool)
			if !ok {
				return reply{}, invalid(CodeSettingInvalid, "%s must be a boolean.", member)
			}
			flags[member] = on
		}
	}
	value, given := body["status"]
	status, _ := value.(string)
	if given && status != dnssecActive && status != dnssecDisabled {
		return reply{}, invalid(CodeSettingInvalid, "status must be active or disabled.")
	}
	d := &c.zone.dnssec
	if d.publicKey == "" {
		d.keyTag, d.digest = c.s.rng.IntN(65536), strings.ToUpper(c.s.newID()+c.s.newID())
		d.publicKey = base64.StdEncoding.EncodeToString([]byte(c.s.newID() + c.s.newID()))
		d.flags = map[string]bool{}
	}
	for member, on := range flags {
		d.flags[member], d.modifiedOn = on, c.now
	}
	if given {
		d.want(status, c.now)
		d.settle(c.zone.status, c.now, c.s.options.DNSSECDelay)
	}
	return reply{result: c.zone.dnssecBody()}, nil
}

// deleteDNSSEC removes all DNSSEC data of a zone.
func deleteDNSSEC(c *call) (reply, *Error) {
	c.zone.dnssec = dnssecState{modifiedOn: c.now}
	return reply{result: ""}, nil
}
