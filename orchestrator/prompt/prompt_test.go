package prompt_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"munshi/orchestrator/prompt"
)

// registry is like the product's own, as far as the files of these tests need it.
func registry() prompt.Registry {
	text := prompt.Value{Type: prompt.Text}
	untrusted := prompt.Value{Type: prompt.Text, Untrusted: true}
	number := prompt.Value{Type: prompt.Number}
	return prompt.Registry{
		Values: map[string]prompt.Value{
			"notice": untrusted, "facts": untrusted, "document": untrusted, "document_type": untrusted,
			"message": untrusted, "part": untrusted, "earlier": untrusted, "today": text, "part_number": number, "part_count": number,
			"history":            {Type: prompt.Conversation, Untrusted: true},
			"required_documents": {Type: prompt.List, Fields: []string{"type", "reason", "state"}, Untrusted: true},
			"authorities":        {Type: prompt.List, Fields: []string{"citation", "court", "date", "proposition"}, Untrusted: true},
			"parts":              {Type: prompt.List, Untrusted: true},
		},
		Turns: map[string][]string{
			"analysis": {"notice", "facts", "authorities", "today"},
			"document": {"document", "document_type", "notice", "facts", "history", "required_documents", "authorities", "today"},
			"chat":     {"message", "notice", "facts", "history", "required_documents", "authorities", "today"},
		},
		Steps: map[string]prompt.StepKind{
			"extract": {}, "facts": {}, "check": {},
			"prompt": {Settings: map[string]prompt.Setting{
				"prompt":         {Required: true, Prompt: true, Gives: []string{"parts"}},
				"continue":       {Choices: []string{"yes"}},
				"part_prompt":    {Prompt: true, Gives: []string{"part", "part_number", "part_count"}},
				"history_prompt": {Prompt: true, Gives: []string{"part", "part_number", "part_count", "earlier"}},
			}},
			"save_draft":         {Settings: map[string]prompt.Setting{"document": {Required: true, Input: true}}},
			"required_documents": {Settings: map[string]prompt.Setting{"absent": {Required: true, Choices: []string{"empty", "keep"}}}},
		},
		Providers: []string{"openai", "offline"},
	}
}

const manifest = `id: demo
title: Demo
icon: file-search
order: 3
audience: everyone
inputs:
  - {id: notice, type: pdf, title: Upload}
turns:
  chat:
    title: Question
    apology: Please try again.
    steps:
      - {id: answer, kind: prompt, title: Thinking, prompt: chat}
`

const front = `---
purpose: Answers.
variables:
  message: {type: text, untrusted: true, sample: Why not}
  today: {type: text, required: false, sample: "2026-11-20"}
  part_number: {type: number, required: false, sample: 2}
  parts: {type: list, untrusted: true, required: false, sample: [one, two]}
  required_documents:
    type: list
    untrusted: true
    required: false
    sample: [{type: Invoice, reason: proof, state: needed}]
  history:
    type: conversation
    untrusted: true
    required: false
    sample: [{role: user, text: Good day.}, {role: assistant, text: I can help.}]
---
`

// all uses every variable of front, so that a body under test adds only its own problems.
const all = `{{ .message }}
{{ .today }} {{ .part_number }}
{{ if .parts }}x{{ end }}{{ if .required_documents }}y{{ end }}
{{ .history }}
`

func folder(files map[string]string) fstest.MapFS {
	m := fstest.MapFS{}
	for name, data := range files {
		m[name] = &fstest.MapFile{Data: []byte(data)}
	}
	return m
}

// demo is a valid plugin with some files changed; an empty text removes the file.
func demo(changed map[string]string) fstest.MapFS {
	files := map[string]string{
		"demo/plugin.yaml":   manifest,
		"demo/chat.md":       front + all,
		"_shared/persona.md": "You are a careful assistant.\n",
		"_shared/dated.md":   "Today is {{ .today }}.\n",
	}
	maps.Copy(files, changed)
	maps.DeleteFunc(files, func(_, data string) bool { return data == "" })
	return folder(files)
}

func problems(t *testing.T, fsys fs.FS) []string {
	t.Helper()
	_, err := prompt.Load(fsys, registry())
	if err == nil {
		return nil
	}
	var found prompt.Problems
	if !errors.As(err, &found) {
		t.Fatalf("error %v, want Problems", err)
	}
	var lines []string
	for _, p := range found {
		lines = append(lines, p.String())
	}
	if got := err.Error(); got != strings.Join(lines, "\n") {
		t.Errorf("error %q, want a line for each problem", got)
	}
	return lines
}

func load(t *testing.T, fsys fs.FS) *prompt.Bundle {
	t.Helper()
	bundles, err := prompt.Load(fsys, registry())
	if err != nil {
		t.Fatal(err)
	}
	if len(bundles) != 1 {
		t.Fatalf("%d bundles, want 1", len(bundles))
	}
	return bundles[0]
}

// If a fallback is left out, the configuration decides; an empty one means that there is none.
func TestModelSettings(t *testing.T) {
	for said, want := range map[string]prompt.Settings{
		"{}": {},
		"{provider: offline, name: m, fallback: [openai]}": {Provider: "offline", Name: "m", Fallback: []string{"openai"}},
		"{fallback: []}": {Fallback: []string{}},
	} {
		file := strings.Replace(front, "purpose: Answers.", "purpose: A\nmodel: "+said, 1) + all
		if got := load(t, demo(map[string]string{"demo/chat.md": file})).Prompt("chat").Model; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", said, got, want)
		}
	}
}

