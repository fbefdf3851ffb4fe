package reply

import (
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
)

// Form is how a paper is to be answered.
type Form struct {
	// Kind is "reply"; "return" where the answer is to file a return; "appeal" for
	// an order; "none" for a paper that asks for no reply, or is no notice.
	Kind      string `json:"kind"`
	Name      string `json:"name"`      // "FORM GST DRC-06", "" for a letter
	Title     string `json:"title"`     // "Reply to show cause notice"
	Sentence  string `json:"sentence"`  // what is to be done instead of a reply, and by when
	Provision string `json:"provision"` // under which it is answered, in words
}

// FormOf gives the form of the answer to a notice, from the table of forms.
func FormOf(t *law.Tables, f gst.Facts, r reckon.Reckoning) Form {
	var row *law.Form
	if f.Form != nil {
		row = t.Form(*f.Form)
	}
	switch {
	case row == nil && f.Form == nil && f.Kind == "order":
		return orderForm(r, "an order", "Appeal in FORM APL-01", "s.107(1)", reckon.Appeal)
	case row == nil && isNotice(f):
		form := Form{Kind: "reply", Title: "Reply to the letter", Provision: ""}
		if f.Kind == "notice" {
			form.Title = "Reply to show cause notice"
		}
		if section, _ := reckon.ProceedsUnder(f); section != "" {
			form.Provision = "rule 142(4), CGST Rules"
		}
		return form
	case row == nil:
		return Form{Kind: "none", Sentence: "This is no GST notice that the program knows: it cannot tell what, if anything, is to be answered."}
	case row.Kind == "order" && (strings.HasPrefix(row.Answer, "Appeal") || row.Time == nil):
		return orderForm(r, "an order in "+formName(row.Form), row.Answer, row.Law, reckon.Appeal)
	case row.Kind == "order":
		return orderForm(r, "an order in "+formName(row.Form), row.Answer, row.Law, reckon.Comply)
	case row.AnswerLaw == "" && strings.HasPrefix(row.Form, "GSTR-"):
		return instead("return", r, formName(row.Form), row.Answer, row.Law, reckon.Reply, "", row.IfMissed)
	case row.AnswerLaw == "":
		return instead("none", r, formName(row.Form), row.Answer, row.Law, reckon.Reply, "", row.IfMissed)
	}
	form := Form{Kind: "reply", Title: row.AnswerTitle, Provision: provision(row.AnswerLaw)}
	if before, code, ok := strings.Cut(row.Answer, "FORM "); ok {
		form.Name = formName(strings.TrimSpace(code))
		if strings.HasSuffix(before, "Part B of ") {
			form.Name = "Part B of " + form.Name
		}
		if strings.Contains(before, "in writing") {
			form.Name = "" // the form is a choice
		}
	}
	return form
}

// orderForm says what is done against an order.
func orderForm(r reckon.Reckoning, what, answer, of, code string) Form {
	form := instead("appeal", r, what, answer, of, code, "no reply", "")
	if code == reckon.Comply {
		if d := deadline(r, reckon.Appeal); d != nil && d.Date != nil && !strings.Contains(answer, "appeal") {
			form.Sentence += " An appeal in FORM GST APL-01 is possible as well, by " + printed(*d.Date) + " (" + provision(d.Provision) + ")."
		}
	}
	return form
}

// instead says what to do where a reply is not the answer.
func instead(kind string, r reckon.Reckoning, what, answer, of, code, refuse, missed string) Form {
	form := Form{Kind: kind, Title: answer, Provision: provision(of)}
	if _, name, ok := strings.Cut(answer, "FORM "); ok {
		form.Name = formName(strings.Trim(name, " ."))
	}
	sentence := "This is " + what + ": "
	if kind != "appeal" {
		sentence = what + " is not answered with a reply: "
	} else if refuse != "" {
		sentence += "it takes " + refuse + ". "
	}
	sentence += strings.ToLower(answer[:1]) + answer[1:]
	if kind == "appeal" {
		sentence = strings.Replace(sentence, ". "+strings.ToLower(answer[:1]), ". "+answer[:1], 1)
	}
	sentence = strings.ReplaceAll(sentence, "FORM ", "FORM GST ")
	sentence = strings.ReplaceAll(sentence, "FORM GST GST", "FORM GST")
	d := deadline(r, code)
	if d != nil && d.Date != nil {
		sentence += " by " + printed(*d.Date)
		if d.Provision != "" {
			form.Provision = provision(d.Provision)
		}
	}
	if form.Provision != "" {
		sentence += " (" + form.Provision + ")"
	}
	sentence += "."
	if d != nil && d.Date != nil && d.FollowsService && r.Served == nil {
		sentence += " The day is counted from the date of issue, since the date of service is not known."
	}
	if missed != "" {
		sentence += " Otherwise: " + missed + "."
	}
	form.Sentence = sentence
	return form
}

func deadline(r reckon.Reckoning, code string) *reckon.Deadline {
	for i := range r.Deadlines {
		if r.Deadlines[i].Code == code {
			return &r.Deadlines[i]
		}
	}
	return nil
}

// formName writes a form as its heading does, "FORM GST DRC-06".
func formName(code string) string {
	if strings.HasPrefix(code, "GSTR-") {
		return "FORM " + code
	}
	return "FORM GST " + code
}
