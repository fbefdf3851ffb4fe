package word_test

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"testing"
)

// element is an XML element, without its name space.
type element struct {
	name       string
	attributes map[string]string
	children   []*element
	text       string
}

func parse(t *testing.T, part string, content []byte) *element {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(content))
	open := []*element{{}}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s is not well-formed: %v", part, err)
		}
		last := open[len(open)-1]
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, attributes: map[string]string{}}
			for _, a := range token.Attr {
				if _, twice := e.attributes[a.Name.Local]; twice && a.Name.Space != "xmlns" {
					t.Errorf("%s: %s has %s twice", part, e.name, a.Name.Local)
				}
				e.attributes[a.Name.Local] = a.Value
			}
			last.children = append(last.children, e)
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			last.text += string(token)
		}
	}
	if len(open) != 1 || len(open[0].children) != 1 {
		t.Fatalf("%s has no one root", part)
	}
	return open[0].children[0]
}

func (e *element) walk(visit func(*element)) {
	visit(e)
	for _, c := range e.children {
		c.walk(visit)
	}
}

func (e *element) child(name string) *element {
	for _, c := range e.children {
		if c.name == name {
			return c
		}
	}
	return &element{}
}

func (e *element) all(name string) []*element {
	var found []*element
	e.walk(func(e *element) {
		if e.name == name {
			found = append(found, e)
		}
	})
	return found
}

// The order of an element's children in the schema (ECMA-376, transitional). Elements that we do not write are left
// out; when we begin to write one, it must be added here.
var order = map[string]string{
	"document":    "body",
	"pPr":         "pStyle keepNext keepLines pageBreakBefore widowControl numPr pBdr shd tabs spacing ind contextualSpacing jc outlineLvl",
	"rPr":         "rStyle rFonts b bCs i iCs strike noProof color sz szCs highlight u shd vertAlign rtl cs lang",
	"numPr":       "ilvl numId",
	"tbl":         "tblPr tblGrid tr",
	"tblPr":       "tblStyle tblW jc tblInd tblBorders tblLayout tblCellMar tblLook",
	"tblBorders":  "top left bottom right insideH insideV",
	"tblCellMar":  "top left bottom right",
	"tr":          "trPr tc",
	"trPr":        "cantSplit tblHeader",
	"tc":          "tcPr p",
	"tcPr":        "tcW shd",
	"p":           "pPr r",
	"r":           "rPr fldChar instrText br tab pict t",
	"sectPr":      "headerReference footerReference pgSz pgMar",
	"numbering":   "abstractNum num",
	"abstractNum": "multiLevelType lvl",
	"lvl":         "start numFmt lvlText lvlJc pPr",
	"num":         "abstractNumId lvlOverride",
	"lvlOverride": "startOverride",
	"styles":      "docDefaults style",
	"docDefaults": "rPrDefault pPrDefault",
	"style":       "name basedOn next link uiPriority semiHidden unhideWhenUsed qFormat pPr rPr tblPr",
	"settings":    "zoom defaultTabStop characterSpacingControl compat themeFontLang decimalSymbol listSeparator",
	"font":        "altName panose1 charset family pitch",
	"pict":        "shapetype shape",
	"ftr":         "p",
	"hdr":         "p",
}

// many lists elements that may occur repeatedly in their parent.
const many = " tr tc p r lvl abstractNum num style lvlOverride "

func checkOrder(t *testing.T, part string, root *element) {
	t.Helper()
	root.walk(func(e *element) {
		allowed, known := order[e.name]
		if !known {
			return
		}
		names, last := strings.Fields(allowed), 0
		seen := map[string]bool{}
		for _, c := range e.children {
			at := slices.Index(names, c.name)
			switch {
			case at < 0:
				t.Errorf("%s: %s in %s", part, c.name, e.name)
			case at < last:
				t.Errorf("%s: %s stands too late in %s", part, c.name, e.name)
			case seen[c.name] && !strings.Contains(many, " "+c.name+" "):
				t.Errorf("%s: %s twice in %s", part, c.name, e.name)
			}
			seen[c.name], last = true, max(at, last)
		}
	})
}

// file is a Word file that was unpacked and checked.
type file struct {
	names               []string
	parts               map[string][]byte
	roots               map[string]*element
	document, numbering *element
}

// opened unpacks a Word file and checks for mistakes that Word would report.
func opened(t *testing.T, docx []byte) file {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(docx), int64(len(docx)))
	if err != nil {
		t.Fatalf("it is no zip archive: %v", err)
	}
	f := file{parts: map[string][]byte{}, roots: map[string]*element{}}
	for _, entry := range archive.File {
		r, err := entry.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatalf("%s: %v", entry.Name, err)
		}
		if f.parts[entry.Name] != nil {
			t.Errorf("%s is there twice", entry.Name)
		}
		f.parts[entry.Name] = content
		f.names = append(f.names, entry.Name)
		f.roots[entry.Name] = parse(t, entry.Name, content)
		checkOrder(t, entry.Name, f.roots[entry.Name])
	}
	f.document, f.numbering = f.roots["word/document.xml"], f.roots["word/numbering.xml"]
	f.checkPackage(t)
	f.checkReferences(t)
	f.checkTables(t)
	return f
}

