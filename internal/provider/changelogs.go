// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"time"

	"github.com/crossplane/crossplane-runtime/v2/apis/changelogs/proto/v1alpha1"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"
)

// changeLogPatience is how long an entry waits for the service. While the service is
// away, the runtime's 10 s would delay every change. The delay also prolongs the time
// between the creation of a record and the write of its ID to its object.
const changeLogPatience = time.Second

// changeLogger returns a logger that sends change logs to the service that listens on a
// Unix socket of the same pod.
func changeLogger(socket, version string) (managed.ChangeLogger, error) {
	conn, err := grpc.NewClient("unix://"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()),
		// A restarted service is found again within the time that an entry waits.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: changeLogPatience / 10, Multiplier: 1.6, Jitter: 0.2, MaxDelay: changeLogPatience / 2},
			MinConnectTimeout: changeLogPatience,
		}))
	if err != nil {
		return nil, fmt.Errorf("cannot reach the change log service at %s: %w", socket, err)
	}
	return managed.NewGRPCChangeLogger(v1alpha1.NewChangeLogServiceClient(conn),
		managed.WithProviderVersion("provider-cloudflare:"+version), managed.WithSendTimeout(changeLogPatience)), nil
}
