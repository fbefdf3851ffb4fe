// Package defences reads the rules for answering a notice, one file each, and checks them. A rule is rejected, with
// the line of the mistake, if it is malformed, names a fact or a provision that does not exist, contradicts itself or
// fails its own examples.
package defences

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"munshi/orchestrator/gst/defence"
	"munshi/orchestrator/gst/law"
	statute "munshi/orchestrator/law"
)

//go:embed rules/*.yaml
var builtIn embed.FS

//go:embed vocabulary.yaml
var vocabularyFile []byte

// vocabulary contains the words that papers use for the things that rules refer to, by the name that a rule writes
// after "@".
var vocabulary = sync.OnceValue(func() map[string]string {
	var lists map[string][]string
	if err := yaml.Unmarshal(vocabularyFile, &lists); err != nil {
		panic("law/defences: the vocabulary: " + err.Error()) // the build is broken
	}
	words := map[string]string{}
	for name, list := range lists {
		words[name] = strings.Join(list, "|")
	}
	return words
})

// spelt replaces the names of the vocabulary by their words. An unknown name stays, for Check to find.
func spelt(words string) string {
	if !strings.Contains(words, "@") {
		return words
	}
	parts := strings.Split(words, "|")
	for i, part := range parts {
		if name, ok := strings.CutPrefix(part, "@"); ok && vocabulary()[name] != "" {
			parts[i] = vocabulary()[name]
		}
	}
	return strings.Join(parts, "|")
}

// Problem is a mistake in the file of a rule.
type Problem struct {
	File string `json:"file"`
	Line int    `json:"line"`
	What string `json:"what"`
}

func (p Problem) String() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.What) }

// Problems are the mistakes for which a set of rules was rejected.
type Problems []Problem

func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i := range p {
		lines[i] = p[i].String()
	}
	return strings.Join(lines, "\n")
}

// Against is the law with which rules are compared.
type Against struct {
	Digest []*statute.Entry // the digest of the law; nil: versions are not checked
	Tables *law.Tables      // its index contains circulars and notifications; nil: they are not checked
}

// Set is the rules in force: the built-in ones, replaced and extended by an operator's. It reads them on first use
// and is safe for concurrent use.
type Set struct {
	rules func() []defence.Rule
}

// NewSet returns a set. overlay is an operator's folder, with rules in its folder "defences"; nil for none. If one of
// its rules is wrong, only the built-in rules are used and the log says what is wrong.
func NewSet(overlay fs.FS, tables func() *law.Tables, log *slog.Logger) *Set {
	return &Set{sync.OnceValue(func() []defence.Rule {
		if overlay == nil {
			return Built()
		}
		rules, err := Load(overlay, Against{Tables: tables()})
		if err != nil {
			log.Warn("a defence is wrong; the built-in ones are in force. `munshi law` checks the folder", "error", err)
		}
		return rules
	})}
}

// Rules returns the rules. They must not be changed.
func (s *Set) Rules() []defence.Rule { return s.rules() }

// Built returns the built-in rules. A test checks them.
func Built() []defence.Rule {
	rules, err := Read(builtIn, "rules")
	if err != nil {
		panic("law/defences: the built-in rules: " + err.Error()) // the build is broken
	}
	return rules
}

// Load returns the built-in rules together with those in the folder "defences" of an operator's overlay. A rule with
// the id of a built-in one replaces it; others are added. On an error it returns the built-in rules; the error is
// Problems for mistakes in files.
func Load(overlay fs.FS, against Against) ([]defence.Rule, error) {
	built := Built()
	own, err := Read(overlay, "defences")
	if err != nil {
		return built, err
	}
	if problems := Check(overlay, "defences", own, against); len(problems) > 0 {
		return built, problems
	}
	rules := slices.DeleteFunc(slices.Clone(built), func(r defence.Rule) bool {
		return slices.ContainsFunc(own, func(o defence.Rule) bool { return o.ID == r.ID })
	})
	return append(rules, own...), nil
}

// Read reads the rules of a folder without checking their content. A missing folder has none.
func Read(files fs.FS, folder string) ([]defence.Rule, error) {
	names, err := fs.Glob(files, folder+"/*.yaml")
	if err != nil {
		return nil, fmt.Errorf("list the defences: %w", err)
	}
	var rules []defence.Rule
	var problems Problems
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read a defence: %w", err)
		}
		var r defence.Rule
		decoder := yaml.NewDecoder(bytes.NewReader(data))
		decoder.KnownFields(true)
		if err := decoder.Decode(&r); err != nil && !errors.Is(err, io.EOF) {
			problems = append(problems, Problem{name, lineIn(err), strings.Join(strings.Fields(err.Error()), " ")})
			continue
		}
		if want := strings.TrimSuffix(path.Base(name), ".yaml"); r.ID != want {
			problems = append(problems, Problem{name, 1, fmt.Sprintf("its id is %q: the file has the name of its "+
				"rule, %q", r.ID, want)})
			continue
		}
		for _, conditions := range [][]defence.Condition{r.Raised, r.Where, r.Proved} {
			for i := range conditions {
				c := &conditions[i]
				for _, words := range []*string{&c.Words, &c.With, &c.But, &c.Without, &c.Unless} {
					*words = spelt(*words)
				}
			}
		}
		rules = append(rules, r)
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return rules, nil
}

// lineIn returns the line number in an error of the YAML reader.
func lineIn(err error) int {
	line := 1
	if _, rest, ok := strings.Cut(err.Error(), "line "); ok {
		_, _ = fmt.Sscanf(rest, "%d", &line)
	}
	return line
}
