package api

import (
	"encoding/json"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"munshi/orchestrator/message"
)

// Sentence is a message to a person; the web app shows it in the language of the screen.
type Sentence message.Message

// Saying returns a message as a sentence; nil for an empty message.
func Saying(m message.Message) *Sentence {
	if m.IsZero() {
		return nil
	}
	s := Sentence(m)
	return &s
}

// Health reports whether this process can do its work.
type Health struct {
	Status  string            `json:"status" enum:"ok,degraded" doc:"ok when every part answers"`
	Parts   map[string]string `json:"parts" doc:"Each part that is known (postgres, temporal, prompts) with ok or a plain sentence"`
	Version string            `json:"version"`
}

// PublicConfig is what the web app needs to know about the configuration and the caller; it never holds a secret.
type PublicConfig struct {
	ProductName     string       `json:"product_name"`
	Model           ModelSummary `json:"model"`
	Upload          UploadLimits `json:"upload"`
	ConsultationURL string       `json:"consultation_url" doc:"The address for Book a Consultation; empty hides the link"`
	ParentURL       string       `json:"parent_url" doc:"The parent brand's site; empty hides the link"`
	Operator        bool         `json:"operator" doc:"True when an operator asks by a link's session"`
	Mail            bool         `json:"mail" doc:"True when mail is sent: new accounts are confirmed by it, and passwords can be reset"`
	Payment         PaymentOffer `json:"payment"`
	Consent         string       `json:"consent" doc:"The notice on the use of data that signing up agrees to"`
	Privacy         DataUse      `json:"privacy"`
}

// DataUse is what people are told about where their texts are sent, and how long they are kept.
type DataUse struct {
	Recipients []Recipient `json:"recipients" doc:"Who receives the text, starting with the one asked first; empty: the offline engine answers, and nothing leaves this server"`
	Mask       string      `json:"mask" enum:"off,on,always" doc:"Whether names and numbers are masked before a text is sent: on unless a person turns it off, off until they turn it on, or always on"`
	NoticeURL  string      `json:"notice_url" doc:"The operator's own notice on the use of data; empty: there is none beside the built-in text"`
	Days       KeptDays    `json:"days"`
}

// Recipient is a model provider to which texts are sent.
type Recipient struct {
	Name    string `json:"name" doc:"Of the provider; empty where only the host is known"`
	Host    string `json:"host"`
	Country string `json:"country" doc:"Where it processes texts, as in 'in Country'; empty: not known"`
	Local   bool   `json:"local" doc:"The host is a loopback address of this server; what runs there may pass texts on"`
}

// KeptDays says for how many days data is kept that nobody asked to erase; 0 means for ever.
type KeptDays struct {
	Visitors int `json:"visitors" doc:"The work of a visitor who has not returned since"`
	Deleted  int `json:"deleted" doc:"Deleted items can be restored"`
	Audit    int `json:"audit" doc:"The audit log"`
}

// ModelSummary says which model writes the answers.
type ModelSummary struct {
	Offline bool   `json:"offline" doc:"True when no language model is configured and the offline engine answers"`
	Name    string `json:"name" doc:"The model's name, or offline"`
	Host    string `json:"host" doc:"The host that receives the text, empty when nothing leaves this server"`
}

// UploadLimits are the limits the server enforces on an upload.
type UploadLimits struct {
	MaxBytes int64 `json:"max_bytes"`
	MaxPages int   `json:"max_pages"`
}

// Plugin is the part of a plugin's manifest that the web app needs.
type Plugin struct {
	ID     string        `json:"id"`
	Title  string        `json:"title"`
	Icon   string        `json:"icon"`
	Order  int           `json:"order"`
	View   PluginView    `json:"view"`
	Inputs []PluginInput `json:"inputs" doc:"In the order of the form"`
	// Authorities reports whether the plugin's prompts use the authorities that a person supplied.
	Authorities bool         `json:"authorities" doc:"Its prompts use the authorities that a person adds to a conversation"`
	Turns       []PluginTurn `json:"turns"`
	// Translations are by language, such as hi, and then by the manifest's text.
	Translations map[string]map[string]string `json:"translations,omitempty" doc:"The manifest's texts, those of its steps and messages too, in other languages: by the language's code, then by the text"`
}

