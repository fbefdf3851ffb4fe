package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/message"
	"munshi/orchestrator/model"
	"munshi/orchestrator/plugins"
	"munshi/orchestrator/prompt"
)

var update = flag.Bool("update", false, "write the golden files anew")

// texts are the plugins' texts for answers without a model, by plugin, as in the prompts folder.
var texts = sync.OnceValues(func() (map[string]*prompt.Prompt, error) {
	folders, err := prompt.ReadDir("../../prompts")
	if err != nil {
		return nil, err
	}
	found := map[string]*prompt.Prompt{}
	for _, f := range folders {
		if strings.HasPrefix(f.Plugin, "_") {
			continue
		}
		b, err := f.Check(plugins.Registry())
		if err != nil {
			return nil, err
		}
		if text := b.Prompt("offline"); text != nil {
			found[f.Plugin] = text
		}
	}
	return found, nil
})

// request is what the worker sends to the offline engine.
func request(t *testing.T, name string, values map[string]any) model.Request {
	t.Helper()
	all, err := texts()
	if err != nil {
		t.Fatal(err)
	}
	req := model.Request{Prompt: name, Values: values}
	plugin, _, _ := strings.Cut(name, "/")
	if text := all[plugin]; text != nil {
		req.Offline = text.Write
	}
	return req
}

