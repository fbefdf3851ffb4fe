package printed

// readStatements records that a paper relies on the statement of a person other than the taxpayer.
func (p *Paper) readStatements() {
	const near = 120
	p.each("statement of shri|deposed|deposition|statement dated|stated on oath|statement of sh|statement of mr|statement of smt|statement of the|"+
		"statements of|statement was recorded|statements were recorded|statement recorded|in his statement|in her statement|his statement|"+
		"her statement|cross-exam|cross exam|जिरह|के बयान|बयान दर्ज", 0, len(p.low), func(from, to int) {
		words := p.low[max(0, from-near):to]
		if !hasAny(words, "director", "proprietor", "partner", "karta", "authorised signatory", "authorized signatory", "authorised representative",
			"of the noticee", "your ", "accountant of", "manager of the noticee", "statement of account", "statement of facts", "bank statement",
			"statement of outward", "statement of invoices", "auto-generated", "auto-populated") ||
			hasAny(words, "director of the supplier", "proprietor of the supplier", "supplier's", "transporter", "of m/s", "cross-exam", "cross exam") {
			p.Known.Put("statement.other", Value{Kind: Truth, Yes: true, At: []Quote{p.quote(from, to)}})
		}
	})
}
