package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// contender is a way to get the text of a PDF: commands that run in parallel.
type contender struct {
	name     string
	commands [][]string
	atOnce   int
	env      []string
}

func one(name string, command ...string) contender {
	return contender{name: name, commands: [][]string{command}, atOnce: 1}
}

// pdfs compares the reading of a long text and of a scan with commonly used commands.
func pdfs(ctx context.Context, s settings, r *report) error {
	dir, err := os.MkdirTemp("", "bench-pdf-")
	if err != nil {
		return fmt.Errorf("make a folder for the PDFs: %w", err)
	}
	defer os.RemoveAll(dir)
	munshi := filepath.Join(s.root, "bin", "munshi")
	samples := filepath.Join(s.root, samplesFolder)
	out := filepath.Join(dir, "out")

	text := filepath.Join(dir, "text.pdf")
	if err := repeat(ctx, filepath.Join(samples, "notice.pdf"), 100, text); err != nil {
		return err
	}
	err = compare(ctx, r, "text of 200 pages", s.of(90)/10, []contender{
		one("munshi extract", munshi, "extract", text),
		one("mutool draw -F text", "mutool", "draw", "-q", "-F", "text", "-o", out, text),
		one("pdftotext -layout", "pdftotext", "-layout", text, out),
	})
	if err != nil {
		return err
	}

	scan := filepath.Join(dir, "scan.pdf")
	if err := repeat(ctx, filepath.Join(samples, "scan.pdf"), 10, scan); err != nil {
		return err
	}
	if err := shell(ctx, nil, "mutool", "draw", "-q", "-r", "300", "-c", "gray", "-o",
		filepath.Join(dir, "page%02d.png"), scan); err != nil {
		return err
	}
	pages, err := filepath.Glob(filepath.Join(dir, "page*.png"))
	if err != nil {
		return err
	}
	tesseract := func(languages string) contender {
		c := contender{
			name:   "tesseract -l " + languages + ", two at once, on pages drawn before",
			atOnce: 2,
			env:    []string{"OMP_THREAD_LIMIT=1"},
		}
		for _, page := range pages {
			c.commands = append(c.commands,
				[]string{"tesseract", page, strings.TrimSuffix(page, ".png"), "-l", languages})
		}
		return c
	}
	return compare(ctx, r, "text recognition of 10 scanned pages", s.of(30)/10, []contender{
		one("munshi extract", munshi, "extract", scan),
		one("ocrmypdf --jobs 2 -l eng+hin", "ocrmypdf", "--jobs", "2", "--quiet", "-l", "eng+hin", "--sidecar", out,
			scan, filepath.Join(dir, "read.pdf")),
		tesseract("eng+hin"),
		tesseract("eng"),
	})
}

// repeat makes a PDF with the same pages n times.
func repeat(ctx context.Context, file string, n int, out string) error {
	return shell(ctx, nil, "mutool", append([]string{"merge", "-o", out}, slices.Repeat([]string{file}, n)...)...)
}

// compare runs the contenders alternately, and compares each with the first.
func compare(ctx context.Context, r *report, what string, rounds int, contenders []contender) error {
	took := make([]samples, len(contenders))
	for round := range max(rounds, 1) {
		progress("%s, round %d", what, round+1)
		for i, c := range contenders {
			began := time.Now()
			if err := c.run(ctx); err != nil {
				return err
			}
			took[i] = append(took[i], sample{whole: time.Since(began)})
		}
	}
	ours := took[0].whole(.5)
	for i, c := range contenders[1:] {
		other := took[i+1].whole(.5)
		r.add(row{what: what + ", whole process, p50", ours: seconds(ours), other: c.name + " " + seconds(other),
			beside: times(ours, other)})
		r.figure(what+" against `"+c.name+"`", ours.Seconds()/other.Seconds(), "×")
	}
	return nil
}

func (c contender) run(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(c.atOnce)
	for _, command := range c.commands {
		group.Go(func() error { return shell(ctx, c.env, command[0], command[1:]...) })
	}
	return group.Wait()
}

func shell(ctx context.Context, env []string, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), env...)
	var said strings.Builder
	cmd.Stderr = &said // its output is discarded
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s (`make bench` installs what is missing)", filepath.Base(program), err,
			said.String())
	}
	return nil
}
