package read_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"munshi/orchestrator/figures"
	"munshi/orchestrator/figures/figurestest"
	"munshi/orchestrator/figures/read"
)

// A register of 200,000 rows in Excel: at most 20 s, and 400 MB in the child.
func BenchmarkReadExcel(b *testing.B) {
	c := figurestest.New(figurestest.Design{Seed: 1, Invoices: 200_000, Portal: figures.GSTR2B, FirstYear: 2023})
	path := filepath.Join(b.TempDir(), "books.xlsx")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	if err := write(f, c); err != nil {
		b.Fatal(err)
	}
	r, err := read.New(read.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		got, err := r.Read(context.Background(), path, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(got.Records)), "records")
	}
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(used.Maxrss)/1024, "MB-child")
	cpu := used.Utime.Nano() + used.Stime.Nano()
	b.ReportMetric(float64(cpu)/1e9/float64(b.N), "CPU-s/op")
}

func write(f io.WriteCloser, c figurestest.Business) error {
	defer f.Close()
	return figurestest.Excel(f, "Register", figurestest.Rows(figurestest.Tally, "Fictional Traders", c.Books))
}
