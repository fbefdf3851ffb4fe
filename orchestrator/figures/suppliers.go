package figures

import (
	"cmp"
	"maps"
	"slices"

	"munshi/orchestrator/gst/law"
)

// Supplier is a supplier who is asked to confirm supplies that its returns do not show as the books do.
type Supplier struct {
	GSTIN string
	Name  string // "" if no file has it
	Years []SuppliesOf
}

// SuppliesOf are such supplies of one financial year: either those that a circular lets the supplier certify, or
// those that none does.
type SuppliesOf struct {
	Year         string
	Certificates []law.Certificate // that apply to one or more of the supplies; empty: they cannot be certified
	// A chartered or cost accountant has to certify, since the tax is above the circular's limit.
	Accountant bool
	Tax        Tax
	Supplies   []Unconfirmed
}

// Unconfirmed is a supply with the tax in question.
type Unconfirmed struct {
	Record Record
	Class  Class // OnlyBooks, SupplierOpen or AmountDiffers
	Tax    Tax
}

// Suppliers returns the suppliers in the books whose returns lack supplies of the months compared, or show them with
// less tax. The one with the most tax comes first.
func Suppliers(t *law.Tables, m Matching, from, to string) []Supplier {
	type part struct {
		year    string
		covered bool
	}
	by := map[string]map[part]*SuppliesOf{}
	names := map[string]string{}
	for _, e := range m.Entries {
		if e.Book < 0 {
			continue
		}
		r := m.Books[e.Book]
		if r.GSTIN == "" || r.Reverse || r.Kind != Invoice && r.Kind != DebitNote || r.Period < from || r.Period > to {
			continue
		}
		u := Unconfirmed{Record: r, Class: e.Class, Tax: r.Tax}
		gstin, name := r.GSTIN, r.Name
		switch e.Class {
		case OnlyBooks, SupplierOpen:
		case AmountDiffers:
			if e.Portal < 0 {
				break
			}
			u.Tax = r.Tax.Minus(m.Portal[e.Portal].Tax)
			gstin = cmp.Or(m.Portal[e.Portal].GSTIN, gstin)
			name = cmp.Or(m.Portal[e.Portal].Name, name)
		default:
			continue
		}
		if u.Tax.Sum() <= 0 {
			continue
		}
		day := cmp.Or(r.Date, r.Period+"-01")
		certificate := t.CertificateOn(day)
		k := part{YearOf(day), certificate != nil}
		if by[gstin] == nil {
			by[gstin] = map[part]*SuppliesOf{}
		}
		of := by[gstin][k]
		if of == nil {
			of = &SuppliesOf{Year: k.year}
			by[gstin][k] = of
		}
		if certificate != nil && !slices.ContainsFunc(of.Certificates, func(c law.Certificate) bool {
			return c.First == certificate.First
		}) {
			of.Certificates = append(of.Certificates, *certificate)
		}
		of.Tax = of.Tax.Plus(u.Tax)
		of.Supplies = append(of.Supplies, u)
		names[gstin] = cmp.Or(names[gstin], name)
	}
	var all []Supplier
	for gstin, parts := range by {
		s := Supplier{GSTIN: gstin, Name: names[gstin]}
		for _, k := range slices.SortedFunc(maps.Keys(parts), func(a, b part) int {
			return cmp.Or(cmp.Compare(a.year, b.year), cmp.Compare(boolean(b.covered), boolean(a.covered)))
		}) {
			of := parts[k]
			slices.SortFunc(of.Certificates, func(a, b law.Certificate) int { return cmp.Compare(a.First, b.First) })
			for _, c := range of.Certificates {
				of.Accountant = of.Accountant || of.Tax.Sum() > c.AccountantAbove*100
			}
			slices.SortFunc(of.Supplies, func(a, b Unconfirmed) int {
				return cmp.Or(cmp.Compare(a.Record.Date, b.Record.Date), cmp.Compare(a.Record.Number, b.Record.Number),
					cmp.Compare(a.Record.Row, b.Record.Row))
			})
			s.Years = append(s.Years, *of)
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b Supplier) int {
		return cmp.Or(cmp.Compare(b.Tax().Sum(), a.Tax().Sum()), cmp.Compare(a.GSTIN, b.GSTIN))
	})
	return all
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Tax returns the tax in question for a supplier.
func (s Supplier) Tax() (sum Tax) {
	for _, y := range s.Years {
		sum = sum.Plus(y.Tax)
	}
	return sum
}
