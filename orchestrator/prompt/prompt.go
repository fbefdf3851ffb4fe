// Package prompt reads the plugin folders that people edit: a manifest
// (plugin.yaml), one Markdown file per prompt, and the texts they share. It
// checks a folder whole, makes an immutable Bundle of it, and renders prompts
// into messages in which a notice, a letter or a person's words can never speak
// with another role than their own.
//
// The language of the prompts is closed: declared variables, if, eq and ne
// against a literal, range over declared lists, and shared texts. What is not in
// that list has no representation after checking, so nothing else can run. The
// package calls no model, reads no environment, and knows no step: the caller
// says in a Registry what the files may name.
package prompt

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Registry is the closed list of what a plugin's files may name.
type Registry struct {
	Values    map[string]Value    // what prompts may be given, by name
	Turns     map[string][]string // the kinds of turn, and the names of the values that each has
	Forms     map[string][]string // the kinds of turn that take inputs, and of which types
	Icons     []string            // what a tab may be marked with; nil: any name
	Steps     map[string]StepKind
	Blanks    map[string]string // what templates may name of a matter, with the words for it while it is not known
	Reserved  []string          // folder names that the app has pages of its own under
	Providers []string          // the model providers that a prompt may name

	// Room reports how many tokens, as Tokens counts them, the messages of a prompt
	// with these settings may have, 0 for no limit. Both nil: sizes are not judged.
	Room   func(Settings) int
	Tokens func(text string) int
}

// Value is something that a prompt may be given.
type Value struct {
	Type      Type
	Fields    []string // of a list's items; empty: its items are texts
	Untrusted bool     // comes from outside: a document, a person, a model
	Choices   []string // what a text can be; nil: anything
}

// Type says what a value is.
type Type string

// The types of values, with what Render takes for them: a string; a number;
// []string or, where the list has fields, []map[string]string; []Message of
// users and assistants. What encoding/json makes of each is taken too.
const (
	Text         Type = "text"
	Number       Type = "number"
	List         Type = "list"
	Conversation Type = "conversation"
)

// StepKind says what the manifest may set for the steps of one kind.
type StepKind struct {
	Settings map[string]Setting
}

// Setting is one thing that a manifest may set for a step.
type Setting struct {
	Required bool
	Choices  []string // nil: any text
	Prompt   bool     // names a prompt of the plugin
	Input    bool     // names an input of the plugin that the turn takes
	Gives    []string // the values that this prompt has beside those of the turn
}

// Bundle is one state of a plugin's folder, checked and compiled. It never
// changes; what its methods return must not be changed either.
type Bundle struct {
	manifest  Manifest
	prompts   map[string]*Prompt
	templates []Template // of TemplateFolder only
	files     map[string][]byte
	sha       string
}

const (
	manifestFile = "plugin.yaml"
	sharedFolder = "_shared"

	maxFile   = 256 << 10 // bytes
	maxFiles  = 200       // in a folder
	maxFolder = 4 << 20   // bytes in all

	maxProblems = 100 // told of one folder
)

var (
	pluginName = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,40}$`)
	promptName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,40}$`)
	secret     = regexp.MustCompile(`sk-[A-Za-z0-9_-]{20,}|rzp_(?:live|test)_[A-Za-z0-9]{10,}|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{35}|gh[pousr]_[A-Za-z0-9]{30,}|[a-z]://[^\s:/@]+:[^\s:/@]+@|-----BEGIN [A-Z ]*PRIVATE KEY-----`)
)

// Folder is a plugin's folder as it was read, good or bad.
type Folder struct {
	Plugin string // its name
	SHA    string // names what it holds: its own files and the shared texts that they name; the SHA of its bundle

	files    map[string][]byte // its own and all shared texts
	problems Problems          // of files that cannot be read
}

// ReadDir is Read for a folder on disk. Links are followed within it and not out of it: what lies elsewhere on the
// machine is no prompt.
func ReadDir(dir string) ([]Folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("read the prompts folder: %w", err)
	}
	defer root.Close()
	return Read(root.FS())
}

// Read reads every plugin folder in fsys, and that of the templates, without
// judging what they hold. Other folders whose names begin with "_" or "." are
// left alone.
func Read(fsys fs.FS) ([]Folder, error) {
	names, err := folders(fsys)
	if err != nil {
		return nil, err
	}
	shared, unreadable := readFolder(fsys, sharedFolder)
	for _, p := range unreadable {
		shared[p.File] = nil // so that it counts for those who name it
	}
	read := make([]Folder, len(names))
	for i, name := range names {
		files, problems := readFolder(fsys, name)
		maps.Copy(files, shared)
		own := named(name, files)
		for _, p := range unreadable {
			if slices.Contains(own, p.File) || p.File == sharedFolder {
				problems = append(problems, p)
			}
		}
		sum := hashFiles(files, own)
		if len(problems) > 0 {
			sum = hashFiles(map[string][]byte{sum: []byte(problems.Error())}, []string{sum})
		}
		read[i] = Folder{Plugin: name, SHA: sum, files: files, problems: problems}
	}
	return read, nil
}

