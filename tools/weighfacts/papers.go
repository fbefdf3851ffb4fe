package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"munshi/evals/reading"
	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/tools/labelled"
)

// paper is a labelled paper with its pages, and the observations in them.
type paper struct {
	reading.Labelled
	corpus string
	pages  []gst.Page
	noted  []gst.Noted
}

// template returns the template of the paper: "A07" for A07a and A07b.
func (p paper) template() string {
	name := p.Name
	if last := name[len(name)-1]; last >= 'a' && last <= 'z' {
		name = name[:len(name)-1]
	}
	return p.corpus + "/" + name
}

func readPapers(ctx context.Context, corpora []string) ([]paper, error) {
	pages, err := labelled.NewPages(filepath.Join(".cache", "scorefacts"))
	if err != nil {
		return nil, err
	}
	var all []paper
	for _, corpus := range corpora {
		found, err := reading.Papers(corpus)
		if err != nil {
			return nil, err
		}
		for _, l := range found {
			read, err := pages.Of(ctx, l)
			if err != nil {
				return nil, err
			}
			all = append(all, paper{Labelled: l, corpus: corpus, pages: read})
		}
	}
	return all, nil
}

// observe returns the observations in a paper whose facts are known.
func observe(t *law.Tables, p paper) []gst.Noted {
	if p.Note["not_a_gst_notice"] == true {
		return nil
	}
	var known []gst.Correction
	for _, field := range []string{"form", "reference", "din", "gstin", "issue_date", "legal_name"} {
		if value, err := json.Marshal(p.Truth[field]); err == nil && string(value) != "null" {
			known = append(known, gst.Correction{Field: field, Value: value})
		}
	}
	return gst.Observe(t, p.pages, known...)
}

// date returns the labelled date of a field, or "" if it has none.
func (p paper) date(field string) string {
	v := p.Truth[field]
	if m, ok := v.(map[string]any); ok {
		if m["source"] == "computed" {
			return ""
		}
		v = m["date"]
	}
	date, _ := v.(string)
	return date
}

// alternates returns the values of a field that may also count as correct.
func (p paper) alternates(field string) []string {
	var all []string
	list, _ := p.Note[field+"_alternates"].([]any)
	for _, v := range list {
		all = append(all, plain(v))
	}
	return all
}

// readOwn reads the labelled papers of the reader's tests.
func readOwn(folder string) ([]paper, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil {
		return nil, fmt.Errorf("list the papers of %s: %w", folder, err)
	}
	var all []paper
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read a paper: %w", err)
		}
		raw, err := os.ReadFile(strings.TrimSuffix(file, "txt") + "json")
		if err != nil {
			return nil, fmt.Errorf("read labels: %w", err)
		}
		var truth map[string]any
		if err := json.Unmarshal(raw, &truth); err != nil {
			return nil, fmt.Errorf("read labels of %s: %w", file, err)
		}
		if due, _ := truth["reply_due"].([]any); len(due) == 2 {
			truth["reply_due"] = map[string]any{"date": due[0], "source": due[1]}
		}
		if hearing, _ := truth["hearing"].([]any); len(hearing) == 2 {
			truth["hearing"] = map[string]any{"date": hearing[0]}
		}
		truth["officer"] = map[string]any{"designation": truth["designation"]}
		p := paper{
			Labelled: reading.Labelled{Name: filepath.Base(strings.TrimSuffix(file, ".txt")), Truth: truth},
			corpus:   "own",
		}
		recognised := strings.Contains(file, "scan") || strings.Contains(file, "ocr")
		for page := range strings.SplitSeq(strings.TrimSuffix(string(text), "\f"), "\f") {
			p.pages = append(p.pages, gst.Page{Text: page, Recognised: recognised})
		}
		all = append(all, p)
	}
	return all, nil
}
