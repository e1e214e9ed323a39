// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Package ownership says whether another controller marks a DNS record as its own. It is pure: it
// decides from names, types and texts.
//
// # external-dns
//
// external-dns' TXT registry keeps a TXT record, here a mark, beside each name and type that it
// manages. The mark's text is
//
//	heritage=external-dns,external-dns/owner=ID,external-dns/resource=KIND/NAMESPACE/NAME
//
// in any order and with more keys. Its name is made from the record's name, split at the first dot
// into LABEL.REST, by the options of external-dns:
//
//	a-LABEL.REST           since 0.12: the type in front
//	LABEL.REST             until 0.17 (not of AAAA)
//	PREFIXa-LABEL.REST     --txt-prefix=PREFIX
//	PREFIXLABEL.REST       the same until 0.17
//	P1aP2LABEL.REST        --txt-prefix=P1%{record_type}P2
//	a-LABELSUFFIX.REST     --txt-suffix=SUFFIX
//	LABELSUFFIX.REST       the same until 0.17
//	LABELS1aS2.REST        --txt-suffix=S1%{record_type}S2
//
// Prefixes and suffixes may have dots, and a LABEL that is "*" may be any text
// (--txt-wildcard-replacement). The options are not known here. So the rule is:
//
// A mark may be that of a record if its name can be made from the record's name with some prefix,
// or some suffix, and some replacement of "*". The affix is the part of the mark's name that the
// record's name lacks. It decides about the type: it must not have the name of another type as a
// word of its own unless it has that of the record's type as well. The word txt is not a type here,
// because many have it in their prefix. An A record may have a mark of type CNAME, which is how
// external-dns marks aliases. The affix of an AAAA record's mark has to contain "aaaa".
//
// A mark that may be that of several records counts for all of them, with one exception: a record
// yields to another record that exists, is not a mark, and has a longer name (so that less of the
// mark's name is affix). It yields only if that is certain enough:
//
//   - The affix has a dot, and the other's mark would have this name without prefix and suffix.
//     The mark a-shop.example.com is not that of example.com with the prefix "a-shop." if
//     shop.example.com has an A record. A mark without a type, as in shop.example.com, decides
//     less: it does not outweigh an affix with the type.
//   - Or another mark of the same owner cannot have been made with this affix. The mark
//     a-dev-shop.example.com is not that of shop.example.com with the prefix "%{record_type}-dev-"
//     if the owner has a mark blog.example.com, and dev-shop.example.com exists.
//   - Or the record is a wildcard, of whose name only REST has to be in the mark's name. A
//     wildcard yields to a record that needs no affix. It also yields to a record whose
//     prefix does not end in a letter or digit, if all other marks of the owner, one at least, can
//     have been made with that prefix.
//
// # Encrypted marks
//
// Only the name of a mark that external-dns encrypts (--txt-encrypt-enabled) can be read: the text
// is base64 of at least 96 characters, as many tokens are. So it counts only if its affix has the
// record's type as a word of its own, as in a-LABEL.REST, and if no other record with a longer
// name explains it in the same way. Its owner and resource are not known, and a TXT record of
// another tool under such a name is taken for a mark.
//
// # What is not seen
//
// Encrypted marks are not seen if their names do not have the type as a word of its own, as those
// of external-dns until 0.17. external-dns' registries in other places (--registry=dynamodb, crd,
// noop) leave no mark in the zone.
//
// A record that external-dns owns is not recognised if
//
//   - an affix has, as a word of its own, the name of another type than the record's (a literal
//     --txt-prefix=mx- in the format of 0.17, with an A record), or
//   - a record of another name exists that gets the same mark under the rules above:
//     --txt-prefix=%{record_type}-www. beside an A record www of the same name, or
//     --txt-wildcard-replacement=www beside it.
//
// # What is refused needlessly
//
// A record that external-dns does not own may be taken for its record. This happens if a mark ends
// or begins with the record's name, and the mark's own record is gone, or the mark's owner has no
// other marks to compare. For example a-myshop.example.com, alone in its zone, counts for an A
// record shop.example.com as well, because its prefix may be "%{record_type}-my". The user's
// explicit choice overrides that.
//
// # ACME
//
// A TXT record below _acme-challenge belongs to the ACME client that put it there (RFC 8555,
// section 8.4).
//
// # Tunnels
//
// A CNAME to UUID.cfargotunnel.com belongs to Cloudflare Tunnel: cloudflared and the dashboard
// make it with a public hostname, and the dashboard deletes it with that.
//
// Package dnsrecord recognises records of Email Routing, and others that Cloudflare itself marks
// in the meta of its answer (Live.Foreign): only Cloudflare can change them.
package ownership
