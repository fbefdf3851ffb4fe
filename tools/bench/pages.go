package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// The most that the landing page may take: time until its largest content is painted, how far its layout may
// move, and its scripts.
const (
	mostLCP     = 1200.0 // ms, at a CPU four times slower
	mostCLS     = 0.02
	mostScripts = 15_000 // bytes
)

// pages measures how pages appear in a browser, with nothing cached and a CPU four times slower.
func pages(ctx context.Context, s settings, r *report, url string) error {
	progress("opening pages in Chromium")
	cmd := exec.CommandContext(ctx, "node", filepath.Join(s.root, "tools", "bench", "pages.mjs"), filepath.Join(s.root, "webapp"), url, strconv.Itoa(s.of(30)/3))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("open the pages in a browser (Chromium and the web app's packages are needed): %w", err)
	}
	var measured []struct {
		Name            string
		LCP, Worst, CLS float64
		Script, All     float64
	}
	if err := json.Unmarshal(out, &measured); err != nil {
		return fmt.Errorf("read what the browser measured: %w", err)
	}
	for _, m := range measured {
		must := ""
		if strings.HasPrefix(m.Name, "landing") {
			must = strings.Join([]string{held("LCP ≤ 1.2 s", m.LCP <= mostLCP), held("CLS ≤ 0.02", m.CLS <= mostCLS), held("scripts ≤ 15 KB", m.Script <= mostScripts)}, "; ")
		}
		r.add(row{m.Name + ", CPU 4 × slower", fmt.Sprintf("LCP p50 %.0f ms, worst %.0f ms; CLS %.3f", m.LCP, m.Worst, m.CLS),
			"", fmt.Sprintf("%.1f KB of scripts, %.0f KB in all, over the wire", m.Script/1000, m.All/1000), must})
	}
	return nil
}
