// Command fakerazorpay serves an imitation of Razorpay on this machine: orders, payments, webhooks and the checkout
// script, so that payments can be tried and tested without an account and a network. It takes no money.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"munshi/orchestrator/payment/paymenttest"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "fakerazorpay:", err)
		os.Exit(1)
	}
}

func run() error {
	addr := flag.String("addr", "127.0.0.1:8901", "address to listen on")
	key := flag.String("key", "rzp_test_standin", "key id")
	secret := flag.String("secret", "key-secret", "key secret")
	webhook := flag.String("webhook", "", "where events go, such as http://127.0.0.1:8080/api/payments/webhook; "+
		"empty: nowhere")
	webhookSecret := flag.String("webhook-secret", "webhook-secret", "signs events")
	flag.Parse()
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	server := http.Server{ReadHeaderTimeout: 10 * time.Second,
		Handler: &paymenttest.Server{KeyID: *key, KeySecret: *secret, Webhook: *webhook, WebhookSecret: *webhookSecret}}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, func() { server.Close() })
	fmt.Printf("A stand-in for Razorpay answers at http://%s. It takes no money.\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}
