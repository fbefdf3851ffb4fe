package read

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"munshi/orchestrator/figures"
)

// The portal's JSON formats, as in the files that it offers for download (docs/figures.md says what was verified).
// The names of fields are the portal's.

// money is an amount in paise, read from a number of rupees with or without quotation marks.
type money int64

func (m *money) UnmarshalJSON(b []byte) error {
	text := strings.Trim(string(b), `"`)
	if text == "" || text == "null" {
		return nil
	}
	paise, ok := paiseOf(text)
	if !ok {
		return fmt.Errorf("%q is no amount", text)
	}
	*m = money(paise)
	return nil
}

// amounts are the amounts of a document, under the names used in GSTR-1, 2A and 3B (iamt) or in 2B (igst).
type amounts struct {
	Txval money `json:"txval"`
	Iamt  money `json:"iamt"`
	Camt  money `json:"camt"`
	Samt  money `json:"samt"`
	Csamt money `json:"csamt"`
	Igst  money `json:"igst"`
	Cgst  money `json:"cgst"`
	Sgst  money `json:"sgst"`
	Cess  money `json:"cess"`
}

func (a amounts) tax() figures.Tax {
	return figures.Tax{int64(a.Iamt + a.Igst), int64(a.Camt + a.Cgst), int64(a.Samt + a.Sgst), int64(a.Csamt + a.Cess)}
}

type item struct {
	amounts
	Detail amounts `json:"itm_det"`
}

// entry is an invoice, a note or a bill of entry in any of the returns.
type entry struct {
	amounts
	number, date        string
	amends, amendsDate  string // of the document that it amends
	noteType, creditTyp string // "C" or "D" for a note; "ISDC" or "ISDI" for a distributor's document
	reverse             string
	available, reason   string // whether credit is available, "Y" or "N", and why not
}

func (e *entry) UnmarshalJSON(b []byte) error {
	type names struct {
		amounts
		Inum    text   `json:"inum"`
		Idt     text   `json:"idt"`
		Dt      text   `json:"dt"`
		Ntnum   text   `json:"ntnum"`
		NtNum   text   `json:"nt_num"`
		NtDt    text   `json:"nt_dt"`
		Oinum   text   `json:"oinum"`
		Oidt    text   `json:"oidt"`
		Ontnum  text   `json:"ontnum"`
		Ontdt   text   `json:"ontdt"`
		OntNum  text   `json:"ont_num"`
		OntDt   text   `json:"ont_dt"`
		Docnum  text   `json:"docnum"`
		Docdt   text   `json:"docdt"`
		Odocnum text   `json:"odocnum"`
		Odocdt  text   `json:"odocdt"`
		Doctyp  text   `json:"doctyp"`
		IsdTyp  text   `json:"isd_docty"` // the name in GSTR-2A
		ItcElg  text   `json:"itc_elg"`
		Ntty    text   `json:"ntty"`
		Typ     text   `json:"typ"`
		Boenum  text   `json:"boenum"`
		Boedt   text   `json:"boedt"`
		Benum   text   `json:"benum"`
		Bedt    text   `json:"bedt"`
		Rchrg   text   `json:"rchrg"`
		Rev     text   `json:"rev"`
		Itcavl  text   `json:"itcavl"`
		Itcelg  text   `json:"itcelg"`
		Rsn     text   `json:"rsn"`
		Itms    []item `json:"itms"`
		Items   []item `json:"items"`
	}
	var n names
	if err := json.Unmarshal(b, &n); err != nil {
		return err
	}
	*e = entry{
		amounts: n.amounts,
		// A note may have the number and date of its invoice too.
		number:     string(cmp.Or(n.Ntnum, n.NtNum, n.Inum, n.Docnum, n.Boenum, n.Benum)),
		date:       day(string(cmp.Or(n.NtDt, n.Dt, n.Idt, n.Docdt, n.Boedt, n.Bedt))),
		amends:     string(cmp.Or(n.Oinum, n.Ontnum, n.OntNum, n.Odocnum)),
		amendsDate: day(string(cmp.Or(n.Oidt, n.Ontdt, n.OntDt, n.Odocdt))),
		noteType:   string(cmp.Or(n.Ntty, n.Typ)),
		creditTyp:  string(cmp.Or(n.Doctyp, n.IsdTyp)),
		reverse:    string(cmp.Or(n.Rchrg, n.Rev)),
		available:  string(cmp.Or(n.Itcavl, n.Itcelg, n.ItcElg)),
		reason:     string(n.Rsn),
	}
	if e.tax().IsZero() && e.Txval == 0 {
		for _, it := range append(n.Itms, n.Items...) {
			e.add(it.amounts)
			e.add(it.Detail)
		}
	}
	return nil
}

