package document_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"munshi/orchestrator/document"
)

func newReader(t testing.TB, o document.Options) *document.Reader {
	t.Helper()
	o.Log = slog.New(slog.DiscardHandler)
	o.Memory = childMemory
	r, err := document.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// read reads all pages, in order.
func read(t testing.TB, r *document.Reader, path string, numbers []int) ([]document.Page, document.Info, error) {
	t.Helper()
	var pages []document.Page
	info, err := r.Read(t.Context(), path, numbers, func(p document.Page) error {
		pages = append(pages, p)
		return nil
	})
	slices.SortFunc(pages, func(a, b document.Page) int { return a.Number - b.Number })
	return pages, info, err
}

// mustRead reads all pages of a file that must be readable.
func mustRead(t testing.TB, path string) []document.Page {
	t.Helper()
	pages, _, err := read(t, newReader(t, document.Options{}), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

func TestReadsTheTextLayer(t *testing.T) {
	pages := mustRead(t, "testdata/notice.pdf")
	if len(pages) != 1 {
		t.Fatalf("%d pages, want 1", len(pages))
	}
	page := pages[0]
	if page.Number != 1 || page.Method != document.MethodLayer || page.Confidence != 1 || page.Languages != "" || page.Incomplete {
		t.Errorf("page %+v", page)
	}
	if int(page.Width) != 595 || int(page.Height) != 841 {
		t.Errorf("the page is %g × %g points, want A4", page.Width, page.Height)
	}
	if rate := errorRate(string(readFile(t, "testdata/notice.txt")), page.Text); rate > 0.001 {
		t.Errorf("%.2f %% of the characters differ:\n%s", 100*rate, page.Text)
	}
	for _, row := range [][]string{ // inspect checks what can be checked without reading the file's content.
		{"1", "0", "0", "APR 2021 - MAR", "IGST", "Tamil", "1,92,400", "1,38,528", "19,240", "0", "0", "3,50,168"},
		{"Total", "7,21,900", "5,19,768", "72,190", "0", "0", "13,31,858"},
	} {
		if line := lineWith(page.Text, row[len(row)-1]); !slices.Equal(cells(line), row) {
			t.Errorf("the line %q has the cells %q, want %q", line, cells(line), row)
		}
	}
}

// lineWith returns the first line that contains the text.
func lineWith(text, part string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, part) {
			return strings.TrimRight(line, "\n")
		}
	}
	return ""
}

// cells returns the parts of a line that are at least two spaces apart.
func cells(line string) []string {
	var cells []string
	for part := range strings.SplitSeq(line, "  ") {
		if part = strings.TrimSpace(part); part != "" {
			cells = append(cells, part)
		}
	}
	return cells
}

func TestReadsHindiAndColumns(t *testing.T) {
	text := mustRead(t, "testdata/bilingual.pdf")[0].Text
	for _, want := range []string{
		"कारण बताओ नोटिस / Show Cause Notice",
		"श्रीमान कृपया विवरण प्रस्तुत करें। क्षेत्राधिकार, ज्ञान, विद्यार्थी, प्रकृति।", // no vowel sign is repeated
		"8,80,37,796/-  1,96,29,183/-  10,76,66,979/-",                        // cells that touch
		"that runs over many lines so that it is prose. It\nhas been noticed", // not across the gutter between columns
		"चलता है। यह देखा गया है कि पंजीकृत व्यक्ति ने कर अवधि\nके लिए",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestReadsWhatThePageShows(t *testing.T) {
	appearance := stream("/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F 3 0 R>>>>", show(0, 5, "Digitally signed by an officer"))
	widget := "<</Type/Annot/Subtype/Widget/FT/Sig/T(s)/V<</Type/Sig>>/Rect[60 100 260 120]/F 4/AP<</N 5 0 R>>>>"
	path := writePDF(t, []string{appearance, widget},
		sheet{prose(1), "/Annots[6 0 R]"},
		sheet{prose(2) + "1 1 1 rg " + show(60, 100, "white on white"), ""},
		sheet{prose(3) + "3 Tr " + show(60, 100, "painted invisibly"), ""},
		sheet{prose(4) + show(60, 100, "twice") + show(60.3, 100, "twice"), ""},
		sheet{prose(5), "/Rotate 90"},
	)
	pages := mustRead(t, path)
	for i, want := range []string{"Digitally signed by an officer", "white on white", "painted invisibly", "twice"} {
		if n := strings.Count(pages[i].Text, want); n != 1 {
			t.Errorf("page %d has %q %d times", i+1, want, n)
		}
	}
	if turned := pages[4]; turned.Width < turned.Height || !strings.HasPrefix(turned.Text, "Line 1 of page 5 says") {
		t.Errorf("the turned page is %g × %g and starts %.40q", turned.Width, turned.Height, turned.Text)
	}
}

func TestRecognisesScans(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		file      string
		most      float64 // the highest allowed error rate
		languages string
		contains  []string
	}{
		{"scan", 0.02, "eng", nil},
		{"scan-hindi", 0.03, "eng+hin", []string{"कारण बताओ नोटिस", "GUPTA IRON STORE", "1,92,082"}},
	} {
		t.Run(test.file, func(t *testing.T) {
			t.Parallel()
			page := mustRead(t, "testdata/"+test.file+".pdf")[0]
			if page.Method != document.MethodRecognition || page.Languages != test.languages || page.Confidence < 0.85 || page.Confidence > 1 {
				t.Errorf("method %s, languages %s, confidence %.2f", page.Method, page.Languages, page.Confidence)
			}
			rate := errorRate(string(readFile(t, "testdata/"+test.file+".txt")), page.Text)
			t.Logf("error rate %.2f %%", 100*rate)
			if rate > test.most {
				t.Errorf("%.2f %% of the characters are wrong:\n%s", 100*rate, page.Text)
			}
			for _, want := range test.contains {
				if !strings.Contains(page.Text, want) {
					t.Errorf("%q was not recognised in\n%s", want, page.Text)
				}
			}
		})
	}
}

func TestRecognisesScansInAnyOrientation(t *testing.T) {
	t.Parallel()
	want := string(readFile(t, "testdata/scan.txt"))
	var sheets []sheet
	turns := []int{90, 180, 270}
	for _, turn := range turns {
		sheets = append(sheets, sheet{fullPage, fmt.Sprintf("/Rotate %d", turn)})
	}
	for i, page := range mustRead(t, writePDF(t, nil, sheets...)) {
		if rate := errorRate(want, page.Text); rate > 0.03 {
			t.Errorf("turned by %d°, %.2f %% of the characters are wrong:\n%s", turns[i], 100*rate, page.Text)
		}
	}
}

func TestRecognisesOnlyWhatTheLayerLacks(t *testing.T) {
	t.Parallel()
	// Text that is neither English nor what is on the page, as after a bad recognition.
	garbage := strings.Repeat("3 Tr "+show(60, 400, "vUrxZr fu;e dk;kZy; izLrqr t|mRb q;xPw zzKltr mnOpk dj;kA"), 4)
	drawn := "10 w 100 100 m 500 600 l S 100 600 m 500 100 l S " // no text at all
	for _, test := range []struct {
		name   string
		sheet  sheet
		method document.Method
		has    string
	}{
		{"a scan", sheet{fullPage, ""}, document.MethodRecognition, "GSTIN"},
		{"a page number on a scan", sheet{fullPage + show(280, 20, "Page 3 of 3"), ""}, document.MethodRecognition, "GSTIN"},
		{"a stamp's text on a scan", sheet{fullPage + show(60, 20, "Received in the office of the Superintendent on 12/05/2025 and entered as No. 4471/2025-26 in the inward register") + show(60, 8, "Digitally signed on 12/05/2025 by the Superintendent, Range IV, Division B, for and on behalf of the Commissioner"), ""}, document.MethodRecognition, "GSTIN"},
		{"garbage under a scan", sheet{garbage + fullPage, ""}, document.MethodRecognition, "GSTIN"},
		{"a full page over a picture", sheet{"q 100 0 0 100 400 700 cm /Scan Do Q\n" + prose(1), ""}, document.MethodLayer, "Line 40"},
		{"a short page", sheet{show(250, 500, "ANNEXURE A"), ""}, document.MethodLayer, "ANNEXURE A"},
		{"a table of figures", sheet{strings.Repeat(show(60, 500, "1,25,000")+show(160, 500, "2,50,000"), 1), ""}, document.MethodLayer, "1,25,000  "},
		{"an empty page", sheet{"", ""}, document.MethodBlank, ""},
		{"a drawing", sheet{drawn, ""}, document.MethodBlank, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			page := mustRead(t, writePDF(t, nil, test.sheet))[0]
			if page.Method != test.method || !strings.Contains(page.Text, test.has) {
				t.Errorf("method %s, want %s; text, which should have %q:\n%s", page.Method, test.method, test.has, page.Text)
			}
			if (page.Method == document.MethodBlank) != (page.Text == "") {
				t.Errorf("a page by method %s has the text %q", page.Method, page.Text)
			}
		})
	}
}

func TestReadsThePagesAskedFor(t *testing.T) {
	var sheets []sheet
	for n := range 12 {
		sheets = append(sheets, sheet{prose(n + 1), ""})
	}
	path := writePDF(t, nil, sheets...)
	for _, workers := range []int{1, 3} {
		pages, info, err := read(t, newReader(t, document.Options{Workers: workers}), path, []int{11, 2, 7})
		if err != nil || info.Pages != 12 || len(pages) != 3 {
			t.Fatalf("%d workers: %d pages of %d, error %v", workers, len(pages), info.Pages, err)
		}
		for i, n := range []int{2, 7, 11} {
			if pages[i].Number != n || !strings.Contains(pages[i].Text, fmt.Sprintf("of page %d says", n)) {
				t.Errorf("%d workers: page %d is %.40q", workers, pages[i].Number, pages[i].Text)
			}
		}
	}
	for _, wrong := range [][]int{{0}, {13}, {-1}} {
		if _, _, err := read(t, newReader(t, document.Options{}), path, wrong); err == nil {
			t.Errorf("page %d could be read", wrong[0])
		}
	}
}

func TestRefusals(t *testing.T) {
	whole := readFile(t, "testdata/notice.pdf")
	many := writePDF(t, nil, sheet{prose(1), ""}, sheet{prose(2), ""}, sheet{prose(3), ""})
	for _, test := range []struct {
		name    string
		path    string
		options document.Options
		code    document.Code
	}{
		{"nothing in it", writeFile(t, nil), document.Options{}, document.Empty},
		{"a text", writeFile(t, []byte("To whom it may concern\n")), document.Options{}, document.NotPDF},
		{"a picture", writeFile(t, append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 500)...)), document.Options{}, document.NotPDF},
		{"a page of the web", writeFile(t, []byte("<html><body>Notice</body></html>")), document.Options{}, document.NotPDF},
		{"only a header", writeFile(t, []byte("%PDF-1.4\n")), document.Options{}, document.Damaged},
		{"no pages", writePDF(t, nil), document.Options{}, document.NoPages},
		{"a password", "testdata/locked.pdf", document.Options{}, document.Encrypted},
		{"too many bytes", "testdata/notice.pdf", document.Options{MaxBytes: int64(len(whole)) - 1}, document.TooLarge},
		{"too many pages", many, document.Options{MaxPages: 2}, document.TooManyPages},
		{"too little memory", "testdata/notice.pdf", document.Options{Args: []string{"misbehave", "run out of memory on every page"}}, document.TooMuchMemory},
		{"too slow", "testdata/notice.pdf", document.Options{Args: []string{"misbehave", "hang on every page"}, PageTime: 20 * time.Millisecond}, document.TooSlow},
		{"too slow to open", "testdata/notice.pdf", document.Options{Args: []string{"misbehave", "hang at once"}, OpenTime: 100 * time.Millisecond}, document.TooSlow},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			reader := newReader(t, test.options)
			_, _, err := read(t, reader, test.path, nil)
			var refusal *document.Refusal
			if !errors.As(err, &refusal) || refusal.Code != test.code {
				t.Fatalf("error %v, want %s", err, test.code)
			}
			if s := refusal.Problem().Sentence(); len(s) < 20 || !strings.HasSuffix(s, ".") || refusal.Detail != "" && strings.Contains(s, refusal.Detail) {
				t.Errorf("the sentence is %q", s)
			}
			if test.options.Args != nil {
				return
			}
			if _, err := reader.Probe(t.Context(), test.path); !errors.As(err, &refusal) || refusal.Code != test.code {
				t.Errorf("probing gave %v, want %s", err, test.code)
			}
		})
	}
	t.Run("no file", func(t *testing.T) {
		if _, _, err := read(t, newReader(t, document.Options{}), filepath.Join(t.TempDir(), "none.pdf"), nil); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a folder", func(t *testing.T) {
		if _, _, err := read(t, newReader(t, document.Options{}), t.TempDir(), nil); err == nil {
			t.Error("a folder could be read")
		}
	})
}

