package prompt

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/template/parse"
)

// node is a piece of a checked prompt. Only these kinds exist, so nothing else can be rendered.
type node interface{ node() }

type (
	textNode  string
	valueNode struct{ ref ref }
	ifNode    struct {
		ref             ref
		compare         string // "", "eq" or "ne"
		literal         string
		then, otherwise []node
	}
	rangeNode struct {
		list            string
		body, otherwise []node
	}
	includeNode struct{ body []node }
)

func (textNode) node()    {}
func (valueNode) node()   {}
func (ifNode) node()      {}
func (rangeNode) node()   {}
func (includeNode) node() {}

// ref refers to a variable or, inside a range, to the list's item or one of its fields.
type ref struct {
	name  string
	item  bool
	field string
}

const (
	maxDepth = 10     // of shared texts within shared texts
	maxNodes = 10_000 // of a prompt including all its shared texts
)

// compiler turns the text of a prompt and its shared texts into nodes, and reports everything that the language does
// not have.
type compiler struct {
	*checker
	prompt *Prompt
	file   string
	text   string // of the whole file
	base   int    // where the template begins in it

	template bool // the text is in TemplateFolder, and its front matter has no variables

	used     map[string]bool // variables that occur
	included map[string]bool // files of shared texts that occur
	compiled map[string]compiled
	stack    []string // shared texts being compiled
	size     int      // number of nodes, including all shared texts
	broken   bool
}

type compiled struct {
	body []node
	size int
}

func (t *compiler) fail(offset int, format string, args ...any) {
	t.broken = true
	if len(t.problems) >= maxProblems {
		return
	}
	line, column := place(t.text, t.base+offset)
	p := Problem{File: t.file, Line: line, Column: column, Message: fmt.Sprintf(format, args...)}
	if len(t.stack) > 0 {
		p.Prompts = []string{t.prompt.Name}
	}
	t.add(p)
}

func (t *compiler) compile() []node {
	source := t.text[t.base:]
	actions, ok := t.scan(source)
	if !ok || !t.checkActions(actions) {
		return nil
	}
	tree := parse.New(t.file)
	tree.Mode = parse.SkipFuncCheck
	if _, err := tree.Parse(source, "{{", "}}", map[string]*parse.Tree{}); err != nil {
		t.fail(0, "%s", plain(err))
		return nil
	}
	if tree.Root == nil {
		return nil
	}
	return t.list(tree.Root, "")
}

// action is the text between {{ and }}, without trim markers.
type action struct {
	at    int // position of the {{
	inner string
}

var keyword = regexp.MustCompile(`^[a-z]+`)

func (a action) keyword() string { return keyword.FindString(a.inner) }

// scan finds the actions. It reports an action that is not closed, and then returns false.
func (t *compiler) scan(source string) ([]action, bool) {
	var actions []action
	for at := 0; ; {
		open := strings.Index(source[at:], "{{")
		if open < 0 {
			return actions, true
		}
		open += at
		end := closing(source[open+2:])
		if end < 0 {
			t.fail(open, "This {{ is not closed by }} on its line, or a quotation mark in it is not closed.")
			return nil, false
		}
		inner := source[open+2 : open+2+end]
		if s, ok := strings.CutPrefix(inner, "- "); ok {
			inner = s
		}
		if s, ok := strings.CutSuffix(inner, " -"); ok {
			inner = s
		}
		actions = append(actions, action{at: open, inner: strings.Trim(inner, " \t\r\n")})
		at = open + 2 + end + 2
	}
}

// closing returns the offset of the }} that ends an action; -1 if there is none before the next action or the end.
func closing(s string) int {
	if trimmed := strings.TrimLeft(strings.TrimPrefix(s, "- "), " "); strings.HasPrefix(trimmed, "/*") {
		end := strings.Index(s, "*/")
		if end < 0 {
			return -1
		}
		if brace := strings.Index(s[end:], "}}"); brace >= 0 {
			return end + brace
		}
		return -1
	}
	var quote byte
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case quote == 0 && strings.HasPrefix(s[i:], "}}"):
			return i
		case quote == 0 && (strings.HasPrefix(s[i:], "{{") || b == '\n'):
			return -1
		case quote == 0 && (b == '"' || b == '`' || b == '\''):
			quote = b
		case quote != 0 && b == '\\' && quote != '`':
			i++
		case b == quote:
			quote = 0
		}
	}
	return -1
}