// Files returns the paths of the files that SHA names, below the folder of
// folders, sorted.
func (f Folder) Files() []string { return named(f.Plugin, f.files) }

// Check returns the bundle that the folder makes, or everything that is wrong: the
// error is a Problems.
func (f Folder) Check(reg Registry) (*Bundle, error) {
	if len(f.problems) > 0 {
		return nil, f.problems.err()
	}
	b, problems := build(f.Plugin, f.files, reg, false)
	return b, problems.err()
}

// Load reads and checks every plugin folder in fsys. It gives the bundles that
// have no problem, in the order of their manifests, even when others have some:
// those are the error, a Problems.
func Load(fsys fs.FS, reg Registry) ([]*Bundle, error) {
	folders, err := Read(fsys)
	if err != nil {
		return nil, err
	}
	var bundles []*Bundle
	var all Problems
	for _, f := range folders {
		b, err := f.Check(reg)
		var problems Problems
		if errors.As(err, &problems) {
			all = append(all, problems...)
			continue
		}
		bundles = append(bundles, b)
	}
	slices.SortFunc(bundles, func(a, b *Bundle) int {
		if a.manifest.Order != b.manifest.Order {
			return a.manifest.Order - b.manifest.Order
		}
		return strings.Compare(a.manifest.ID, b.manifest.ID)
	})
	return bundles, all.err()
}

// Open makes the bundle whose Files were kept. What is only looked at when a folder is saved is not compared with them.
// The error is a Problems.
func Open(files map[string][]byte, reg Registry) (*Bundle, error) {
	plugin := ""
	for name := range files {
		folder, _, ok := strings.Cut(name, "/")
		if !ok || folder != sharedFolder && plugin != "" && folder != plugin {
			return nil, fmt.Errorf("open prompts: %q is not a file of one plugin", name)
		}
		if folder != sharedFolder {
			plugin = folder
		}
	}
	if plugin == "" {
		return nil, errors.New("open prompts: no plugin among the files")
	}
	b, problems := build(plugin, files, reg, true)
	return b, problems.err()
}

// SHA returns the sha256, in hex, of the names and bytes of Files.
func (b *Bundle) SHA() string { return b.sha }

// Manifest returns what plugin.yaml says.
func (b *Bundle) Manifest() Manifest { return b.manifest }

// Files returns the files that the bundle is made of, by their paths below the
// prompts folder: the plugin's own and the shared texts that it uses. Open
// takes them back.
func (b *Bundle) Files() map[string][]byte { return maps.Clone(b.files) }

// Prompts returns the names of the prompts, sorted.
func (b *Bundle) Prompts() []string { return slices.Sorted(maps.Keys(b.prompts)) }

// Prompt returns a prompt by its name within the plugin, as in "analyse", or nil.
func (b *Bundle) Prompt(name string) *Prompt { return b.prompts[name] }

// Render renders a prompt by its name within the plugin. See Prompt.Render.
func (b *Bundle) Render(name string, values map[string]any) ([]Message, error) {
	p := b.prompts[name]
	if p == nil {
		return nil, fmt.Errorf("plugin %s has no prompt %q", b.manifest.ID, name)
	}
	return format(p, values)
}