// checkPackage checks that each part has a content type, and that each relationship has its part.
func (f file) checkPackage(t *testing.T) {
	t.Helper()
	if f.names[0] != "[Content_Types].xml" {
		t.Errorf("the file begins with %s", f.names[0])
	}
	typed := map[string]bool{"[Content_Types].xml": true}
	for _, o := range f.roots["[Content_Types].xml"].all("Override") {
		name := strings.TrimPrefix(o.attributes["PartName"], "/")
		if f.parts[name] == nil {
			t.Errorf("there is a type for %s, and no such part", name)
		}
		typed[name] = true
	}
	related := map[string]bool{}
	for name, root := range f.roots {
		if path.Ext(name) != ".rels" {
			if !typed[name] {
				t.Errorf("%s has no type of its own", name)
			}
			continue
		}
		base := path.Dir(path.Dir(name))
		ids := map[string]bool{}
		for _, r := range root.all("Relationship") {
			target := path.Join(base, r.attributes["Target"])
			if f.parts[target] == nil {
				t.Errorf("%s points to %s, which is not there", name, target)
			}
			if ids[r.attributes["Id"]] {
				t.Errorf("%s has %s twice", name, r.attributes["Id"])
			}
			ids[r.attributes["Id"]], related[target] = true, true
		}
		if name == "word/_rels/document.xml.rels" {
			for _, reference := range append(f.document.all("footerReference"), f.document.all("headerReference")...) {
				if !ids[reference.attributes["id"]] {
					t.Errorf("no relationship %s", reference.attributes["id"])
				}
			}
		}
	}
	for name := range f.parts {
		if name != "[Content_Types].xml" && path.Ext(name) != ".rels" && !related[name] {
			t.Errorf("nothing points to %s", name)
		}
	}
}

// checkReferences checks that the styles and lists that are used exist.
func (f file) checkReferences(t *testing.T) {
	t.Helper()
	styles := map[string]string{}
	sheet := f.roots["word/styles.xml"]
	for _, s := range sheet.all("style") {
		styles[s.attributes["styleId"]] = s.attributes["type"]
	}
	kinds := map[string]string{"pStyle": "paragraph", "rStyle": "character", "tblStyle": "table"}
	for _, root := range []*element{f.document, sheet, f.roots["word/footer1.xml"]} {
		root.walk(func(e *element) {
			if kind := kinds[e.name]; kind != "" && styles[e.attributes["val"]] != kind {
				t.Errorf("no %s style %s", kind, e.attributes["val"])
			}
			if (e.name == "basedOn" || e.name == "next") && styles[e.attributes["val"]] == "" {
				t.Errorf("no style %s", e.attributes["val"])
			}
		})
	}
	shapes, lists := map[string]bool{}, map[string]bool{}
	for _, a := range f.numbering.all("abstractNum") {
		shapes[a.attributes["abstractNumId"]] = true
		if n := len(a.all("lvl")); n != 9 {
			t.Errorf("a list has %d levels", n)
		}
	}
	for _, n := range f.numbering.all("num") {
		if !shapes[n.child("abstractNumId").attributes["val"]] || lists[n.attributes["numId"]] {
			t.Errorf("list %s has no shape, or is there twice", n.attributes["numId"])
		}
		lists[n.attributes["numId"]] = true
	}
	if len(lists) > 2046 {
		t.Errorf("%d lists are more than Word takes", len(lists))
	}
	for _, n := range f.document.all("numPr") {
		if id := n.child("numId").attributes["val"]; !lists[id] {
			t.Errorf("no list %s", id)
		}
		if level := n.child("ilvl").attributes["val"]; len(level) != 1 || level > "8" {
			t.Errorf("level %s of a list", level)
		}
	}
}

func (f file) checkTables(t *testing.T) {
	t.Helper()
	for _, table := range f.document.all("tbl") {
		columns, width := len(table.all("gridCol")), 0
		for _, column := range table.all("gridCol") {
			var w int
			if _, err := fmt.Sscan(column.attributes["w"], &w); err != nil || w <= 0 {
				t.Errorf("a column %q wide", column.attributes["w"])
			}
			width += w
		}
		if columns == 0 || columns > 63 || width > 9026 {
			t.Errorf("a table of %d columns, %d wide", columns, width)
		}
		for _, row := range table.all("tr") {
			if n := len(row.all("tc")); n != columns {
				t.Errorf("a row of %d cells in %d columns", n, columns)
			}
			for _, cell := range row.all("tc") {
				if len(cell.all("p")) == 0 {
					t.Error("a cell without a paragraph")
				}
			}
		}
	}
	body := f.document.child("body").children
	for i, block := range body[:len(body)-1] {
		if block.name == "tbl" && body[i+1].name != "p" {
			t.Errorf("a %s follows a table", body[i+1].name)
		}
	}
}

// text returns the words of the document, a line for each paragraph.
func (f file) text() string {
	var b strings.Builder
	for _, p := range f.document.all("p") {
		b.WriteString(p.words() + "\n")
	}
	return b.String()
}

func (e *element) words() string {
	var b strings.Builder
	e.walk(func(e *element) {
		switch e.name {
		case "t":
			b.WriteString(e.text)
		case "br":
			b.WriteByte('\n')
		case "tab":
			b.WriteByte('\t')
		}
	})
	return b.String()
}

// paragraph returns the first paragraph that contains some words.
func (f file) paragraph(t *testing.T, words string) *element {
	t.Helper()
	for _, p := range f.document.all("p") {
		if strings.Contains(p.words(), words) {
			return p
		}
	}
	t.Fatalf("no paragraph has %q", words)
	return nil
}
