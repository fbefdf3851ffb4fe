package law

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// libraryFile is the file in a library's folder with all its content. It is a single file so that an import replaces
// the library in one step.
const libraryFile = "library.zip"

// Library is the imported official text. It is safe for concurrent use.
type Library struct {
	Contents

	mu     sync.Mutex
	file   *zip.ReadCloser
	at     map[string]*zip.File
	opened map[string]*Provision
}

// Contents is a summary of a library and its defects.
type Contents struct {
	Imported  string      `json:"imported"` // ISO day
	Sources   []Source    `json:"sources"`
	Acts      []ActText   `json:"acts"`
	Later     []amendment `json:"later,omitempty"`      // known amendments that are not merged
	Unsettled []string    `json:"unresolved,omitempty"` // references to provisions that are not in the library
	Differ    []string    `json:"differ,omitempty"`     // where the sources disagree
	Gaps      []string    `json:"gaps,omitempty"`       // provisions and days without text
	Defects   []string    `json:"defects,omitempty"`    // what could not be read
}

// ActText is an Act or Rules whose text is in the library.
type ActText struct {
	Act        string `json:"act"`
	Unit       string `json:"unit"`
	AsOn       string `json:"as_on"` // day of the newest text
	Provisions []Head `json:"provisions"`
	Versions   int    `json:"versions"`
}

// Head is a section or rule in a list.
type Head struct {
	Number  string `json:"number"`
	Heading string `json:"heading"`
	Chapter string `json:"chapter,omitempty"`
	Status  Status `json:"status"`
}

// ErrNoLibrary means that nothing has been imported.
var ErrNoLibrary = errors.New("no text of the law has been imported")

// ErrNotHeld means that the library has no text of a provision, or none for a day.
var ErrNotHeld = errors.New("the text is not held here")

// OpenLibrary opens the library in a folder. The error is ErrNoLibrary if there is none.
func OpenLibrary(folder string) (*Library, error) {
	file, err := zip.OpenReader(filepath.Join(folder, libraryFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoLibrary
	}
	if err != nil {
		return nil, fmt.Errorf("open the library of the law in %s: %w", folder, err)
	}
	l := &Library{file: file, at: map[string]*zip.File{}, opened: map[string]*Provision{}}
	for _, f := range file.File {
		l.at[f.Name] = f
	}
	if err := l.read("contents.json", &l.Contents); err != nil {
		file.Close()
		return nil, fmt.Errorf("open the library of the law in %s: %w", folder, err)
	}
	return l, nil
}

// Close closes the library's file.
func (l *Library) Close() error { return l.file.Close() }

func (l *Library) read(name string, into any) error {
	f := l.at[name]
	if f == nil {
		return ErrNotHeld
	}
	r, err := f.Open()
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

// Provision returns a section or rule with all its versions; parts in the number are ignored. The error is ErrNotHeld
// if the library does not have it. The result must not be changed.
func (l *Library) Provision(act, number string) (*Provision, error) {
	name := provisionFile(act, rootOf(number))
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.opened[name]; p != nil {
		return p, nil
	}
	var p Provision
	if err := l.read(name, &p); err != nil {
		return nil, err
	}
	l.opened[name] = &p
	return &p, nil
}

func provisionFile(act, root string) string { return "provisions/" + act + "/" + root + ".json" }

// At returns the version in force on an ISO day ("" for the latest), nil if none is held.
func (p *Provision) At(day string) *Version {
	if day == "" {
		day = "9999-12-31"
	}
	return p.at(day)
}

// Words returns the text of a part such as "16(2)(aa)", or of the whole section or rule for its own number, and
// whether the version has it.
func (v *Version) Words(number string) (string, bool) {
	for _, part := range v.Parts {
		if part.Number == number {
			return v.Text[part.Start:part.End], true
		}
	}
	return "", false
}

// PartVersion is the text of a part during a period. Successive versions of the section with the same text of the
// part are combined.
type PartVersion struct {
	From    string    `json:"valid_from"`
	Until   string    `json:"valid_until,omitempty"`
	Between [2]string `json:"changed_between,omitempty"`
	Text    string    `json:"text"` // "" if the provision had no such part then
	Status  Status    `json:"status"`
	By      []string  `json:"by,omitempty"`
	Source  string    `json:"source"`
	AsOn    string    `json:"as_on,omitempty"`
}

// History returns the successive texts of a provision or a part of it.
func (p *Provision) History(number string) []PartVersion {
	var all []PartVersion
	for i := range p.Versions {
		v := &p.Versions[i]
		words, _ := v.Words(number)
		pv := PartVersion{From: v.From, Until: v.Until, Between: v.Between, Text: words, Status: v.Status, By: v.By,
			Source: v.Source, AsOn: v.AsOn}
		if n := len(all); n > 0 && v.Status != NotInForce && bare(all[n-1].Text) == bare(words) &&
			v.From == shiftDay(all[n-1].Until, 1) {
			all[n-1].Until, all[n-1].Status = v.Until, v.Status
			continue
		}
		if v.Status == NotInForce && len(all) > 0 && bare(all[len(all)-1].Text) == bare(words) {
			continue
		}
		all = append(all, pv)
	}
	for len(all) > 0 && all[0].Text == "" && number != p.Number { // before the part was inserted
		all = all[1:]
	}
	return all
}

// HasPart reports whether any version of a provision has a part.
func (p *Provision) HasPart(number string) bool {
	return slices.ContainsFunc(p.Versions, func(v Version) bool { _, ok := v.Words(number); return ok })
}

// writeLibrary writes a library to a folder in one step.
func writeLibrary(folder string, c Contents, files []parsed, provisions []*Provision) (err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("make the folder of the library: %w", err)
	}
	temp, err := os.CreateTemp(folder, ".library-*")
	if err != nil {
		return fmt.Errorf("write the library: %w", err)
	}
	defer func() {
		if err != nil {
			temp.Close()
			os.Remove(temp.Name())
		}
	}()
	z := zip.NewWriter(temp)
	put := func(name string, value any) error {
		w, err := z.Create(name)
		if err != nil {
			return fmt.Errorf("write %s into the library: %w", name, err)
		}
		if err := json.NewEncoder(w).Encode(value); err != nil {
			return fmt.Errorf("write %s into the library: %w", name, err)
		}
		return nil
	}
	if err := put("contents.json", c); err != nil {
		return err
	}
	for _, f := range files {
		if err := put("sources/"+f.Source.SHA256+".json", f); err != nil {
			return err
		}
	}
	for _, p := range provisions {
		if err := put(provisionFile(p.Act, p.Number), p); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("write the library: %w", err)
	}
	if err := temp.Sync(); err != nil {
		return fmt.Errorf("write the library: %w", err)
	}
	if err := temp.Close(); err != nil {
		return fmt.Errorf("write the library: %w", err)
	}
	if err := os.Rename(temp.Name(), filepath.Join(folder, libraryFile)); err != nil {
		return fmt.Errorf("put the new library in the place of the old one: %w", err)
	}
	return nil
}

// parsedSources returns the parsed sources of a library, to rebuild it with additional ones.
func (l *Library) parsedSources() ([]parsed, error) {
	var all []parsed
	for name := range l.at {
		if !strings.HasPrefix(name, "sources/") {
			continue
		}
		var p parsed
		if err := l.read(name, &p); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}
