// Package api serves HTTP: routes, identification of the caller, live streams, and the conversion of errors into
// answers. It reads the store, hands work to workflows, and never calls a model or opens a document itself.
package api

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"
	commonpb "go.temporal.io/api/common/v1"

	"munshi/orchestrator/store"
	"munshi/workflows"
)

// Work starts, stops and retries the workflows of turns, and wakes workflows that wait for documents.
type Work interface {
	StartTurn(ctx context.Context, in workflows.TurnInput) error
	StopTurn(ctx context.Context, turn string) (workflows.WorkflowState, error)
	RetryTurn(ctx context.Context, in workflows.TurnInput) error
	TakeOffline(ctx context.Context, turn string) (workflows.WorkflowState, error)
	WakeFollowUp(ctx context.Context, in workflows.FollowUpInput) error
	StartErasure(ctx context.Context, workspace string) error
}

// Catalogue gives access to the plugins in use.
type Catalogue interface {
	Plugins(ctx context.Context) ([]PluginInfo, error)
	// Previews returns what the prompts of a plugin would send to a model with their sample values. ErrNotFound: no
	// such plugin.
	Previews(ctx context.Context, plugin string) (PromptPreviews, error)
	// Preview returns what a prompt of a version would send with the values that a person typed; no model is called.
	// ErrNotFound: no such version or prompt. Invalid values are refused with a Refusal.
	Preview(ctx context.Context, plugin, sha, prompt string, typed map[string]string) ([]QuestionMessage, error)
}

// PluginInfo is a plugin with the texts that stand for a person's message when they send a document or a form.
type PluginInfo struct {
	Plugin
	// Message returns the text to show as the person's message when they start a turn of this kind without writing
	// anything; "" if the manifest has none.
	Message func(kind, documentType string, inputs map[string]string) string
}

// PDFInspector checks whether a file is a readable PDF, and counts its pages; damaged means that the file is cut off
// or broken. A refusal is an error of type Refusal.
type PDFInspector interface {
	Inspect(ctx context.Context, path string) (pages int, damaged bool, err error)
}

// Photographs makes one PDF from photographs of pages, in the order of paths. A refusal is an error of type Refusal.
type Photographs interface {
	Photographs(ctx context.Context, paths []string, pdf io.Writer) error
}

// Options are the server's dependencies and settings.
type Options struct {
	Store    Store
	Accounts Accounts
	Payments Payments
	Abuse    Abuse      // what one network address may do
	FairUse  store.Rate // how many turns one person may start; zero for no limit
	// refuses turns once today's spending limit is reached; nil for no limit
	Afford func(ctx context.Context, workspace string) error
	// number of turns without a subscription; nil for any number
	FreeUses   *int
	FirmUses   *int // the same for a firm
	Firms      Firms
	Filing     Filing
	Intake     Intake
	MailIntake MailIntake
	Register   Register
	Imports    Imports
	Portals    Portals
	DiskFull   func() bool // whether the disk is full; nil if this is not checked
	Changes    Notifier
	Work       Work
	// state of each part of the product: "ok" or a plain sentence
	Parts        func(context.Context) map[string]string
	Catalogue    Catalogue
	PDFInspector PDFInspector
	Photographs  Photographs
	// IsPhotograph reports whether Photographs can read a file that begins with these bytes.
	IsPhotograph func(head []byte) bool
	// PlacedWords decodes the positions of the words of a page's text.
	PlacedWords func(text string, packed []byte) ([]PlacedWord, error)
	// Find finds a quote in a page's text, and returns the share of its words that was found, 0 to 1. There are no
	// boxes if the positions of the words are unknown.
	Find      func(text string, packed []byte, quote string) (boxes []Box, share float64, err error)
	Briefs    Briefs
	Replies   Replies
	Figures   Figures
	Templates Templates
	Law       Law
	Evals     Evaluations
	Words     Words
	// Dates returns the dates in the tables of a text.
	Dates func(text string) []ListedDate
	// RecordsKept returns the ISO date up to which the law requires the records of a payment to be kept.
	RecordsKept func(paid time.Time) string
	Config      PublicConfig
	Version     string
	WebRoot     string                    // folder of the built web app
	Landing     http.Handler              // the page at /
	Secure      bool                      // the product is served over https
	PublicURL   string                    // the public address; "" if unknown
	Proxies     []string                  // trusted reverse proxies, as addresses or networks
	Door        Door                      // wraps the whole handler
	Observe     gin.HandlerFunc           // called first for every request; nil for none
	RunsURL     string                    // address of workflows in Temporal's Web UI, to be followed by an id; "" if unknown
	TraceURL    func(trace string) string // the address of a trace for operators; "" if unknown
	// Payloads decrypts what is stored in Temporal, for operators.
	Payloads func([]*commonpb.Payload) ([]*commonpb.Payload, error)
	WebUI    string          // the origin of Temporal's Web UI; "" if unknown
	Closing  <-chan struct{} // closed when the process is about to stop: streams end, other requests are finished
	Log      *slog.Logger
}