// PluginView has the texts of the generic view; for an empty one the web app uses its own.
type PluginView struct {
	Heading     string `json:"heading" doc:"Above the form"`
	Hint        string `json:"hint" doc:"A sentence below the heading"`
	Button      string `json:"button" doc:"Sends the form"`
	Placeholder string `json:"placeholder" doc:"Of the box for questions"`
	Note        string `json:"note" doc:"Text below that box, such as who has to review the answers"`
}

// PluginInput is something that a person enters or uploads.
type PluginInput struct {
	ID          string   `json:"id"`
	Type        string   `json:"type" enum:"pdf,text,choice"`
	Title       string   `json:"title"`
	Hint        string   `json:"hint" doc:"A sentence beside the field"`
	Placeholder string   `json:"placeholder" doc:"Of a text; of a choice, that of the box for questions once one is chosen, with {input_…} for it"`
	Required    bool     `json:"required"`
	Choices     []Option `json:"choices" doc:"Of a choice"`
}

// Option is one of the choices of an input.
type Option struct {
	ID    string `json:"id" doc:"What is sent for it"`
	Title string `json:"title" doc:"What a person reads"`
}

// PluginTurn is one kind of turn that a plugin offers.
type PluginTurn struct {
	Kind   string   `json:"kind"`
	Title  string   `json:"title"`
	Inputs []string `json:"inputs" doc:"The ids of its inputs"`
}

