// Command fakemodel serves an imitation of a language model on this machine, so that the product can be tried, tested
// and measured with an endpoint that streams, without a key and a network. It offers OpenAI's API under /v1, and those
// of other providers under the paths given at modeltest.Server.
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
	"strings"
	"sync"
	"syscall"
	"time"

	"munshi/orchestrator/model/modeltest"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "fakemodel:", err)
		os.Exit(1)
	}
}

// hold is a point at which answers wait until they are released.
type hold struct {
	words  string
	passed chan struct{} // closed when it is released
}

func run() error {
	addr := flag.String("addr", "127.0.0.1:8900", "address to listen on")
	latency := flag.Duration("latency", 500*time.Millisecond, "time until the first token")
	tokenDelay := flag.Duration("token-delay", 20*time.Millisecond, "time between tokens")
	key := flag.String("key", "", "refuse every other key; empty takes any")
	answer := flag.String("answer", "", "say the text of this file instead of the fixed ones")
	var holds []hold
	flag.Func("hold", "pause each answer once it has said these words, until POST /go-on; given again, at those words "+
		"in turn",
		func(words string) error {
			if words == "" {
				return errors.New("no words")
			}
			holds = append(holds, hold{words, make(chan struct{})})
			return nil
		})
	flag.Parse()
	if flag.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flag.Arg(0))
	}

	say := modeltest.Answer
	if *answer != "" {
		text, err := os.ReadFile(*answer)
		if err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
		say = func(modeltest.Request) string { return string(text) }
	}
	listener, err := net.Listen("tcp", *addr)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	model := modeltest.Server{Key: *key, Latency: *latency, TokenDelay: *tokenDelay, Answer: say}
	model.Before = func(ctx context.Context, req modeltest.Request, token int) {
		said := strings.Join(strings.SplitAfter(say(req), " ")[:token], "")
		for _, h := range holds {
			if !strings.Contains(said, h.words) {
				continue
			}
			select {
			case <-ctx.Done():
			case <-h.passed:
			}
		}
	}
	routes := http.NewServeMux()
	routes.Handle("/", &model)
	var mu sync.Mutex
	next := 0
	routes.HandleFunc("POST /go-on", func(http.ResponseWriter, *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if next < len(holds) {
			close(holds[next].passed)
			next++
		}
	})
	server := http.Server{
		Handler:           routes,
		ReadHeaderTimeout: 10 * time.Second,
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, func() { server.Close() })

	fmt.Printf("A stand-in for a language model answers at http://%s/v1. It is not a model: its answers are fixed "+
		"texts.\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}