func folders(fsys fs.FS) ([]string, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, fmt.Errorf("read the prompts folder: %w", err)
	}
	var names []string
	for _, e := range entries {
		if e.Name() != TemplateFolder && strings.HasPrefix(e.Name(), "_") || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		info, err := fs.Stat(fsys, e.Name()) // follows the links of a mounted ConfigMap
		if err == nil && info.IsDir() || err != nil && e.Type()&fs.ModeSymlink != 0 {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// readFolder reads a folder's manifest and Markdown files; editors' and
// people's other files beside them are left alone.
func readFolder(fsys fs.FS, folder string) (map[string][]byte, Problems) {
	files := map[string][]byte{}
	var problems Problems
	report := func(file, format string, args ...any) {
		problems = append(problems, Problem{File: file, Line: 1, Column: 1, Message: fmt.Sprintf(format, args...)})
	}
	const unreadable = "This %s cannot be read. A link that leads out of the prompts folder is not followed."
	entries, err := fs.ReadDir(fsys, folder)
	if err != nil {
		if folder != sharedFolder || !errors.Is(err, fs.ErrNotExist) {
			report(folder, unreadable, "folder")
		}
		return files, problems
	}
	count, size := 0, int64(0)
	for _, e := range entries {
		name := path.Join(folder, e.Name())
		if e.Name() != manifestFile && path.Ext(e.Name()) != ".md" || strings.HasPrefix(e.Name(), ".") ||
			e.Name() == "README.md" {
			continue
		}
		info, err := fs.Stat(fsys, name)
		switch {
		case err != nil:
			report(name, unreadable, "file")
			continue
		case !info.Mode().IsRegular():
			report(name, "This is not a file.")
			continue
		case info.Size() > maxFile:
			report(name, "This file is longer than %d KB.", maxFile>>10)
			continue
		}
		count, size = count+1, size+info.Size()
		if count > maxFiles {
			report(folder, "This folder has more than %d files.", maxFiles)
			break
		}
		if size > maxFolder {
			report(folder, "The files of this folder are longer than %d MB in all.", maxFolder>>20)
			break
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			report(name, unreadable, "file")
			continue
		}
		files[name] = data
	}
	return files, problems
}

// build checks the files of a plugin and of _shared together; kept says that they served before.
func build(plugin string, files map[string][]byte, reg Registry, kept bool) (*Bundle, Problems) {
	if plugin == TemplateFolder {
		return buildTemplates(files, reg, kept)
	}
	c := &checker{plugin: plugin, reg: reg, kept: kept, sources: map[string]*source{}, partials: map[string]*partial{}}
	if !pluginName.MatchString(plugin) {
		c.report(plugin, 1, 1, "A plugin's folder has a name of small letters, digits, - and _, such as notice.")
		return nil, c.problems
	}
	var prompts []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		folder, file := path.Split(name)
		base := strings.TrimSuffix(file, ".md")
		switch {
		case folder == sharedFolder+"/":
			c.partials[base] = &partial{file: name}
		case folder == plugin+"/" && file != manifestFile:
			if !promptName.MatchString(base) {
				c.report(name, 1, 1, "A prompt's file has a name of small letters, digits and _, such as analyse.md.")
				continue
			}
			prompts = append(prompts, base)
		}
		c.sources[name] = &source{file: name, data: files[name]}
	}

	b := &Bundle{prompts: map[string]*Prompt{}, files: map[string][]byte{}}
	if c.sources[plugin+"/"+manifestFile] == nil {
		c.report(plugin+"/"+manifestFile, 1, 1, "This folder has no plugin.yaml, which every plugin needs.")
		return nil, c.problems
	}
	manifest, uses := c.manifest(plugin + "/" + manifestFile)
	b.manifest = manifest
	for _, name := range prompts {
		b.prompts[name] = c.prompt(name)
	}
	c.checkUses(b.prompts, uses)
	c.checkSizes(b.prompts)
	if len(c.problems) >= maxProblems {
		c.problems = append(c.problems[:maxProblems:maxProblems],
			Problem{File: plugin, Line: 1, Column: 1, Message: "There are more mistakes than are told here: mend " +
				"these first."})
	}
	if len(c.problems) > 0 {
		return nil, c.problems.Tidy()
	}

	own := named(plugin, files)
	for _, name := range own {
		b.files[name] = slices.Clone(files[name])
	}
	b.sha = hashFiles(b.files, own)
	for name, p := range b.prompts {
		p.SHA = hashFiles(b.files, append([]string{plugin + "/" + name + ".md"}, p.partials...))
	}
	return b, nil
}

var mention = regexp.MustCompile(`\{\{-?\s*template\s+"([^"]*)"`)

// named gives, sorted, the files that make up a plugin: its own, and the shared
// texts that they name, directly or by way of another shared text. It goes by
// the words alone, so that it gives the same for files with mistakes.
func named(plugin string, files map[string][]byte) []string {
	var names []string
	for name := range files {
		if strings.HasPrefix(name, plugin+"/") {
			names = append(names, name)
		}
	}
	for i := 0; i < len(names); i++ {
		for _, m := range mention.FindAllSubmatch(files[names[i]], -1) {
			shared := sharedFolder + "/" + string(m[1]) + ".md"
			if _, there := files[shared]; there && !slices.Contains(names, shared) {
				names = append(names, shared)
			}
		}
	}
	slices.Sort(names)
	return names
}

func hashFiles(files map[string][]byte, names []string) string {
	h := sha256.New()
	write := func(data []byte) {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(data))))
		h.Write(data)
	}
	for _, name := range names {
		write([]byte(name))
		write(files[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}
