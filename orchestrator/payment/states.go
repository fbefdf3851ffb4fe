package payment

// Place is a State or Union territory with its GST code.
type Place struct{ Code, Name string }

// Places are the States and Union territories of India, by name.
var Places = []Place{
	{"35", "Andaman and Nicobar Islands"}, {"37", "Andhra Pradesh"}, {"12", "Arunachal Pradesh"}, {"18", "Assam"},
	{"10", "Bihar"}, {"04", "Chandigarh"}, {"22", "Chhattisgarh"}, {"26", "Dadra and Nagar Haveli and Daman and Diu"},
	{"07", "Delhi"}, {"30", "Goa"}, {"24", "Gujarat"}, {"06", "Haryana"}, {"02", "Himachal Pradesh"},
	{"01", "Jammu and Kashmir"}, {"20", "Jharkhand"}, {"29", "Karnataka"}, {"32", "Kerala"}, {"38", "Ladakh"},
	{"31", "Lakshadweep"}, {"23", "Madhya Pradesh"}, {"27", "Maharashtra"}, {"14", "Manipur"}, {"17", "Meghalaya"},
	{"15", "Mizoram"}, {"13", "Nagaland"}, {"21", "Odisha"}, {"34", "Puducherry"}, {"03", "Punjab"},
	{"08", "Rajasthan"}, {"11", "Sikkim"}, {"33", "Tamil Nadu"}, {"36", "Telangana"}, {"16", "Tripura"},
	{"09", "Uttar Pradesh"}, {"05", "Uttarakhand"},
	{"19", "West Bengal"},
}

// PlaceName returns the name of a place by its code, or "" if there is none.
func PlaceName(code string) string {
	for _, p := range Places {
		if p.Code == code {
			return p.Name
		}
	}
	return ""
}

// Tax is the split of an amount that includes GST, in paise.
type Tax struct{ Taxable, CGST, SGST, IGST int64 }

// Divide splits an amount that includes GST at a rate in hundredths of a per cent. Between States all tax is
// integrated tax; within a State, the two halves are equal. The rounding difference goes into the taxable value, so
// that the parts add up.
func Divide(paise, rate int64, sameState bool) Tax {
	whole := 10000 + rate
	if sameState {
		half := (paise*rate + whole) / (2 * whole)
		return Tax{Taxable: paise - 2*half, CGST: half, SGST: half}
	}
	tax := (2*paise*rate + whole) / (2 * whole)
	return Tax{Taxable: paise - tax, IGST: tax}
}
