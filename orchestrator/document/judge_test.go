package document_test

import (
	"strings"
	"testing"

	"munshi/orchestrator/document"
)

const (
	english = "Whereas on scrutiny of FORM GSTR-3B and GSTR-2B for F.Y. 2021-22 it was noticed that M/s SAHYADRI AGROVET PVT LTD, GSTIN 27ZAPCS4821K1Z6, availed ITC of CGST Rs. 1,74,620/- and SGST Rs. 1,74,620/- contrary to section 16(2)(aa) of the CGST Act, 2017. "
	hindi   = "उत्तर प्रदेश राज्य कर विभाग, खण्ड 7, कानपुर। धारा 73(1) के अन्तर्गत वित्तीय वर्ष 2021-22 के लिए निर्धारित कर की राशि जमा करने हेतु यह सूचना दी जाती है। "
	// legacy is the same text in the codes of a font that shows Hindi for Latin letters.
	legacy = "mÙkj izns'k jkT; dj foHkkx] [k.M 7] dkuiqjA /kkjk 73¼1½ ds vUrxZr foÙkh; o\"kZ 2021&22 ds fy, fu/kkZfjr dj dh jkf'k tek djus gsrq ;g lwpuk nh tkrh gSA "
	// misread is a text with many recognition errors.
	misread = "Wh3reas 0n scrut1ny oF F0RM G5tR-3B tHe taxP4yer h4s av@iled lnpUt t@x cred|t c0ntr@ry tO s3ction l6(2)(aa) 0f tHe CG5t Act, 20l7 aNd i5 liaBle t0 p4y |nterest "
)

func TestJudge(t *testing.T) {
	figures := strings.Repeat("2019-20 4,12,80,500 98,20,000 5,84,520 ", 10)
	for _, test := range []struct {
		name  string
		layer *document.Layer
		text  string
		want  document.Verdict
	}{
		{"English", document.NewLayer(0, false, "Helvetica", english), english, document.Trusted},
		{"Hindi", document.NewLayer(0, false, "ABCDEF+Mangal", hindi+hindi), hindi + hindi, document.Trusted},
		{"both", document.NewLayer(0, false, "Nirmala UI", hindi+english), hindi + english, document.Trusted},
		{"nothing", document.NewLayer(0, false, "", ""), "", document.Distrusted},
		{"only dots", document.NewLayer(0, false, "Arial", "... --- ..."), "... --- ...", document.Distrusted},
		{"a legacy font", document.NewLayer(0, false, "ABCDEF+KrutiDev010", english), english, document.Distrusted},
		{"legacy codes under another font's name", document.NewLayer(0, false, "F1", legacy), legacy, document.Distrusted},
		{"a bad recognition", document.NewLayer(1, true, "GlyphLessFont", misread+misread), misread + misread, document.Distrusted},
		{"letters without codes", document.NewLayer(0, false, "F1", english), strings.NewReplacer("e", "\ufffd", "i", "\ufffd").Replace(english), document.Distrusted},
		{"private codes", document.NewLayer(0, false, "F1", english), strings.ReplaceAll(english, "a", "\uf061"), document.Distrusted},
		{"a bullet or two", document.NewLayer(0, false, "F1", english), "\uf0b7 " + english, document.Trusted},
		{"a page number", document.NewLayer(1, false, "Arial", "Page 3 of 3"), "Page 3 of 3", document.Unsure},
		{"a long stamp on a picture", document.NewLayer(1, false, "Arial", english), english, document.Unsure},
		{"a full page on a picture", document.NewLayer(1, false, "Arial", strings.Repeat(english, 10)), strings.Repeat(english, 10), document.Trusted},
		{"an earlier recognition", document.NewLayer(1, true, "GlyphLessFont", strings.Repeat(english, 10)), strings.Repeat(english, 10), document.Unsure},
		{"figures without words", document.NewLayer(0, false, "Arial", figures), figures, document.Unsure},
	} {
		if got := document.Judge(test.layer, test.text); got != test.want {
			t.Errorf("%s: verdict %d, want %d", test.name, got, test.want)
		}
	}
}

func TestSoundCountsPossibleWords(t *testing.T) {
	for text, want := range map[string]int{
		"":                            0,
		"the tax payable":             13,
		"GSTIN 27ZAPCS4821K1Z6":       20,
		"CGST SGST UTGST":             13,
		"धारा 73":                     6, // vowel signs count, because they are part of the spelling
		"dk;kZy; vUrxZr t|mRb cr3dit": 0,
		"McDonald":                    0, // the rule is wrong here, which is accepted
		"\ufffd\ufffd | ~":            0,
	} {
		if got := document.Sound(text); got != want {
			t.Errorf("%q has %d sound characters, want %d", text, got, want)
		}
	}
	if good, bad := document.Sound(english), document.Sound(misread); bad*3 > good*2 {
		t.Errorf("a bad recognition has %d sound characters, the text %d", bad, good)
	}
}
