package practice

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/uuid"

	"munshi/orchestrator/api"
	"munshi/orchestrator/message"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// Intake accepts papers in batches. Each paper starts a turn that reads it, and turns survive a restart; nothing else
// in a batch needs to.
type Intake struct {
	Store        *store.Store
	Catalogue    api.Catalogue
	Inspector    api.PDFInspector
	Photographs  api.Photographs
	IsPhotograph func(head []byte) bool
	Work         interface {
		StartTurn(ctx context.Context, in workflows.TurnInput) error
	}
	MaxBytes int64
	Log      *slog.Logger
}

var _ api.Intake = Intake{}

// noticePlugin is the plugin that reads the papers.
const noticePlugin = "notice"

// mostUnpacked is the maximum size of a ZIP after unpacking, as a multiple of the maximum file size.
const mostUnpacked = 40

// Take implements api.Intake.
func (in Intake) Take(ctx context.Context, workspace, batch uuid.UUID, f api.IntakeFile) error {
	turn, err := in.turn(ctx, f.Language)
	if err != nil {
		return err
	}
	n := store.NewFile{Workspace: workspace, Batch: batch, Name: f.Name, Plugin: noticePlugin, Turn: turn,
		Listed: f.Listed}
	head, err := beginning(f.Path)
	switch {
	case err != nil:
		return err
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return in.unpack(ctx, n, f.Path)
	default:
		return in.take(ctx, n, f.Path)
	}
}

// turn returns the turn that reads a paper.
func (in Intake) turn(ctx context.Context, language string) (store.NewTurn, error) {
	plugins, err := in.Catalogue.Plugins(ctx)
	if err != nil {
		return store.NewTurn{}, err
	}
	i := slices.IndexFunc(plugins, func(p api.PluginInfo) bool { return p.ID == noticePlugin })
	if i < 0 || !slices.ContainsFunc(plugins[i].Turns, func(t api.PluginTurn) bool {
		return t.Kind == workflows.Reading
	}) {
		return store.NewTurn{}, problem.New("unknown_plugin", nil, nil)
	}
	return store.NewTurn{Kind: workflows.Reading, Text: plugins[i].Message(workflows.Reading, "", nil),
		Language: language}, nil
}

// unpack accepts each file of a ZIP. If limits are exceeded, by the ZIP or by the batch, this is recorded once, under the
// name of the ZIP.
func (in Intake) unpack(ctx context.Context, n store.NewFile, path string) error {
	z, err := zip.OpenReader(path)
	if err != nil {
		return in.refuse(ctx, n, path, problem.New("damaged.zip", nil, err))
	}
	defer z.Close()
	left, taken := mostUnpacked*in.MaxBytes, 0
	for _, entry := range z.File {
		name := cmp.Or(store.FileName(entry.Name), "file")
		if entry.FileInfo().IsDir() || strings.HasPrefix(name, ".") || strings.HasPrefix(entry.Name, "__MACOSX/") {
			continue
		}
		if taken++; taken > store.MostFiles || left <= 0 {
			n.LeftOut = true
			return in.refuse(ctx, n, path,
				problem.New("too_large.zip",
					problem.Params{"files": store.MostFiles, "limit": mostUnpacked * in.MaxBytes >> 20}, nil))
		}
		one := n
		one.Name = name
		size, err := in.takeEntry(ctx, one, entry)
		if errors.Is(err, store.ErrTooMany) {
			n.LeftOut = true
			return in.refuse(ctx, n, path, problem.New("batch_full.zip", problem.Params{"files": store.MostFiles}, err))
		}
		if err != nil {
			return err
		}
		left -= size
	}
	if taken == 0 {
		return in.refuse(ctx, n, path, problem.New("empty", nil, nil))
	}
	return nil
}

// takeEntry accepts a file of a ZIP, and returns its size.
func (in Intake) takeEntry(ctx context.Context, n store.NewFile, entry *zip.File) (size int64, err error) {
	out, err := os.CreateTemp("", "munshi-intake-*")
	if err != nil {
		return 0, fmt.Errorf("make a temporary file for a paper: %w", err)
	}
	defer os.Remove(out.Name())
	packed, err := entry.Open()
	if err == nil {
		size, err = io.Copy(out, io.LimitReader(packed, in.MaxBytes+1))
		err = errors.Join(err, packed.Close())
	}
	if cerr := out.Close(); cerr != nil {
		return 0, fmt.Errorf("write a paper to disk: %w", cerr)
	}
	if err != nil {
		// a broken entry does not affect the others
		return size, in.refuse(ctx, n, out.Name(), problem.New("damaged.zip", nil, err))
	}
	return size, in.take(ctx, n, out.Name())
}

