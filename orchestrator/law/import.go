package law

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

// Import says what to import into a library, and how.
type Import struct {
	Folder string   // of the library
	Paths  []string // files and folders
	// Act is the Act to which the files belong, "" if they say so themselves.
	Act string
	// AsOn is the ISO day up to which they are amended, "" if they say so themselves.
	AsOn    string
	Today   string                                                             // ISO
	ReadPDF func(ctx context.Context, path string) (pages []string, err error) // returns the text of each page of a PDF
}

// Refused is a file that was not imported.
type Refused struct {
	File string
	Why  error
}

// Report is the result of an import.
type Report struct {
	Contents
	Read    []Source  // the files of this import
	Refused []Refused // files of a folder that were not imported
}

// maxFile is the largest text file accepted; CBIC's largest compilation has 5 MB.
const maxFile = 64 << 20

// Run adds the files to the library; a file replaces an earlier one of the same name. The library changes only if
// everything could be written. If a file named in Paths cannot be read, the import fails; one that was found in a
// folder is skipped and reported.
func (in Import) Run(ctx context.Context) (*Report, error) {
	report := &Report{}
	var files []parsed
	old, err := OpenLibrary(in.Folder)
	switch {
	case err == nil:
		files, err = old.parsedSources()
		old.Close()
		if err != nil {
			return nil, err
		}
	case !errors.Is(err, ErrNoLibrary):
		return nil, err
	}
	for _, p := range in.Paths {
		found, err := expand(p)
		if err != nil {
			return nil, err
		}
		for _, path := range found {
			one, err := in.read(ctx, path)
			if err != nil && (path == p || ctx.Err() != nil) {
				return nil, fmt.Errorf("import %s: %w", filepath.Base(path), err)
			}
			if err != nil {
				report.Refused = append(report.Refused, Refused{path, err})
				continue
			}
			files = slices.DeleteFunc(files, func(f parsed) bool {
				return f.Source.Name == one.Source.Name || f.Source.SHA256 == one.Source.SHA256
			})
			files = append(files, *one)
			report.Read = append(report.Read, one.Source)
		}
	}
	if len(report.Read) == 0 {
		return report, errors.New("nothing was imported: give provision JSONL (.jsonl), or CBIC's Acts, Rules or " +
			"notifications as .pdf or .txt")
	}
	slices.SortFunc(files, func(a, b parsed) int { return strings.Compare(a.Source.Name, b.Source.Name) })
	contents, provisions := assemble(files)
	contents.Imported = in.Today
	report.Contents = contents
	if err := writeLibrary(in.Folder, contents, files, provisions); err != nil {
		return nil, err
	}
	return report, nil
}

// expand returns the file itself, or the importable files under a folder.
func expand(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	var files []string
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() &&
			slices.Contains([]string{".jsonl", ".txt", ".pdf"}, strings.ToLower(filepath.Ext(p))) {
			files = append(files, p)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look for files to import: %w", err)
	}
	return files, nil
}

func (in Import) read(ctx context.Context, path string) (*parsed, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxFile {
		return nil, fmt.Errorf("it has %d MB; the limit is %d", info.Size()>>20, maxFile>>20)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(path)
	switch strings.ToLower(filepath.Ext(path)) {
	case ".jsonl":
		return readJSONL(name, data)
	case ".pdf":
		if in.ReadPDF == nil {
			return nil, errors.New("PDFs cannot be read here")
		}
		pages, err := in.ReadPDF(ctx, path)
		if err != nil {
			return nil, err
		}
		return in.readText(name, []byte(strings.Join(pages, "\f")), sum(data))
	case ".txt":
		return in.readText(name, data, sum(data))
	}
	return nil, errors.New("it is none of .jsonl, .txt and .pdf")
}

func (in Import) readText(name string, text []byte, sha string) (*parsed, error) {
	p, ok := readNotification(name, string(text))
	if !ok {
		var err error
		if p, ok = readSchedules(name, string(text), cmp.Or(in.Act, actOf(name, "")), in.AsOn); !ok {
			if p, err = readCompilation(name, text, in.Act, in.AsOn); err != nil {
				return nil, err
			}
		}
	}
	p.Source.SHA256 = sha
	p.Source.Units = len(p.Readings)
	return p, nil
}

var scheduleHead = lazyregexp.New(`(?m)^\s*SCHEDULE\s+([IVX]{1,4})\b`)

// readSchedules reads a file that contains only the Schedules of an Act.
func readSchedules(name, text, act, asOn string) (*parsed, bool) {
	heads := scheduleHead.FindAllStringSubmatchIndex(text, -1)
	if len(heads) == 0 || act == "" || len(namedHead.FindAllStringIndex(text, 3)) > 0 || len(heads) > 12 ||
		len(text) > 100_000 {
		return nil, false
	}
	p := &parsed{Source: Source{Name: name, Kind: "compilation", Acts: []string{act},
		AsOn: cmpOr(asOn, asOnOf(name, "")), Publisher: "CBIC, by the file's typography"}}
	seen := map[string]bool{}
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		number := "Schedule " + text[h[2]:h[3]]
		body := reflow(text[h[3]:end])
		if seen[number] || len(body) < 80 {
			continue
		}
		seen[number] = true
		heading, _, _ := strings.Cut(body, "\n")
		p.Readings = append(p.Readings,
			reading{Act: act, Unit: "schedule", Number: number, Heading: tidyHeading(clip(heading, 200)), Text: body,
				Chapter: "SCHEDULES"})
	}
	return p, len(p.Readings) > 0
}