type server struct {
	Options
	policy  string        // the content security policy of pages
	ended   *endedStreams // open streams by session, to be closed when it ends
	uploads *queue        // uploads under way, by workspace
}

// New returns the handler of the whole product: API, streams and web app.
func New(o Options) (http.Handler, error) {
	router, _, err := build(o)
	if err != nil {
		return nil, err
	}
	guarded, err := (&server{Options: o}).crossOrigin(placed(router))
	if err != nil {
		return nil, err
	}
	o.Door.Log = o.Log
	return o.Door.Before(guarded), nil
}

// OpenAPI returns the contract of the API as OpenAPI 3.1 in YAML.
func OpenAPI() ([]byte, error) {
	_, api, err := build(Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, err
	}
	return api.OpenAPI().YAML()
}

func build(o Options) (*gin.Engine, huma.API, error) {
	s := &server{o, contentSecurityPolicy(o.Config.Payment), &endedStreams{}, newQueue(uploadsAtOnce)}
	huma.NewError = humaProblem // the only way to change the format of Huma's errors
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.HandleMethodNotAllowed = true
	router.ContextWithFallback = true // makes a handler's context that of the request
	if err := router.SetTrustedProxies(o.Proxies); err != nil {
		return nil, nil, err
	}
	if o.Observe != nil {
		router.Use(o.Observe)
	}
	router.Use(s.recoverPanics, s.securityHeaders, dropForms, s.identify, s.limitBody, s.uploadInTurn)

	cfg := huma.DefaultConfig("Munshi", "1")
	cfg.Info.Description = "The API of Munshi, an AI legal assistant for Indian GST. A person's message or file " +
		"becomes a turn; its text is stored and streamed while it is written."
	cfg.DocsPath, cfg.OpenAPIPath, cfg.SchemasPath = "", "/api/openapi", ""
	cfg.CreateHooks = nil // no $schema links in answers
	cfg.Transformers = append(cfg.Transformers, func(ctx huma.Context, _ string, answer any) (any, error) {
		s.logCause(ctx.Context(), answer)
		return answer, nil
	})
	cfg.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"session": {
			Type:        "apiKey",
			In:          "cookie",
			Name:        cookieName(o.Secure),
			Description: "An opaque session, given with the first conversation.",
		},
	}
	api := humagin.New(router, cfg)
	api.UseMiddleware(s.permit)
	s.routes(api)
	s.codec(router)
	s.web(router)
	return router, api, nil
}

