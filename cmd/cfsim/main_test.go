// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// start runs the command with args until the test ends. It returns the ready line, and a
// function that stops the command and returns its stderr.
func start(t *testing.T, args ...string) (ready, func() string) {
	t.Helper()
	var c cli
	parser, err := kong.New(&c, kong.Vars{"version": "test"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(args); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	stdout, printed := io.Pipe()
	var stderr bytes.Buffer
	ended := make(chan error, 1)
	go func() {
		ended <- c.run(ctx, printed, &stderr)
		_ = printed.Close()
	}()
	var line ready
	text, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(text, &line)
	}
	if err != nil {
		t.Fatalf("no ready line: %v: %v", err, <-ended)
	}
	stopped := false
	stop := func() string {
		if !stopped {
			stopped = true
			cancel()
			if err := <-ended; err != nil {
				t.Errorf("run() = %v", err)
			}
		}
		return stderr.String()
	}
	t.Cleanup(func() { stop() })
	return line, stop
}

func get(t *testing.T, url, token string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

func TestServesAZoneWithoutSeed(t *testing.T) {
	line, stop := start(t, "--zone", "demo.example", "--plan", "pro", "--fault", "html-502,times=1,path=/zones/{zone_id}/dns_records")
	if !strings.HasPrefix(line.URL, "http://127.0.0.1:") {
		t.Errorf("URL %s is not on loopback", line.URL)
	}
	records := line.URL + "/zones/" + line.Zones["demo.example"] + "/dns_records"
	if got := get(t, records, line.Tokens[0]); got != http.StatusBadGateway {
		t.Errorf("with the fault: %d", got)
	}
	if got := get(t, records, line.Tokens[0]); got != http.StatusOK {
		t.Errorf("afterwards: %d", got)
	}
	if got := get(t, line.AdminURL+"/state", ""); got != http.StatusOK {
		t.Errorf("administration: %d", got)
	}
	log := stop()
	if !strings.Contains(log, "GET /zones/{zone_id}/dns_records -> 502\n") || !strings.Contains(log, "GET /zones/{zone_id}/dns_records -> 200\n") {
		t.Errorf("log: %s", log)
	}
	if strings.Contains(log, line.Tokens[0]) {
		t.Error("the token is in the log")
	}
}

func TestServesASeed(t *testing.T) {
	seed := filepath.Join(t.TempDir(), "seed.json")
	content := `{"accounts":[{"name":"A","zones":[{"name":"seeded.example"}]}],"tokens":[{"value":"demo","grants":[{"permission":"zone:read"}]}]}`
	if err := os.WriteFile(seed, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	line, stop := start(t, "--seed", seed, "--log", "json")
	if got := get(t, line.URL+"/zones/"+line.Zones["seeded.example"], "demo"); got != http.StatusOK {
		t.Errorf("zone: %d", got)
	}
	var logged struct {
		Route  string `json:"route"`
		Status int    `json:"status"`
	}
	if err := json.Unmarshal([]byte(stop()), &logged); err != nil || logged.Route != "/zones/{zone_id}" || logged.Status != http.StatusOK {
		t.Errorf("log: %+v (%v)", logged, err)
	}
}

// TestDelays: DNSSEC is pending for as long as the flag says, also if that is no time at
// all.
func TestDelays(t *testing.T) {
	for delay, want := range map[string]string{"1h": "pending", "0s": "active"} {
		line, _ := start(t, "--zone", "signed.example", "--dnssec-delay", delay)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, line.URL+"/zones/"+line.Zones["signed.example"]+"/dnssec", strings.NewReader(`{"status":"active"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+line.Tokens[0])
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		var answer struct {
			Result struct {
				Status string `json:"status"`
			} `json:"result"`
		}
		err = json.NewDecoder(resp.Body).Decode(&answer)
		_ = resp.Body.Close()
		if err != nil || answer.Result.Status != want {
			t.Errorf("with a delay of %s the status is %q (%v), want %s", delay, answer.Result.Status, err, want)
		}
	}
}

func TestNoLog(t *testing.T) {
	line, stop := start(t, "--log", "none")
	get(t, line.URL+"/zones", line.Tokens[0])
	if log := stop(); log != "" {
		t.Errorf("log: %s", log)
	}
}

func TestRefusals(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.json")
	if err := os.WriteFile(broken, []byte(`{"nonsense":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for reason, c := range map[string]cli{
		"unknown fault": {Fault: []string{"nonsense"}}, "no such file": {Seed: broken + "x"}, "no seed": {Seed: broken},
		"no zone name": {Zone: "a b"}, "no address": {Zone: "a.example", Listen: "nowhere:x"},
	} {
		if err := c.run(t.Context(), io.Discard, io.Discard); err == nil {
			t.Errorf("%s: no error", reason)
		}
	}
}

func TestVersion(t *testing.T) {
	if buildVersion() == "" {
		t.Error("no version")
	}
}