// Every problem of a body, with its line in the body and its column.
func TestBodyProblems(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"environment":            {`{{ env "HOME" }}`, `1:4: There is no function "env"`},
		"print":                  {`{{ print .today }}`, `1:4: There is no function "print"`},
		"printf":                 {`a {{ printf "%s" .message }}`, `1:6: There is no function "printf"`},
		"call":                   {`{{ call .today }}`, `1:4: There is no function "call"`},
		"html":                   {`{{ .today | html }}`, `1:4: Pipes`},
		"index":                  {`{{ index .parts 0 }}`, `1:4: There is no function "index"`},
		"no dot":                 {`{{ today }}`, `1:4: A variable has a dot before its name: {{ .today }}.`},
		"no dot in an if":        {`{{ if today }}x{{ end }}`, `1:7: A variable has a dot before its name: {{ .today }}.`},
		"no dot in a range":      {`{{ range parts }}x{{ end }}`, `1:10: A variable has a dot before its name: {{ .parts }}.`},
		"misspelt":               {`{{ .mesage }}`, `1:4: There is no variable "mesage" in the front matter. Did you mean "message"?`},
		"misspelt in an else":    {`{{ if .today }}a{{ else }}b {{ .tooday }}{{ end }}`, `1:32: There is no variable "tooday" in the front matter. Did you mean "today"?`},
		"misspelt in an else if": {`{{ if .today }}a{{ else if .tdoay }}b{{ end }}`, `1:28: There is no variable "tdoay" in the front matter. Did you mean "today"?`},
		"misspelt in a range":    {"{{ range .required_documents }}\n{{ .reson }}\n{{ end }}", `2:4: An item of "required_documents" has no field "reson". Did you mean "reason"?`},
		"misspelt list":          {"{{ range .part }}\n{{ . }}\n{{ end }}", `1:10: The variable "part" is not declared in the front matter.`},
		"not declared":           {`{{ .notice }}`, `1:4: The variable "notice" is not declared in the front matter.`},
		"nothing like it":        {`{{ .xyzzy }}`, `1:4: There is no variable "xyzzy" in the front matter.`},
		"a part of a text":       {`{{ .today.Year }}`, `1:10: The variable "today" has no parts: write {{ .today }}.`},
		"a method":               {`{{ .today.String }}`, `1:10: The variable "today" has no parts`},
		"a dot":                  {`{{ . }}`, `1:4: A dot alone stands for an item, inside {{ range }} only.`},
		"the root":               {`{{ $ }}`, `1:4: Names with $`},
		"a field of the root":    {`{{ $.today }}`, `1:5: Names with $`},
		"a definition":           {`{{ $x := .today }}`, `1:4: Names with $`},
		"an unknown $":           {`{{ $x }}`, `1:1: Names with $`},
		"a text":                 {`{{ "x" }}`, `1:4: A variable such as`},
		"a number":               {`{{ 1 }}`, `1:4: A variable such as`},
		"true":                   {`{{ true }}`, `1:4: A variable such as`},
		"nil":                    {`{{ nil }}`, `1:4: A variable such as`},
		"brackets":               {`{{ (.today) }}`, `1:5: This is not part of the prompt language`},
		"brackets with a field":  {`{{ (.today).x }}`, `This is not part of the prompt language`},
		"two variables":          {`{{ .today .part_number }}`, `1:11: Only one variable`},
		"nothing":                {`{{ }}`, `1:1: Something is missing`},
		"not closed":             {"a {{ .today", `1:3: This {{ is not closed by }}`},
		"not closed on its line": {"a {{ .today\n}}", `1:3: This {{ is not closed by }}`},
		"closed by another":      {"{{ .today {{ .part_number }}", `1:1: This {{ is not closed by }}`},
		"a quotation":            {`{{ if eq .today "x }}a{{ end }}`, `1:1: This {{ is not closed by }}`},
		"a comment":              {`{{/* never ends }}`, `1:1: This {{ is not closed by }}`},
		"rubbish":                {`{{ .today ,, }}`, `1:1: This is not part of the prompt language`},
		"with":                   {`{{ with .today }}x{{ end }}`, `1:1: {{ with }} is not part`},
		"define":                 {`{{ define "x" }}y{{ end }}`, `1:1: {{ define }} is not part`},
		"block":                  {`{{ block "x" . }}y{{ end }}`, `1:1: {{ block }} is not part`},
		"break":                  {`{{ range .parts }}{{ break }}{{ end }}`, `1:19: {{ break }} is not part`},
		"continue":               {`{{ range .parts }}{{ continue }}{{ end }}`, `1:19: {{ continue }} is not part`},
		"an if with no end":      {"x\n {{ if .today }}a", `2:2: This {{ if }} is not closed by {{ end }}.`},
		"a range with no end":    {"{{ range .parts }}a", `1:1: This {{ range }} is not closed by {{ end }}.`},
		"an end too many":        {"x {{ end }}", `1:3: This {{ end }} closes nothing.`},
		"an else too many":       {"{{ else }}", `1:1: This {{ else }} belongs to no`},
		"a second else":          {"{{ if .today }}a{{ else }}b{{ else }}c{{ end }}", `1:28: This {{ else }} belongs to no`},
		"else if after else":     {"{{ if .today }}a{{ else }}b{{ else if .parts }}c{{ end }}", `1:28: This {{ else }} belongs to no`},
		"else with":              {"{{ if .today }}a{{ else with .parts }}c{{ end }}", `1:17: After {{ else only an if`},
		"an empty if":            {"{{ if }}a{{ end }}", `1:1: Something is missing`},
		"if not":                 {"{{ if not .today }}a{{ end }}", `1:7: There is no function "not": an if has a variable, or eq or ne.`},
		"if and":                 {"{{ if and .today .parts }}a{{ end }}", `1:7: There is no function "and"`},
		"if gt":                  {"{{ if gt .part_number 1 }}a{{ end }}", `1:7: There is no function "gt"`},
		"if len":                 {"{{ if len .parts }}a{{ end }}", `1:7: There is no function "len"`},
		"if with a definition":   {"{{ if $x := .today }}a{{ end }}", `1:7: Names with $`},
		"if with a pipe":         {"{{ if .today | not }}a{{ end }}", `1:7: Pipes`},
		"if with two":            {"{{ if .today .parts }}a{{ end }}", `1:14: An if has one variable`},
		"if with a text":         {`{{ if "x" }}a{{ end }}`, `1:7: A variable such as`},
		"eq with one":            {`{{ if eq .today }}a{{ end }}`, `1:7: eq compares one variable with one text or number`},
		"eq with three":          {`{{ if eq .today "a" "b" }}a{{ end }}`, `1:7: eq compares one variable with one text or number`},
		"eq the wrong way":       {`{{ if eq "a" .today }}a{{ end }}`, `1:10: A variable such as`},
		"eq of two variables":    {`{{ if eq .today .message }}a{{ end }}`, `1:17: eq compares with a text in quotes or a number.`},
		"eq of a number":         {`{{ if eq .part_number "1" }}a{{ end }}`, `1:23: {{ .part_number }} is of the type number and cannot be compared with a text.`},
		"eq of a text":           {`{{ if ne .today 1 }}a{{ end }}`, `1:17: {{ .today }} is of the type text and cannot be compared with a number.`},
		"eq of a list":           {`{{ if eq .parts "x" }}a{{ end }}`, `1:17: {{ .parts }} is of the type list and cannot be compared`},
		"eq of an imaginary":     {`{{ if eq .part_number 1i }}a{{ end }}`, `1:23: This is not a plain number.`},
		"a very long range":      {"{{ range 1000000000 }}a{{ end }}", `1:10: A range goes over a declared list, not a number.`},
		"a range of a text":      {"{{ range .today }}a{{ end }}", `1:10: {{ .today }} is of the type text; a range needs a list.`},
		"a range of a talk":      {"{{ range .history }}a{{ end }}", `1:10: {{ .history }} is of the type conversation; a range needs a list.`},
		"a range with names":     {"{{ range $i, $p := .parts }}a{{ end }}", `Names with $`},
		"a range with a pipe":    {"{{ range .parts | x }}a{{ end }}", `1:10: Pipes`},
		"a range of two":         {"{{ range .parts .parts }}a{{ end }}", `1:17: A range has one list`},
		"a range in a range":     {"{{ range .parts }}{{ range .parts }}a{{ end }}{{ end }}", `1:28: A {{ range }} cannot stand inside another.`},
		"an outer variable":      {"{{ range .parts }}{{ .today }}{{ end }}", `1:22: Inside this {{ range }} only the items of "parts" can be used: put {{ .today }} before or after it.`},
		"a field of a text":      {"{{ range .parts }}\n{{ .type }}\n{{ end }}", `2:4: The items of "parts" are texts: write {{ . }}.`},
		"an item with fields":    {"{{ range .required_documents }}\n{{ . }}\n{{ end }}", `2:4: An item of "required_documents" has fields: write one of them, such as {{ .type }}.`},
		"untrusted in a line":    {"The notice: {{ .message }}", `1:16: {{ .message }} must stand on a line of its own, since it comes from outside.`},
		"untrusted before text":  {"{{ .message }}.", `1:4: {{ .message }} must stand on a line of its own`},
		"two untrusted":          {"{{ .message }} {{ .message }}", `1:4: {{ .message }} must stand on a line of its own`},
		"untrusted in an if":     {"{{ if .today }}{{ .message }}{{ end }}", `1:19: {{ .message }} must stand on a line of its own`},
		"untrusted item":         {"{{ range .parts }}- {{ . }}\n{{ end }}", `1:24: {{ . }} must stand on a line of its own`},
		"untrusted field":        {"{{ range .required_documents }}\n- {{ .type }}: {{ .reason }}\n{{ end }}", `2:6: {{ .type }} must stand on a line of its own`},
		"a list in a line":       {"a {{ .required_documents }}", `1:6: {{ .required_documents }} must stand on a line of its own`},
		"a conversation":         {"a {{ .history }}", `1:6: {{ .history }} must stand on a line of its own`},
		"a missing partial":      {`{{ template "persna" . }}`, `1:13: There is no shared text _shared/persna.md. Did you mean "persona"?`},
		"a partial of nothing":   {`{{ template "persona" }}`, `1:13: Write {{ template "persona" . }}, with a dot at the end.`},
		"a partial of a value":   {`{{ template "persona" .today }}`, `1:13: Write {{ template "persona" . }}, with a dot at the end.`},
		"a partial in a range":   {`{{ range .parts }}{{ template "persona" . }}{{ end }}`, `1:31: A shared text cannot stand inside {{ range }}.`},
		"a partial by path":      {`{{ template "../../etc/passwd" . }}`, `1:13: There is no shared text _shared/../../etc/passwd.md.`},
		"a partial by variable":  {`{{ template .today . }}`, `1:1: This is not part of the prompt language`},
	} {
		t.Run(name, func(t *testing.T) {
			got := problems(t, demo(map[string]string{"demo/chat.md": front + c.body + "\n" + all}))
			want, line, column := c.want, 0, 0
			if n, _ := fmt.Sscanf(c.want, "%d:%d: ", &line, &column); n == 2 {
				_, said, _ := strings.Cut(c.want, ": ")
				want = fmt.Sprintf("demo/chat.md:%d:%d: %s", strings.Count(front, "\n")+line, column, said)
			}
			if len(got) == 0 || !strings.Contains(got[0], want) {
				t.Fatalf("problems %q, want %q first", got, want)
			}
			if len(got) > 2 {
				t.Errorf("one mistake gives %d problems: %q", len(got), got)
			}
		})
	}
}