// assemble builds the provisions from the parsed files.
func assemble(files []parsed) (Contents, []*Provision) {
	var c Contents
	witnesses := map[string][]*witness{}
	var keys []string
	for _, f := range files {
		c.Sources = append(c.Sources, f.Source)
		c.Later = append(c.Later, f.Amendments...)
		for _, d := range f.Defects {
			c.Defects = append(c.Defects, f.Source.Name+": "+d)
		}
		for _, r := range f.Readings {
			key := r.Act + ":" + r.Number
			if witnesses[key] == nil {
				keys = append(keys, key)
			}
			witnesses[key] = append(witnesses[key], newWitness(r, f.Source))
		}
	}
	var provisions []*Provision
	held := map[string]*Provision{}
	for _, key := range keys {
		p := buildProvision(witnesses[key])
		provisions = append(provisions, p)
		held[key] = p
	}
	slices.SortStableFunc(provisions, func(a, b *Provision) int {
		return cmp.Or(cmp.Compare(actOrder(a.Act), actOrder(b.Act)), strings.Compare(a.Act, b.Act),
			compareNumbers(a.Number, b.Number))
	})
	later(c.Later, files, held)
	for _, p := range provisions {
		if v := p.At(""); v != nil {
			p.Refers = referencesOf(p.Act, v.Text)
		}
		own := splitKey(p.Act, p.Number)
		p.Refers = slices.DeleteFunc(p.Refers, func(r string) bool { return r == p.Number })
		for _, r := range p.Refers {
			act, number := splitReference(p.Act, r)
			if other := held[act+":"+number]; other != nil {
				other.CitedBy = append(other.CitedBy, joinReference(other.Act, p.Act, p.Number))
			}
			if held[act+":"+number] == nil && hasAct(keys, act) {
				c.Unsettled = append(c.Unsettled, fmt.Sprintf("%s names %s", own, splitKey(act, number)))
			}
		}
		for _, w := range p.Witnesses {
			if w.Differs != "" {
				c.Differ = append(c.Differ, fmt.Sprintf("%s: %s: %s (%d words)", own, w.Source, w.Differs, w.Distance))
			}
		}
		for _, g := range p.Gaps {
			c.Gaps = append(c.Gaps, own+": "+g.English)
		}
		c.add(p)
	}
	return c, provisions
}

func hasAct(keys []string, act string) bool {
	return slices.ContainsFunc(keys, func(k string) bool { return strings.HasPrefix(k, act+":") })
}

// joinReference returns how a provision is referred to from an Act.
func joinReference(from, act, number string) string {
	if from == act {
		return number
	}
	return act + ":" + number
}

func splitKey(act, number string) string { return act + " " + number }

func actOrder(id string) int {
	for i, a := range Acts() {
		if a.ID == id {
			return i
		}
	}
	return len(Acts())
}

// compareNumbers sorts 2 before 10, and 10 before 10A.
func compareNumbers(a, b string) int {
	x, xs := rank(digits, a)
	y, ys := rank(digits, b)
	if strings.HasPrefix(a, "Schedule") || strings.HasPrefix(b, "Schedule") {
		if strings.HasPrefix(a, "Schedule") != strings.HasPrefix(b, "Schedule") {
			return cmp.Compare(strings.Index(a, "Schedule"), strings.Index(b, "Schedule"))
		}
		return strings.Compare(a, b)
	}
	return cmp.Or(cmp.Compare(x, y), strings.Compare(xs, ys))
}

// add adds a provision to the list of its Act.
func (c *Contents) add(p *Provision) {
	i := slices.IndexFunc(c.Acts, func(a ActText) bool { return a.Act == p.Act })
	if i < 0 {
		i = len(c.Acts)
		c.Acts = append(c.Acts, ActText{Act: p.Act, Unit: unitOf(p.Act, "")})
	}
	a := &c.Acts[i]
	h := Head{Number: p.Number, Heading: p.Heading, Chapter: p.Chapter, Status: Unclear}
	for _, v := range p.Versions {
		h.Status = v.Status
		if v.Status == Current || v.Status == OmittedState {
			a.AsOn = max(a.AsOn, v.AsOn)
			break
		}
	}
	a.Provisions = append(a.Provisions, h)
	a.Versions += len(p.Versions)
}

// later records in each provision the known amendments that are not in its text: those made by a notification, and
// those of an amending Act that a notification brings into force, if a source prints them as yet to be notified.
func later(amendments []amendment, files []parsed, held map[string]*Provision) {
	for i := range amendments {
		a := &amendments[i]
		numbers := a.Numbers
		if act := ofTheAct.FindString(a.About); act != "" {
			for _, f := range files {
				for _, r := range f.Readings {
					if r.Act == a.Act && slices.ContainsFunc(r.Notes, func(n note) bool {
						flat := strings.Join(strings.Fields(n.Text), " ")
						return noteFuture.MatchString(flat) &&
							strings.Contains(strings.ToLower(flat),
								strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(act, "The "), "the ")))
					}) && !slices.Contains(numbers, r.Number) {
						numbers = append(numbers, r.Number)
					}
				}
			}
			a.Numbers = numbers
		}
		for _, n := range numbers {
			if p := held[a.Act+":"+n]; p != nil {
				v := p.At("")
				if v == nil || v.AsOn < cmpOr(a.From, a.Date) {
					p.Later = append(p.Later, Later{By: a.By, Date: a.Date, From: a.From})
				}
			}
		}
	}
}
