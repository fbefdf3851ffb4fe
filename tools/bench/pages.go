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

// Limits for the landing page: the time until its largest content is painted, its layout shift, and the size of its
// scripts.
const (
	mostLCP     = 1200.0 // ms, with the CPU slowed down four times
	mostCLS     = 0.02
	mostScripts = 15_000 // bytes
)

// While an answer of this length streams into a conversation of this length, a key or a click must be answered within
// this time.
const (
	mostINP         = 100.0 // ms
	tokensPerSecond = 60
	turnsBefore     = 100 // 200 messages
)

// pages measures how pages load in a browser, with an empty cache and the CPU slowed down four times.
func pages(ctx context.Context, s settings, r *report, url string) error {
	progress("opening pages in Chromium")
	cmd := exec.CommandContext(ctx, "node", filepath.Join(s.root, "tools", "bench", "pages.mjs"),
		filepath.Join(s.root, "webapp"), url, strconv.Itoa(s.of(30)/3))
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
			must = strings.Join([]string{held("LCP ≤ 1.2 s", m.LCP <= mostLCP), held("CLS ≤ 0.02", m.CLS <= mostCLS),
				held("scripts ≤ 15 KB", m.Script <= mostScripts)}, "; ")
		}
		r.add(row{m.Name + ", CPU 4 × slower",
			fmt.Sprintf("LCP p50 %.0f ms, worst %.0f ms; CLS %.3f", m.LCP, m.Worst, m.CLS), "",
			fmt.Sprintf("%.1f KB of scripts, %.0f KB in all, over the wire", m.Script/1000, m.All/1000), must})
	}
	return nil
}

// typing measures how quickly the page responds to keys and clicks while an answer streams into a long conversation.
func typing(ctx context.Context, s settings, r *report, m *standIn, server munshi) error {
	progress("making a conversation of %d messages", 2*turnsBefore)
	m.wait(0)
	someone := &person{munshi: server}
	conversation, err := someone.converse(ctx, "notice")
	if err != nil {
		return err
	}
	for range turnsBefore {
		if _, err := someone.ask(ctx, conversation); err != nil {
			return err
		}
	}
	m.write(strings.Repeat("## A part\n\nIt is written at length. The Noticee submits that the credit was **taken "+
		"rightly** under section 16(2).\n\n| Head | Amount |\n| --- | --- |\n| IGST | 12,45,000 |\n\n- one\n- two\n\n",
		60), tokensPerSecond)
	defer m.wait(0)
	progress("typing in Chromium")
	cmd := exec.CommandContext(ctx, "node", filepath.Join(s.root, "tools", "bench", "typing.mjs"),
		filepath.Join(s.root, "webapp"), server.address, someone.cookie.Name+"="+someone.cookie.Value, conversation)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("type in a browser: %w", err)
	}
	var took struct {
		INP, Worst   float64
		All, Letters int
	}
	if err := json.Unmarshal(out, &took); err != nil {
		return fmt.Errorf("read what the browser measured: %w", err)
	}
	r.add(row{fmt.Sprintf("typing while %d tokens a second come into %d messages", tokensPerSecond, 2*turnsBefore),
		fmt.Sprintf("INP %.0f ms, worst %.0f ms", took.INP, took.Worst), "",
		fmt.Sprintf("%d interactions while %d letters came", took.All, took.Letters),
		held("INP ≤ 100 ms", took.INP <= mostINP)})
	return nil
}