func (s *server) routes(api huma.API) {
	get(api, "health", "/api/health", "Whether the parts answer", s.health)
	s.readyRoute(api)
	get(api, "config", "/api/config", "What the web app needs to know", s.config)
	get(api, "plugins", "/api/plugins", "The plugins that serve", s.plugins)
	get(api, "list-conversations", "/api/conversations", "The person's conversations, latest first", s.conversations)
	post(api, "create-conversation", "/api/conversations", "Open a conversation", http.StatusCreated,
		s.createConversation)
	get(api, "get-conversation", "/api/conversations/{id}", "A conversation with all that its screen shows",
		s.conversation)
	post(api, "post-message", "/api/conversations/{id}/messages", "Send a message", http.StatusAccepted, s.postMessage)
	s.uploadRoute(api)
	post(api, "stop-turn", "/api/turns/{id}/stop", "Stop a turn; what was written is kept", http.StatusAccepted,
		s.stopTurn)
	post(api, "retry-turn", "/api/turns/{id}/retry", "Try a failed turn again from the step that failed",
		http.StatusAccepted, s.retryTurn)
	post(api, "take-offline-answer", "/api/turns/{id}/offline", "Have the offline engine answer in the place of a "+
		"provider that gives none", http.StatusAccepted, s.takeOffline)
	post(api, "close-follow-up", "/api/conversations/{id}/follow-up/close", "Wait for no more documents", http.StatusOK,
		s.closeFollowUp)
	get(api, "list-authorities", "/api/conversations/{id}/authorities",
		"The authorities that the person supplied, oldest first", s.authorities)
	post(api, "add-authority", "/api/conversations/{id}/authorities", "Supply an authority that answers may cite",
		http.StatusCreated, s.addAuthority)
	remove(api, "remove-authority", "/api/conversations/{id}/authorities/{authority}",
		"Take an authority away; for a month it can be brought back", s.removeAuthority)
	post(api, "restore-authority", "/api/conversations/{id}/authorities/{authority}/restore",
		"Bring back an authority that was taken away", http.StatusNoContent, s.restoreAuthority)
	s.attachRoute(api)
	remove(api, "delete-conversation", "/api/conversations/{id}", "Delete a conversation; for a month it can be "+
		"brought back", s.deleteConversation)
	post(api, "rename-conversation", "/api/conversations/{id}/title", "Give a conversation another title",
		http.StatusNoContent, s.renameConversation)
	post(api, "restore-conversation", "/api/conversations/{id}/restore", "Bring back a conversation that was deleted",
		http.StatusNoContent, s.restoreConversation)
	get(api, "list-notices", "/api/notices", "The person's notices, what is still to be answered first, by reply date",
		s.notices)
	get(api, "get-brief", "/api/conversations/{id}/brief", "What the program is sure of about a notice, and what "+
		"follows from it", s.brief)
	post(api, "correct-fact", "/api/conversations/{id}/corrections", "Correct or confirm what was read from a notice, "+
		"or give the date of service", http.StatusOK, s.correct)
	post(api, "undo-correction", "/api/conversations/{id}/corrections/undo", "Take back the last word on a field",
		http.StatusOK, s.undoCorrection)
	get(api, "get-reply", "/api/conversations/{id}/reply", "How a notice is answered: its allegations with what is "+
		"said to each, and the draft", s.reply)
	post(api, "say-to-point", "/api/conversations/{id}/reply/points", "Say how an allegation is answered",
		http.StatusOK, s.sayPoint)
	post(api, "keep-taxpayer", "/api/conversations/{id}/reply/taxpayer",
		"Keep who signs and appears for the taxpayer, for every later reply", http.StatusOK, s.keepTaxpayer)
	get(api, "get-interview", "/api/conversations/{id}/reply/interview",
		"What only the person can tell of a notice, with what they have told", s.interview)
	post(api, "answer-question", "/api/conversations/{id}/reply/interview", "Answer a question of the interview",
		http.StatusOK, s.answerQuestion)
	post(api, "draft-reply", "/api/conversations/{id}/reply", "Have the reply drafted, or brought up to date",
		http.StatusAccepted, s.draftReply)
	get(api, "list-written-drafts", "/api/conversations/{id}/drafts",
		"The drafts that were written in a conversation as documents of their own, latest first", s.writtenDrafts)
	get(api, "list-drafts", "/api/drafts", "The person's drafts, latest first", s.drafts)
	post(api, "begin-draft", "/api/drafts", "Begin a draft from a template", http.StatusCreated, s.beginDraft)
	get(api, "list-templates", "/api/templates", "The documents that a draft may begin from, by title", s.templates)
	get(api, "get-draft", "/api/drafts/{id}", "A draft", s.draft)
	post(api, "edit-draft", "/api/drafts/{id}", "Change a draft's title, or the words of one of its parts",
		http.StatusOK, s.editDraft)
	remove(api, "delete-draft", "/api/drafts/{id}", "Delete a draft; for a month it can be brought back", s.deleteDraft)
	post(api, "undelete-draft", "/api/drafts/{id}/undelete", "Bring back a draft that was deleted",
		http.StatusNoContent, s.undeleteDraft)
	get(api, "list-draft-versions", "/api/drafts/{id}/versions", "The versions of a draft, latest first",
		s.draftVersions)
	get(api, "get-draft-version", "/api/drafts/{id}/versions/{version}", "A version of a draft", s.draftVersion)
	post(api, "restore-draft-version", "/api/drafts/{id}/versions/{version}/restore",
		"Make a version of a draft the latest", http.StatusOK, s.restoreVersion)
	post(api, "mark-answered", "/api/conversations/{id}/answered", "Note that a notice was answered, or closed",
		http.StatusNoContent, s.markAnswered)
	get(api, "list-reminders", "/api/reminders", "Reply dates that are near", s.reminders)
	post(api, "see-reminder", "/api/reminders/{id}/seen", "Put a reminder aside", http.StatusNoContent, s.seeReminder)
	s.linkRoutes(api)
	s.calendarRoutes(api)
	post(api, "become-operator", "/api/operator", "Open an operator's session with a link's key", http.StatusNoContent,
		s.becomeOperator)
	post(api, "end-operator", "/api/operator/end", "End the operator's session", http.StatusNoContent, s.endOperator)
	asOperator(api, s, http.MethodGet, "list-prompts", "/api/prompts",
		"For operators: what serves, what the folders hold, who changed what", s.prompts)
	asOperator(api, s, http.MethodGet, "list-prompt-versions", "/api/prompts/{plugin}/versions",
		"For operators: the versions of a plugin that served, or were held back", s.promptVersions)
	asOperator(api, s, http.MethodGet, "compare-prompts", "/api/prompts/{plugin}/changes",
		"For operators: how two versions of a plugin differ", s.promptChanges)
	asOperator(api, s, http.MethodGet, "preview-prompts", "/api/prompts/{plugin}/previews",
		"For operators: what the prompts of a plugin would ask with their sample values", s.promptPreviews)
	asOperator(api, s, http.MethodPost, "preview-prompt", "/api/prompts/{plugin}/previews",
		"For operators: what a prompt would ask with other values; no model is asked", s.promptPreview)
	asOperator(api, s, http.MethodGet, "list-runs", "/api/runs", "For operators: which turns ran of late", s.runs)
	asOperator(api, s, http.MethodGet, "list-questions", "/api/turns/{id}/questions",
		"For operators: what the model was asked in a turn, to the letter", s.questions)
	s.evalRoutes(api)
	s.documentRoute(api)
	s.wordRoutes(api)
	s.figuresRoutes(api)
	s.dateRoutes(api)
	get(api, "list-pages", "/api/documents/{id}/pages", "The pages that were read of a document, with their sizes",
		s.pages)
	get(api, "get-page", "/api/documents/{id}/pages/{number}", "A page's text, and where its words stand", s.page)
	post(api, "find-quote", "/api/documents/{id}/find", "Find words in a document, and where they stand", http.StatusOK,
		s.findQuote)
	s.eventsRoute(api)
	s.accountRoutes(api)
	s.firmRoutes(api)
	s.clientRoutes(api)
	s.matterRoutes(api)
	s.boardRoutes(api)
	s.mailRoutes(api)
	s.mailInRoutes(api)
	s.workloadRoutes(api)
	s.searchRoutes(api)
	s.registerRoutes(api)
	s.importRoutes(api)
	s.listedRoutes(api)
	s.reviewRoutes(api)
	s.filedRoutes(api)
	s.commentRoutes(api)
	s.intakeRoutes(api)
	s.paymentRoutes(api)
	s.rightsRoutes(api)
	s.lawRoutes(api)
}

