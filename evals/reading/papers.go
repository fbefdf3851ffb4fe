package reading

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Labelled is a labelled notice.
type Labelled struct {
	Name, PDF string // the file's name without extension, and its path
	Text      string // path of its text, with form feeds between pages, if it has no PDF
	Truth     map[string]any
	Note      map[string]any // what else may count as correct
}

// class returns the kind of paper: the family of its form.
func (p Labelled) class() string {
	form, _ := p.Truth["form"].(string)
	family, _, _ := strings.Cut(form, "-")
	switch {
	case p.Note["not_a_gst_notice"] == true:
		return "other"
	case family == "":
		return "letter"
	}
	return strings.ToUpper(family)
}

// Papers returns the papers of a corpus, given as "DIR" or "DIR:A01-A16,B02". DIR has NN.pdf (or NN.txt for a paper
// without PDF) with labels in NN.json, and NOTES.json with what else may count as correct.
func Papers(corpus string) ([]Labelled, error) {
	dir, only, _ := strings.Cut(corpus, ":")
	notes := map[string]map[string]any{}
	var list []map[string]any
	err := readJSON(filepath.Join(dir, "NOTES.json"), &list)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, n := range list {
		file, _ := n["file"].(string)
		name, _, _ := strings.Cut(file, ".")
		notes[name] = n
	}
	var papers []Labelled
	for _, ending := range []string{".pdf", ".txt"} {
		files, err := filepath.Glob(filepath.Join(dir, "*"+ending))
		if err != nil {
			return nil, fmt.Errorf("list the notices of %s: %w", dir, err)
		}
		if ending == ".txt" && len(papers) > 0 {
			break // .txt next to a PDF is its true text
		}
		for _, file := range files {
			p := Labelled{Name: strings.TrimSuffix(filepath.Base(file), ending)}
			if ending == ".pdf" {
				p.PDF = file
			} else {
				p.Text = file
			}
			papers = append(papers, p)
		}
	}
	papers = slices.DeleteFunc(papers, func(p Labelled) bool { return !isNamed(p.Name, only) })
	for i := range papers {
		p := &papers[i]
		if err := readJSON(filepath.Join(dir, p.Name+".json"), &p.Truth); err != nil {
			return nil, err
		}
		p.Note = notes[p.Name]
	}
	return papers, nil
}

func isNamed(name, only string) bool {
	if only == "" {
		return true
	}
	for _, prefix := range strings.Split(only, ",") {
		first, last, isRange := strings.Cut(prefix, "-")
		if isRange && name >= first && name[:min(len(name), len(last))] <= last ||
			!isRange && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

func readJSON(file string, into any) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read labels: %w", err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("read labels of %s: %w", file, err)
	}
	return nil
}
