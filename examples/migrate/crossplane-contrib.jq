# SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
# SPDX-License-Identifier: Apache-2.0

# Objects of this provider for those of crossplane-contrib's, with the same external name.
.items[]
| select(.metadata.annotations["crossplane.io/external-name"])
| (.kind == "Zone") as $zone
| .spec.forProvider as $p
| {
    apiVersion: ("\(if $zone then "zone" else "dns" end).cloudflare.m.crossplane.io/v1alpha1"),
    kind: .kind,
    metadata: {
      name: .metadata.name, namespace: "default",
      annotations: {"crossplane.io/external-name": .metadata.annotations["crossplane.io/external-name"]}
    },
    spec: {
      managementPolicies: ["Observe"],
      forProvider: (if $zone
        then {accountId: $p.accountId, type: $p.type, paused: $p.paused, vanityNameServers: $p.vanityNameServers}
        else {zoneId: $p.zone, name: $p.name, type: ($p.type // "A"), content: $p.content, ttl: $p.ttl, proxied: $p.proxied,
              priority: (if ($p.type | IN("MX", "URI", "SRV")) then $p.priority else null end)}
        end | with_entries(select(.value != null))),
      providerConfigRef: {kind: "ProviderConfig", name: "default"}
    }
  }
| if $zone then .spec.deletionPolicy = "Orphan" else . end