func get[I, O any](api huma.API, id, path, summary string, h func(context.Context, *I) (*O, error)) {
	huma.Register(api, huma.Operation{OperationID: id, Method: http.MethodGet, Path: path, Summary: summary}, h)
}

func post[I, O any](api huma.API, id, path, summary string, status int, h func(context.Context, *I) (*O, error)) {
	huma.Register(api, huma.Operation{OperationID: id, Method: http.MethodPost, Path: path, Summary: summary,
		DefaultStatus: status}, h)
}

func remove[I, O any](api huma.API, id, path, summary string, h func(context.Context, *I) (*O, error)) {
	huma.Register(api, huma.Operation{OperationID: id, Method: http.MethodDelete, Path: path, Summary: summary,
		DefaultStatus: http.StatusNoContent}, h)
}

// body wraps an answer as Huma expects it.
type body[T any] struct{ Body T }

type none struct{}

func (s *server) health(ctx context.Context, _ *none) (*body[Health], error) {
	return &body[Health]{s.checkHealth(ctx)}, nil
}

func (s *server) checkHealth(ctx context.Context) Health {
	h := Health{Status: "ok", Version: s.Version, Parts: s.Parts(ctx)}
	for _, says := range h.Parts {
		if says != "ok" {
			h.Status = "degraded"
		}
	}
	return h
}

