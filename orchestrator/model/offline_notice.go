package model

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"munshi/orchestrator/message"
)

// noticeFacts are those facts of a notice that the offline engine needs, in the JSON format of the notice reader.
type noticeFacts struct {
	Form       string `json:"form"`
	Kind       string `json:"kind"` // "order" for an order whose form could not be read
	Reference  string `json:"reference"`
	DIN        string `json:"din"`
	IssueDate  string `json:"issue_date"`
	GSTIN      string `json:"gstin"`
	GSTINValid *bool  `json:"gstin_valid"`
	LegalName  string `json:"legal_name"`
	TradeName  string `json:"trade_name"`
	Officer    struct {
		Name         string `json:"name"`
		Designation  string `json:"designation"`
		Jurisdiction string `json:"jurisdiction"`
	} `json:"officer"`
	Sections []string `json:"sections"`
	Rules    []string `json:"rules"`
	Periods  []struct {
		FY   string `json:"fy"`
		From string `json:"from"`
		To   string `json:"to"`
	} `json:"periods"`
	FraudAlleged *bool    `json:"fraud_alleged"`
	Issues       []string `json:"issues"`
	Attention    []struct {
		Code string `json:"code"`
		Page int    `json:"page"`
	} `json:"attention"`
	Demand *struct {
		Rows []struct {
			Head     string  `json:"head"`
			Tax      float64 `json:"tax"`
			Interest float64 `json:"interest"`
			Penalty  float64 `json:"penalty"`
			Fee      float64 `json:"fee"`
			Other    float64 `json:"other"`
		} `json:"rows"`
		Total *float64 `json:"total"`
	} `json:"demand"`
	ReplyDue struct {
		Date   string `json:"date"`
		Source string `json:"source"`
		Basis  string `json:"basis"`

		Said message.Message `json:"said"` // the basis in every language; empty in facts from earlier versions
	} `json:"reply_due"`
	Hearing *struct {
		Date  string `json:"date"`
		Time  string `json:"time"`
		Venue string `json:"venue"`
	} `json:"hearing"`
	Flags []struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Page    int    `json:"page"`

		Said message.Message `json:"said"`
	} `json:"flags"`
	Paragraphs []struct {
		Number string `json:"number"`
		Text   string `json:"text"`
		Page   int    `json:"page"`
		Kind   string `json:"kind"` // "" in facts from earlier versions, which have only charges
	} `json:"paragraphs"`
	RequiredDocuments []struct {
		Type   string `json:"type"`
		Reason string `json:"reason"`
		Issue  string `json:"issue"`
	} `json:"required_documents"`
	Evidence map[string]struct {
		Page  int    `json:"page"`
		Quote string `json:"quote"`
	} `json:"evidence"`
	OCRPages []int `json:"ocr_pages"`
	// The points that decide the notice, strongest first.
	Points []struct {
		Provision string `json:"provision"`
		Title     string `json:"title"`
		Verdict   string `json:"verdict"`
		Strength  string `json:"strength"`
		Amount    string `json:"takes_away"`
		Remains   string `json:"remains"`
		Because   []struct {
			Page  int    `json:"page"`
			Quote string `json:"quote"`
		} `json:"because"`
		Ask     string `json:"ask"`
		Explain string `json:"explanation"`
		Hindi   struct {
			Title   string `json:"title"`
			Ask     string `json:"ask"`
			Explain string `json:"explanation"`
		} `json:"hi"`
	} `json:"points"`
}

// notice is what the engine knows about a notice, and the answer it is writing.
type notice struct {
	writing
	facts    noticeFacts
	known    bool // the text is a notice, and its facts are known
	text     string
	today    time.Time
	required []requiredDocument // documents still awaited, if the caller gave them
	hindi    func(string) string
}

type requiredDocument struct{ kind, reason, state string }

// notice reads what it needs from the values. Facts that cannot be parsed count as absent. The answer is in the chosen
// language, except that a question in Hindi is answered in Hindi.
func (o Offline) notice(values map[string]any) *notice {
	n := &notice{text: value(values, "notice"), hindi: o.Hindi}
	n.language = languageOf(values)
	if raw := value(values, "facts"); raw != "" && json.Unmarshal([]byte(raw), &n.facts) == nil {
		n.known = n.facts.FraudAlleged != nil || n.facts.Form != ""
		charges := n.facts.Paragraphs[:0]
		for _, p := range n.facts.Paragraphs {
			if p.Kind == "charge" || p.Kind == "" {
				charges = append(charges, p)
			}
		}
		n.facts.Paragraphs = charges
	}
	n.today, _ = time.Parse(time.DateOnly, value(values, "today"))
	list, _ := values["required_documents"].([]map[string]string)
	for _, r := range list {
		n.required = append(n.required, requiredDocument{r["type"], r["reason"], r["state"]})
	}
	return n
}

func languageOf(values map[string]any) string {
	if value(values, "language") == "Hindi" || isHindi(value(values, "message")) {
		return inHindi
	}
	return inEnglish
}

