// SPDX-FileCopyrightText: 2026 The provider-cloudflare Authors
// SPDX-License-Identifier: Apache-2.0

// Command banner is a program as the MyApp composition wants it: it writes one text to its
// log, and serves it. The text is that of the variable BANNER, as for any image.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	listen := flag.String("listen", ":8080", "address to serve at")
	text := flag.String("text", os.Getenv("BANNER"), "text to serve")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	fmt.Fprintln(os.Stdout, *text)
	err := serve(ctx, *listen, *text)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "banner:", err)
		os.Exit(1)
	}
}

// serve answers until ctx ends, and then finishes what it has begun.
func serve(ctx context.Context, listen, text string) error {
	srv := &http.Server{Addr: listen, Handler: banner(text), ReadHeaderTimeout: 5 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- srv.ListenAndServe() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := srv.Shutdown(last); err != nil {
		return err
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func banner(text string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = fmt.Fprintln(w, text) // A client that has gone needs no answer.
	})
}
