//go:build soak

package app_test

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.temporal.io/api/enums/v1"
	"google.golang.org/protobuf/proto"

	"munshi/orchestrator/api"
	"munshi/orchestrator/local/localtest"
	"munshi/workflows"
)

// repeat makes a PDF that repeats the same pages many times, with mutool.
func repeat(t *testing.T, file string, times int) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "big.pdf")
	args := append([]string{"merge", "-o", out}, slices.Repeat([]string{file}, times)...)
	if msg, err := exec.Command("mutool", args...).CombinedOutput(); err != nil {
		t.Fatalf("mutool: %v: %s", err, msg)
	}
	return out
}

// A text notice of 300 pages and a scan of 60 pages are processed, and nothing large goes through
// Temporal.
func TestSoakLongNotices(t *testing.T) {
	p := start(t, nil)
	for _, c := range []struct {
		name, file string
		times      int
		within     time.Duration
	}{
		{"300 pages of text", "testdata/notice.pdf", 150, time.Minute},
		{"60 pages of scan", "testdata/scan.pdf", 60, 10 * time.Minute},
	} {
		v := p.visitor()
		conversation := v.converse()
		began := time.Now()
		turn := v.hand(conversation, repeat(t, c.file, c.times), "")
		for time.Since(began) < c.within {
			if d := v.detail(conversation); d.Turn.State == "answered" || d.Turn.State == "failed" {
				break
			}
			time.Sleep(200 * time.Millisecond)
		}
		d := v.detail(conversation)
		if d.Turn.State != "answered" {
			t.Errorf("%s: the turn is %s %+v", c.name, d.Turn.State, d.Turn.Error)
		}
		largest, events := 0, 0
		iter := p.app.Temporal.GetWorkflowHistory(t.Context(), workflows.TurnWorkflowID(turn.ID), "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for iter.HasNext() {
			e, err := iter.Next()
			must(t, err)
			largest, events = max(largest, proto.Size(e)), events+1
		}
		if largest > 256<<10 {
			t.Errorf("%s: an event of %d bytes", c.name, largest)
		}
		fmt.Printf("%-18s answered in %5.1f s; %d pages, %d recognised; %d events, the largest %d bytes\n", c.name,
			time.Since(began).Seconds(), d.Documents[0].PagesRead, d.Documents[0].Recognised, events, largest)
	}
}

// Every broken, odd and hostile PDF ends with an answer or an error message in time, and the service is still
// running.
func TestSoakStress(t *testing.T) {
	root := filepath.Join(localtest.Root(t), "..", "shared", "samples", "pdf-stress")
	var files []string
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".pdf") {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Skipf("the stress files are not beside this checkout: %v", err)
	}
	p := start(t, nil)
	v := p.visitor()
	answered, refused := 0, map[string]int{}
	slowest, slowestFile := time.Duration(0), ""
	for _, file := range files {
		content, err := os.ReadFile(file)
		must(t, err)
		began := time.Now()
		c := v.converse()
		status, problem, turn := v.tryUpload(c, content)
		switch {
		case status == http.StatusAccepted:
			d := v.settled(c, turn.ID)
			switch {
			case d.Turn.State == "answered":
				answered++
			case d.Turn.Error == nil || d.Turn.Error.Sentence == "" || d.Turn.Error.Code == "internal":
				t.Errorf("%s: the turn is %s %+v", file, d.Turn.State, d.Turn.Error)
			default:
				refused[d.Turn.Error.Code]++
			}
		case status >= 500 || problem.Detail == "":
			t.Errorf("%s: %d %+v", file, status, problem)
		default:
			refused[problem.Code]++
		}
		if took := time.Since(began); took > slowest {
			slowest, slowestFile = took, file
		}
	}
	if slowest > 30*time.Second {
		t.Errorf("%s took %v", slowestFile, slowest)
	}
	var health api.Health
	v.get("/api/health", &health)
	if health.Status != "ok" {
		t.Errorf("afterwards the service is %+v", health)
	}
	fmt.Printf("%d stress files: %d answered, refused %v; slowest %.1f s (%s)\n", len(files), answered, refused, slowest.Seconds(), filepath.Base(slowestFile))
}

// tryUpload uploads a file and returns the result, whatever it is.
func (v *person) tryUpload(conversation string, content []byte) (status int, problem api.Problem, turn api.Turn) {
	v.t.Helper()
	form, body := uploadForm(v.t, "file.pdf", "application/pdf", "", content)
	resp, err := v.http.Post(v.address+"/api/conversations/"+conversation+"/documents", form, body)
	must(v.t, err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	must(v.t, err)
	if resp.StatusCode == http.StatusAccepted {
		must(v.t, json.Unmarshal(raw, &turn))
	} else {
		must(v.t, json.Unmarshal(raw, &problem))
	}
	return resp.StatusCode, problem, turn
}
