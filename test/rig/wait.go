// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

package rig

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// answers returns nil if a GET of the URL returns 200.
func answers(ctx context.Context, web *http.Client, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return fmt.Errorf("cannot ask %s: %w", url, err)
	}
	resp, err := web.Do(req)
	if err != nil {
		return fmt.Errorf("cannot ask %s: %w", url, err)
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close() // only the status is needed
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s says %s", url, resp.Status)
	}
	return nil
}

// Until calls f repeatedly until it returns nil, or ctx ends.
func Until(ctx context.Context, every time.Duration, f func(context.Context) error) error {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		err := f(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-t.C:
		case <-ctx.Done():
			return errors.Join(context.Cause(ctx), err)
		}
	}
}