// All mistakes are reported at once, sorted.
func TestAllProblemsAreToldTogether(t *testing.T) {
	got := problems(t, demo(map[string]string{
		"demo/plugin.yaml": strings.Replace(manifest, "order: 3", "ordr: 3", 1),
		"demo/chat.md":     front + "{{ .mesage }}\n{{ env \"HOME\" }}\n{{ if .today }}{{ .tooday }}{{ else }}{{ .xyzzy }}{{ end }}\n{{ template \"dated\" . }}\n" + all,
		"demo/other.md":    front + all,
		"_shared/dated.md": "Today is {{ .todya }}.\n",
	}))
	want := []string{
		`_shared/dated.md:1:13: There is no variable "todya" in the front matter of a prompt that uses this text. Did you mean "today"? It stops demo/chat.`,
		`demo/chat.md:19:4: There is no variable "mesage" in the front matter. Did you mean "message"?`,
		`demo/chat.md:20:4: There is no function "env": between {{ and }} stands a variable such as {{ .notice }}, an if, a range or a template.`,
		`demo/chat.md:21:19: There is no variable "tooday" in the front matter. Did you mean "today"?`,
		`demo/chat.md:21:42: There is no variable "xyzzy" in the front matter.`,
		`demo/other.md:1:1: No step in plugin.yaml uses this prompt.`,
		`demo/plugin.yaml:1:1: The manifest needs "order".`,
		`demo/plugin.yaml:4:1: The manifest has no setting "ordr". Did you mean "order"?`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestFrontMatterProblems(t *testing.T) {
	edit := func(old, new string) string { return strings.Replace(front, old, new, 1) + all }
	for name, c := range map[string]struct{ file, want string }{
		"no front matter":       {all, `1:1: A prompt begins with its front matter`},
		"no end":                {strings.TrimSuffix(front, "---\n") + all, `1:1: The front matter has no end`},
		"empty":                 {"---\n---\n" + all, `2:1: There is no YAML here.`},
		"no text":               {front + " \n", `19:1: This prompt has no text below its front matter.`},
		"not YAML":              {edit("purpose: Answers.", "purpose: a: b"), `2:1: This is not valid YAML: mapping values are not allowed in this context (a text that holds a colon needs quotes).`},
		"a tab":                 {edit("  today:", "\ttoday:"), `This is not valid YAML`},
		"a list":                {"---\n- a\n---\n" + all, `2:1: The front matter is a list of “name: value” lines.`},
		"unknown key":           {edit("purpose:", "porpose:"), `2:1: The front matter has no setting "porpose". Did you mean "purpose"?`},
		"no purpose":            {edit("purpose: Answers.\n", ""), `2:1: The front matter needs "purpose".`},
		"empty purpose":         {edit("purpose: Answers.", "purpose: ''"), `2:10: purpose is empty.`},
		"purpose in two lines":  {edit("purpose: Answers.", "purpose: \"a\\nb\""), `2:10: purpose stands on one line.`},
		"purpose is a number":   {edit("purpose: Answers.", "purpose: 12"), `2:10: purpose is a text: put 12 in quotes.`},
		"set twice":             {edit("purpose: Answers.", "purpose: A\npurpose: B"), `3:1: "purpose" is set twice.`},
		"output":                {edit("purpose: Answers.", "purpose: A\noutput: markdwn"), `3:9: output cannot be "markdwn": use "json", "markdown" or "text". Did you mean "markdown"?`},
		"provider":              {edit("purpose: Answers.", "purpose: A\nmodel: {provider: opnai}"), `3:19: provider cannot be "opnai": use "offline" or "openai". Did you mean "openai"?`},
		"fallback":              {edit("purpose: Answers.", "purpose: A\nmodel: {fallback: [openai, opnai]}"), `3:28: fallback cannot be "opnai": use "offline" or "openai". Did you mean "openai"?`},
		"fallback is no list":   {edit("purpose: Answers.", "purpose: A\nmodel: {fallback: openai}"), `3:19: fallback is a list`},
		"model setting":         {edit("purpose: Answers.", "purpose: A\nmodel: {temprature: 1}"), `3:9: model has no setting "temprature". Did you mean "temperature"?`},
		"temperature":           {edit("purpose: Answers.", "purpose: A\nmodel: {temperature: 3}"), `3:22: temperature is a number from 0 to 2.`},
		"temperature in words":  {edit("purpose: Answers.", "purpose: A\nmodel: {temperature: hot}"), `3:22: temperature is a number from 0 to 2.`},
		"not a number":          {edit("purpose: Answers.", "purpose: A\nmodel: {temperature: .nan}"), `3:22: temperature is a number from 0 to 2.`},
		"max_tokens":            {edit("purpose: Answers.", "purpose: A\nmodel: {max_tokens: 1.5}"), `3:21: max_tokens is a whole number.`},
		"unknown variable":      {edit("  message:", "  mesage:"), `4:3: There is no variable "mesage". Did you mean "message"?`},
		"not used":              {edit("variables:\n", "variables:\n  facts: {type: text, untrusted: true, required: false, sample: x}\n"), `4:3: The variable "facts" is declared but the text does not use it.`},
		"no type":               {edit("message: {type: text, ", "message: {"), `4:12: The variable "message" needs "type".`},
		"no sample":             {edit(", sample: Why not", ""), `4:12: The variable "message" needs "sample".`},
		"wrong type":            {edit("message: {type: text", "message: {type: list"), `4:19: The variable "message" is of the type text.`},
		"unknown type":          {edit("message: {type: text", "message: {type: string"), `4:19: type cannot be "string": use "conversation", "list", "number" or "text".`},
		"unknown in a variable": {edit("untrusted: true, sample: Why not", "untrused: true, sample: Why not"), `has no setting "untrused". Did you mean "untrusted"?`},
		"trusted by mistake":    {edit("message: {type: text, untrusted: true", "message: {type: text"), `4:12: The variable "message" comes from outside: say “untrusted: true”.`},
		"trusted on purpose":    {edit("message: {type: text, untrusted: true", "message: {type: text, untrusted: false"), `4:36: The variable "message" comes from outside`},
		"untrusted by mistake":  {edit("today: {type: text", "today: {type: text, untrusted: true"), `The variable "today" comes from the program itself`},
		"required in words":     {edit("today: {type: text, required: false", "today: {type: text, required: maybe"), `5:33: required is true or false.`},
		"sample of a text":      {edit("sample: Why not", "sample: [a]"), `4:50: sample is a text.`},
		"sample of a date":      {edit(`sample: "2026-11-20"`, `sample: 2026-11-20`), `5:48: sample is a text: put 2026-11-20 in quotes.`},
		"sample of a number":    {edit("sample: 2}", "sample: two}"), `sample is a number`},
		"sample of a list":      {edit("sample: [one, two]", "sample: one"), `sample is a list`},
		"sample of an item":     {edit("sample: [one, two]", "sample: [one, {a: b}]"), `An item of the list is a text.`},
		"sample of a field":     {edit("{type: Invoice, reason: proof, state: needed}", "{type: Invoice, reason: proof, stat: needed}"), `An item of the list has no setting "stat". Did you mean "state"?`},
		"sample lacks a field":  {edit("{type: Invoice, reason: proof, state: needed}", "{type: Invoice, reason: proof}"), `An item of the list needs "state".`},
		"sample of a talk":      {edit("{role: user, text: Good day.}", "{role: system, text: Good day.}"), `role cannot be "system": use "assistant" or "user".`},
		"an anchor":             {edit("sample: Why not", "sample: &a Why not"), `Anchors and aliases (& and *) are not used here`},
		"an alias in a list":    {edit("sample: [one, two]", "sample: [&a one, *a]"), `Anchors and aliases`},
		"an alias as a value":   {edit("purpose: Answers.", "purpose: &p A\noutput: *p"), `Anchors and aliases`},
		"a merge":               {edit("variables:\n", "variables:\n  <<: {a: b}\n"), `A name must be a plain word.`},
		"a list as a name":      {edit("variables:\n", "variables:\n  ? [a]\n  : b\n"), `A name must be a plain word.`},
		"two documents":         {strings.Replace(front, "variables:", "...\n--- # more\nvariables:", 1) + all, `2:1: There is more than one YAML document here`},
		"a zero byte":           {front + "a\x00b\n" + all, `19:2: There is a control character here.`},
		"not UTF-8":             {front + "a \xff b\n" + all, `19:3: This is not UTF-8 text: save the file as UTF-8.`},
		"a key":                 {front + "Use sk-abcdefghijklmnopqrstuv.\n" + all, `19:5: This looks like a secret key.`},
		"a password":            {front + "See postgres://munshi:hush@db/munshi.\n" + all, `This looks like a secret key.`},
		"a private key":         {front + "-----BEGIN RSA PRIVATE KEY-----\n" + all, `19:1: This looks like a secret key.`},
	} {
		t.Run(name, func(t *testing.T) {
			got := problems(t, demo(map[string]string{"demo/chat.md": c.file}))
			if !slices.ContainsFunc(got, func(p string) bool { return strings.HasPrefix(p, "demo/chat.md:") && strings.Contains(p, c.want) }) {
				t.Errorf("problems\n%s\nwant %q among them", strings.Join(got, "\n"), c.want)
			}
			if len(got) > 3 {
				t.Errorf("one mistake gives %d problems:\n%s", len(got), strings.Join(got, "\n"))
			}
		})
	}
}

// A tab with the address of one of the app's pages could never be opened.
func TestReservedNames(t *testing.T) {
	reg := registry()
	reg.Reserved = []string{"demo"}
	_, err := prompt.Load(demo(nil), reg)
	if err == nil || !strings.Contains(err.Error(), `plugin.yaml:1:5: The app has a page of its own named "demo"`) {
		t.Errorf("the error is %v", err)
	}
}

func TestManifestProblems(t *testing.T) {
	edit := func(old, new string) string {
		if !strings.Contains(manifest, old) {
			panic(old)
		}
		return strings.Replace(manifest, old, new, 1)
	}
	steps := func(lines string) string {
		return edit("      - {id: answer, kind: prompt, title: Thinking, prompt: chat}\n", lines)
	}
	const answer = "      - {id: answer, kind: prompt, title: T, prompt: chat}\n"
	for name, c := range map[string]struct{ file, want string }{
		"empty":              {" \n", `1:1: There is no YAML here.`},
		"another id":         {edit("id: demo", "id: dema"), `1:5: id must be the name of the folder, "demo".`},
		"unknown key":        {edit("title: Demo", "titel: Demo"), `2:1: The manifest has no setting "titel". Did you mean "title"?`},
		"order in words":     {edit("order: 3", "order: third"), `4:8: order is a number from 1 to 1000.`},
		"audience":           {edit("everyone", "evryone"), `5:11: audience cannot be "evryone": use "everyone", "members" or "operators". Did you mean "everyone"?`},
		"icon":               {edit("file-search", "File Search.png"), `3:7: icon is a name from lucide.dev`},
		"input type":         {edit("type: pdf", "type: PDF"), `type cannot be "PDF": use "choice", "pdf" or "text". Did you mean "pdf"?`},
		"input id":           {edit("{id: notice", "{id: My notice"), `id is a word of small letters`},
		"input key":          {edit("type: pdf", "type: pdf, kind: x"), `An input has no setting "kind".`},
		"choice of nothing":  {edit("type: pdf", "type: choice"), `An input of the type choice needs “choices”.`},
		"choices of a pdf":   {edit("type: pdf", "type: pdf, choices: [a]"), `Only an input of the type choice has “choices”.`},
		"turn":               {edit("  chat:", "  chatt:"), `turns has no setting "chatt". Did you mean "chat"?`},
		"turn key":           {edit("apology:", "apolgy:"), `A turn has no setting "apolgy". Did you mean "apology"?`},
		"no turns":           {manifest[:strings.Index(manifest, "turns:")] + "turns: {}\n", `turns is empty`},
		"no steps":           {edit("    steps:\n      - {id: answer, kind: prompt, title: Thinking, prompt: chat}\n", "    steps: []\n"), `steps is empty`},
		"steps as a mapping": {edit("      - {id", "        {id"), `steps is a list`},
		"message":            {edit("title: Question", "title: Question\n    message: I have uploaded {document_type}..."), `The turn chat has no text called "document_type".`},
		"step kind":          {edit("kind: prompt", "kind: promt"), `kind cannot be "promt": use "check", "extract", "facts", "prompt", "required_documents" or "save_draft". Did you mean "prompt"?`},
		"step key":           {edit("prompt: chat", "promt: chat"), `A step of the kind prompt has no setting "promt". Did you mean "prompt"?`},
		"step needs":         {edit(", prompt: chat", ""), `13:9: A step of the kind prompt needs "prompt".`},
		"step title":         {edit("title: Thinking, ", ""), `13:9: A step needs "title".`},
		"step id":            {edit("id: answer", "id: The answer"), `id is a word of small letters`},
		"same id":            {steps(answer + answer), `14:9: Two steps of this turn have the id "answer".`},
		"setting of another": {steps(answer + "      - {id: x, kind: extract, title: T, prompt: chat}\n"), `A step of the kind extract has no setting "prompt".`},
		"absent":             {steps(answer + "      - {id: x, kind: required_documents, title: T, absent: drop}\n"), `absent cannot be "drop": use "empty" or "keep".`},
		"save what":          {steps(answer + "      - {id: x, kind: save_draft, title: T, document: kind}\n"), `has no input "kind" that is always given.`},
		"no absent":          {steps(answer + "      - {id: x, kind: required_documents, title: T}\n"), `A step of the kind required_documents needs "absent".`},
		"prompt":             {edit("prompt: chat", "prompt: caht"), `There is no prompt "caht" in this folder. Did you mean "chat"?`},
		"prompt as a file":   {edit("prompt: chat", "prompt: chat.md"), `There is no prompt "chat.md" in this folder. Did you mean "chat"?`},
		"prompt of two":      {edit("prompt: chat", "prompt: [chat]"), `prompt is a text.`},
		"a missing value":    {strings.Replace(manifest, "  chat:", "  analysis:", 1), `The prompt chat requires "message", which a turn of the kind analysis does not have here.`},
		"many documents":     {manifest + "---\nid: x\n", `There is more than one YAML document here`},
	} {
		t.Run(name, func(t *testing.T) {
			got := problems(t, demo(map[string]string{"demo/plugin.yaml": c.file}))
			if !slices.ContainsFunc(got, func(p string) bool { return strings.HasPrefix(p, "demo/plugin.yaml:") && strings.Contains(p, c.want) }) {
				t.Errorf("problems\n%s\nwant %q among them", strings.Join(got, "\n"), c.want)
			}
			if len(got) > 3 {
				t.Errorf("one mistake gives %d problems:\n%s", len(got), strings.Join(got, "\n"))
			}
		})
	}
}

// Traces of word processors, old editors and git in files are reported as such, and not taken for text.
func TestWhatOtherProgramsLeave(t *testing.T) {
	for name, c := range map[string]struct{ chat, want string }{
		"spaces behind the dashes":  {strings.ReplaceAll(front, "---\n", "--- \t\n") + all, ""},
		"Windows":                   {"\ufeff" + strings.ReplaceAll(front+all, "\n", "\r\n"), ""},
		"a rule in the text":        {front + "One\n\n---\n\nTwo\n" + all, ""},
		"a heading of equals signs": {front + "Title\n=======\n" + all, ""},
		"the end of the file":       {strings.TrimRight(front, "\n"), "This prompt has no text below its front matter."},
		"a merge that was left":     {front + "<<<<<<< HEAD\nOne\n=======\nTwo\n>>>>>>> asha\n" + all, "demo/chat.md:19:1: Two changes meet here"},
		"a merge in front matter":   {strings.Replace(front, "purpose", "<<<<<<< HEAD\npurpose", 1) + all, "demo/chat.md:2:1: Two changes meet here"},
		"a space of another kind":   {front + "a {{\u00a0.today }}\n" + all, "demo/chat.md:19:3: There is a space here that is none on a keyboard: type it anew."},
		"a space of no width":       {front + "a {{ .today\u200b }}\n" + all, "demo/chat.md:19:3: There is a space here"},
		"curly quotes":              {front + "{{ if eq .today “x” }}a{{ end }}\n" + all, "demo/chat.md:19:1: Use straight quotation marks here"},
		"curly quotes in a text":    {front + "{{ if eq .today \"“x”\" }}a{{ end }}{{/* “so” */}}\n" + all, ""},
	} {
		got := strings.Join(problems(t, demo(map[string]string{"demo/chat.md": c.chat})), "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %q", name, got, c.want)
		}
	}
	kept := map[string][]byte{"demo/plugin.yaml": []byte(manifest), "demo/chat.md": []byte(front + "<<<<<<< HEAD\n" + all)}
	if _, err := prompt.Open(kept, registry()); err != nil {
		t.Errorf("what served before a check was made cannot be opened: %v", err)
	}
}

// A translation is keyed by the place of its text: changing the English loses no Hindi, and a place that does not exist
// is a mistake. Translations that an earlier version keyed by the text itself still work.
func TestTranslationsByPlace(t *testing.T) {
	const hindi = "translations:\n  hi:\n    turns.chat.title: सवाल\n    turns.chat.steps.answer: सोच रहा है\n"
	for _, title := range []string{"Question", "Ask"} {
		file := strings.Replace(manifest, "title: Question", "title: "+title, 1) + hindi
		got := load(t, demo(map[string]string{"demo/plugin.yaml": file})).Manifest().Translations["hi"]
		if want := map[string]string{title: "सवाल", "Thinking": "सोच रहा है"}; !maps.Equal(got, want) {
			t.Errorf("%s: %q, want %q", title, got, want)
		}
	}
	wrong := manifest + strings.Replace(hindi, "turns.chat.title", "turns.caht.title", 1)
	want := `No text of this file stands at "turns.caht.title". Did you mean "turns.chat.title"?`
	if got := problems(t, demo(map[string]string{"demo/plugin.yaml": wrong})); len(got) != 1 || !strings.Contains(got[0], want) {
		t.Errorf("%q, want %q", got, want)
	}
	kept := map[string][]byte{"demo/plugin.yaml": []byte(manifest + "translations: {hi: {Question: प्रश्न}}\n"), "demo/chat.md": []byte(front + all)}
	b, err := prompt.Open(kept, registry())
	if err != nil || b.Manifest().Translations["hi"]["Question"] != "प्रश्न" {
		t.Errorf("a kept version: %v", err)
	}
}

// No content of a folder keeps its reader busy for long, or produces an endless list of problems.
func TestHugeFolders(t *testing.T) {
	got := problems(t, demo(map[string]string{"demo/chat.md": front + all + strings.Repeat("{{ if .message }}", 9000)}))
	if len(got) != 101 || !slices.Contains(got, "demo:1:1: There are more mistakes than are told here: mend these first.") {
		t.Errorf("%d mistakes are told", len(got))
	}
	many, long := map[string]string{}, map[string]string{}
	for n := range 201 {
		many[fmt.Sprintf("demo/a%d.md", n)] = "x"
	}
	for n := range 17 {
		long[fmt.Sprintf("demo/a%d.md", n)] = strings.Repeat("x", 250<<10)
	}
	for want, files := range map[string]map[string]string{
		"demo:1:1: This folder has more than 200 files.":                  many,
		"demo:1:1: The files of this folder are longer than 4 MB in all.": long,
	} {
		if got := problems(t, demo(files)); !slices.Equal(got, []string{want}) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Links are followed within the prompts folder, as in a mounted ConfigMap; links out of it are not.
func TestLinksOutOfTheFolder(t *testing.T) {
	const refused = "cannot be read. A link that leads out of the prompts folder is not followed."
	home := t.TempDir()
	secret := filepath.Join(home, "key.md")
	if err := errors.Join(os.WriteFile(secret, []byte("top secret"), 0o600), os.Mkdir(filepath.Join(home, "out"), 0o700)); err != nil {
		t.Fatal(err)
	}
	for link, c := range map[string]struct{ to, want string }{
		"demo/more.md":       {"../../key.md", "demo/more.md:1:1: This file " + refused},
		"demo/whole.md":      {secret, "demo/whole.md:1:1: This file " + refused},
		"demo/loop.md":       {"loop.md", "demo/loop.md:1:1: This file " + refused},
		"other":              {"../out", "other:1:1: This folder " + refused},
		"demo/chat.md":       {"../.data/chat.md", ""},
		"_shared/persona.md": {"../../key.md", ""}, // nobody uses it
	} {
		dir := filepath.Join(home, "prompts")
		files := demo(map[string]string{".data/chat.md": front + all})
		delete(files, link)
		err := errors.Join(os.RemoveAll(dir), os.CopyFS(dir, files), os.Symlink(c.to, filepath.Join(dir, link)))
		if err != nil {
			t.Fatal(err)
		}
		folders, err := prompt.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, f := range folders {
			if _, err := f.Check(registry()); err != nil {
				said = append(said, err.Error())
			}
		}
		if got := strings.Join(said, "\n"); got != c.want {
			t.Errorf("%s to %s: %s, want %q", link, c.to, got, c.want)
		}
	}
}

// A mistake in a shared text is reported once, with every prompt that it affects, whatever they declare.
func TestMistakeInASharedTextIsToldOnce(t *testing.T) {
	uses := "{{ template \"tone\" . }}\n{{ .message }}\n"
	head := "---\npurpose: x\nvariables: {message: {type: text, untrusted: true, sample: x}%s}\n---\n"
	chat, other := fmt.Sprintf(head, ", today: {type: text, sample: x}")+uses+"{{ .today }}\n", fmt.Sprintf(head, "")+uses
	for tone, want := range map[string]string{
		"One.\nToday is {{ .todya }}.": `_shared/tone.md:2:13: There is no variable "todya" in the front matter of a prompt that uses this text. Did you mean "today"? It stops demo/chat, demo/other.`,
		"Today is {{ .today }}.":       `_shared/tone.md:1:13: The variable "today" is not declared in the front matter of a prompt that uses this text. It stops demo/other.`,
		"One {{ env \"HOME\" }}":       `_shared/tone.md:1:8: There is no function "env": between {{ and }} stands a variable such as {{ .notice }}, an if, a range or a template. It stops demo/chat, demo/other.`,
		"a\xffb":                       `_shared/tone.md:1:2: This is not UTF-8 text: save the file as UTF-8. It stops demo/chat, demo/other.`,
		`{{ template "deep" . }}`:      `_shared/deep.md:1:4: There is no variable "mesage" in the front matter of a prompt that uses this text. Did you mean "message"? It stops demo/chat, demo/other.`,
	} {
		_, err := prompt.Load(demo(map[string]string{
			"_shared/tone.md": tone, "_shared/deep.md": "{{ .mesage }}", "demo/chat.md": chat, "demo/other.md": other,
			"demo/plugin.yaml": strings.Replace(manifest, "steps:\n", "steps:\n      - {id: other, kind: prompt, title: Other, prompt: other}\n", 1),
		}), registry())
		if err == nil || err.Error() != want {
			t.Errorf("%q gives\n%v\nwant\n%s", tone, err, want)
		}
	}
}

func TestFolderProblems(t *testing.T) {
	deep := map[string]string{}
	for i := range 12 {
		deep[fmt.Sprintf("_shared/deep%d.md", i)] = fmt.Sprintf("{{ template \"deep%d\" . }}\n", i+1)
	}
	deep["_shared/deep12.md"] = "the end\n"
	wide := map[string]string{}
	for i := range 9 {
		wide[fmt.Sprintf("_shared/wide%d.md", i)] = strings.Repeat(fmt.Sprintf("{{ template \"wide%d\" . }}", i+1), 10) + "\n"
	}
	wide["_shared/wide9.md"] = ""
	maps.Copy(wide, map[string]string{"_shared/wide9.md": " "})
	use := func(name string, files map[string]string) map[string]string {
		files["demo/chat.md"] = front + "{{ template \"" + name + "\" . }}\n" + all
		return files
	}
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no manifest":         {map[string]string{"demo/plugin.yaml": ""}, `demo/plugin.yaml:1:1: This folder has no plugin.yaml`},
		"prompt's name":       {map[string]string{"demo/My Prompt.md": front + all}, `demo/My Prompt.md:1:1: A prompt's file has a name of small letters`},
		"folder's name":       {map[string]string{"My Plugin/plugin.yaml": manifest}, `My Plugin:1:1: A plugin's folder has a name`},
		"too long":            {map[string]string{"demo/chat.md": strings.Repeat("x", 300<<10)}, `demo/chat.md:1:1: This file is longer than 256 KB.`},
		"itself":              {use("a", map[string]string{"_shared/a.md": "x {{ template \"a\" . }}"}), `_shared/a.md:1:15: The shared texts go in a circle: a → a.`},
		"a circle":            {use("a", map[string]string{"_shared/a.md": "{{ template \"b\" . }}", "_shared/b.md": "{{ template \"a\" . }}"}), `_shared/b.md:1:13: The shared texts go in a circle: a → b → a.`},
		"too deep":            {use("deep0", deep), `The shared texts are nested more than 10 deep.`},
		"too wide":            {use("wide0", wide), `With all its shared texts written out, this prompt is too long.`},
		"broken shared":       {use("a", map[string]string{"_shared/a.md": "x {{ env \"HOME\" }}"}), `_shared/a.md:1:6: There is no function "env"`},
		"unknown in a shared": {use("a", map[string]string{"_shared/a.md": "{{ .facts }}"}), `_shared/a.md:1:4: The variable "facts" is not declared in the front matter of a prompt that uses this text. It stops demo/chat.`},
		"untrusted in shared": {use("a", map[string]string{"_shared/a.md": "x {{ .message }}"}), `_shared/a.md:1:6: {{ .message }} must stand on a line of its own`},
		"a key in a shared":   {use("a", map[string]string{"_shared/a.md": "rzp_live_abcdefghij1234"}), `_shared/a.md:1:1: This looks like a secret key.`},
	} {
		t.Run(name, func(t *testing.T) {
			got := problems(t, demo(c.files))
			if !slices.ContainsFunc(got, func(p string) bool { return strings.Contains(p, c.want) }) {
				t.Errorf("problems\n%s\nwant %q among them", strings.Join(got, "\n"), c.want)
			}
			if len(got) > 12 {
				t.Errorf("%d problems", len(got))
			}
		})
	}
	if _, err := prompt.Load(os.DirFS(filepath.Join(t.TempDir(), "none")), registry()); err == nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder at all: %v", err)
	}
}

// A broken plugin does not affect the others.
func TestBrokenPluginAlone(t *testing.T) {
	fsys := demo(nil)
	for name, file := range demo(map[string]string{"demo/plugin.yaml": strings.ReplaceAll(strings.Replace(manifest, "order: 3", "order: 2", 1), "id: demo", "id: other")}) {
		fsys[strings.Replace(name, "demo/", "other/", 1)] = file
	}
	for name, file := range demo(map[string]string{"demo/chat.md": "nothing"}) {
		fsys[strings.Replace(name, "demo/", "broken/", 1)] = file
	}
	fsys["_notes/letter.md"] = &fstest.MapFile{Data: []byte("no prompt")}
	fsys[".git/config"] = &fstest.MapFile{Data: []byte("x")}
	fsys["README.md"] = &fstest.MapFile{Data: []byte("x")}
	fsys["demo/README.md"] = &fstest.MapFile{Data: []byte("x")}
	fsys["demo/chat.md.swp"] = &fstest.MapFile{Data: []byte("x")}
	fsys["demo/.chat.md"] = &fstest.MapFile{Data: []byte("x")}
	bundles, err := prompt.Load(fsys, registry())
	var found prompt.Problems
	if !errors.As(err, &found) {
		t.Fatal(err)
	}
	for _, p := range found {
		if !strings.HasPrefix(p.File, "broken/") {
			t.Errorf("problem %s", p)
		}
	}
	var ids []string
	for _, b := range bundles {
		ids = append(ids, b.Manifest().ID)
	}
	if !slices.Equal(ids, []string{"other", "demo"}) {
		t.Errorf("bundles %v, want other and demo, by their order", ids)
	}
}

// A prompt must leave room in the model: its own words count, on the longest way through its branches.
func TestSizes(t *testing.T) {
	body := all + "{{ template \"persona\" . }}\n{{ if .today }}" + strings.Repeat("word ", 100) + "{{ else }}" + strings.Repeat("word ", 10) + "{{ end }}\n"
	for room, want := range map[int]int{0: 0, 1000: 0, 100: 1} {
		reg := registry()
		reg.Tokens = func(text string) int { return len(strings.Fields(text)) }
		reg.Room = func(prompt.Settings) int { return room }
		_, err := prompt.Load(demo(map[string]string{"demo/chat.md": front + body}), reg)
		var found prompt.Problems
		errors.As(err, &found)
		if len(found) != want || want > 0 && !strings.Contains(err.Error(), "demo/chat.md:1:1: This prompt's own words") {
			t.Errorf("with room for %d: %v", room, err)
		}
	}
}

// The content of a folder has the same hash whether or not it is valid, and no other plugin's texts change
// it.
func TestFolderNames(t *testing.T) {
	sha := func(changed map[string]string) string {
		t.Helper()
		folders, err := prompt.Read(demo(changed))
		if err != nil || len(folders) != 1 {
			t.Fatal(folders, err)
		}
		if b, err := folders[0].Check(registry()); err == nil && b.SHA() != folders[0].SHA {
			t.Errorf("the folder is %s, its bundle %s", folders[0].SHA, b.SHA())
		}
		return folders[0].SHA
	}
	uses := map[string]string{"demo/chat.md": front + all + "{{template \"dated\" . }}\n"}
	with := func(name, text string) map[string]string {
		changed := maps.Clone(uses)
		changed[name] = text
		return changed
	}
	if sha(uses) != sha(with("_shared/other.md", "Nobody names this.")) {
		t.Error("a shared text that it does not use changes a plugin")
	}
	for name, text := range map[string]string{"_shared/dated.md": "Now is {{ .today }}.", "demo/plugin.yaml": "broken", "demo/more.md": "unused"} {
		if sha(uses) == sha(with(name, text)) {
			t.Errorf("%s does not change it", name)
		}
	}
	if sha(with("demo/plugin.yaml", "broken")) == sha(with("demo/plugin.yaml", "broken too")) {
		t.Error("one broken folder is like another")
	}
}

func TestBundle(t *testing.T) {
	fsys := demo(map[string]string{"demo/chat.md": front + "{{ template \"dated\" . }}\n" + all})
	b := load(t, fsys)
	files := b.Files()
	if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got, []string{"_shared/dated.md", "demo/chat.md", "demo/plugin.yaml"}) {
		t.Errorf("files %v: the shared text that is used, and no other", got)
	}
	again, err := prompt.Open(files, registry())
	if err != nil {
		t.Fatal(err)
	}
	if again.SHA() != b.SHA() || again.Prompt("chat").SHA != b.Prompt("chat").SHA || len(b.SHA()) != 64 {
		t.Errorf("opened again: sha %s, was %s", again.SHA(), b.SHA())
	}
	for name, c := range map[string]struct {
		file, data     string
		bundle, prompt bool // which hashes change
	}{
		"the prompt":            {"demo/chat.md", front + "{{ template \"dated\" . }}\n\n" + all, true, true},
		"a shared text":         {"_shared/dated.md", "It is {{ .today }}.\n", true, true},
		"the manifest":          {"demo/plugin.yaml", manifest + "\n", true, false},
		"an unused shared text": {"_shared/persona.md", "You are another.\n", false, false},
	} {
		changed := maps.Clone(fsys)
		changed[c.file] = &fstest.MapFile{Data: []byte(c.data)}
		other := load(t, changed)
		if got := other.SHA() != b.SHA(); got != c.bundle {
			t.Errorf("%s: bundle's sha changed %t", name, got)
		}
		if got := other.Prompt("chat").SHA != b.Prompt("chat").SHA; got != c.prompt {
			t.Errorf("%s: prompt's sha changed %t", name, got)
		}
	}
	for name, files := range map[string]map[string][]byte{
		"nothing":     {},
		"two plugins": {"a/plugin.yaml": nil, "b/plugin.yaml": nil},
		"no folder":   {"plugin.yaml": nil},
		"a broken":    {"demo/plugin.yaml": []byte(manifest)},
	} {
		if _, err := prompt.Open(files, registry()); err == nil {
			t.Errorf("%s: opened", name)
		}
	}
}

func TestWindowsFiles(t *testing.T) {
	fsys := demo(nil)
	want := load(t, fsys)
	for name, file := range fsys {
		fsys[name] = &fstest.MapFile{Data: append([]byte("\xef\xbb\xbf"), strings.ReplaceAll(string(file.Data), "\n", "\r\n")...)}
	}
	got := load(t, fsys)
	a, _ := want.Render("chat", want.Prompt("chat").Samples())
	b, err := got.Render("chat", got.Prompt("chat").Samples())
	if err != nil || !slices.Equal(a, b) {
		t.Errorf("rendered %q, %v", b, err)
	}
}

func TestMountedConfigMap(t *testing.T) {
	dir := t.TempDir()
	write := func(name, data string) {
		path := filepath.Join(dir, "..data", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("demo/plugin.yaml", manifest)
	write("demo/chat.md", front+all)
	if err := os.Symlink(filepath.Join("..data", "demo"), filepath.Join(dir, "demo")); err != nil {
		t.Fatal(err)
	}
	if b := load(t, os.DirFS(dir)); b.Manifest().ID != "demo" {
		t.Errorf("manifest %+v", b.Manifest())
	}
}