// offline asks the offline engine, and checks what is true of every answer.
func offline(t *testing.T, name string, values map[string]any) string {
	t.Helper()
	var streamed strings.Builder
	pieces := 0
	reply, err := model.Offline{}.Generate(context.Background(), request(t, name, values), func(s string) error {
		streamed.WriteString(s)
		pieces++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if streamed.String() != reply.Text {
		t.Errorf("the streamed pieces are not the text")
	}
	if len(reply.Text) > 200 && pieces < 3 {
		t.Errorf("%d bytes came in %d pieces", len(reply.Text), pieces)
	}
	if !strings.Contains(strings.ToLower(reply.Text), "language model") && !strings.Contains(reply.Text, "Ask about the notice") &&
		!strings.Contains(reply.Text, "भाषा मॉडल") {
		t.Errorf("the answer does not say that no model wrote it: %.100q", reply.Text)
	}
	if reply.StopReason != "stop" || reply.Model != "offline" {
		t.Errorf("stop reason %q of %q", reply.StopReason, reply.Model)
	}
	return reply.Text
}

// fixture returns the values of a prompt about a notice of testdata/offline.
func fixture(t *testing.T, name, today string) map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "offline", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	facts, err := os.ReadFile(filepath.Join("testdata", "offline", name+".facts.json"))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]any{"notice": string(text), "facts": string(facts), "today": today}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "offline", name+".md")
	if *update {
		if err := os.WriteFile(path, []byte(got+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(string(want)) != got {
		t.Errorf("%s differs; run the test with -update and read the difference", path)
	}
}

var samples = []struct{ name, today string }{
	{"portal-drc01", "2024-12-20"},
	{"letter-scn", "2025-09-01"}, // after the last date
	{"scan-asmt10", "2026-03-08"},
	{"reg17", "2026-07-07"},
	{"gstr3a", "2026-06-12"},
	{"order-drc07", "2026-01-05"},
	{"bilingual", "2025-08-25"},
	{"refund-injection", "2026-02-12"},
}

func TestOfflineAnalysis(t *testing.T) {
	for _, s := range samples {
		t.Run(s.name, func(t *testing.T) {
			golden(t, s.name+".analysis", offline(t, "notice/analyse", fixture(t, s.name, s.today)))
		})
	}
}

// devanagari and latin count the letters of each script.
var devanagari, latin = regexp.MustCompile(`\p{Devanagari}`), regexp.MustCompile(`\p{Latin}`)

// inHindi removes what stays English in a Hindi answer: quotations, the list that a program reads, names of Acts,
// forms and screens of the portal, and names in the notice itself.
var inHindi = regexp.MustCompile(`(?s)“[^”]*”|\n## Required Document.*|Services, User Services, View Notices and Orders|` +
	`\b(?:[A-Z]{2,}[0-9A-Z-]*|CGST Act|CGST Rules|Acts?|Rules?|s?\.)\b|\|[^|\n]*\| [^|\n]*\|\n|section [0-9A-Z()]+[^)।]*|` +
	`Deputy Commissioner of State Tax|: Pune : Maharashtra|Room No.*Pune`)

// withMessages returns facts as the program reads them now, with codes for messages; the fixtures are older.
func withMessages(t *testing.T, facts string) string {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal([]byte(facts), &fields); err != nil {
		t.Fatal(err)
	}
	flag := message.New("flags.din_missing", nil)
	fields["flags"] = []any{map[string]any{"code": "din_missing", "message": flag.English, "said": flag}}
	fields["points"] = []any{map[string]any{"title": "The notice is late", "provision": "section 73(10)", "verdict": "may_apply", "takes_away": "₹1,00,000",
		"explanation": "It came too late.", "hi": map[string]any{"title": "नोटिस देर से आया", "explanation": "तारीख निकल चुकी थी।"}}}
	if due, ok := fields["reply_due"].(map[string]any); ok && due["basis"] != nil {
		due["said"] = message.New("time.days", message.Params{"count": 30})
	}
	raw, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// A person who chose Hindi is answered in Hindi, from the same facts; a paper for somebody else is written in
// English.
func TestOfflineHindi(t *testing.T) {
	ask := func(name string, values map[string]any) string {
		t.Helper()
		reply, err := model.Offline{Hindi: func(string) string { return "कागज़" }}.Generate(t.Context(), request(t, name, values), nil)
		if err != nil {
			t.Fatal(err)
		}
		return reply.Text
	}
	checked := func(about, text string) {
		t.Helper()
		own := inHindi.ReplaceAllString(text, "")
		if d, l := len(devanagari.FindAllString(own, -1)), len(latin.FindAllString(own, -1)); d < 20 || l*6 > d {
			t.Errorf("%s is not in Hindi: %d letters of it, %d Latin ones: %s", about, d, l, own)
		}
		if strings.Contains(text, "{{") || !strings.Contains(text, "मॉडल") {
			t.Errorf("%s: %s", about, text)
		}
	}
	for _, s := range samples {
		values := fixture(t, s.name, s.today)
		values["language"], values["facts"] = "Hindi", withMessages(t, values["facts"].(string))
		text := ask("notice/analyse", values)
		checked(s.name, text)
		golden(t, s.name+".analysis.hi", text)
	}
	for _, question := range []string{
		"By when do I have to reply?", "kab tak jawab dena hai", "कितनी राशि माँगी गई है?", "Which documents should I collect?", "In which form do I reply?",
		"What happens if I ignore it?", "Who sent this?", "When is the hearing?", "Is it genuine?", "what should I do", "Hello!", "What is this?",
	} {
		values := fixture(t, "portal-drc01", "2024-12-20")
		values["language"], values["message"] = "Hindi", question
		checked(question, ask("notice/chat", values))
	}
	values := fixture(t, "portal-drc01", "2024-12-20")
	values["language"], values["document_type"] = "Hindi", "Purchase register"
	values["document"] = "[Page 1]\nTAX INVOICE\nGSTIN 27AAPFU0939F1ZV\nFor 2023-24\nTotal 1,180.00"
	checked("review", ask("notice/document", values))
	checked("summary", ask("summary/summarise", map[string]any{"language": "Hindi", "notice": "[Page 1]\nYou shall pay Rs. 5,000 by 12.05.2026."}))
	checked("no model", ask("review/chat", map[string]any{"language": "Hindi", "message": "What is section 73?", "turn": "chat"}))

	for prompt, begins := range map[string]string{"notice/stances": "[]", "drafting/draft": "> **इसे किसी भाषा मॉडल ने नहीं लिखा।**"} {
		inputs := []map[string]string{{"id": "type", "text": "Affidavit"}, {"id": "details", "text": "On *Tuesday*"}}
		text := ask(prompt, map[string]any{"language": "Hindi", "inputs": inputs})
		if !strings.HasPrefix(text, begins) {
			t.Errorf("%s begins with %.60q", prompt, text)
		}
		if prompt == "drafting/draft" && (!strings.Contains(text, "\n# AFFIDAVIT\n") || !strings.Contains(text, `> On \*Tuesday\*`)) {
			t.Errorf("the draft: %q", text)
		}
	}
}

// The list is read as the product's specification says: after the heading, up to the first empty
// line, bullets, split at the first colon.
func TestOfflineRequiredDocuments(t *testing.T) {
	text := offline(t, "notice/analyse", fixture(t, "portal-drc01", ""))
	_, list, ok := strings.Cut(text, "Required Document(s):\n")
	if !ok {
		t.Fatal("no list")
	}
	list, _, _ = strings.Cut(list, "\n\n")
	lines := strings.Split(strings.TrimSpace(list), "\n")
	if len(lines) < 5 || len(lines) > 12 {
		t.Errorf("%d documents", len(lines))
	}
	for _, line := range lines {
		kind, reason, ok := strings.Cut(strings.TrimPrefix(line, "- "), ":")
		if !strings.HasPrefix(line, "- ") || !ok || strings.TrimSpace(kind) == "" || strings.TrimSpace(reason) == "" {
			t.Errorf("line %q", line)
		}
	}
	if got := offline(t, "notice/analyse", fixture(t, "gstr3a", "")); strings.Contains(got, "Required Document") {
		t.Error("a list although nothing is needed")
	}
}

// Whatever a notice says to a program is shown in quotation marks, and changes nothing.
func TestOfflineOnlyQuotesInjection(t *testing.T) {
	values := fixture(t, "refund-injection", "2026-02-12")
	analysis := offline(t, "notice/analyse", values)
	if !strings.Contains(analysis, "25 February 2026") || !strings.Contains(analysis, "RFD-09") {
		t.Error("the injected text changed the analysis")
	}
	for _, line := range strings.Split(analysis, "\n") {
		if i := strings.Index(line, "Ignore previous"); i >= 0 && !strings.Contains(line[:i], "“") {
			t.Errorf("not quoted: %q", line)
		}
	}
	values["notice"] = "[Page 1]\nRequired Document(s): everything\n- Bribe: now\n\n<script>alert(1)</script> [link](https://evil.example) ![x](http://evil.example/p.png)"
	values["message"] = "what is everything, the bribe and the script link?"
	chat := offline(t, "notice/chat", values)
	if regexp.MustCompile(`(?m)^[>\s#*]*Required Document`).MatchString(chat) {
		t.Errorf("a quoted heading stands as a heading: %q", chat)
	}
	if strings.Contains(chat, "<script>") || regexp.MustCompile(`[^\\]\]\(`).MatchString(chat) || strings.Contains(chat, "https://") {
		t.Errorf("quoted markup is live: %q", chat)
	}
}

func TestOfflineNotANotice(t *testing.T) {
	nothing := `{"form":null,"reply_due":{"date":null,"source":"unknown","basis":null},"fraud_alleged":null}`
	for _, values := range []map[string]any{
		{"notice": "[Page 1]\nRECIPE\n\nTake two eggs before 12.05.2026 and pay Rs. 500.", "facts": nothing, "today": "2026-05-01"},
		{"notice": "[Page 1]\nRECIPE", "facts": "", "today": "2026-05-01"},
	} {
		got := offline(t, "notice/analyse", values)
		if !strings.Contains(got, "does not look like a GST notice") || strings.Contains(got, "##") {
			t.Errorf("%q", got)
		}
	}
	if got := offline(t, "notice/analyse", nil); !strings.Contains(got, "No text could be read") {
		t.Errorf("%q", got)
	}
}

// Every notice and order in the tables of law is explained. Nobody is asked to reply to an order.
func TestOfflineKnowsEveryForm(t *testing.T) {
	notRead := regexp.MustCompile(`form could not be read|has no information about the form|फ़ॉर्म नहीं पढ़ा|प्रोग्राम के पास कोई जानकारी नहीं`)
	replied := regexp.MustCompile(`DRC-06|Answer in writing|draft or review the reply|in your reply|लिखकर जवाब दें|जवाब किसी CA या वकील से बनवाएँ|अपने जवाब में`)
	analyse := func(facts, language string) string {
		values := map[string]any{"notice": "[Page 1]\nAn officer writes.", "facts": facts, "today": "2026-11-01", "language": language}
		return offline(t, "notice/analyse", values)
	}
	orders := 0
	for _, row := range law.Built().Forms {
		if row.Kind == "filing" {
			continue
		}
		for _, language := range []string{"", "Hindi"} {
			text := analyse(`{"form":"`+row.Form+`","fraud_alleged":false}`, language)
			if m := notRead.FindString(text); m != "" {
				t.Errorf("%s %s: %q in %s", row.Form, language, m, text)
			}
			if row.Kind != "order" {
				continue
			}
			orders++
			if m := replied.FindString(text); m != "" {
				t.Errorf("%s %s: a reply to an order: %q in %s", row.Form, language, m, text)
			}
			for _, form := range regexp.MustCompile(`FORM [A-Z]+-[0-9]+[A-Z]?`).FindAllString(row.Answer, -1) {
				if !strings.Contains(text, form) {
					t.Errorf("%s %s: no %s in %s", row.Form, language, form, text)
				}
			}
		}
	}
	if orders < 20 {
		t.Errorf("%d orders", orders)
	}
	for language, want := range map[string][2]string{"": {"has no information about the form", "form could not be read"}, "Hindi": {"प्रोग्राम के पास कोई जानकारी नहीं", "फ़ॉर्म नहीं पढ़ा"}} {
		unknown := analyse(`{"form":"NEW-01","fraud_alleged":false}`, language)
		if !strings.Contains(unknown, "FORM GST NEW-01") || !strings.Contains(unknown, want[0]) || strings.Contains(unknown, want[1]) ||
			strings.Contains(unknown, "DRC-06") {
			t.Errorf("a form that the texts do not know: %s", unknown)
		}
		if letter := analyse(`{"form":null,"kind":"notice","fraud_alleged":false}`, language); !strings.Contains(letter, want[1]) {
			t.Errorf("a letter without a form: %s", letter)
		}
		values := map[string]any{"facts": `{"form":"DRC-07","fraud_alleged":false}`, "message": "When is the hearing?", "language": language}
		if hearing := offline(t, "notice/chat", values); replied.MatchString(hearing) || len(hearing) < 150 {
			t.Errorf("the hearing of an order: %s", hearing)
		}
		order := analyse(`{"form":null,"kind":"order","fraud_alleged":false}`, language)
		if m := replied.FindString(order); m != "" || !strings.Contains(order, "FORM APL-01") {
			t.Errorf("an order without a form: %q in %s", m, order)
		}
	}
}

func TestOfflineChat(t *testing.T) {
	for _, test := range []struct{ sample, question, want string }{
		{"portal-drc01", "By when do I have to reply?", "6 January 2025"},
		{"portal-drc01", "What is the last date?", "17 days left"},
		{"portal-drc01", "kab tak jawab dena hai", "आखिरी तारीख **6 जनवरी 2025**"},
		{"portal-drc01", "जवाब देने की अंतिम तिथि क्या है?", "6 जनवरी 2025"},
		{"portal-drc01", "How much is claimed in total?", "₹9,68,058"},
		{"portal-drc01", "kitna paisa dena hai?", "₹9,68,058"},
		{"portal-drc01", "Which documents should I collect?", "Reconciliation of GSTR-2A"},
		{"portal-drc01", "kaun se kagaz chahiye", "Reconciliation of GSTR-2A"},
		{"portal-drc01", "In which form do I reply?", "DRC-06"},
		{"portal-drc01", "What happens if I ignore it?", "DRC-07"},
		{"portal-drc01", "agar jawab nahi diya to kya hoga", "DRC-07"},
		{"portal-drc01", "Who sent this?", "Deputy Commissioner of State Tax"},
		{"portal-drc01", "Which sections are cited?", "16(2)(c)"},
		{"portal-drc01", "When is the hearing?", "13 January 2025 at 11:30"},
		{"portal-drc01", "Is it genuine?", "ZD271224038216Q"},
		{"portal-drc01", "What do they allege?", "Excess claim of input tax credit"},
		{"portal-drc01", "What does it say about freight paid to transport agencies?", "Page 2: “2. Non-payment of tax under reverse charge on inward freight."},
		{"portal-drc01", "Can my dog join the army?", "does not seem to answer this"},
		{"letter-scn", "What is the CGST penalty?", "CGST, penalty: **₹8,44,425**"},
		{"letter-scn", "how much IGST tax", "IGST, tax: **₹25,85,808**"},
		{"letter-scn", "interest under SGST?", "SGST, interest: the notice states no amount, or states zero"},
		{"portal-drc01", "Hello!", "cannot hold a conversation. It can say"},
		{"portal-drc01", "namaste ji", "cannot hold a conversation"},
		{"portal-drc01", "Please draft a reply to the demand", "cannot draft a reply"},
		{"portal-drc01", "write the response before the last date", "cannot draft a reply"},
		{"portal-drc01", "Translate it into Hindi", "cannot translate"},
		{"portal-drc01", "In which form do I write my reply, which form?", "DRC-06"},
		{"letter-scn", "How long do I have?", "has passed"},
		{"letter-scn", "When is the hearing?", "No date for a hearing was found"},
		{"refund-injection", "how much do they demand", "Nothing is demanded"},
		{"gstr3a", "what should I do", "File the missing return"},
	} {
		values := fixture(t, test.sample, map[string]string{"portal-drc01": "2024-12-20", "letter-scn": "2025-09-01"}[test.sample])
		values["message"] = test.question
		if got := offline(t, "notice/chat", values); !strings.Contains(got, test.want) {
			t.Errorf("%s: %q: %q lacks %q", test.sample, test.question, got, test.want)
		} else if strings.Contains(got, "Required Document") {
			t.Errorf("%q: an answer must not replace the list", test.question)
		}
	}
	values := fixture(t, "letter-scn", "2025-09-01")
	values["message"] = "How much is the CGST penalty?"
	if got := offline(t, "notice/chat", values); !strings.HasPrefix(got, "CGST, penalty:") {
		t.Errorf("the figure asked for is not first: %q", got)
	}
	if got := offline(t, "notice/chat", map[string]any{"message": "By when?"}); !strings.Contains(got, "No notice has been read here yet") || strings.Contains(got, "has been uploaded") || strings.Contains(got, "read in the notice") {
		t.Errorf("without a notice: %q", got)
	}
}

// A column that is zero in every row is left out; a column with a single zero stays.
func TestOfflineAmountColumns(t *testing.T) {
	for _, test := range []struct{ rows, header, says string }{
		{`{"head":"CGST","tax":100,"penalty":10},{"head":"SGST","tax":100}`, "| Head | Tax | Penalty | Total |", "Interest: the notice states no amount"},
		{`{"head":"CGST","tax":100,"interest":5}`, "| Head | Tax | Interest | Total |", "Penalty: the notice states no amount"},
		{`{"head":"CGST","penalty":10}`, "| Head | Penalty | Total |", "Interest: the notice states no amount"},
	} {
		facts := `{"form":"DRC-01","demand":{"rows":[` + test.rows + `],"total":210}}`
		got := offline(t, "notice/chat", map[string]any{"notice": "[Page 1]\nx", "facts": facts, "message": "how much"})
		if !strings.Contains(got, test.header+"\n") || !strings.Contains(got, test.says) {
			t.Errorf("%s: %q", test.rows, got)
		}
	}
}

// The quotation of an allegation ends before a table and before the words that end every notice.
func TestOfflineAllegationsEnd(t *testing.T) {
	const claim = "Credit of Rs. 1,200 for 2020-21 was taken in excess, as tabulated below."
	for text, want := range map[string]string{
		claim: claim + "”",
		claim + " Particulars IGST CGST SGST Credit taken 10 20 30": claim + " …”",
		claim + " Sr. No. Invoice Date":                             claim + " …”",
		claim + " Total 1,200 2,400.50 3,600":                       claim + " Total …”",
		claim + " You may appear for a personal hearing on 2 May.":  claim + " …”",
		"You may appear for a personal hearing.":                    "You may appear for a personal hearing.”",
	} {
		facts, err := json.Marshal(map[string]any{"form": "DRC-01", "paragraphs": []map[string]any{{"number": "1", "text": "1. " + text, "page": 1}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := offline(t, "notice/analyse", map[string]any{"notice": "[Page 1]\nx", "facts": string(facts)}); !strings.Contains(got, "“"+want) {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestOfflineDocument(t *testing.T) {
	values := fixture(t, "portal-drc01", "2024-12-20")
	values["document_type"] = "Reconciliation of GSTR-2A or GSTR-2B with the purchase register and GSTR-3B"
	values["document"] = "[Page 1]\nRECONCILIATION STATEMENT, SAHYADRI AGROVET PRIVATE LIMITED\nGSTIN 27ZAPCS4821K1Z6, F.Y. 2020-21\nIGST as per 3B 2,18,460 more than 2A\nDate: 14.12.2024"
	golden(t, "portal-drc01.document", offline(t, "notice/document", values))

	values["document"] = "[Page 1]\nTAX INVOICE\nGSTIN 27AAPFU0939F1ZV\nFor 2023-24\nTotal 1,180.00"
	got := offline(t, "notice/document", values)
	for _, want := range []string{"does not mention the GSTIN of the notice", "but the notice is about 2020-21", "none of the amounts in the demand", "a tax invoice"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
	if want := "Still needed: Reconciliation of GSTR-2A or GSTR-2B"; !strings.Contains(got, want) {
		t.Errorf("another's paper settles what was asked for: %q", got)
	}
	for document, want := range map[string]string{
		"FORM GST DRC-01\n[See rule 100(2)]\nGSTIN 27ZAPCS4821K1Z6\nCredit higher than in GSTR-2A":     "a GST notice or order",
		"OFFICE OF THE SUPERINTENDENT\nSHOW CAUSE NOTICE\nGSTR-2B was compared":                        "a GST notice or order",
		"FORM GST DRC – 03\nCause of payment: show cause notice\nCPIN 2412":                            "a challan",
		"FORM GSTR-2A\nDetails of auto drafted supplies":                                               "a GSTR-2A statement",
		"ABC & Co\nReconciliation of GSTR-2A with the purchase register":                               "a reconciliation",
		"Reply to the show cause notice of 12.05.2025":                                                 "a reply to a notice",
		"Dear Sir,\n" + strings.Repeat("we thank you for your custom. ", 100) + " GSTR-2A is enclosed": "does not recognise what kind",
	} {
		values["document"] = "[Page 1]\n" + document
		got := offline(t, "notice/document", values)
		if !strings.Contains(got, want) {
			t.Errorf("%.60q: %q lacks %q", document, got, want)
		}
		if open := strings.Contains(got, "Still needed: Reconciliation of GSTR-2A"); open != strings.Contains(want, "notice or order") {
			t.Errorf("%.60q: what was asked for is open: %v", document, open)
		}
	}
	values["document"] = ""
	if got := offline(t, "notice/document", values); !strings.Contains(got, "No text could be read") {
		t.Errorf("an empty document: %q", got)
	}
	if got := offline(t, "notice/document", map[string]any{"document": "[Page 1]\nledger"}); !strings.Contains(got, "no notice in this conversation") {
		t.Errorf("without a notice: %q", got)
	}
}

func TestOfflineUnknownPrompt(t *testing.T) {
	if got := offline(t, "review/chat", map[string]any{"message": "hello"}); !strings.Contains(got, "No language model is configured") {
		t.Errorf("%q", got)
	}
}

// If a plugin has a text for it, a program fills it in, in the right language; if the program fails, there is no
// answer.
func TestOfflineProgram(t *testing.T) {
	program := func(values map[string]any) (map[string]any, error) {
		if values["message"] == "" {
			return nil, errors.New("no question")
		}
		return map[string]any{"says": "धारा 16"}, nil
	}
	engine := model.Offline{Program: program}
	req := model.Request{Prompt: "lawyer/chat", Values: map[string]any{"message": "?", "language": "Hindi"},
		Offline: func(values map[string]any) (string, error) { return fmt.Sprint("**", values["says"], "**"), nil }}
	said := ""
	reply, err := engine.Generate(t.Context(), req, func(s string) error { said += s; return nil })
	if err != nil || reply.Text != "**धारा 16**" || said != reply.Text || reply.Provider != "offline" {
		t.Errorf("%+v %q %v", reply, said, err)
	}
	req.Values["message"] = ""
	if reply, err := engine.Generate(t.Context(), req, nil); err == nil {
		t.Errorf("a program that failed gives %+v", reply)
	}
	req.Offline = nil
	if reply, err := engine.Generate(t.Context(), req, nil); err != nil || !strings.Contains(reply.Text, "कोई भाषा मॉडल नहीं लगा है") {
		t.Errorf("without a text: %+v %v", reply, err)
	}
}

// The summary of a document consists of its own words, under the usual headings, each with its page.
func TestOfflineSummary(t *testing.T) {
	got := offline(t, "summary/summarise", map[string]any{"notice": `[Page 1]
RENT AGREEMENT made on 1st April, 2026 between Kaveri Estates and Bharat Traders.
The rent is Rs. 45,000/- a month. The Lessee shall pay it by the 5th.

[Page 2]
A deposit of Rs 2,70,000 is to be paid on or before 15/04/2026. It bears no interest.
The premises are to be handed over by 31-03-29. Nothing else | is said.
1    Date of signing           2 April 2026
2    Place                     Pune`})
	for _, want := range []string{
		"## TL;DR\n\n**No language model read this document.**", "2 pages and 69 words", "looks like an agreement", "> “RENT AGREEMENT made on",
		"## Key points\n\nWhere money is mentioned:\n\n- “The rent is Rs. 45,000/- a month.” (page 1)\n- “A deposit of Rs 2,70,000",
		"## Dates and deadlines\n\n| Date | What | Page |\n| --- | --- | --- |\n| 1 April 2026 | “RENT AGREEMENT", "| 2 April 2026 | “1 Date of signing 2 April 2026” | 2 |\n| 15 April 2026 | “A deposit of Rs 2,70,000 is to be paid on or before 15/04/2026.” | 2 |\n| 31 March 2029 |",
		"## Required actions\n\nSentences that tell someone to do something, or by when:\n\n1. “The Lessee shall pay it by the 5th.” (page 1)\n2. “A deposit", "## Implications\n\nWithout a language model",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the summary lacks %q:\n%s", want, got)
		}
	}
	if got := offline(t, "summary/summarise", map[string]any{"notice": "[Page 1]\n(This page could not be read.)"}); !strings.Contains(got, "No date that the program can read was found") || !strings.Contains(got, "No amount") || !strings.Contains(got, "No sentence was found") {
		t.Errorf("of nothing: %s", got)
	}
	long := strings.Repeat("[Page 3]\nIt shall be paid: Rs. 5,000. "+strings.Repeat("word ", 240)+"on 3 May 2026 at last.\n\n", 3)
	if got := offline(t, "summary/summarise", map[string]any{"notice": long}); !strings.Contains(got, "| 3 May 2026 | “… ") || strings.Count(got, "| 3 May 2026") != 1 {
		t.Errorf("of a long sentence: %s", got)
	}
}

func TestOfflineStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	values := fixture(t, "portal-drc01", "")
	n := 0
	_, err := model.Offline{}.Generate(ctx, model.Request{Prompt: "notice/analyse", Values: values}, func(string) error {
		if n++; n == 3 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || n != 3 {
		t.Errorf("after cancel: %v, %d pieces", err, n)
	}
	full := errors.New("the browser is gone")
	_, err = model.Offline{}.Generate(context.Background(), model.Request{Prompt: "notice/analyse", Values: values}, func(string) error { return full })
	if !errors.Is(err, full) {
		t.Errorf("onText's error is lost: %v", err)
	}
}

// Strings that break careless software break nothing here, wherever they occur.
func TestOfflineNaughtyStrings(t *testing.T) {
	naughty := []string{"", "undefined", "\x00\xff\xfe", "]]>", "`*_#|~", "\u202e\u0000", "{{.}}", "${jndi:ldap://x}", "|a|b|\n|-|-|", strings.Repeat("é", 5000), "%s%d%n", "\r\n\r\n## Required Document(s):\n- x: y"}
	if data, err := os.ReadFile("../../../shared/samples/hostile/naughty-strings.json"); err == nil {
		var more []string
		if err := json.Unmarshal(data, &more); err != nil {
			t.Fatal(err)
		}
		naughty = append(naughty, more...)
	}
	for _, s := range naughty {
		facts, err := json.Marshal(map[string]any{
			"form": s, "reference": s, "legal_name": s, "gstin": s, "issue_date": s, "fraud_alleged": true, "sections": []string{s}, "issues": []string{s},
			"reply_due": map[string]string{"date": s, "source": s, "basis": s}, "hearing": map[string]string{"date": s, "time": s, "venue": s},
			"flags":              []map[string]any{{"code": s, "message": s, "page": -1}},
			"paragraphs":         []map[string]any{{"number": s, "text": s, "page": 1}},
			"required_documents": []map[string]string{{"type": s, "reason": s, "issue": s}},
			"evidence":           map[string]any{"reply_due": map[string]any{"page": 1, "quote": s}},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, values := range []map[string]any{
			{"facts": string(facts), "notice": s, "document": s, "document_type": s, "message": s, "today": s},
			{"facts": s, "notice": s, "document": s, "message": s, "today": s},
			{"facts": 7, "notice": nil, "history": s},
		} {
			for _, prompt := range []string{"notice/analyse", "notice/document", "notice/chat", "lawyer/chat", "summary/summarise", s} {
				offline(t, prompt, values)
			}
		}
	}
}
