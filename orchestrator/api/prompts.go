package api

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"munshi/orchestrator/store"
)

// PromptList is the state of all prompts, for operators.
type PromptList struct {
	Plugins []PromptPlugin `json:"plugins" doc:"By their names, the templates last"`
	History []PromptChange `json:"history" doc:"The latest changes of all plugins, newest first"`
}

// PromptPlugin is the state of one plugin's prompts.
type PromptPlugin struct {
	Plugin   string          `json:"plugin"`
	Serving  *PromptVersion  `json:"serving" doc:"The live version, or null"`
	Folder   PromptChange    `json:"folder" doc:"What its folder held when it last changed"`
	Problems []PromptProblem `json:"problems" doc:"What is wrong with the folder; the live version continues"`
	Held     *PromptTrial    `json:"held,omitempty" doc:"The test run of what the gate holds back; left out if it holds nothing back"`
}

// PromptTrial is the state of the run that tests prompts held back by the gate.
type PromptTrial struct {
	Run     string   `json:"run" doc:"The evaluation; empty until it starts"`
	State   string   `json:"state" enum:"waiting,queued,running,done,failed,cancelled"`
	Reasons []string `json:"reasons" doc:"Why they are not live, in sentences, once it has ended"`
}

// PromptVersion is a version in use.
type PromptVersion struct {
	SHA   string    `json:"sha"`
	Since time.Time `json:"since"`
}

// PromptChange is an event in the history of a plugin's prompts.
type PromptChange struct {
	Plugin string    `json:"plugin"`
	SHA    string    `json:"sha"`
	Event  string    `json:"event" enum:"served,same,held,broken,rolled_back,withdrawn,published,overridden"`
	Commit string    `json:"commit" doc:"Where the folder is a git checkout with nothing uncommitted, else empty"`
	Author string    `json:"author"`
	Reason string    `json:"reason,omitempty" doc:"The reason given for publishing what the gate had held back"`
	At     time.Time `json:"at"`
}

// PromptProblem is one mistake in a prompt file.
type PromptProblem struct {
	File    string   `json:"file"`
	Line    int      `json:"line"`
	Column  int      `json:"column"`
	Message string   `json:"message" doc:"A plain sentence"`
	Prompts []string `json:"prompts" doc:"Of a shared text: the prompts that it stops, as in notice/analyse"`
}

// TransformSchema says which fields may be null.
func (PromptPlugin) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "serving")
}

// changesShown is how many events the list of prompts includes.
const changesShown = 50