var outside = map[string]string{
	"with":     "{{ with }} is not part of the prompt language.",
	"define":   "{{ define }} is not part of the prompt language: put a shared text into _shared/.",
	"block":    "{{ block }} is not part of the prompt language: put a shared text into _shared/.",
	"break":    "{{ break }} is not part of the prompt language.",
	"continue": "{{ continue }} is not part of the prompt language.",
}

// checkActions first checks each action by itself, so that every mistake is reported at its place, and then how they
// are nested.
func (t *compiler) checkActions(actions []action) bool {
	type block struct {
		action
		closed bool // it has had its else
	}
	var open []block
	fine := true
	refuse := func(a action, format string, args ...any) {
		t.fail(a.at, format, args...)
		fine = false
	}
	for _, a := range actions {
		if said := typographic(a.inner); said != "" {
			refuse(a, "%s", said)
			continue
		}
		inner, opens := a.inner, false
		switch word := a.keyword(); word {
		case "end":
			if len(open) == 0 {
				refuse(a, "This {{ end }} closes nothing.")
				continue
			}
			open = open[:len(open)-1]
			continue
		case "else":
			if len(open) == 0 || open[len(open)-1].closed {
				refuse(a, "This {{ else }} belongs to no {{ if }} or {{ range }}.")
				continue
			}
			last := &open[len(open)-1]
			rest := strings.TrimSpace(strings.TrimPrefix(inner, "else"))
			if rest == "" {
				last.closed = true
				continue
			}
			if keyword.FindString(rest) != "if" || last.keyword() != "if" {
				refuse(a, "After {{ else only an if may stand, in an {{ if }}.")
				continue
			}
			inner, opens = rest, true
		case "if", "range":
			open = append(open, block{action: a})
			opens = true
		case "template":
		default:
			if said, ok := outside[word]; ok {
				refuse(a, "%s", said)
				if word != "break" && word != "continue" {
					open = append(open, block{action: a})
				}
				continue
			}
		}
		text := "{{ " + inner + " }}"
		if strings.HasPrefix(inner, "/*") {
			text = "{{" + inner + "}}"
		}
		if opens {
			text += "{{end}}"
		}
		alone := parse.New("")
		alone.Mode = parse.SkipFuncCheck
		if _, err := alone.Parse(text, "{{", "}}", map[string]*parse.Tree{}); err != nil {
			refuse(a, "%s", plain(err))
		}
	}
	for _, b := range open {
		refuse(b.action, "This {{ %s }} is not closed by {{ end }}.", b.keyword())
	}
	return fine
}

// typographic returns advice if an action has typographic characters, as word processors and web pages use them, or "".
func typographic(inner string) string {
	switch {
	case strings.HasPrefix(inner, "/*"):
		return ""
	case strings.ContainsAny(inner, "\u00a0\u200b\u202f\ufeff"):
		return "There is a space here that is none on a keyboard: type it anew."
	case strings.ContainsAny(inner, "“”„‘’") && !strings.ContainsAny(inner, "\"`"):
		return "Use straight quotation marks here, as in {{ if eq .today \"…\" }}."
	}
	return ""
}

// plain rewrites an error of Go's template parser in plain words.
func plain(err error) string {
	said := err.Error()
	switch {
	case strings.Contains(said, "undefined variable"), strings.Contains(said, `"$`):
		return "Names with $ are not part of the prompt language: write {{ .name }}."
	case strings.Contains(said, "missing value"):
		return "Something is missing between {{ and }}."
	}
	return "This is not part of the prompt language: between {{ and }} stands a variable such as {{ .notice }}, an " +
		"if, an else, an end, a range or a template."
}

