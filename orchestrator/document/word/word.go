// Package word writes Markdown as a Word file (.docx, WordprocessingML): drafts, replies, summaries and lists of
// documents, with real styles, lists and tables, on A4 in Indian English. It walks goldmark's syntax tree once and
// writes a zip archive. It never loses a word of the text, never interprets HTML, never fetches what a text links to,
// and never writes the time, the machine or a person into the file: the same document always gives the same bytes.
package word

import (
	"archive/zip"
	"bufio"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// Document is the document to write.
type Document struct {
	// Title is centred above the text, unless the text already begins with it as a heading. If Title is empty, a
	// first-level heading at the beginning of the text is the title.
	Title string
	// Text is Markdown with tables, task lists and strikethrough.
	Text string
	// CauseTitle says that Text may begin with a cause title (the authority, the matter, the parties): paragraphs
	// that end at a thematic break, followed by the title as a first-level heading. They are centred above the title.
	CauseTitle bool
	// Pages says that a thematic break starts a new page.
	Pages bool
	// Draft says that DRAFT is printed across each page.
	Draft bool
	// Marks are the words that get a note on paper.
	Marks []Mark
}

// Mark is a stretch of words with a note, such as an authority that was not verified. The words are shaded and the
// note follows in brackets.
type Mark struct {
	Start, End int    // byte offsets in the document's Text
	Note       string // "not verified" if empty
}

// parts are the files in the archive that are the same for every document: styles, settings, fonts, footer, the
// header of drafts, and the relationships between them.
//
//go:embed all:parts
var parts embed.FS

const xmlHeader = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"

// mostText is the longest text that is written: some thousand pages, which take some seconds.
const mostText = 8 << 20

// ErrTooLong means that a text is too long for a Word file.
var ErrTooLong = errors.New("the text is too long for a Word file")

// Write writes the document as a .docx file to out. It returns an error if out fails or the context ends, and
// ErrTooLong before anything is written.
func Write(ctx context.Context, out io.Writer, d Document) error {
	if len(d.Text) > mostText {
		return fmt.Errorf("%w: %d MB", ErrTooLong, len(d.Text)>>20)
	}
	archive := zip.NewWriter(out)
	put := func(name string, write func(io.Writer) error) error {
		part, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate}) // without a time
		if err == nil {
			err = write(part)
		}
		if err != nil {
			return fmt.Errorf("write %s of the Word file: %w", name, err)
		}
		return nil
	}
	whole := func(content []byte) func(io.Writer) error {
		return func(part io.Writer) error {
			_, err := part.Write(content)
			return err
		}
	}
	fixed, err := fs.Sub(parts, "parts")
	if err != nil {
		return fmt.Errorf("open the parts of Word files: %w", err)
	}
	err = fs.WalkDir(fixed, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(fixed, name)
		if err != nil {
			return fmt.Errorf("read a part of Word files: %w", err)
		}
		return put(name, whole(content))
	})
	if err != nil {
		return err
	}
	var title string
	var numbering []byte
	err = put("word/document.xml", func(part io.Writer) (err error) {
		out := bufio.NewWriterSize(part, 64<<10)
		if title, numbering, err = render(ctx, page{out}, d); err != nil {
			return err
		}
		return out.Flush()
	})
	if err != nil {
		return err
	}
	if err := put("word/numbering.xml", whole(numbering)); err != nil {
		return err
	}
	if err := put("docProps/core.xml", whole(properties(title))); err != nil {
		return err
	}
	if err := archive.Close(); err != nil {
		return fmt.Errorf("finish the Word file: %w", err)
	}
	return nil
}

func properties(title string) []byte {
	return []byte(xmlHeader +
		`<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">` +
		`<dc:title>` + escaped(oneLine(title)) +
		`</dc:title><dc:creator>Munshi</dc:creator><dc:language>en-IN</dc:language></cp:coreProperties>`)
}

// oneLine returns a text with each run of white space replaced by one space.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
