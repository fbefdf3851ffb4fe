package gst

// setDeadlines lists the days by which something must be done: only those that the notice or its form sets.
func (r *reading) setDeadlines() {
	f := &r.facts
	if f.ReplyDue.Date != nil {
		what := "Reply to the notice"
		switch {
		case r.form != nil && r.form.Answer != "":
			what = r.form.Answer
		case r.isOrder():
			what = "Appeal in FORM APL-01"
		}
		basis := f.ReplyDue.Source
		if f.ReplyDue.Basis != nil {
			basis += ": " + *f.ReplyDue.Basis
		}
		f.Deadlines = append(f.Deadlines,
			Deadline{What: what, Date: *f.ReplyDue.Date, Basis: basis, Page: f.Evidence["reply_due"].Page})
	}
	if f.Hearing != nil {
		f.Deadlines = append(f.Deadlines,
			Deadline{What: "Personal hearing", Date: f.Hearing.Date, Basis: "printed",
				Page: f.Evidence["hearing"].Page})
	}
}

// requireDocuments lists the papers that help to answer the issues, each once.
func (r *reading) requireDocuments() {
	seen := map[string]bool{}
	for _, key := range r.facts.Issues {
		for _, i := range r.law.Issues {
			if i.Key != key {
				continue
			}
			for _, doc := range i.Documents {
				if !seen[doc.Type] && doc.Answers(r.doc.low) {
					seen[doc.Type] = true
					r.facts.RequiredDocuments = append(r.facts.RequiredDocuments,
						RequiredDocument{Type: doc.Type, Reason: doc.Reason, Issue: key})
				}
			}
		}
	}
}