// Conversation is one line in the list of a person's conversations.
type Conversation struct {
	ID        string    `json:"id" format:"uuid"`
	Plugin    string    `json:"plugin"`
	Title     string    `json:"title" doc:"Empty until the first message"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	TurnState string    `json:"turn_state" enum:"none,queued,running,answered,failed,stopped" doc:"State of the latest turn"`
}

// ConversationDetail is everything a conversation's screen shows.
type ConversationDetail struct {
	Conversation
	Messages          []Message          `json:"messages" doc:"Oldest first"`
	Documents         []Document         `json:"documents" doc:"Oldest first"`
	RequiredDocuments []RequiredDocument `json:"required_documents" doc:"In the order the reply gave them"`
	FollowUp          *FollowUp          `json:"follow_up" doc:"The wait for the required documents, or null"`
	Facts             *json.RawMessage   `json:"facts" doc:"What was computed from the latest notice, or null"`
	Turn              *Turn              `json:"turn" doc:"The latest turn, or null"`
}

// PageSize is a page that was read, without its text.
type PageSize struct {
	Number int     `json:"number" doc:"From 1"`
	Method string  `json:"method" enum:"layer,recognition,blank,unreadable" doc:"How its text was obtained"`
	Width  float64 `json:"width" doc:"In points, as the page is shown; 0 for a page that could not be opened"`
	Height float64 `json:"height" doc:"Points"`
}

// PageList lists the pages of a document read so far.
type PageList struct {
	Pages []PageSize `json:"pages" doc:"In order"`
}

// PageText is a page with its text and the positions of its words.
type PageText struct {
	PageSize
	Text  string       `json:"text"`
	Words []PlacedWord `json:"words" doc:"In the order of the text; empty for a page read before positions were stored"`
}

// PlacedWord is a word of a page and its position.
type PlacedWord struct {
	Text string `json:"text"`
	Box  Box    `json:"box"`
}

// Box is a rectangle on a page as it is shown, in points from its upper left corner.
type Box struct {
	X0 float64 `json:"x0"`
	Y0 float64 `json:"y0"`
	X1 float64 `json:"x1"`
	Y1 float64 `json:"y1"`
}

// FoundQuote says where words are printed in a document.
type FoundQuote struct {
	Page  *int  `json:"page" doc:"The page that has them, or null if none has"`
	Boxes []Box `json:"boxes" doc:"One for each run of words on a line; empty if the positions of the page's words are not known"`
}

// Message is one message of a conversation.
type Message struct {
	ID         string            `json:"id" format:"uuid"`
	TurnID     string            `json:"turn_id" format:"uuid"`
	Exchange   string            `json:"exchange" format:"uuid" doc:"A question and its answer. Asking again adds a turn to the same exchange, which replaces the earlier ones"`
	Role       string            `json:"role" enum:"user,assistant"`
	Text       string            `json:"text" doc:"Plain text of a person, Markdown of the assistant"`
	Inputs     map[string]string `json:"inputs,omitempty" doc:"What a person entered for the plugin's inputs, by their ids"`
	State      string            `json:"state" enum:"complete,stopped,failed" doc:"stopped: stopped by the person; failed: the apology of a turn that can be retried"`
	DocumentID *string           `json:"document_id" format:"uuid" doc:"The document this message brought, or null"`
	Provenance *Provenance       `json:"provenance" doc:"What wrote it; null for a person's message"`
	Checks     []Check           `json:"checks" doc:"What the check step found in the text"`
	CreatedAt  time.Time         `json:"created_at"`
}

// Provenance says which prompts and which model wrote an answer.
type Provenance struct {
	Prompt       string     `json:"prompt" doc:"Plugin and prompt, such as notice/analyse"`
	PromptSHA    string     `json:"prompt_sha"`
	Bundle       string     `json:"bundle,omitempty" doc:"The version of the plugin's files that the prompt is from; old answers have none"`
	Provider     string     `json:"provider,omitempty" doc:"Who was asked; old answers have none"`
	Model        string     `json:"model"`
	InputTokens  int        `json:"input_tokens"`
	OutputTokens int        `json:"output_tokens"`
	CostPaise    *int64     `json:"cost_paise,omitempty" doc:"An estimate; left out if the prices are not known"`
	Milliseconds int        `json:"milliseconds"`
	Earlier      *Earlier   `json:"earlier,omitempty" doc:"The notes that replaced the older part of the conversation; left out if it was sent in full"`
	Law          []LookedUp `json:"law,omitempty" doc:"The provisions, and the pages of the person's own authorities, that the program found for the question and gave to the model"`
	Revision     int        `json:"revision,omitempty" doc:"2 for an answer that was rewritten because the first one contradicted the facts"`
	First        string     `json:"first,omitempty" doc:"In that case, what was written first"`
}

// LookedUp is a provision of law that was given to the model for an answer.
type LookedUp struct {
	Act     string `json:"act,omitempty" doc:"Its id, such as cgst; old answers have none"`
	Number  string `json:"number,omitempty" doc:"As 16(4)"`
	Name    string `json:"name" doc:"As section 16(4) of the CGST Act, 2017"`
	Heading string `json:"heading"`
	On      string `json:"on,omitempty" doc:"ISO date on which it was read"`
	From    string `json:"from" doc:"ISO date since which it has had this wording"`
	Until   string `json:"until,omitempty" doc:"The last day, ISO; left out while it is in force"`
	Status  string `json:"status,omitempty" doc:"omitted or not_commenced"`
	Held    bool   `json:"held,omitempty" doc:"The official text was given, not only the digest"`

	Authority string `json:"authority,omitempty" doc:"The id of an authority that the person added and the name cites; not a provision"`
	Page      int    `json:"page,omitempty" doc:"Of its PDF"`
}

// Earlier is the summary that a model was given instead of the older part of a conversation.
type Earlier struct {
	Text     string `json:"text" doc:"Markdown, written by the model"`
	Through  string `json:"through" format:"uuid" doc:"The last turn they cover"`
	Messages int    `json:"messages" doc:"How many messages they stand for"`
}

// Check is one finding of the check step about a passage of the message.
type Check struct {
	Code      string    `json:"code" doc:"provision, circular, judgment, fact (a date or an amount), quotation (words that are given as those of a provision, held against its text; of what reads so the span is the closing mark alone), figure (a date or an amount that was looked up in the document, or in a notice and its facts), scope (at no place; its heading lists what of the text was not looked at: dates, amounts, heads, quotations, articles of the Constitution, Acts of states), claim (the text calls itself verified), secret (it asks for a password or the like), number (a time or a rate that the digest of the provision does not have), view (law that is stated without a source), admission, too_long and shortened (in a draft), cut_off; old answers have unknown_provision"`
	Verdict   string    `json:"verdict,omitempty" enum:"exists,part_unknown,unknown,not_in_force,not_covered,not_verified,supplied,contradicts,in_document,other_page,not_in_document,not_in_notice,quoted,elsewhere,other_day,differs,not_in_text,not_held,in_notice,in_authority,not_in_authority,answered,in_files,worked_out" doc:"What could be said of it; only exists, supplied, in_document, quoted, in_authority and, where a figure of a draft comes from, answered (a person said it), in_files and worked_out are good news, and none says that the point is supported. Left out where nothing was looked up"`
	Message   string    `json:"message" doc:"A sentence or two that can be shown; may be empty for a citation that exists"`
	Said      *Sentence `json:"said,omitempty" doc:"The message by its code, for other languages"`
	Quote     string    `json:"quote" doc:"The words of the answer that it is about"`
	Start     int       `json:"start" doc:"Their position in the text, in UTF-16 code units as in JavaScript; start = end if they have no single place"`
	End       int       `json:"end"`
	Act       string    `json:"act,omitempty" doc:"Of a provision, such as CGST Act"`
	Provision string    `json:"provision,omitempty" doc:"Such as section 16(2)(aa), a circular with its number, the case, or the fact that is contradicted"`
	Heading   string    `json:"heading,omitempty" doc:"Of the provision; what a circular is about; what the facts say instead"`
	Page      int       `json:"page,omitempty" doc:"Where the document has a figure"`
	Words     string    `json:"words,omitempty" doc:"The document's words at that place, used to find it"`
	On        string    `json:"on,omitempty" doc:"Of a provision that the law held here has: the ISO day as on which it was looked at"`
	From      string    `json:"from,omitempty" doc:"ISO date since which it had this wording"`
	Until     string    `json:"until,omitempty" doc:"The last day, ISO; left out while it is in force"`
	Status    string    `json:"status,omitempty" doc:"omitted or not_commenced"`
	Held      bool      `json:"held,omitempty" doc:"Its official text is held here"`
}

// Provision is a provision cited in the notice, with what the index knows about it.
type Provision struct {
	Act       string    `json:"act" doc:"Such as CGST Act; empty when none is named"`
	Provision string    `json:"provision" doc:"Such as section 16(2)(aa)"`
	Heading   string    `json:"heading" doc:"Empty when it is not in the index"`
	Verdict   string    `json:"verdict" enum:"exists,part_unknown,unknown,not_in_force,not_covered,not_verified,supplied,contradicts" doc:"As for an answer's checks"`
	Message   string    `json:"message" doc:"A sentence or two that can be shown, or empty"`
	Said      *Sentence `json:"said,omitempty" doc:"The message by its code, for other languages"`
	Page      int       `json:"page" doc:"The page on which the notice cites it; 0 if not known"`
	Quote     string    `json:"quote" doc:"The words at that place, used to find it"`
}

// Authority is a judgment or other authority that a person supplied for a conversation; answers may cite no other.
type Authority struct {
	ID          string    `json:"id" format:"uuid"`
	Citation    string    `json:"citation" doc:"The case and where it is reported"`
	Court       string    `json:"court"`
	Date        string    `json:"date" doc:"ISO date of the decision, or empty"`
	Proposition string    `json:"proposition" doc:"What it is relied on for"`
	DocumentID  *string   `json:"document_id" format:"uuid" doc:"Its PDF, or null"`
	Reading     bool      `json:"reading" doc:"Its PDF is still being read, so answers cannot use its text yet"`
	CreatedAt   time.Time `json:"created_at"`
}

// Document is an uploaded PDF.
type Document struct {
	ID         string    `json:"id" format:"uuid"`
	Name       string    `json:"name"`
	Type       string    `json:"type" doc:"What the person said it is; empty for the notice itself"`
	Bytes      int64     `json:"bytes"`
	Pages      int       `json:"pages"`
	PagesRead  int       `json:"pages_read"`
	Recognised int       `json:"recognised" doc:"Pages read by text recognition"`
	Damaged    bool      `json:"damaged" doc:"The file is incomplete or damaged; some of it may not have been read"`
	CreatedAt  time.Time `json:"created_at"`
}

// FollowUp is the wait for the required documents.
type FollowUp struct {
	State    string     `json:"state" enum:"waiting,complete,closed,expired" doc:"complete: all were received and reviewed; closed: by the person; expired: the reply date has passed, or nothing came for half a year"`
	OpenedAt time.Time  `json:"opened_at"`
	EndedAt  *time.Time `json:"ended_at"`
}

// RequiredDocument is a paper that the client has to send.
type RequiredDocument struct {
	Type       string  `json:"type"`
	Name       string  `json:"name" doc:"The name under which it is uploaded: its type and, if several have the same type, the reason too"`
	Reason     string  `json:"reason" doc:"Empty when none was given"`
	State      string  `json:"state" enum:"needed,uploaded,reviewed"`
	DocumentID *string `json:"document_id" format:"uuid"`
}

// Turn is the work on one message or file, with the state of its steps.
type Turn struct {
	ID         string     `json:"id" format:"uuid"`
	Kind       string     `json:"kind" doc:"A turn of the plugin's manifest, such as analysis, document or chat"`
	State      string     `json:"state" enum:"queued,running,answered,failed,stopped"`
	Steps      []Step     `json:"steps" doc:"In order; empty until the turn has begun"`
	Queue      int        `json:"queue" doc:"Turns that wait before this one; 0 once it runs"`
	Error      *TurnError `json:"error" doc:"Why it failed, or null"`
	CreatedAt  time.Time  `json:"created_at"`
	FinishedAt *time.Time `json:"finished_at"`
}

// Step is one step of a turn as it is shown.
type Step struct {
	ID    string    `json:"id"`
	Kind  string    `json:"kind" doc:"What kind of step it is, such as extract or prompt, which asks a model"`
	Title string    `json:"title" doc:"What is being done, in words that can be shown"`
	State string    `json:"state" enum:"pending,running,done,failed"`
	Note  string    `json:"note" doc:"What it is doing, such as Reading page 7 of 12 by text recognition"`
	Said  *Sentence `json:"said,omitempty" doc:"The note by its code, for other languages"`
	Done  int       `json:"done" doc:"Units finished, such as pages"`
	Total int       `json:"total" doc:"Total number of units; 0 if it cannot be counted"`
}

// TurnError says why a turn failed.
type TurnError struct {
	Code     string `json:"code"`
	Sentence string `json:"sentence" doc:"A plain sentence that can be shown"`

	Said *Sentence `json:"said,omitempty" doc:"The sentence by its code, for other languages"`
}

// The events of a conversation's stream follow. A client that reconnects sends Last-Event-ID; if the server cannot
// continue from that id, it sends a snapshot.

// SnapshotEvent replaces everything that a client knows about the running turn.
type SnapshotEvent struct {
	Turn *Turn  `json:"turn" doc:"The latest turn, or null"`
	Text string `json:"text" doc:"What has been written so far in this turn"`
}

// TextEvent appends to the text of the running turn.
type TextEvent struct {
	TurnID string `json:"turn_id" format:"uuid"`
	Text   string `json:"text"`
}

// TurnEvent reports the progress of a turn. When the state is final, the client reloads the conversation.
type TurnEvent struct {
	Turn Turn `json:"turn"`
}

// Icons are the lucide.dev icon names that a plugin's tab may use: those bundled with the web app.
var Icons = []string{
	"banknote", "book-open", "briefcase", "building-2", "calculator", "calendar-clock", "clipboard-list", "coins",
	"file-check", "file-pen", "file-search", "file-signature", "file-text", "files", "folder-open", "gavel",
	"handshake", "house", "id-card", "landmark", "languages", "list-checks", "mail", "message-square", "pen-line",
	"receipt", "scale", "scroll-text", "search", "shield-check", "stamp", "table", "truck", "users",
}

// TransformSchema adds the icon names.
func (Plugin) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	for _, icon := range Icons {
		s.Properties["icon"].Enum = append(s.Properties["icon"].Enum, icon)
	}
	return s
}

// TransformSchema says which fields may be null.
func (ConversationDetail) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	s.Properties["facts"] = &huma.Schema{Type: "object", AdditionalProperties: true}
	return nullable(s, "facts", "turn", "follow_up")
}

// TransformSchema says which fields may be null.
func (Message) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "provenance")
}

// TransformSchema says which fields may be null.
func (Turn) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "error")
}

// TransformSchema says which fields may be null.
func (SnapshotEvent) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return nullable(s, "turn")
}

// nullable allows null for the named properties, which Huma does not do for objects.
func nullable(s *huma.Schema, names ...string) *huma.Schema {
	for _, name := range names {
		was := s.Properties[name]
		s.Properties[name] = &huma.Schema{Description: was.Description, AnyOf: []*huma.Schema{was, {Type: "null"}}}
	}
	return s
}