// take accepts a PDF or a photograph.
func (in Intake) take(ctx context.Context, n store.NewFile, path string) error {
	head, err := beginning(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return fmt.Errorf("look at a paper on disk: %w", err)
	case info.Size() == 0:
		return in.refuse(ctx, n, path, problem.New("empty", nil, nil))
	case info.Size() > in.MaxBytes:
		return in.refuse(ctx, n, path, problem.New("too_large.upload", problem.Params{"limit": in.MaxBytes >> 20}, nil))
	case in.IsPhotograph(head):
		pdf, err := in.photographed(ctx, path)
		if pdf != "" {
			defer os.Remove(pdf)
		}
		if err != nil {
			return in.refuse(ctx, n, path, err)
		}
		n.Document.Name, path = strings.TrimSuffix(n.Name, filepath.Ext(n.Name))+".pdf", pdf
	case !bytes.Contains(head, []byte("%PDF-")):
		return in.refuse(ctx, n, path, problem.New("not_pdf.upload", nil, nil))
	default:
		n.Document.Name = n.Name
	}
	if n.Document.Pages, n.Document.Damaged, err = in.Inspector.Inspect(ctx, path); err != nil {
		return in.refuse(ctx, n, path, err)
	}
	return in.note(ctx, n, path)
}

// photographed makes a PDF from a photograph, and returns its path.
func (in Intake) photographed(ctx context.Context, path string) (pdf string, err error) {
	out, err := os.CreateTemp("", "munshi-intake-*.pdf")
	if err != nil {
		return "", fmt.Errorf("make a temporary file for a photograph: %w", err)
	}
	err = in.Photographs.Photographs(ctx, []string{path}, out)
	return out.Name(), errors.Join(err, out.Close())
}

// refuse records why a file was refused. An error that is not the fault of the file is returned unchanged.
func (in Intake) refuse(ctx context.Context, n store.NewFile, path string, why error) error {
	var p *problem.Error
	if !errors.As(why, &p) {
		return why
	}
	var err error
	if n.Problem, err = problemOf(p); err != nil {
		return err
	}
	return in.note(ctx, n, path)
}

// problemOf returns the reason why a file was refused as it is stored.
func problemOf(p *problem.Error) (json.RawMessage, error) {
	raw, err := json.Marshal(fileProblem{p.Code, p.Message()})
	if err != nil {
		return nil, fmt.Errorf("encode why a file was refused: %w", err)
	}
	return raw, nil
}

// fileProblem is the stored reason why a file was refused.
type fileProblem struct {
	Code string          `json:"code"`
	Said message.Message `json:"said"`
}

// Problem implements api.Intake.
func (Intake) Problem(kept json.RawMessage) (api.FileProblem, error) {
	var p fileProblem
	if err := json.Unmarshal(kept, &p); err != nil {
		return api.FileProblem{}, fmt.Errorf("decode why a file was refused: %w", err)
	}
	return api.FileProblem{Code: p.Code, Said: api.Sentence(p.Said)}, nil
}

// note stores a file, and starts the turn that reads it.
func (in Intake) note(ctx context.Context, n store.NewFile, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("open a paper on disk: %w", err)
	}
	defer file.Close()
	sum := sha256.New()
	if n.Bytes, err = io.Copy(sum, file); err != nil {
		return fmt.Errorf("read a paper on disk: %w", err)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("rewind a paper on disk: %w", err)
	}
	n.SHA256, n.Document.Content = sum.Sum(nil), file
	reading, err := in.Store.TakeFile(ctx, n)
	if err != nil || reading == nil {
		return err
	}
	err = in.Work.StartTurn(ctx, workflows.TurnInput{Workspace: n.Workspace.String(),
		Conversation: reading.ConversationID.String(), Turn: reading.ID.String(), Plugin: n.Plugin, Kind: reading.Kind})
	if err != nil {
		in.Log.WarnContext(ctx, "the reading of a paper could not be begun now; the reconciler will", "turn",
			reading.ID, "error", err)
	}
	return nil
}

// beginning returns the first bytes of a file, from which its type is detected.
func beginning(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open a paper on disk: %w", err)
	}
	defer file.Close()
	head := make([]byte, 1024)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("read a paper on disk: %w", err)
	}
	return head[:n], nil
}
