package gst_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
)

var tables = law.Built()

// Each notice in testdata/notices was written for these tests. It is fictional and has the traps of
// real notices: earlier papers, days to pay, two dates, lost digits. Its JSON has the fields that
// must be read from it.
func TestReadNotices(t *testing.T) {
	files, err := filepath.Glob("testdata/notices/*.txt")
	if err != nil || len(files) < 10 {
		t.Fatalf("notices: %v, %d found", err, len(files))
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			truth, err := os.ReadFile(strings.TrimSuffix(file, "txt") + "json")
			if err != nil {
				t.Fatal(err)
			}
			var want map[string]any
			if err := json.Unmarshal(truth, &want); err != nil {
				t.Fatal(err)
			}
			got := summary(gst.Read(tables, pagesOf(string(text), strings.Contains(file, "scan") || strings.Contains(file, "ocr"))))
			for field, w := range want {
				if g := got[field]; !reflect.DeepEqual(g, w) {
					t.Errorf("%s = %v, want %v", field, g, w)
				}
			}
		})
	}
}

func pagesOf(text string, recognised bool) []gst.Page {
	var pages []gst.Page
	for page := range strings.SplitSeq(strings.TrimSuffix(text, "\f"), "\f") {
		pages = append(pages, gst.Page{Text: page, Recognised: recognised})
	}
	return pages
}

// summary returns the facts in the short form of the truth files.
func summary(f gst.Facts) map[string]any {
	data, err := json.Marshal(f)
	if err != nil {
		panic(err)
	}
	var all map[string]any
	if err := json.Unmarshal(data, &all); err != nil {
		panic(err)
	}
	each := func(field, key string) []any {
		list := []any{}
		for _, v := range all[field].([]any) {
			list = append(list, v.(map[string]any)[key])
		}
		return list
	}
	all["periods"] = each("periods", "fy")
	charges := []any{}
	for _, p := range f.Charges() {
		charges = append(charges, p.Number)
	}
	all["paragraphs"] = charges
	all["designation"] = all["officer"].(map[string]any)["designation"]
	flags := each("flags", "code")
	slices.SortFunc(flags, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
	all["flags"] = flags
	due := all["reply_due"].(map[string]any)
	all["reply_due"] = []any{due["date"], due["source"]}
	if h, ok := all["hearing"].(map[string]any); ok {
		all["hearing"] = []any{h["date"], h["time"]}
	}
	rows := map[string]any{}
	all["demand_total"] = nil
	if d, ok := all["demand"].(map[string]any); ok {
		all["demand_total"] = d["total"]
		for _, v := range d["rows"].([]any) {
			row := v.(map[string]any)
			head := row["head"].(string)
			for k, amount := range row {
				if amount == 0.0 || k == "head" {
					delete(row, k)
				}
			}
			rows[head] = row
		}
	}
	all["demand"] = rows
	return all
}
