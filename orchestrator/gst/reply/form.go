package reply

import (
	"strings"

	"munshi/orchestrator/gst"
	"munshi/orchestrator/gst/law"
	"munshi/orchestrator/gst/reckon"
	"munshi/orchestrator/message"
)

// Form is how a paper is to be answered.
type Form struct {
	// Kind is "reply"; "return" if a return has to be filed instead; "appeal" for an order; "none" for a paper that
	// asks for no reply, or is not a notice.
	Kind      string          `json:"kind"`
	Name      string          `json:"name"`      // "FORM GST DRC-06", "" for a letter
	Title     message.Message `json:"title"`     // "Reply to show cause notice"
	Sentence  message.Message `json:"sentence"`  // what to do instead of a reply, and by when
	Provision string          `json:"provision"` // under which it is answered, in words
}

// Drafted reports whether Parts writes the paper: a reply, or a filing against an order.
func (f Form) Drafted() bool { return f.Kind == "reply" || f.filing() != nil }

// FormOf returns the form of the answer to a notice, from the table of forms.
func FormOf(t *law.Tables, f gst.Facts, r reckon.Reckoning) Form {
	var row *law.Form
	if f.Form != nil {
		row = t.Form(*f.Form)
	}
	switch {
	case row == nil && f.OnAppeal():
		row = t.Form("APL-04")
		return orderForm(r, message.New("forms.order", nil), row.Text("answer", row.Answer), row.Law, reckon.Appeal)
	case row == nil && f.Form == nil && f.Kind == "order":
		return orderForm(r, message.New("forms.order", nil), message.New("forms.appeal", nil), "s.107(1)",
			reckon.Appeal)
	case row == nil && isNotice(f):
		form := Form{Kind: "reply", Title: message.New("forms.letter", nil)}
		switch {
		case f.Kind == "notice":
			form.Title = message.New("forms.scn", nil)
		case f.Form != nil:
			form.Title = message.New("forms.notice", nil)
		}
		if section, _ := reckon.ProceedsUnder(f); section != "" {
			form.Provision = "rule 142(4), CGST Rules"
		}
		return form
	case row == nil:
		return Form{Kind: "none", Sentence: message.New("forms.not_a_notice", nil)}
	case row.Kind == "order" && (strings.HasPrefix(row.Answer, "Appeal") || row.Time == nil):
		return orderForm(r, orderIn(row), row.Text("answer", row.Answer), row.Law, reckon.Appeal)
	case row.Kind == "order":
		return orderForm(r, orderIn(row), row.Text("answer", row.Answer), row.Law, reckon.Comply)
	case row.AnswerLaw == "" && strings.HasPrefix(row.Form, "GSTR-"):
		return refuse("return", r, row)
	case row.AnswerLaw == "":
		return refuse("none", r, row)
	}
	form := Form{Kind: "reply", Title: row.Text("answer_title", row.AnswerTitle), Provision: provision(row.AnswerLaw)}
	if before, code, ok := strings.Cut(row.Answer, "FORM "); ok {
		form.Name = formName(strings.TrimSpace(code))
		if strings.HasSuffix(before, "Part B of ") {
			form.Name = "Part B of " + form.Name
		}
		if strings.Contains(before, "in writing") {
			form.Name = "" // there is a choice of forms
		}
	}
	return form
}

// orderForm returns what to do about an order: the form of the answer to it.
func orderForm(r reckon.Reckoning, what, answer message.Message, of, code string) Form {
	form := instead("appeal", r, answer, of, code)
	form.Sentence = message.Sentences(what, form.Sentence)
	if d := deadline(r, reckon.Appeal); code == reckon.Comply && d != nil && d.Date != nil {
		form.Sentence = message.Sentences(form.Sentence, message.New("forms.appeal_until",
			message.Params{"date": message.Date(*d.Date), "provision": message.Citation(provision(d.Provision))}))
	}
	return form
}

func orderIn(row *law.Form) message.Message {
	return message.New("forms.order_in", message.Params{"form": formName(row.Form)})
}

// instead returns a form that says what to do if the answer is not a reply.
func instead(kind string, r reckon.Reckoning, answer message.Message, of, code string) Form {
	form := Form{Kind: kind, Title: answer, Provision: provision(of)}
	d := deadline(r, code)
	if _, name, ok := strings.Cut(answer.English, "FORM "); ok {
		form.Name = formName(name)
	}
	if answer.IsZero() {
		return form // the taxpayer's own paper
	}
	which, params := "do", message.Params{"do": withoutAppeal(answer)}
	if d != nil && d.Date != nil {
		which, params["date"] = "do_by", message.Date(*d.Date)
		if d.Provision != "" {
			form.Provision = provision(d.Provision)
		}
	}
	if form.Provision != "" {
		which, params["provision"] = which+"_law", message.Citation(form.Provision)
	}
	form.Sentence = message.New("forms."+which, params)
	if d != nil && d.Date != nil && d.FollowsService && r.Served == nil {
		form.Sentence = message.Sentences(form.Sentence, message.New("forms.counted", nil))
	}
	return form
}

// withoutAppeal returns the answer to a paper without the appeal, which has a deadline of its own, and with the full
// names of forms.
func withoutAppeal(answer message.Message) message.Message {
	english, _, _ := strings.Cut(answer.English, ", or appeal")
	hindi, _, _ := strings.Cut(answer.In("hi"), ", या FORM")
	name := strings.NewReplacer("FORM ", "FORM GST ")
	return message.Text(name.Replace(english), name.Replace(hindi))
}

// refuse returns the form that says what to do about a paper to which no reply is given.
func refuse(kind string, r reckon.Reckoning, row *law.Form) Form {
	form := instead(kind, r, row.Text("answer", row.Answer), row.Law, reckon.Reply)
	all := []message.Message{message.New("forms.no_reply", message.Params{"form": formName(row.Form)}), form.Sentence}
	if row.IfMissed != "" {
		all = append(all, message.New("forms.otherwise", message.Params{"what": row.Text("if_missed", row.IfMissed)}))
	}
	form.Sentence = message.Sentences(all...)
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

// formName returns a form's name as in its heading, such as "FORM GST DRC-06".
func formName(code string) string {
	if strings.HasPrefix(code, "GSTR-") {
		return "FORM " + code
	}
	return "FORM GST " + code
}