func (a *amounts) add(b amounts) {
	a.Txval += b.Txval
	a.Iamt, a.Camt, a.Samt, a.Csamt = a.Iamt+b.Iamt+b.Igst, a.Camt+b.Camt+b.Cgst, a.Samt+b.Samt+b.Sgst, a.Csamt+b.Csamt+
		b.Cess
}

// text is a string that some files write as a number.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*t = text(strings.TrimSpace(s))
		return nil
	}
	if string(b) != "null" {
		*t = text(b)
	}
	return nil
}

// party is one supplier or customer with the documents reported for it, or a line of a summary.
type party struct {
	entry
	Ctin     text `json:"ctin"`
	Trdnm    text `json:"trdnm"`
	Supfildt text `json:"supfildt"`
	Cfs      text `json:"cfs"`
	Fldtr1   text `json:"fldtr1"`
	Dtcancel text `json:"dtcancel"`

	Inv     []entry `json:"inv"`
	Nt      []entry `json:"nt"`
	Doclist []entry `json:"doclist"`
	Boe     []entry `json:"boe"`
}

func (p *party) UnmarshalJSON(b []byte) error {
	type whole struct {
		Ctin     text    `json:"ctin"`
		Trdnm    text    `json:"trdnm"`
		Supfildt text    `json:"supfildt"`
		Cfs      text    `json:"cfs"`
		Fldtr1   text    `json:"fldtr1"`
		Dtcancel text    `json:"dtcancel"`
		Inv      []entry `json:"inv"`
		Nt       []entry `json:"nt"`
		Doclist  []entry `json:"doclist"`
		Boe      []entry `json:"boe"`
	}
	var w whole
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	p.Ctin, p.Trdnm, p.Supfildt, p.Cfs, p.Fldtr1, p.Dtcancel = w.Ctin, w.Trdnm, w.Supfildt, w.Cfs, w.Fldtr1, w.Dtcancel
	p.Inv, p.Nt, p.Doclist, p.Boe = w.Inv, w.Nt, w.Doclist, w.Boe
	if len(p.Inv)+len(p.Nt)+len(p.Doclist)+len(p.Boe) > 0 {
		return nil
	}
	return json.Unmarshal(b, &p.entry)
}

// json reads one of the portal's JSON files.
func (d *decoder) json(r io.Reader) error {
	content, err := io.ReadAll(r)
	if err != nil {
		return fmt.Errorf("read the JSON: %w", err)
	}
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	var top map[string]json.RawMessage
	if err := json.Unmarshal(content, &top); err != nil {
		var list []json.RawMessage
		if json.Unmarshal(content, &list) != nil || len(list) == 0 {
			return refused("figures_damaged", err)
		}
		for _, one := range list {
			if err := d.json(bytes.NewReader(one)); err != nil {
				return err
			}
		}
		return nil
	}
	for _, wrapper := range []string{"data", "itcLdgDtls", "r3b"} { // some downloads put the return into another object
		if inner := top[wrapper]; len(inner) > 0 && inner[0] == '{' {
			if wrapper == "itcLdgDtls" {
				return d.ledgerJSON(inner)
			}
			return d.json(bytes.NewReader(inner))
		}
	}
	has := func(name string) bool { _, ok := top[name]; return ok }
	switch {
	case has("docdata"):
		return d.gstr2b(top)
	case has("gstr9cdata") || has("audited_data"):
		return d.gstr9c(top)
	case bytes.Contains(content, []byte(`"stin"`)) && bytes.Contains(content, []byte(`"action"`)):
		return d.ims(top)
	case has("sup_details") || has("itc_elg"):
		return d.gstr3b(content)
	case has("table4") || has("table6") || has("table8"):
		return d.gstr9(top)
	case has("tr") && (has("op_bal") || has("cl_bal")):
		return d.ledgerJSON(content)
	case slices.ContainsFunc(invoiceTables, has):
		return d.invoices(top)
	}
	return refused("figures_unknown", errors.New("JSON of another kind"))
}

