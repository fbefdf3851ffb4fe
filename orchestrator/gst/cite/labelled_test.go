package cite_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"munshi/orchestrator/gst/cite"
)

// label is one mark that a sentence has to get.
type label struct {
	start, end              int
	verdict, act, provision string
}

// labelled is one sentence of testdata with its labels.
type labelled struct {
	text    string
	context cite.Context
	labels  []label
}

var annotation = regexp.MustCompile(`⟦([^⟧]*)⟧`)

func readLabelled(t testing.TB, file string) []labelled {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []labelled
	context := cite.Context{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || strings.HasPrefix(line, "//"):
			continue
		case strings.HasPrefix(line, "@ "):
			context = contextOf(t, strings.TrimPrefix(line, "@ "))
			continue
		}
		line = strings.ReplaceAll(line, `\n`, "\n")
		s := labelled{context: context}
		last := 0
		for _, m := range annotation.FindAllStringSubmatchIndex(line, -1) {
			s.text += line[last:m[0]]
			last = m[1]
			parts := append(strings.Split(line[m[2]:m[3]], "|"), "", "", "")
			if parts[0] == "" {
				continue
			}
			s.labels = append(s.labels, label{len(s.text), len(s.text) + len(parts[0]), parts[1], parts[2], parts[3]})
			s.text += parts[0]
		}
		s.text += line[last:]
		list = append(list, s)
	}
	return list
}

// contextOf is a notice for one year, with a reply by 12 June 2024 and a demand of ₹1,32,000.
func contextOf(t testing.TB, name string) cite.Context {
	c := cite.Context{Today: "2026-11-20"}
	year, ok := strings.CutPrefix(name, "notice for FY ")
	if !ok {
		if name != "no notice" {
			t.Fatalf("no such context: %q", name)
		}
		return c
	}
	var from int
	fmt.Sscanf(year, "%d", &from)
	c.Notice = &cite.Notice{Issued: "2024-05-13", From: fmt.Sprintf("%d-04-01", from), To: fmt.Sprintf("%d-03-31", from+1), Years: "FY " + year,
		Reply: "2024-06-12", Hearing: "2024-06-19", Form: "DRC-01", Totals: []float64{132000, 120000}}
	c.Authorities = []string{"Arise India Ltd. v. Commissioner of Trade & Taxes, Delhi, 2017 (10) TMI 1020"}
	return c
}

// The marks on the labelled sentences have a precision and a recall of at least 0.97.
func TestLabelled(t *testing.T) {
	x := open(t)
	all, right, found, wanted := 0, 0, 0, 0
	for _, file := range []string{"testdata/sentences.txt", "testdata/sentences-later.txt", "testdata/sentences-third.txt"} {
		fileRight, fileFound, fileWanted := 0, 0, 0
		list := readLabelled(t, file)
		for _, s := range list {
			marks := x.Check(s.text, s.context)
			hit := map[int]bool{}
			for _, l := range s.labels {
				ok := false
				for i, m := range marks {
					if !hit[i] && m.Start < l.end && l.start < m.End && string(m.Verdict) == l.verdict &&
						(l.act == "" || l.act == m.Act) && (l.provision == "" || l.provision == m.Provision) {
						hit[i], ok = true, true
						break
					}
				}
				if !ok {
					t.Logf("missed %q %s %s %s in %q", s.text[l.start:l.end], l.verdict, l.act, l.provision, s.text)
				}
			}
			for i, m := range marks {
				if !hit[i] {
					t.Logf("wrong %q %s %s %q in %q", s.text[m.Start:m.End], m.Verdict, m.Act, m.Provision, s.text)
				}
			}
			fileRight += len(hit)
			fileFound += len(marks)
			fileWanted += len(s.labels)
		}
		all += len(list)
		right, found, wanted = right+fileRight, found+fileFound, wanted+fileWanted
		t.Logf("%s: %d sentences, precision %.3f, recall %.3f", file, len(list), float64(fileRight)/float64(fileFound), float64(fileRight)/float64(fileWanted))
	}
	precision, recall := float64(right)/float64(found), float64(right)/float64(wanted)
	if all < 150 || precision < 0.97 || recall < 0.97 {
		t.Errorf("%d sentences with %d marks: precision %.3f, recall %.3f", all, wanted, precision, recall)
	}
}

func open(t testing.TB) *cite.Index {
	t.Helper()
	x, err := cite.Open(cite.Tables())
	if err != nil {
		t.Fatal(err)
	}
	return x
}
