// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/provider-cloudflare/provider-cloudflare/internal/cloudflare"
)

// streams are the outputs of commands: results go to out, all else to err.
type streams struct{ out, err io.Writer }

// newRoot returns the root command.
func newRoot(s streams) *cobra.Command {
	c := &connection{}
	root := &cobra.Command{
		Use:           "kubectl-cloudflare",
		Short:         "Manage Cloudflare with Kubernetes objects",
		Version:       version,
		SilenceUsage:  true,
		SilenceErrors: true,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl cloudflare"},
	}
	root.SetOut(s.out)
	root.SetErr(s.err)
	f := root.PersistentFlags()
	f.StringVar(&c.kubeconfig, "kubeconfig", "", "path of the kubeconfig file")
	f.StringVar(&c.context, "context", "", "context of the kubeconfig file")
	f.StringVarP(&c.namespace, "namespace", "n", "", "namespace; by default that of the context")
	f.StringVar(&c.tokenFile, "token-file", "", "file with the API token")
	f.StringVar(&c.config, "provider-config", "", "ProviderConfig of the namespace, for the API token and for manifests (default \"default\")")
	f.StringVar(&c.clusterConfig, "cluster-provider-config", "", "ClusterProviderConfig, for the API token and for manifests")
	f.StringVar(&c.accountID, "account-id", "", "ID of the account; by default accountId of the provider config")
	f.StringVar(&c.apiURL, "cloudflare-api-url", envOr("CLOUDFLARE_API_URL", cloudflare.DefaultBaseURL), "base URL of the Cloudflare API")
	root.MarkFlagsMutuallyExclusive("provider-config", "cluster-provider-config")
	root.AddCommand(newExport(c, s), newImport(c, s), newCheck(c, s))
	return root
}

func envOr(name, otherwise string) string {
	if v, ok := os.LookupEnv(name); ok {
		return v
	}
	return otherwise
}