// in returns a message in the answer's language, or the given English text, which earlier versions stored instead.
func (n *notice) in(m message.Message, english string) string {
	if m.IsZero() {
		return english
	}
	return m.In(n.language)
}

// name returns a name from the law tables in the answer's language.
func (n *notice) name(english string) string {
	if n.language == inHindi && n.hindi != nil {
		if hindi := n.hindi(english); hindi != "" {
			return hindi
		}
	}
	return english
}

// sayForm explains the form: what it is ("what"), how it is answered ("how"), or what happens without an answer
// ("silence").
func (n *notice) sayForm(part string) {
	form := n.facts.Form
	if form == "" {
		form = "none"
	}
	n.say("form", "form", form, "part", part, "name", n.formName(), "case", n.order())
}

// order returns "order" for an order, which can be appealed, and "" for any other paper.
func (n *notice) order() string {
	if n.isOrder() {
		return "order"
	}
	return ""
}

// isOrder reports whether the paper is a decision, against which one appeals instead of replying. A test compares the
// list with the law tables, which this package does not import.
func (n *notice) isOrder() bool {
	switch n.facts.Form {
	case "":
		return n.facts.Kind == "order"
	case "ASMT-13", "ASMT-15", "ASMT-16", "DRC-07", "DRC-08", "REG-05", "REG-19", "RFD-06", "MOV-09", "MOV-11",
		"APL-04":
		return true
	}
	return false
}

// formName returns the form as people call it, or "" if it was not read.
func (n *notice) formName() string {
	switch {
	case n.facts.Form == "":
		return ""
	case strings.HasPrefix(n.facts.Form, "GSTR"):
		return "FORM " + n.facts.Form
	}
	return "FORM GST " + n.facts.Form
}

// page returns the page on which a fact was read, or "" if unknown.
func (n *notice) page(field string) string {
	if e, ok := n.facts.Evidence[field]; ok && e.Page > 0 {
		return strconv.Itoa(e.Page)
	}
	return ""
}

func (n *notice) officer() string {
	o := &n.facts.Officer
	return join(", ", plain(o.Name), plain(o.Designation), plain(o.Jurisdiction))
}

func (n *notice) periods() string {
	names := make([]string, len(n.facts.Periods))
	for i, p := range n.facts.Periods {
		names[i] = p.FY
		whole := strings.HasSuffix(p.From, "-04-01") && strings.HasSuffix(p.To, "-03-31")
		if !whole && p.From != "" && p.To != "" {
			names[i] += fmt.Sprintf(" (%s – %s)", n.date(p.From), n.date(p.To))
		}
	}
	return strings.Join(names, ", ")
}

// daysLeft returns where a date lies relative to today ("left", "tomorrow", "today", "yesterday" or "over"), and by
// how many days. Both are "" if today is not known.
func (n *notice) daysLeft(iso string) (when, days string) {
	t, err := time.Parse(time.DateOnly, iso)
	if err != nil || n.today.IsZero() {
		return "", ""
	}
	switch days := int(math.Round(t.Sub(n.today).Hours() / 24)); {
	case days > 1:
		return "left", strconv.Itoa(days)
	case days == 1:
		return "tomorrow", ""
	case days == 0:
		return "today", ""
	case days == -1:
		return "yesterday", ""
	default:
		return "over", strconv.Itoa(-days)
	}
}

func (n *notice) hasPassed(iso string) bool {
	t, err := time.Parse(time.DateOnly, iso)
	return err == nil && !n.today.IsZero() && t.Before(n.today)
}

// rupees formats an amount in the Indian style, as in "₹12,45,000".
func rupees(amount float64) string {
	paise := int64(math.Round(math.Abs(amount) * 100))
	digits := fmt.Sprint(paise / 100)
	grouped := ""
	for size := 3; len(digits) > size; size = 2 {
		grouped = "," + digits[len(digits)-size:] + grouped
		digits = digits[:len(digits)-size]
	}
	text := "₹" + digits + grouped
	if rest := paise % 100; rest != 0 {
		text += fmt.Sprintf(".%02d", rest)
	}
	if amount < 0 {
		text = "-" + text
	}
	return text
}

// quote returns text of the notice in quotation marks, on one line and with Markdown escaped, so that it is only
// shown.
func quote(text string, limit int) string {
	return "“" + escape(shorten(oneLine(text), limit)) + "”"
}

// plain returns a value of the notice for use in a sentence or table.
func plain(text string) string { return escape(shorten(oneLine(text), 300)) }

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func shorten(text string, limit int) string {
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	cut := limit
	for cut > limit/2 && runes[cut] != ' ' {
		cut--
	}
	return strings.TrimRight(string(runes[:cut]), " ,;") + " …"
}

var markdown = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "#", `\#`, "|", `\|`,
	"!", `\!`, "~", `\~`, "://", ":\u200b//", "www.", "www\u200b.",
)

func escape(text string) string { return markdown.Replace(text) }