// readyRoute registers the health check for load balancers: it answers with an error status if a part is down.
func (s *server) readyRoute(api huma.API) {
	type answer struct {
		Status int
		Body   Health
	}
	health := map[string]*huma.MediaType{"application/json": {Schema: api.OpenAPI().Components.Schemas.Schema(reflect.TypeOf(Health{}), true, "")}}
	huma.Register(api, huma.Operation{OperationID: "ready", Method: http.MethodGet, Path: "/api/ready",
		Summary: "Whether this process can take requests",
		Responses: map[string]*huma.Response{"503": {Description: "A part is missing; parts says which",
			Content: health}},
	}, func(ctx context.Context, _ *none) (*answer, error) {
		a := answer{Status: http.StatusOK, Body: s.checkHealth(ctx)}
		if a.Body.Status != "ok" {
			a.Status = http.StatusServiceUnavailable
		}
		return &a, nil
	})
}

func (s *server) config(ctx context.Context, in *operatorCookies) (*body[PublicConfig], error) {
	config := s.Config
	_, err := s.operates(ctx, in.token(s.Secure))
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		s.logCause(ctx, s.toProblem(err)) // the rest of the answer does not need the database
	}
	config.Operator = err == nil
	return &body[PublicConfig]{config}, nil
}

// PluginList is the list of plugins.
type PluginList struct {
	DiskFull bool     `json:"disk_full" doc:"The server's disk is full: running work waits, and nothing new is accepted"`
	Plugins  []Plugin `json:"plugins" doc:"In the order of the tabs"`
}

func (s *server) plugins(ctx context.Context, _ *none) (*body[PluginList], error) {
	infos, err := s.Catalogue.Plugins(ctx)
	if err != nil {
		return nil, s.toProblem(err)
	}
	list := PluginList{Plugins: make([]Plugin, len(infos)), DiskFull: s.DiskFull != nil && s.DiskFull()}
	for i, p := range infos {
		list.Plugins[i] = p.Plugin
	}
	return &body[PluginList]{list}, nil
}

func (s *server) plugin(ctx context.Context, id string) (PluginInfo, error) {
	infos, err := s.Catalogue.Plugins(ctx)
	if err != nil {
		return PluginInfo{}, err
	}
	return pluginIn(infos, id)
}

func pluginIn(infos []PluginInfo, id string) (PluginInfo, error) {
	for _, p := range infos {
		if p.ID == id {
			return p, nil
		}
	}
	return PluginInfo{}, refuse("unknown_plugin", nil)
}

func (s *server) recoverPanics(c *gin.Context) {
	defer func() {
		if r := recover(); r != nil {
			if err, ok := r.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(r)
			}
			s.Log.ErrorContext(c.Request.Context(), "a request panicked", "path", c.FullPath(), "panic", r)
			writeProblem(c.Writer, refuse("internal", nil))
			c.Abort()
		}
	}()
	c.Next()
}

func (s *server) securityHeaders(c *gin.Context) {
	h := c.Writer.Header()
	h.Set("Content-Security-Policy", s.policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Frame-Options", "SAMEORIGIN")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
	h.Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups")
	h.Set("Cache-Control", "private, no-store") // not for the next user of this browser; what is public says so itself
}

// contentSecurityPolicy allows only our own script files and, if payment is configured, the provider's script and
// frames; inline styles are allowed.
func contentSecurityPolicy(offer PaymentOffer) string {
	script, frame, connect := "", "", ""
	if u, err := url.Parse(offer.Checkout); err == nil && u.Host != "" {
		origin := " " + u.Scheme + "://" + u.Host
		script, frame, connect = origin, "; frame-src https://api.razorpay.com"+
			origin, " https://api.razorpay.com https://lumberjack.razorpay.com"+origin
	}
	return "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'" + script +
		"; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'" +
		connect + "; worker-src 'self' blob:" +
		frame + "; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
}

// webFile reports whether the built web app has the file.
func (s *server) webFile(path string) bool {
	info, err := os.Stat(s.WebRoot + path)
	return err == nil && !info.IsDir()
}