// list compiles nodes; loop is the list of the enclosing range, if any.
func (t *compiler) list(l *parse.ListNode, loop string) []node {
	if l == nil {
		return nil
	}
	var nodes []node
	for _, n := range l.Nodes {
		t.size++
		switch n := n.(type) {
		case *parse.TextNode:
			nodes = append(nodes, textNode(n.Text))
		case *parse.ActionNode:
			if r, ok := t.show(n, loop); ok {
				nodes = append(nodes, valueNode{r})
			}
		case *parse.IfNode:
			if branch, ok := t.condition(n, loop); ok {
				branch.then = t.list(n.List, loop)
				branch.otherwise = t.list(n.ElseList, loop)
				nodes = append(nodes, branch)
			}
		case *parse.RangeNode:
			list, ok := t.rangeOver(n, loop)
			body := rangeNode{list: list, otherwise: t.list(n.ElseList, loop)}
			if ok {
				body.body = t.list(n.List, list)
			}
			nodes = append(nodes, body)
		case *parse.TemplateNode:
			if body, ok := t.include(n, loop); ok {
				nodes = append(nodes, includeNode{body})
			}
		default:
			t.fail(int(n.Position()), "This is not part of the prompt language.")
		}
	}
	return nodes
}

// single returns the words of a pipeline that consists of one command.
func (t *compiler) single(p *parse.PipeNode) ([]parse.Node, bool) {
	switch {
	case len(p.Decl) > 0:
		t.fail(int(p.Position()), "Names with $ are not part of the prompt language: write {{ .name }}.")
	case len(p.Cmds) > 1:
		t.fail(int(p.Position()), "Pipes (|) are not part of the prompt language.")
	case len(p.Cmds) == 1:
		return p.Cmds[0].Args, true
	}
	return nil, false
}

// show compiles {{ .name }}.
func (t *compiler) show(n *parse.ActionNode, loop string) (ref, bool) {
	words, ok := t.single(n.Pipe)
	if !ok {
		return ref{}, false
	}
	if name, isWord := words[0].(*parse.IdentifierNode); isWord {
		t.noFunction(name, loop)
		return ref{}, false
	}
	if len(words) > 1 {
		t.fail(int(words[1].Position()), "Only one variable may stand in {{ }}.")
		return ref{}, false
	}
	r, v, ok := t.ref(words[0], loop)
	if !ok || v.Type == "" {
		return r, ok
	}
	if v.Untrusted || v.Type == Conversation || v.Type == List && !r.item {
		if !t.standsAlone(int(words[0].Position())) {
			t.fail(int(words[0].Position()), "%s must stand on a line of its own, since it %s.", t.name(r), because(v))
			return ref{}, false
		}
	}
	return r, true
}

func because(v Value) string {
	if v.Untrusted {
		return "comes from outside"
	}
	return "has several lines"
}

func (t *compiler) name(r ref) string {
	switch {
	case !r.item:
		return "{{ ." + r.name + " }}"
	case r.field == "":
		return "{{ . }}"
	}
	return "{{ ." + r.field + " }}"
}

// standsAlone reports whether an action is alone on its line.
func (t *compiler) standsAlone(offset int) bool {
	at := min(t.base+offset, len(t.text))
	start := strings.LastIndexByte(t.text[:at], '\n') + 1
	line, _, _ := strings.Cut(t.text[start:], "\n")
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "{{") && strings.HasSuffix(line, "}}") && strings.Count(line, "{{") == 1
}

func (t *compiler) noFunction(name *parse.IdentifierNode, loop string) {
	if t.declared(name.Ident, loop) {
		t.fail(int(name.Position()), "A variable has a dot before its name: {{ .%s }}.", name.Ident)
		return
	}
	t.fail(int(name.Position()), "There is no function %q: between {{ and }} stands a variable such as {{ .notice }}, "+
		"an if, a range or a template.", name.Ident)
}

func (t *compiler) declared(name, loop string) bool {
	_, ok := t.prompt.Variables[name]
	return ok || loop != "" && slices.Contains(t.prompt.Variables[loop].Fields, name)
}

// ref resolves a variable, or an item of the list of the enclosing range.
func (t *compiler) ref(n parse.Node, loop string) (ref, Value, bool) {
	at := int(n.Position())
	if loop != "" {
		return t.itemRef(n, loop)
	}
	field, ok := n.(*parse.FieldNode)
	if !ok {
		t.fail(at, "%s", notAVariable(n))
		return ref{}, Value{}, false
	}
	name := field.Ident[0]
	v, ok := t.prompt.Variables[name]
	switch {
	case !ok:
		t.undeclared(at, name)
	case len(field.Ident) > 1:
		t.used[name] = true
		t.fail(at, "The variable %q has no parts: write {{ .%s }}.", name, name)
	default:
		t.used[name] = true
		return ref{name: name}, v.Value, true
	}
	return ref{}, Value{}, false
}