// invoiceTables are the tables by which a GSTR-1 or 2A is recognised; an amending return may have one of them alone.
var invoiceTables = []string{"b2b", "b2ba", "b2cl", "b2cla", "b2cs", "b2csa", "cdn", "cdna", "cdnr", "cdnra", "cdnur",
	"cdnura", "exp", "expa", "at", "ata", "txpd", "txpda", "impg", "isd"}

func str(top map[string]json.RawMessage, names ...string) string {
	for _, name := range names {
		var t text
		if raw, ok := top[name]; ok && json.Unmarshal(raw, &t) == nil && t != "" {
			return string(t)
		}
	}
	return ""
}

// monthOf converts "042023" to "2023-04".
func monthOf(period string) string {
	if len(period) != 6 || strings.Trim(period, "0123456789") != "" || period[:2] < "01" || period[:2] > "12" {
		return ""
	}
	return period[2:] + "-" + period[:2]
}

// section is a table of a return with the kind of its documents.
type section struct {
	name string
	kind figures.Kind
}

func (d *decoder) gstr2b(top map[string]json.RawMessage) error {
	var docs map[string]json.RawMessage
	if err := json.Unmarshal(top["docdata"], &docs); err != nil {
		return refused("figures_damaged", err)
	}
	d.whole.File.Format, d.whole.File.GSTIN = "GSTR-2B JSON", str(top, "gstin")
	period := monthOf(str(top, "rtnprd"))
	for _, s := range []section{{"b2b", figures.Invoice}, {"b2ba", figures.Invoice}, {"cdnr", figures.CreditNote},
		{"cdnra", figures.CreditNote}, {"isd", figures.ISD}, {"isda", figures.ISD}, {"impg", figures.Import},
		{"impga", figures.Import}, {"impgsez", figures.Import}, {"impgseza", figures.Import},
		{"ecom", figures.Invoice}, {"ecoma", figures.Invoice}} { // by section 9(5) through an operator
		if err := d.section(docs[s.name], s, figures.GSTR2B, period); err != nil {
			return err
		}
	}
	return nil
}

// invoices reads GSTR-2A or GSTR-1, which have the same tables. Only GSTR-2A says whether a supplier has filed.
func (d *decoder) invoices(top map[string]json.RawMessage) error {
	source := figures.GSTR1
	for _, name := range []string{"b2b", "b2ba", "cdn", "cdnr"} {
		if bytes.Contains(top[name], []byte(`"cfs"`)) || bytes.Contains(top[name], []byte(`"fldtr1"`)) {
			source = figures.GSTR2A
		}
	}
	for _, only2A := range []string{"cdn", "impg", "isd", "isd_credit", "tdsCredit", "tds", "tcs"} {
		if _, ok := top[only2A]; ok && top["b2cs"] == nil && top["hsn"] == nil && top["gt"] == nil {
			source = figures.GSTR2A
		}
	}
	d.whole.File.Format, d.whole.File.GSTIN = string(source)+" JSON", str(top, "gstin")
	if source == figures.GSTR1 && of1A(d.job.Name) {
		// It has the tables of GSTR-1, with additions to and amendments of the GSTR-1 of its month, and counts in
		// addition to it.
		d.whole.File.Format = "GSTR-1A JSON"
	}
	period := monthOf(str(top, "fp", "ret_period", "rtnprd"))
	all := []section{{"b2b", figures.Invoice}, {"b2ba", figures.Invoice}, {"cdn", figures.CreditNote},
		{"cdna", figures.CreditNote}, {"cdnr", figures.CreditNote}, {"cdnra", figures.CreditNote}}
	if source == figures.GSTR2A {
		all = append(all, section{"isd", figures.ISD}, section{"isd_credit", figures.ISD}, section{"isda", figures.ISD},
			section{"impg", figures.Import}, section{"impgsez", figures.Import})
	} else {
		all = append(all, section{"b2cl", figures.Invoice}, section{"b2cla", figures.Invoice},
			section{"exp", figures.Invoice}, section{"expa", figures.Invoice}, section{"cdnur", figures.CreditNote},
			section{"cdnura", figures.CreditNote}, section{"b2cs", figures.Consumers}, section{"at", figures.Consumers},
			section{"txpd", figures.Consumers})
		for _, amended := range []string{"b2csa", "ata", "txpda"} {
			if raw := top[amended]; len(raw) > 2 {
				d.note("summaries_amended") // only the new amounts are given, not the change
			}
		}
	}
	for _, s := range all {
		if err := d.section(top[s.name], s, source, period); err != nil {
			return err
		}
	}
	return nil
}

