package document_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"munshi/orchestrator/document"
)

// TestMain lets the test binary act as the child that reads PDFs, as one that misbehaves, and as a
// parent that can be killed.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "read-pdf":
			os.Exit(document.Child())
		case "misbehave":
			os.Exit(misbehave(os.Args[2]))
		case "be-killed":
			readAndHang(os.Args[2])
		}
	}
	os.Exit(m.Run())
}

// misbehave acts as a child for a file of five pages, which misbehaves at page 2 or at once.
func misbehave(how string) int {
	orders := json.NewDecoder(os.NewFile(3, "orders"))
	answers := json.NewEncoder(os.NewFile(4, "answers"))
	type values map[string]any
	var job struct {
		LastTry bool `json:"last_try"`
	}
	if orders.Decode(&job) != nil || how == "not a reader" {
		return 2
	}
	_ = answers.Encode(values{})
	if how == "hang at once" {
		time.Sleep(time.Hour)
	}
	_ = answers.Encode(values{"info": values{"pages": 5}})
	for {
		var n int
		if orders.Decode(&n) != nil {
			return 0
		}
		if n == 2 || strings.HasSuffix(how, "every page") {
			how, _, _ := strings.Cut(how, " on ")
			switch how {
			case "crash":
				fmt.Fprintln(os.Stderr, "double free or corruption")
				return 134
			case "crash after the layer":
				_ = answers.Encode(values{"more": true, "page": values{"number": n, "text": "a stamp", "method": "layer", "confidence": 1}})
				return 134
			case "need more memory":
				if !job.LastTry {
					fmt.Fprintln(os.Stderr, "terminate called after throwing an instance of 'std::bad_alloc'")
					return 134
				}
			case "run out of memory":
				fmt.Fprintln(os.Stderr, "terminate called after throwing an instance of 'std::bad_alloc'")
				return 134
			case "hang":
				time.Sleep(time.Hour)
			case "talk nonsense":
				fmt.Fprint(os.NewFile(4, "answers"), "}{")
				time.Sleep(time.Hour)
			case "talk too much":
				for {
					if _, err := os.NewFile(4, "answers").WriteString(`"` + strings.Repeat("x", 1<<20)); err != nil {
						return 0
					}
				}
			case "answer another page":
				n = 4
			case "lack its tools":
				_ = answers.Encode(values{"failure": "not_set_up", "detail": "Tesseract has no English data"})
				return 1
			}
		}
		_ = answers.Encode(values{"page": values{"number": n, "text": fmt.Sprint("page ", n), "method": "layer", "confidence": 1}})
	}
}

// readAndHang reads with a child that hangs, after reporting the child's process number.
func readAndHang(path string) {
	reader, err := document.New(document.Options{Args: []string{"misbehave", "hang at once"}, Workers: 1, OpenTime: time.Hour})
	if err != nil {
		panic(err)
	}
	go func() {
		for {
			time.Sleep(10 * time.Millisecond)
			if children := childrenOf(os.Getpid()); len(children) > 0 {
				fmt.Println(children[0])
				return
			}
		}
	}()
	_, _ = reader.Read(context.Background(), path, nil, func(document.Page) error { return nil })
}