func (t *compiler) undeclared(at int, name string) {
	where := ""
	if len(t.stack) > 0 {
		where = " of a prompt that uses this text"
	}
	names := slices.Collect(maps.Keys(t.prompt.Variables))
	if t.template {
		t.fail(at, "Nothing of a matter is called %q.%s", name, didYouMean(name, names))
		return
	}
	if _, exists := t.reg.Values[name]; exists {
		t.fail(at, "The variable %q is not declared in the front matter%s.", name, where)
		return
	}
	t.fail(at, "There is no variable %q in the front matter%s.%s", name, where, didYouMean(name, names))
}

func (t *compiler) itemRef(n parse.Node, loop string) (ref, Value, bool) {
	at := int(n.Position())
	list := t.prompt.Variables[loop].Value
	item := Value{Type: Text, Untrusted: list.Untrusted}
	if _, ok := n.(*parse.DotNode); ok {
		if len(list.Fields) > 0 {
			t.fail(at, "An item of %q has fields: write one of them, such as {{ .%s }}.", loop, list.Fields[0])
			return ref{}, Value{}, false
		}
		return ref{name: loop, item: true}, item, true
	}
	field, ok := n.(*parse.FieldNode)
	if !ok {
		t.fail(at, "%s", notAVariable(n))
		return ref{}, Value{}, false
	}
	name := field.Ident[0]
	_, outer := t.prompt.Variables[name]
	switch {
	case len(field.Ident) == 1 && slices.Contains(list.Fields, name):
		return ref{name: loop, item: true, field: name}, item, true
	case outer:
		t.used[name] = true
		t.fail(at, "Inside this {{ range }} only the items of %q can be used: put {{ .%s }} before or after it.", loop,
			name)
	case len(list.Fields) == 0:
		t.fail(at, "The items of %q are texts: write {{ . }}.", loop)
	default:
		t.fail(at, "An item of %q has no field %q.%s", loop, name, didYouMean(name, list.Fields))
	}
	return ref{}, Value{}, false
}

func notAVariable(n parse.Node) string {
	switch n.(type) {
	case *parse.VariableNode:
		return "Names with $ are not part of the prompt language: write {{ .name }}."
	case *parse.DotNode:
		return "A dot alone stands for an item, inside {{ range }} only."
	case *parse.StringNode, *parse.NumberNode, *parse.BoolNode, *parse.NilNode:
		return "A variable such as {{ .notice }} is needed here."
	}
	return "This is not part of the prompt language: write a variable such as {{ .notice }}."
}

// condition compiles {{ if .x }}, {{ if eq .x "a" }} and {{ if ne .x "a" }}.
func (t *compiler) condition(n *parse.IfNode, loop string) (ifNode, bool) {
	words, ok := t.single(n.Pipe)
	if !ok {
		return ifNode{}, false
	}
	function, isWord := words[0].(*parse.IdentifierNode)
	if !isWord {
		if len(words) > 1 {
			t.fail(int(words[1].Position()), "An if has one variable, as in {{ if .notice }}, or compares, as in {{ "+
				"if eq .today \"…\" }}.")
			return ifNode{}, false
		}
		r, _, ok := t.ref(words[0], loop)
		return ifNode{ref: r}, ok
	}
	if function.Ident != "eq" && function.Ident != "ne" {
		if t.declared(function.Ident, loop) {
			t.noFunction(function, loop)
		} else {
			t.fail(int(function.Position()), "There is no function %q: an if has a variable, or eq or ne.",
				function.Ident)
		}
		return ifNode{}, false
	}
	if len(words) != 3 {
		t.fail(int(function.Position()), "%s compares one variable with one text or number, as in {{ if %s .name "+
			"\"text\" }}.", function.Ident, function.Ident)
		return ifNode{}, false
	}
	r, v, ok := t.ref(words[1], loop)
	if !ok {
		return ifNode{}, false
	}
	branch := ifNode{ref: r, compare: function.Ident}
	at := int(words[2].Position())
	var want Type
	switch literal := words[2].(type) {
	case *parse.StringNode:
		branch.literal, want = literal.Text, Text
	case *parse.NumberNode:
		if !literal.IsFloat {
			t.fail(at, "This is not a plain number.")
			return ifNode{}, false
		}
		branch.literal, want = formatNumber(literal.Float64), Number
	default:
		t.fail(at, "%s compares with a text in quotes or a number.", function.Ident)
		return ifNode{}, false
	}
	if v.Type != "" && v.Type != want {
		t.fail(at, "%s is of the type %s and cannot be compared with a %s.", t.name(r), v.Type, want)
		return ifNode{}, false
	}
	if v.Choices != nil && !slices.Contains(v.Choices, branch.literal) {
		t.fail(at, "%s is never %q: it is %s.%s", t.name(r), branch.literal, either(v.Choices),
			didYouMean(branch.literal, v.Choices))
		return ifNode{}, false
	}
	return branch, true
}