// of1A reports whether a file has the name of a GSTR-1A, which alone distinguishes it from a GSTR-1.
func of1A(name string) bool {
	bare := strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name))
	return strings.Contains(bare, "gstr1a") || strings.Contains(bare, "returnsr1a")
}

// ims reads the records of the Invoice Management System with the decision on each. Accepted records have no status,
// and neither have those without a decision, which count as accepted.
func (d *decoder) ims(top map[string]json.RawMessage) error {
	d.whole.File.Format, d.whole.File.GSTIN = "IMS JSON", str(top, "gstin", "rtin")
	for _, s := range []section{{"b2b", figures.Invoice}, {"b2ba", figures.Invoice}, {"b2bdn", figures.DebitNote},
		{"b2bdna", figures.DebitNote}, {"b2bcn", figures.CreditNote}, {"b2bcna", figures.CreditNote},
		{"ecom", figures.Invoice}, {"ecoma", figures.Invoice}, {"impg", figures.Import}, {"impga", figures.Import},
		{"impgsez", figures.Import}, {"impgseza", figures.Import}} {
		var raw []json.RawMessage
		if len(top[s.name]) == 0 {
			continue
		}
		if err := json.Unmarshal(top[s.name], &raw); err != nil {
			return refused("figures_damaged", fmt.Errorf("table %s: %w", s.name, err))
		}
		for _, one := range raw {
			var e entry
			var about struct {
				Stin   text `json:"stin"`
				Trdnm  text `json:"trdnm"`
				Rtnprd text `json:"rtnprd"`
				Itcprd text `json:"itcprd"`
				Action text `json:"action"`
			}
			if err := errors.Join(json.Unmarshal(one, &e), json.Unmarshal(one, &about)); err != nil {
				return refused("figures_damaged", fmt.Errorf("table %s: %w", s.name, err))
			}
			if e.number == "" {
				d.leaveOut(s.name, d.rows+1, "no_number")
				continue
			}
			r := figures.Record{Source: figures.IMS, Kind: s.kind, GSTIN: strings.ToUpper(string(about.Stin)),
				Name: string(about.Trdnm), Number: e.number, Date: e.date, Amends: e.amends, AmendsDate: e.amendsDate,
				Period: monthOf(string(cmp.Or(about.Rtnprd, about.Itcprd))), Status: decision(string(about.Action)),
				Taxable: int64(e.Txval), Tax: e.tax(), Row: d.rows + 1}
			if s.kind == figures.CreditNote && r.Tax.Sum() > 0 {
				r.Taxable, r.Tax = -r.Taxable, figures.Tax{}.Minus(r.Tax)
			}
			if err := d.record(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// decision returns what was decided in the Invoice Management System, from a letter (A, R, P, N) or a word.
func decision(action string) figures.Status {
	switch action = strings.ToLower(strings.TrimSpace(action)); {
	case action == "r" || strings.HasPrefix(action, "reject"):
		return figures.Rejected
	case action == "p" || strings.HasPrefix(action, "pending") || action == "kept pending":
		return figures.Pending
	}
	return ""
}

// gstr9c reads the lines of the reconciliation statement that it compares itself: turnover (5P and 5Q), tax (9P and
// 9Q) and credit (12D and 12E). Turnover and credit have no heads there.
func (d *decoder) gstr9c(top map[string]json.RawMessage) error {
	var data struct {
		Audited json.RawMessage `json:"audited_data"`
	}
	content := top["audited_data"]
	if raw := top["gstr9cdata"]; len(raw) > 0 && json.Unmarshal(raw, &data) == nil && len(data.Audited) > 0 {
		content = data.Audited
	}
	var all struct {
		Gstin  text `json:"gstin"`
		Fp     text `json:"fp"`
		Table5 struct {
			Accounts money `json:"annul_turn_adj"`
			Annual   money `json:"annul_turn_decl"`
		} `json:"table5"`
		Table9 struct {
			Payable amounts `json:"tot_amt_payable"`
			Paid    amounts `json:"tot_amt_paid"`
		} `json:"table9"`
		Table12 struct {
			Accounts money `json:"itc_avail_audited"`
			Claimed  money `json:"itc_claim"`
		} `json:"table12"`
	}
	if err := json.Unmarshal(content, &all); err != nil {
		return refused("figures_damaged", err)
	}
	r := figures.Return{Form: "GSTR-9C", GSTIN: cmp.Or(str(top, "gstin"), string(all.Gstin)),
		Period: monthOf(cmp.Or(str(top, "fp"), string(all.Fp)))}
	if r.Period == "" {
		return refused("figures_damaged", errors.New("the statement has no year"))
	}
	d.whole.File.Format, d.whole.File.GSTIN = "GSTR-9C JSON", r.GSTIN
	r.Tables = []figures.ReturnLine{{Code: "5P", Tax: figures.Tax{int64(all.Table5.Accounts)}},
		{Code: "5Q", Tax: figures.Tax{int64(all.Table5.Annual)}}, {Code: "9P", Tax: all.Table9.Payable.tax()},
		{Code: "9Q", Tax: all.Table9.Paid.tax()}, {Code: "12D", Tax: figures.Tax{int64(all.Table12.Accounts)}},
		{Code: "12E", Tax: figures.Tax{int64(all.Table12.Claimed)}}}
	d.whole.Returns = append(d.whole.Returns, r)
	return nil
}

func (d *decoder) section(raw json.RawMessage, s section, source figures.Source, period string) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var parties []party
	if err := json.Unmarshal(raw, &parties); err != nil {
		return refused("figures_damaged", fmt.Errorf("table %s: %w", s.name, err))
	}
	for _, p := range parties {
		documents := slices.Concat(p.Inv, p.Nt, p.Doclist, p.Boe)
		if len(documents) == 0 {
			documents = []entry{p.entry}
		}
		for _, e := range documents {
			if err := d.document(s, p, e, source, period); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *decoder) document(s section, p party, e entry, source figures.Source, period string) error {
	r := figures.Record{Source: source, Kind: s.kind, GSTIN: strings.ToUpper(string(p.Ctin)), Name: string(p.Trdnm),
		Number: e.number, Date: e.date, Period: period, Filed: day(string(cmp.Or(p.Supfildt, p.Fldtr1))),
		Reverse: e.reverse == "Y", Taxable: int64(e.Txval), Tax: e.tax(), Amends: e.amends, AmendsDate: e.amendsDate,
		Row: d.rows + 1}
	if r.Kind == figures.Import {
		r.GSTIN = "" // the GSTIN of an SEZ unit; the credit is based on the bill of entry
	}
	minus := s.name == "txpd"
	switch r.Kind {
	case figures.CreditNote:
		if strings.HasPrefix(e.noteType, "D") {
			r.Kind = figures.DebitNote
		} else {
			minus = true
		}
	case figures.ISD:
		if strings.HasPrefix(e.creditTyp, "ISDC") {
			r.Kind, minus = figures.ISDCreditNote, true
		}
	case figures.Consumers:
		r.Number = fmt.Sprintf("%s %d", s.name, d.rows+1)
	}
	if minus && r.Tax.Sum() > 0 {
		r.Taxable, r.Tax = -r.Taxable, figures.Tax{}.Minus(r.Tax)
	}
	if source != figures.GSTR1 {
		if e.available == "N" {
			r.Ineligible = cmp.Or(e.reason, "N")
		}
		if p.Cfs == "N" {
			r.Status = figures.NotFiled
		}
		if cancelled := day(string(p.Dtcancel)); cancelled != "" && r.Date >= cancelled {
			r.Status = figures.Cancelled
		}
	}
	if r.Number == "" {
		d.leaveOut(s.name, d.rows+1, "no_number")
		return nil
	}
	return d.record(r)
}

// gstr3b reads tables 3.1, 4 and 5 of the summary return.
func (d *decoder) gstr3b(content []byte) error {
	type of struct {
		Ty text `json:"ty"`
		amounts
	}
	var top struct {
		Gstin     text               `json:"gstin"`
		RetPeriod text               `json:"ret_period"`
		Fp        text               `json:"fp"`
		Sup       map[string]amounts `json:"sup_details"`
		Itc       struct {
			Avl   []of            `json:"itc_avl"`
			Rev   []of            `json:"itc_rev"`
			Net   json.RawMessage `json:"itc_net"`
			Inelg []of            `json:"itc_inelg"`
		} `json:"itc_elg"`
	}
	if err := json.Unmarshal(content, &top); err != nil {
		return refused("figures_damaged", err)
	}
	d.whole.File.Format, d.whole.File.GSTIN = "GSTR-3B JSON", string(top.Gstin)
	r := figures.Return{
		Form:   "GSTR-3B",
		GSTIN:  string(top.Gstin),
		Period: monthOf(string(cmp.Or(top.RetPeriod, top.Fp))),
	}
	if r.Period == "" {
		return refused("figures_damaged", errors.New("the return has no period"))
	}
	add := func(code string, a amounts) {
		r.Tables = append(r.Tables, figures.ReturnLine{Code: code, Taxable: int64(a.Txval), Tax: a.tax()})
	}
	for _, line := range [][2]string{{"3.1a", "osup_det"}, {"3.1b", "osup_zero"}, {"3.1c", "osup_nil_exmp"},
		{"3.1d", "isup_rev"}, {"3.1e", "osup_nongst"}} {
		if a, ok := top.Sup[line[1]]; ok {
			add(line[0], a)
		}
	}
	codes := map[string]string{"IMPG": "4A1", "IMPS": "4A2", "ISRC": "4A3", "ISD": "4A4", "OTH": "4A5"}
	for _, a := range top.Itc.Avl {
		if code := codes[string(a.Ty)]; code != "" {
			add(code, a.amounts)
		}
	}
	for _, lines := range []struct {
		of   []of
		code string
	}{{top.Itc.Rev, "4B"}, {top.Itc.Inelg, "4D"}} {
		for _, a := range lines.of {
			switch a.Ty {
			case "RUL":
				add(lines.code+"1", a.amounts)
			case "OTH":
				add(lines.code+"2", a.amounts)
			}
		}
	}
	if len(top.Itc.Net) > 0 {
		var a amounts
		if json.Unmarshal(top.Itc.Net, &a) == nil {
			add("4C", a)
		}
	}
	d.whole.Returns = append(d.whole.Returns, r)
	return nil
}

// gstr9 reads the lines of tables 4 to 9 of the annual return, each with a code like "table6.itc_3b". Of table 9,
// which has a line for each head, it reads the tax payable as "table9.payable".
func (d *decoder) gstr9(top map[string]json.RawMessage) error {
	d.whole.File.Format, d.whole.File.GSTIN = "GSTR-9 JSON", str(top, "gstin")
	r := figures.Return{Form: "GSTR-9", GSTIN: d.whole.File.GSTIN, Period: monthOf(str(top, "fp", "ret_period"))}
	for _, table := range slices.Sorted(maps.Keys(top)) {
		var lines map[string]json.RawMessage
		if !strings.HasPrefix(table, "table") || json.Unmarshal(top[table], &lines) != nil {
			continue
		}
		for _, line := range slices.Sorted(maps.Keys(lines)) {
			var one amounts
			var several []amounts
			switch {
			case json.Unmarshal(lines[line], &one) == nil:
				several = []amounts{one}
			case json.Unmarshal(lines[line], &several) != nil:
				continue
			}
			for _, a := range several {
				r.Tables = append(r.Tables,
					figures.ReturnLine{Code: table + "." + line, Taxable: int64(a.Txval), Tax: a.tax()})
			}
		}
	}
	var paid map[string]struct {
		Payable money `json:"txpyble"`
	}
	if _ = json.Unmarshal(top["table9"], &paid); len(paid) > 0 { // the checksum in it is not a line, hence the ignored error
		r.Tables = append(r.Tables, figures.ReturnLine{Code: "table9.payable",
			Tax: figures.Tax{int64(paid["iamt"].Payable), int64(paid["camt"].Payable), int64(paid["samt"].Payable),
				int64(paid["csamt"].Payable)}})
	}
	d.whole.Returns = append(d.whole.Returns, r)
	return nil
}

// ledgerJSON reads the electronic credit or cash ledger.
func (d *decoder) ledgerJSON(content []byte) error {
	type balance struct {
		Igst money `json:"igstTaxBal"`
		Cgst money `json:"cgstTaxBal"`
		Sgst money `json:"sgstTaxBal"`
		Cess money `json:"cessTaxBal"`
	}
	tax := func(b balance) figures.Tax {
		return figures.Tax{int64(b.Igst), int64(b.Cgst), int64(b.Sgst), int64(b.Cess)}
	}
	var top struct {
		Gstin text     `json:"gstin"`
		Op    *balance `json:"op_bal"`
		Tr    []struct {
			balance
			Dt     text  `json:"dt"`
			Desc   text  `json:"desc"`
			Ref    text  `json:"ref_no"`
			Period text  `json:"ret_period"`
			Typ    text  `json:"tr_typ"`
			Igst   money `json:"igstTaxAmt"`
			Cgst   money `json:"cgstTaxAmt"`
			Sgst   money `json:"sgstTaxAmt"`
			Cess   money `json:"cessTaxAmt"`
		} `json:"tr"`
	}
	if err := json.Unmarshal(content, &top); err != nil {
		return refused("figures_damaged", err)
	}
	d.whole.File.Format, d.whole.File.GSTIN = "electronic credit ledger JSON", string(top.Gstin)
	l := figures.Ledger{Kind: "credit", GSTIN: string(top.Gstin)}
	if top.Op != nil {
		l.Opening = tax(*top.Op)
	}
	for _, t := range top.Tr {
		left := tax(t.balance)
		m := figures.Movement{Date: day(string(t.Dt)), Reference: string(t.Ref), Description: string(t.Desc),
			Period: monthOf(string(t.Period)),
			Tax:    figures.Tax{int64(t.Igst), int64(t.Cgst), int64(t.Sgst), int64(t.Cess)}, Balance: &left}
		if m.Date == "" {
			continue // the opening and closing lines
		}
		if strings.HasPrefix(strings.ToLower(string(t.Typ)), "d") {
			m.Tax = figures.Tax{}.Minus(m.Tax)
		}
		l.Movements = append(l.Movements, m)
	}
	d.whole.Ledgers = append(d.whole.Ledgers, l)
	return nil
}

// paiseOf reads an amount in rupees in the formats that occur in files: "1,23,456.50", "₹ 500", "(120.00)", "35 Dr",
// "1.5E+06".
func paiseOf(s string) (int64, bool) {
	s = strings.TrimSpace(s)
	minus := false
	if strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") {
		minus, s = true, s[1:len(s)-1]
	}
	for _, mark := range []string{"₹", "Rs.", "Rs", "INR"} {
		s = strings.TrimSpace(strings.TrimPrefix(s, mark))
	}
	if side := sideOf(s); side != "" {
		s = strings.TrimSpace(strings.TrimSuffix(s, ".")[:strings.LastIndexAny(s, "DCdc")])
	}
	s = strings.TrimSpace(strings.TrimSuffix(s, "/-"))
	s = strings.ReplaceAll(s, ",", "")
	if strings.HasPrefix(s, "-") {
		minus, s = !minus, strings.TrimSpace(s[1:])
	}
	whole, fraction, _ := strings.Cut(s, ".")
	if whole == "" && fraction == "" || len(whole) > 15 {
		return 0, false
	}
	var paise int64
	if strings.Trim(whole, "0123456789") == "" && strings.Trim(fraction, "0123456789") == "" {
		rupees, err := strconv.ParseInt("0"+whole, 10, 64)
		if err != nil {
			return 0, false
		}
		digits := (fraction + "000")[:3]
		paise = rupees*100 + int64(digits[0]-'0')*10 + int64(digits[1]-'0')
		if digits[2] >= '5' {
			paise++ // rounds 0.005, and what floating point makes of 0.29
		}
	} else {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil || f < 0 || f > 1e13 || strings.ContainsAny(s, "xXpP_nN") {
			return 0, false
		}
		paise = int64(f*100 + 0.5)
	}
	if minus {
		paise = -paise
	}
	return paise, true
}

// day reads a date in any of the formats that occur in files and returns it as ISO 8601, or "".
func day(s string) string { return dayIn(s, false) }

// dayIn reads a date that may have the month first.
func dayIn(s string, monthFirst bool) string {
	s = strings.TrimSpace(s)
	if len(s) < 5 || len(s) > 30 {
		return ""
	}
	if serial, err := serialOf(s); err == nil { // days since 1900, the serial number of spreadsheets
		if serial < 36526 || serial > 73050 {
			return ""
		}
		return time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(serial)).Format(time.DateOnly)
	}
	if !monthFirst {
		if iso, ok := plainDay(s); ok {
			return iso
		}
	}
	if date, _, ok := strings.Cut(s, "T"); ok && len(date) == 10 {
		s = date
	}
	if date, _, ok := strings.Cut(s, " "); ok && len(date) >= 8 && strings.ContainsAny(date, "-/.") {
		s = date // without the time
	}
	s = strings.NewReplacer("/", "-", ".", "-", " ", "-", ",", "").Replace(s)
	layouts := []string{"2006-1-2", "2-1-2006", "2-1-06", "2-Jan-2006", "2-Jan-06", "2-January-2006", "20060102"}
	if monthFirst {
		layouts = []string{"2006-1-2", "1-2-2006", "1-2-06", "2-Jan-2006", "2-Jan-06", "Jan-2-2006"}
	}
	for _, layout := range layouts {
		if date, err := time.Parse(layout, s); err == nil && date.Year() >= 2000 && date.Year() < 2100 {
			return date.Format(time.DateOnly)
		}
	}
	return ""
}

// serialOf reads the serial number of a day in a spreadsheet.
func serialOf(s string) (float64, error) {
	if len(s) == 8 || s[0] < '0' || s[0] > '9' || strings.Trim(s, "0123456789.") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(s, 64)
}

// plainDay reads the two commonest date formats, "05-04-2023" and "2023-04-05", without trying others.
func plainDay(s string) (iso string, ok bool) {
	if len(s) != 10 {
		return "", false
	}
	isSign := func(c byte) bool { return c == '-' || c == '/' || c == '.' }
	switch {
	case isSign(s[2]) && isSign(s[5]):
		iso = s[6:] + "-" + s[3:5] + "-" + s[:2]
	case s[4] == '-' && s[7] == '-':
		iso = s
	default:
		return "", false
	}
	for i := range iso {
		if i != 4 && i != 7 && (iso[i] < '0' || iso[i] > '9') {
			return "", false
		}
	}
	if iso[5:7] < "01" || iso[5:7] > "12" || iso[8:] < "01" || iso[8:] > "28" || iso < "2000" || iso > "2099" {
		return "", false // dayIn checks the ends of months with the calendar
	}
	return iso, true
}
