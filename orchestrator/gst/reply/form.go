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
		form := Form{Kind: "reply", Title: "Reply to the letter"}
		switch {
		case f.Kind == "notice":
			form.Title = "Reply to show cause notice"
		case f.Form != nil:
			form.Title = "Reply to the notice"
		}
		if section, _ := reckon.ProceedsUnder(f); section != "" {
			form.Provision = "rule 142(4), CGST Rules"
		}
		return form
	case row == nil:
		return Form{Kind: "none", Sentence: "The program finds no notice here that is answered with a reply: see what the paper itself asks for."}
	case row.Kind == "order" && (strings.HasPrefix(row.Answer, "Appeal") || row.Time == nil):
		return orderForm(r, "an order in "+formName(row.Form), row.Answer, row.Law, reckon.Appeal)
	case row.Kind == "order":
		return orderForm(r, "an order in "+formName(row.Form), row.Answer, row.Law, reckon.Comply)
	case row.AnswerLaw == "" && strings.HasPrefix(row.Form, "GSTR-"):
		return refuse("return", r, row)
	case row.AnswerLaw == "":
		return refuse("none", r, row)
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
	form := instead("appeal", r, answer, of, code)
	form.Sentence = "This is " + what + ": it takes no reply. " + form.Sentence
	if d := deadline(r, reckon.Appeal); code == reckon.Comply && d != nil && d.Date != nil {
		form.Sentence += " An appeal in FORM GST APL-01 lies until " + printed(*d.Date) + " (" + provision(d.Provision) + ")."
	}
	return form
}

// instead says what to do where a reply is not the answer.
func instead(kind string, r reckon.Reckoning, answer, of, code string) Form {
	form := Form{Kind: kind, Title: answer, Provision: provision(of)}
	if _, name, ok := strings.Cut(answer, "FORM "); ok {
		form.Name = formName(name)
	}
	if answer == "" {
		return form // the taxpayer's own paper
	}
	do, _, _ := strings.Cut(answer, ", or appeal") // which has a day of its own
	form.Sentence = strings.ReplaceAll(do, "FORM ", "FORM GST ")
	d := deadline(r, code)
	if d != nil && d.Date != nil {
		form.Sentence += " by " + printed(*d.Date)
		if d.Provision != "" {
			form.Provision = provision(d.Provision)
		}
	}
	if form.Provision != "" {
		form.Sentence += " (" + form.Provision + ")"
	}
	form.Sentence += "."
	if d != nil && d.Date != nil && d.FollowsService && r.Served == nil {
		form.Sentence += " The day is counted from the date of issue, since the date of service is not known."
	}
	return form
}

// refuse says what to do about a paper that is not answered with a reply.
func refuse(kind string, r reckon.Reckoning, row *law.Form) Form {
	form := instead(kind, r, row.Answer, row.Law, reckon.Reply)
	form.Sentence = strings.TrimSpace(formName(row.Form) + " is not answered with a reply. " + form.Sentence)
	if row.IfMissed != "" {
		form.Sentence += " Otherwise: " + row.IfMissed + "."
	}
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
