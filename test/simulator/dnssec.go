// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package simulator

import (
	"encoding/base64"
	"fmt"
	"reflect"
	"slices"
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

// settle completes a transition that is due. It reports whether there was one.
func (d *dnssecState) settle(zone ZoneStatus, now time.Time, delay time.Duration) bool {
	due := now.Sub(d.since) >= delay
	switch {
	case d.status == dnssecPending && due && zone == ZoneActive:
		d.status, d.since = dnssecActive, now
	case d.status == dnssecPendingDisabled && due:
		d.status, d.since = dnssecDisabled, now
	default:
		return false
	}
	return true
}

// A dnssecVersion is the DNSSEC of a zone as it was from a time on.
type dnssecVersion struct {
	at   time.Time
	body map[string]any
}

// keepDNSSEC adds a version after a change.
func (z *zone) keepDNSSEC(now time.Time) {
	z.dnssecVersions = latest(append(z.dnssecVersions, dnssecVersion{at: now, body: z.dnssecBody()}))
}

// dnssecAt returns the DNSSEC as it was at a time.
func (z *zone) dnssecAt(at time.Time) map[string]any {
	for _, v := range slices.Backward(z.dnssecVersions) {
		if !v.at.After(at) {
			return v.body
		}
	}
	return (&zone{name: z.name}).dnssecBody()
}

// shownDNSSEC returns the DNSSEC as a GET shows it. A fault may return one of the past.
func (c *call) shownDNSSEC() map[string]any {
	now := c.zone.dnssecBody()
	age, stale := c.staleness()
	if !stale {
		return now
	}
	then := c.zone.dnssecAt(c.now.Add(-age))
	if !reflect.DeepEqual(now, then) {
		c.faults.fire(FaultStaleGet)
	}
	return then
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

func getDNSSEC(c *call) (reply, *Error) { return reply{result: c.shownDNSSEC()}, nil }

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
	c.zone.keepDNSSEC(c.now)
	return reply{result: c.zone.dnssecBody()}, nil
}

// deleteDNSSEC removes all DNSSEC data of a zone.
func deleteDNSSEC(c *call) (reply, *Error) {
	c.zone.dnssec = dnssecState{modifiedOn: c.now}
	c.zone.keepDNSSEC(c.now)
	return reply{result: ""}, nil
}