func (s *server) prompts(ctx context.Context, _ *none) (*body[PromptList], error) {
	status, err := s.Store.PromptStatus(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	history, err := s.Store.PromptHistory(ctx, "", changesShown)
	if err != nil {
		return nil, s.toProblem(err)
	}
	list := PromptList{Plugins: []PromptPlugin{}, History: []PromptChange{}}
	for _, p := range status {
		out := PromptPlugin{Plugin: p.Plugin, Folder: promptChange(p.Folder), Problems: []PromptProblem{}}
		if p.Serving != nil {
			out.Serving = &PromptVersion{SHA: p.Serving.SHA, Since: p.Serving.Since}
		}
		if err := json.Unmarshal(p.Folder.Problems, &out.Problems); err != nil {
			return nil, s.toProblem(err)
		}
		if p.Folder.Event == store.PromptHeld && (p.Serving == nil || p.Serving.SHA != p.Folder.SHA) {
			run, err := s.Store.GateRun(ctx, p.Plugin, p.Folder.SHA)
			switch {
			case errors.Is(err, store.ErrNotFound):
				out.Held = &PromptTrial{State: "waiting", Reasons: []string{}}
			case err != nil:
				return nil, s.toProblem(err)
			default:
				out.Held = &PromptTrial{
					Run:     run.ID.String(),
					State:   run.State,
					Reasons: append([]string{}, run.Held...),
				}
			}
		}
		list.Plugins = append(list.Plugins, out)
	}
	slices.SortStableFunc(list.Plugins, func(a, b PromptPlugin) int { // templates come after the plugins
		switch templates := func(p PromptPlugin) bool { return strings.HasPrefix(p.Plugin, "_") }; {
		case templates(a) == templates(b):
			return 0
		case templates(a):
			return 1
		}
		return -1
	})
	for _, e := range history {
		list.History = append(list.History, promptChange(e))
	}
	return &body[PromptList]{list}, nil
}

func promptChange(e store.PromptEvent) PromptChange {
	return PromptChange{
		Plugin: e.Plugin,
		SHA:    e.SHA,
		Event:  e.Event,
		Commit: e.Commit,
		Author: e.Author,
		Reason: e.Reason,
		At:     e.At,
	}
}

// QuestionList is what models were asked in a turn.
type QuestionList struct {
	Questions []Question `json:"questions" doc:"In the order in which they were answered"`
}

// Question is one question to a model, as it was sent.
type Question struct {
	Step       string            `json:"step"`
	Part       string            `json:"part" doc:"Level and number of a part of a long text; empty for the whole"`
	Provenance Provenance        `json:"provenance"`
	Messages   []QuestionMessage `json:"messages"`
	AnsweredAt time.Time         `json:"answered_at"`
}

// QuestionMessage is one message of a question.
type QuestionMessage struct {
	Role string `json:"role" enum:"system,user,assistant"`
	Text string `json:"text"`
}

func (s *server) questions(ctx context.Context, in *idInput) (*body[QuestionList], error) {
	kept, err := s.Store.Questions(ctx, in.ID, operatorOf(ctx))
	if err != nil {
		return nil, s.toProblem(err)
	}
	s.Log.InfoContext(ctx, "an operator reads what the model was asked", "turn", in.ID, "session", operatorOf(ctx))
	list := QuestionList{Questions: []Question{}}
	for _, k := range kept {
		q := Question{Step: k.Step, Part: k.Part, AnsweredAt: k.At}
		if err := json.Unmarshal(k.Answer, &q.Provenance); err != nil {
			return nil, s.toProblem(err)
		}
		if err := json.Unmarshal(k.Question, &q); err != nil { // only its messages are needed
			return nil, s.toProblem(err)
		}
		list.Questions = append(list.Questions, q)
	}
	return &body[QuestionList]{list}, nil
}

type pluginInput struct {
	Plugin string `path:"plugin" maxLength:"100"`
}

// PromptVersions are the versions of a plugin.
type PromptVersions struct {
	Versions []PromptChange `json:"versions" doc:"Each one once, at its first appearance, newest first"`
}

// versionsShown is how many versions the web app shows to operators; `munshi prompts log` shows more.
const versionsShown = 500

func (s *server) promptVersions(ctx context.Context, in *pluginInput) (*body[PromptVersions], error) {
	history, err := s.Store.PromptHistory(ctx, plainText(in.Plugin), versionsShown)
	if err != nil {
		return nil, s.toProblem(err)
	}
	list := PromptVersions{Versions: []PromptChange{}}
	for i, e := range history {
		saved := e.Event == store.PromptServed || e.Event == store.PromptHeld
		if saved && !slices.ContainsFunc(history[i+1:], func(before store.PromptEvent) bool {
			return before.SHA == e.SHA && before.Event == e.Event
		}) {
			list.Versions = append(list.Versions, promptChange(e))
		}
	}
	return &body[PromptVersions]{list}, nil
}

type changesInput struct {
	Plugin string `path:"plugin" maxLength:"100"`
	From   string `query:"from" required:"true" minLength:"64" maxLength:"64" pattern:"^[0-9a-f]+$" doc:"The version before"`
	To     string `query:"to" required:"true" minLength:"64" maxLength:"64" pattern:"^[0-9a-f]+$" doc:"The version after"`
}

// PromptChanges is the difference between two versions of a plugin.
type PromptChanges struct {
	Files []PromptFileChange `json:"files" doc:"Those that differ, by their names"`
}

// PromptFileChange is the difference in one file.
type PromptFileChange struct {
	File string `json:"file"`
	Diff string `json:"diff" doc:"A unified diff"`
}

func (s *server) promptChanges(ctx context.Context, in *changesInput) (*body[PromptChanges], error) {
	from, err := s.Store.Bundle(ctx, in.From)
	if err != nil {
		return nil, s.toProblem(err)
	}
	to, err := s.Store.Bundle(ctx, in.To)
	if err != nil {
		return nil, s.toProblem(err)
	}
	if from.Plugin != in.Plugin || to.Plugin != in.Plugin {
		return nil, notFound()
	}
	out := PromptChanges{Files: []PromptFileChange{}}
	for _, c := range store.Changes(from, to) {
		out.Files = append(out.Files, PromptFileChange{File: c.Name, Diff: c.Diff})
	}
	return &body[PromptChanges]{out}, nil
}

// PromptPreviews shows what the prompts of a plugin would send to a model.
type PromptPreviews struct {
	Versions []PromptPreviewVersion `json:"versions" doc:"The live version first, then the folder's, if it differs and has no mistakes"`
	Folder   string                 `json:"folder" enum:"same,other,mistakes,away" doc:"How the folder's files compare with the live version; away: this process does not have the folder"`
}

// PromptPreviewVersion is one version of a plugin with its prompts.
type PromptPreviewVersion struct {
	SHA     string          `json:"sha"`
	Serves  bool            `json:"serves"`
	Prompts []PromptPreview `json:"prompts" doc:"By their names, the templates last"`
}

// PromptPreview is what a prompt would send to a model with its sample values.
type PromptPreview struct {
	Prompt    string            `json:"prompt"`
	Purpose   string            `json:"purpose" doc:"What it is for, as its file says"`
	Variables []PromptVariable  `json:"variables" doc:"By their names, the templates last"`
	Messages  []QuestionMessage `json:"messages" doc:"Exactly as they would be sent with the samples"`
}

// PromptVariable is a value that a prompt uses.
type PromptVariable struct {
	Name      string   `json:"name"`
	Type      string   `json:"type" enum:"text,number,list,conversation"`
	Untrusted bool     `json:"untrusted" doc:"Its content is not trusted, and reaches the model as material"`
	Required  bool     `json:"required"`
	Choices   []string `json:"choices" doc:"Allowed values of a text; empty for any text"`
	Sample    string   `json:"sample" doc:"As a person would type it: a text as it is, a list or a conversation as YAML"`
}

func (s *server) promptPreviews(ctx context.Context, in *pluginInput) (*body[PromptPreviews], error) {
	previews, err := s.Catalogue.Previews(ctx, plainText(in.Plugin))
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[PromptPreviews]{previews}, nil
}

type previewInput struct {
	Plugin string `path:"plugin" maxLength:"100"`
	Body   struct {
		SHA    string            `json:"sha" minLength:"64" maxLength:"64" pattern:"^[0-9a-f]+$" doc:"The version"`
		Prompt string            `json:"prompt" maxLength:"100"`
		Values map[string]string `json:"values" doc:"As a person typed them, by the names of variables; those left out have their samples, an empty one is missing"`
	}
}

// PromptMessages are the messages that a prompt would send.
type PromptMessages struct {
	Messages []QuestionMessage `json:"messages" doc:"Exactly as they would be sent"`
}

func (s *server) promptPreview(ctx context.Context, in *previewInput) (*body[PromptMessages], error) {
	messages, err := s.Catalogue.Preview(ctx, plainText(in.Plugin), in.Body.SHA, in.Body.Prompt, in.Body.Values)
	if err != nil {
		return nil, s.toProblem(err)
	}
	return &body[PromptMessages]{PromptMessages{messages}}, nil
}