func (t *compiler) rangeOver(n *parse.RangeNode, loop string) (string, bool) {
	words, ok := t.single(n.Pipe)
	if !ok {
		return "", false
	}
	at := int(words[0].Position())
	if loop != "" {
		t.fail(at, "A {{ range }} cannot stand inside another.")
		return "", false
	}
	if name, isWord := words[0].(*parse.IdentifierNode); isWord {
		t.noFunction(name, loop)
		return "", false
	}
	if len(words) > 1 {
		t.fail(int(words[1].Position()), "A range has one list, as in {{ range .parts }}.")
		return "", false
	}
	if _, isNumber := words[0].(*parse.NumberNode); isNumber {
		t.fail(at, "A range goes over a declared list, not a number.")
		return "", false
	}
	r, v, ok := t.ref(words[0], "")
	if !ok || v.Type == "" {
		return r.name, false
	}
	if v.Type != List {
		t.fail(at, "%s is of the type %s; a range needs a list.", t.name(r), v.Type)
		return "", false
	}
	return r.name, true
}

// include compiles {{ template "name" . }}. A shared text is compiled for each prompt that uses it, since it is
// checked against the prompt's variables.
func (t *compiler) include(n *parse.TemplateNode, loop string) ([]node, bool) {
	at := int(n.Position())
	names := slices.Collect(maps.Keys(t.partials))
	shared := t.partials[n.Name]
	switch {
	case shared == nil:
		t.fail(at, "There is no shared text _shared/%s.md.%s", n.Name, didYouMean(n.Name, names))
		return nil, false
	case loop != "":
		t.fail(at, "A shared text cannot stand inside {{ range }}.")
		return nil, false
	case n.Pipe == nil || len(n.Pipe.Cmds) != 1 || len(n.Pipe.Cmds[0].Args) != 1 ||
		n.Pipe.Cmds[0].Args[0].Type() != parse.NodeDot:
		t.fail(at, "Write {{ template %q . }}, with a dot at the end.", n.Name)
		return nil, false
	case slices.Contains(t.stack, n.Name):
		t.fail(at, "The shared texts go in a circle: %s → %s.",
			strings.Join(t.stack[slices.Index(t.stack, n.Name):], " → "), n.Name)
		return nil, false
	case len(t.stack) >= maxDepth:
		t.fail(at, "The shared texts are nested more than %d deep.", maxDepth)
		return nil, false
	}
	t.included[shared.file] = true
	text, ok := t.checker.text(shared.file)
	if !ok {
		for _, p := range t.sources[shared.file].problems {
			p.Prompts = []string{t.prompt.Name}
			t.add(p)
		}
		t.broken = true
		return nil, false
	}
	before := t.size
	done, ok := t.compiled[n.Name]
	if ok {
		t.size += done.size
	} else {
		inner := *t
		inner.file, inner.text, inner.base = shared.file, strings.TrimRight(text, "\n"), 0
		inner.stack = append(slices.Clone(t.stack), n.Name)
		done.body = inner.compile()
		t.size, t.broken = inner.size, inner.broken
		done.size = t.size - before
		t.compiled[n.Name] = done
	}
	if before <= maxNodes && t.size > maxNodes {
		t.fail(at, "With all its shared texts written out, this prompt is too long.")
	}
	return done.body, true
}
