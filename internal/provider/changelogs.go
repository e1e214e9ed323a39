// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"

	"github.com/crossplane/crossplane-runtime/v2/apis/changelogs/proto/v1alpha1"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// changeLogger sends change logs to the service that listens on a Unix socket of
// the same pod.
func changeLogger(socket, version string) (managed.ChangeLogger, error) {
	conn, err := grpc.NewClient("unix://"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, fmt.Errorf("cannot reach the change log service at %s: %w", socket, err)
	}
	return managed.NewGRPCChangeLogger(v1alpha1.NewChangeLogServiceClient(conn),
		managed.WithProviderVersion("provider-cloudflare:"+version)), nil
}
