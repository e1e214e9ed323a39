// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package dnszone

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// wireID returns the ID of the nth record: like the API's, in no order.
func wireID(n int) string {
	const odd = 0x9e3779b97f4a7c15
	return fmt.Sprintf("%016x%016x", uint64(n+1)*odd, uint64(n+1)*odd*odd)
}

// wireRecord returns the nth record of a zone as the API lists it. Of a hundred, 45 are
// A, 10 AAAA, 25 CNAME, 10 TXT, 5 MX, 3 SRV and 2 CAA. Every fifth has a comment and
// every twentieth a tag.
func wireRecord(n int) []byte {
	prefix, rest := wireRdata(n)
	comment, tags := "null", ""
	if n%5 == 0 {
		comment = fmt.Sprintf(`"service %d, see the runbook","comment_modified_on":"2026-02-01T10:00:00.000000Z"`, n%40)
	}
	if n%20 == 0 {
		tags = `"team:edge"`
	}
	return fmt.Appendf(nil, `{"id":"%s","name":"%sservice-%d.prod.example.com",%s,"ttl":%d,"settings":{},"meta":{},`+
		`"comment":%s,"tags":[%s],"created_on":"2026-01-%02dT09:08:07.654321Z","modified_on":"2026-02-%02dT01:02:03.456789Z"}`,
		wireID(n), prefix, n, rest, 1+n%2*299, comment, tags, 1+n%28, 1+n%27)
}

func wireRdata(n int) (prefix, rest string) {
	switch k := n % 100; {
	case k < 45:
		return "", fmt.Sprintf(`"type":"A","content":"198.51.%d.%d","proxiable":true,"proxied":%t,"private_routing":false`, n/250%250, n%250, n%2 == 0)
	case k < 55:
		return "", fmt.Sprintf(`"type":"AAAA","content":"2001:db8:%x::%x","proxiable":true,"proxied":false,"private_routing":false`, n/100+1, n%100+1)
	case k < 80:
		return "", fmt.Sprintf(`"type":"CNAME","content":"lb-%d.eu-west-1.elb.example.net","proxiable":true,"proxied":%t`, n, n%2 == 0)
	case k < 90:
		return "_acme-challenge.", fmt.Sprintf(`"type":"TXT","content":"\"v=%032x%08x\"","proxiable":false,"proxied":false`, n*7, n)
	case k < 95:
		return "", fmt.Sprintf(`"type":"MX","content":"mx%d.mail.example.net","priority":%d,"proxiable":false,"proxied":false`, n%4, 10*(1+n%4))
	case k < 98:
		return "_sip._tcp.", fmt.Sprintf(`"type":"SRV","content":"5 5060 sip-%d.example.net","priority":10,"data":{"priority":10,"weight":5,"port":5060,"target":"sip-%d.example.net"},"proxiable":false,"proxied":false`, n, n)
	}
	return "", `"type":"CAA","content":"0 issue \"letsencrypt.org\"","data":{"flags":0,"tag":"issue","value":"letsencrypt.org"},"proxiable":false,"proxied":false`
}

// wireRecords returns the records with the numbers [0, n).
func wireRecords(n int) [][]byte {
	all := make([][]byte, 0, n)
	for i := range n {
		all = append(all, wireRecord(i))
	}
	return all
}

// wireArray returns the answer to one list.
func wireArray(all [][]byte) []byte {
	return slices.Concat([]byte("["), bytes.Join(all, []byte(",")), []byte("]"))
}

// wire is an API that only lists: one page, without change.
type wire struct {
	API

	page []byte
}

func (w *wire) Fingerprint() string { return "f" }

func (w *wire) ListRecords(_ context.Context, _ string, _, _ int, out any) (cloudflare.ResultInfo, error) {
	return cloudflare.ResultInfo{TotalPages: 1}, json.Unmarshal(w.page, out)
}

// otherWords returns the same record as raw in other bytes: the members in the order of
// their names, and one more without a meaning.
func otherWords(t interface{ Fatal(...any) }, raw []byte) []byte {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		t.Fatal(err)
	}
	members["a_future"] = []byte("1")
	raw, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