func TestSentencesNameTheLimits(t *testing.T) {
	for want, refusal := range map[string]document.Refusal{
		"60.1 MB; the limit is 50 MB":       {Code: document.TooLarge, Found: 60<<20 + 1, Limit: 50 << 20},
		"2500 pages; the limit is 2000":     {Code: document.TooManyPages, Found: 2500, Limit: 2000},
		"is not a PDF. Please upload a PDF": {Code: document.NotPDF},
	} {
		if got := refusal.Problem().Sentence(); !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
}

func TestOpensWhatOthersOpen(t *testing.T) {
	notice := readFile(t, "testdata/notice.pdf")
	junk := append([]byte(strings.Repeat("junk\n", 40)), notice...)
	for _, test := range []struct {
		name      string
		path      string
		truncated bool
	}{
		{"an owner's password only", "testdata/restricted.pdf", false},
		{"junk before the header", writeFile(t, junk), false},
		{"no index", writeFile(t, []byte(strings.Replace(string(notice), "startxref", "startxxxx", 1))), false},
		{"the end cut off", writeFile(t, notice[:len(notice)-400]), true},
	} {
		pages, info, err := read(t, newReader(t, document.Options{}), test.path, nil)
		if err != nil || len(pages) == 0 || pages[0].Text == "" {
			t.Errorf("%s: %d pages, error %v", test.name, len(pages), err)
		}
		if info.Truncated != test.truncated {
			t.Errorf("%s: truncated is %t", test.name, info.Truncated)
		}
	}
}

func TestProbeCountsPages(t *testing.T) {
	info, err := newReader(t, document.Options{}).Probe(t.Context(), "testdata/notice.pdf")
	if err != nil || info.Pages != 1 || info.Truncated {
		t.Errorf("%+v, error %v", info, err)
	}
}

func TestAPageThatFailsCostsOnlyItself(t *testing.T) {
	for _, test := range []struct {
		how    string
		method document.Method
		text   string
	}{
		{"crash on page 2", document.MethodUnreadable, ""},
		{"crash after the layer on page 2", document.MethodLayer, "a stamp"},
		{"run out of memory on page 2", document.MethodUnreadable, ""},
		{"need more memory on page 2", document.MethodLayer, "page 2"},
		{"hang on page 2", document.MethodUnreadable, ""},
		{"talk nonsense on page 2", document.MethodUnreadable, ""},
		{"talk too much on page 2", document.MethodUnreadable, ""},
		{"answer another page on page 2", document.MethodUnreadable, ""},
	} {
		t.Run(test.how, func(t *testing.T) {
			t.Parallel()
			options := document.Options{Args: []string{"misbehave", test.how}, PageTime: 10 * time.Second, Workers: 2}
			if strings.HasPrefix(test.how, "hang") {
				options.PageTime = 100 * time.Millisecond
			}
			pages, _, err := read(t, newReader(t, options), "testdata/notice.pdf", nil)
			if err != nil || len(pages) != 5 {
				t.Fatalf("%d pages, error %v", len(pages), err)
			}
			for _, page := range pages {
				method, text := document.MethodLayer, fmt.Sprint("page ", page.Number)
				incomplete := false
				if page.Number == 2 {
					method, text, incomplete = test.method, test.text, !strings.HasPrefix(test.how, "need")
				}
				if page.Method != method || page.Text != text || page.Incomplete != incomplete {
					t.Errorf("page %+v, want method %s and text %q", page, method, text)
				}
			}
		})
	}
}

func TestAnInstallationFaultIsNoRefusal(t *testing.T) {
	for how, args := range map[string][]string{
		"another program": {"-test.run=^$"},
		"not a reader":    {"misbehave", "not a reader"},
		"no data":         {"misbehave", "lack its tools on every page"},
	} {
		_, _, err := read(t, newReader(t, document.Options{Args: args}), "testdata/notice.pdf", nil)
		var refusal *document.Refusal
		if err == nil || errors.As(err, &refusal) {
			t.Errorf("%s: error %v", how, err)
		}
	}
	if _, err := document.New(document.Options{Scale: 40}); err == nil {
		t.Error("a scale of 40 was taken")
	}
}

func TestStopsWhenToldTo(t *testing.T) {
	hang := document.Options{Args: []string{"misbehave", "hang on page 2"}, PageTime: time.Hour, Workers: 2}
	t.Run("by its context", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := newReader(t, hang).Read(ctx, "testdata/notice.pdf", nil, func(p document.Page) error {
			cancel()
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("before it starts", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := newReader(t, hang).Read(ctx, "testdata/notice.pdf", nil, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("by the receiver's error", func(t *testing.T) {
		full := errors.New("disk full")
		calls := 0
		_, err := newReader(t, hang).Read(t.Context(), "testdata/notice.pdf", nil, func(document.Page) error {
			calls++
			return full
		})
		if !errors.Is(err, full) || calls != 1 {
			t.Errorf("error %v after %d calls", err, calls)
		}
	})
}

// process has what the system reports about a process.
type process struct {
	pid, parent int
	state       string // starts with Z if the process is dead but not reaped
}

// processes lists the processes of the system: from /proc if it exists, since ps is not installed
// everywhere.
func processes() []process {
	var lines []string
	if stats, _ := filepath.Glob("/proc/[0-9]*/stat"); len(stats) > 0 {
		for _, stat := range stats {
			content, _ := os.ReadFile(stat) // 7 (name) S 1 …
			open, end := strings.Index(string(content), "("), strings.LastIndex(string(content), ")")
			if open < 0 || end < open {
				continue // it ended meanwhile
			}
			rest := strings.Fields(string(content[end+1:]))
			lines = append(lines, strings.Join([]string{string(content[:open]), rest[1], rest[0]}, " "))
		}
	} else {
		out, _ := exec.Command("ps", "-axo", "pid=,ppid=,stat=").Output()
		lines = strings.Split(string(out), "\n")
	}
	var all []process
	for _, line := range lines {
		var p process
		if _, err := fmt.Sscan(line, &p.pid, &p.parent, &p.state); err == nil {
			all = append(all, p)
		}
	}
	return all
}

// childrenOf lists the processes whose parent is pid, including dead ones.
func childrenOf(pid int) []int {
	var children []int
	for _, p := range processes() {
		if p.parent == pid {
			children = append(children, p.pid)
		}
	}
	return children
}

func TestLeavesNoChildren(t *testing.T) {
	for _, how := range []string{"crash on page 2", "hang on page 2", "talk nonsense on page 2"} {
		options := document.Options{Args: []string{"misbehave", how}, PageTime: 50 * time.Millisecond, Workers: 2}
		if _, _, err := read(t, newReader(t, options), "testdata/notice.pdf", nil); err != nil {
			t.Fatal(err)
		}
		if left := childrenOf(os.Getpid()); len(left) > 0 {
			t.Errorf("%s: processes %v are left", how, left)
		}
	}
}

func TestTheChildDiesWithItsParent(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path, err := filepath.Abs("testdata/notice.pdf")
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.Command(self, "be-killed", path)
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	var child int
	if _, err := fmt.Fscan(out, &child); err != nil {
		t.Fatal(err)
	}
	_ = parent.Process.Kill()
	_ = parent.Wait()
	for deadline := time.Now().Add(10 * time.Second); alive(child); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d is still there", child)
		}
	}
}

// alive reports whether a process runs, and is neither gone nor waiting to be reaped.
func alive(pid int) bool {
	return slices.ContainsFunc(processes(), func(p process) bool {
		return p.pid == pid && !strings.HasPrefix(p.state, "Z")
	})
}

// TestBrokenFilesBreakNothing reads a notice with bytes changed, moved and cut.
func TestBrokenFilesBreakNothing(t *testing.T) { breakFiles(t, 20) }

// breakFiles reads this many files with random damage, which is the same each time.
func breakFiles(t *testing.T, files int) {
	t.Parallel()
	sources := [][]byte{readFile(t, "testdata/notice.pdf"), readFile(t, "testdata/restricted.pdf")}
	reader := newReader(t, document.Options{Workers: 1})
	random := rand.New(rand.NewPCG(2025, 73))
	for i := range files {
		source := slices.Clone(sources[i%len(sources)])
		for range 1 + random.IntN(20) {
			at := random.IntN(len(source))
			switch random.IntN(4) {
			case 0:
				source[at] = byte(random.IntN(256))
			case 1:
				source[at] ^= 1 << random.IntN(8)
			case 2:
				source = slices.Delete(source, at, min(len(source), at+random.IntN(200)))
			case 3:
				source = slices.Insert(source, at, source[:min(len(source), random.IntN(200))]...)
			}
		}
		pages, _, err := read(t, reader, writeFile(t, source), nil)
		var refusal *document.Refusal
		if err != nil && !errors.As(err, &refusal) {
			t.Errorf("mutant %d: %v", i, err)
		}
		if err == nil && len(pages) == 0 {
			t.Errorf("mutant %d: no page and no refusal", i)
		}
	}
}

// TestHostilePagesCostOnlyThemselves reads a page that would take for ever and
// one that asks for more memory than there is, between others.
func TestHostilePagesCostOnlyThemselves(t *testing.T) {
	t.Parallel()
	var forms []string // each paints the next ten times
	const levels = 12
	for i := range levels {
		again := strings.Repeat("/X Do ", 10)
		if i == levels-1 {
			again = "0 0 m 500 500 l S"
		}
		forms = append(forms, stream(fmt.Sprintf("/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</XObject<</X %d 0 R>>>>", 6+i), again))
	}
	huge := stream("/Type/XObject/Subtype/Image/Width 30000/Height 30000/ColorSpace/DeviceRGB/BitsPerComponent 8", "too little")
	path := writePDF(t, append(forms, huge),
		sheet{prose(1), ""},
		sheet{"/X Do", "/Resources<</XObject<</X 5 0 R>>>>"},
		sheet{show(60, 700, "Beside the picture") + "q 595 0 0 842 0 0 cm /X Do Q", fmt.Sprintf("/Resources<</Font<</F 3 0 R>>/XObject<</X %d 0 R>>>>", 5+levels)},
		sheet{prose(4), ""},
	)
	start := time.Now()
	pages, _, err := read(t, newReader(t, document.Options{PageTime: time.Second}), path, nil)
	if err != nil || len(pages) != 4 {
		t.Fatalf("%d pages, error %v", len(pages), err)
	}
	t.Logf("%v", time.Since(start))
	for i, want := range []struct {
		method document.Method
		text   string
	}{
		{document.MethodLayer, "Line 1 of page 1"}, {document.MethodUnreadable, ""},
		{document.MethodLayer, "Beside the picture"}, {document.MethodLayer, "Line 1 of page 4"},
	} {
		if page := pages[i]; page.Method != want.method || !strings.HasPrefix(page.Text, want.text) {
			t.Errorf("page %d by method %s: %.60q, want %s: %q", page.Number, page.Method, page.Text, want.method, want.text)
		}
	}
}
