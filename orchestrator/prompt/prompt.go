// Package prompt reads the plugin folders that people edit: a manifest (plugin.yaml), one Markdown file for each
// prompt, and the texts they share. It checks a folder as a whole, makes an immutable Bundle from it, and renders
// prompts into messages. In these, a notice, a letter or a person's text can never appear in another role than its
// own.
//
// The language of the prompts is closed: declared variables, if, eq and ne against a literal, range over declared
// lists, and shared texts. Anything else cannot be represented after checking, so it cannot be executed. The package
// calls no model, does not read the environment, and does not know the steps: the caller passes a Registry with
// everything that the files may refer to.
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

// Registry lists everything that a plugin's files may refer to.
type Registry struct {
	Values    map[string]Value    // values that prompts may use, by name
	Turns     map[string][]string // kinds of turn, and the names of the values in each
	Forms     map[string][]string // kinds of turn that take inputs, and the types of these
	Icons     []string            // names of icons for tabs; nil: any name
	Steps     map[string]StepKind
	Blanks    map[string]string // names that templates may use, with the words to show while the value is unknown
	Reserved  []string          // folder names that the app uses for its own pages
	Providers []string          // model providers that a prompt may name

	// Room returns how many tokens, as counted by Tokens, the messages of a prompt with these settings may have; 0
	// means no limit. If both are nil, sizes are not checked.
	Room   func(Settings) int
	Tokens func(text string) int
}

// Value is something that a prompt may use.
type Value struct {
	Type      Type
	Fields    []string // of a list's items; empty if the items are texts
	Untrusted bool     // untrusted: from a document, a person or a model
	Choices   []string // the possible texts; nil: any
}

// Type is the type of a value.
type Type string

// The types of values. Render takes for them: a string; a number; []string or, if the list has fields,
// []map[string]string; and []Message of users and assistants. It also takes what encoding/json decodes for each.
const (
	Text         Type = "text"
	Number       Type = "number"
	List         Type = "list"
	Conversation Type = "conversation"
)

// StepKind lists what the manifest may set for the steps of one kind.
type StepKind struct {
	Settings map[string]Setting
}

// Setting is something that a manifest may set for a step.
type Setting struct {
	Required bool
	Choices  []string // nil: any text
	Prompt   bool     // its value is the name of a prompt of the plugin
	Input    bool     // its value is an input of the plugin that the turn takes
	Gives    []string // values for this prompt in addition to those of the turn
}

// Bundle is one checked and compiled version of a plugin's folder. It never changes, and what its methods return must
// not be changed either.
type Bundle struct {
	manifest  Manifest
	prompts   map[string]*Prompt
	templates []Template // only for TemplateFolder
	files     map[string][]byte
	sha       string
}

const (
	manifestFile = "plugin.yaml"
	sharedFolder = "_shared"

	maxFile   = 256 << 10 // bytes
	maxFiles  = 200       // in a folder
	maxFolder = 4 << 20   // bytes in total

	maxProblems = 100 // reported for one folder
)

var (
	pluginName = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,40}$`)
	promptName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,40}$`)
	secret     = regexp.MustCompile(`sk-[A-Za-z0-9_-]{20,}|rzp_(?:live|test)_[A-Za-z0-9]{10,}|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{35}|gh[pousr]_[A-Za-z0-9]{30,}|[a-z]://[^\s:/@]+:[^\s:/@]+@|-----BEGIN [A-Z ]*PRIVATE KEY-----`)
)

// Folder is a plugin's folder as it was read, with or without mistakes.
type Folder struct {
	Plugin string // the folder's name
	SHA    string // hash of its own files and of the shared texts that they use; the same as that of its bundle

	files    map[string][]byte // its own files and all shared texts
	problems Problems          // about files that cannot be read
}

// ReadDir is Read for a folder on disk. It follows links only within the folder.
func ReadDir(dir string) ([]Folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("read the prompts folder: %w", err)
	}
	defer root.Close()
	return Read(root.FS())
}

// Read reads every plugin folder in fsys, and the folder of templates, without checking them. It skips other folders
// whose names begin with "_" or ".".
func Read(fsys fs.FS) ([]Folder, error) {
	names, err := folders(fsys)
	if err != nil {
		return nil, err
	}
	shared, unreadable := readFolder(fsys, sharedFolder)
	for _, p := range unreadable {
		shared[p.File] = nil // so that it counts for the prompts that use it
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

// Files returns the sorted paths of the files covered by SHA, relative to the prompts folder.
func (f Folder) Files() []string { return named(f.Plugin, f.files) }

// Check returns the folder's bundle, or all its mistakes as a Problems error.
func (f Folder) Check(reg Registry) (*Bundle, error) {
	if len(f.problems) > 0 {
		return nil, f.problems.err()
	}
	b, problems := build(f.Plugin, f.files, reg, false)
	return b, problems.err()
}

// Load reads and checks every plugin folder in fsys. It returns the bundles without mistakes in the order of their
// manifests, and the mistakes of the others as a Problems error.
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

// Open makes a bundle from stored Files. It skips checks that are meant for people who edit a folder. The error is a
// Problems.
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

// SHA returns the sha256, in hex, of the names and contents of Files.
func (b *Bundle) SHA() string { return b.sha }

// Manifest returns the content of plugin.yaml.
func (b *Bundle) Manifest() Manifest { return b.manifest }

// Files returns the bundle's files by their paths relative to the prompts folder: the plugin's own and the shared
// texts that it uses. Open accepts them.
func (b *Bundle) Files() map[string][]byte { return maps.Clone(b.files) }

// Prompts returns the sorted names of the prompts.
func (b *Bundle) Prompts() []string { return slices.Sorted(maps.Keys(b.prompts)) }

// Prompt returns a prompt by its name within the plugin, as in "analyse"; nil if there is none.
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

// readFolder reads a folder's manifest and Markdown files, and ignores all other files.
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

// build checks the files of a plugin and of _shared together; kept means that they were in use before.
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

// named returns the sorted names of the files that make up a plugin: its own, and the shared texts that they use,
// directly or through another shared text. It only searches the text, so it works for files with mistakes too.
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
