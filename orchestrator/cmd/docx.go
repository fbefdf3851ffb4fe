package cmd

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"munshi/orchestrator/document/word"
	"munshi/orchestrator/notices"
	"munshi/orchestrator/problem"
)

// docxCommand returns the command that writes Markdown as a Word file, like the web app's downloads.
func docxCommand() *cobra.Command {
	var title, output string
	var causeTitle bool
	c := &cobra.Command{
		Use:   "docx FILE.md",
		Args:  cobra.ExactArgs(1),
		Short: "Write Markdown as a Word file (FILE - is standard input); needs no server",
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := readText(cmd, args[0])
			if err != nil {
				return err
			}
			var file bytes.Buffer
			d := word.Document{Title: title, Text: string(text), CauseTitle: causeTitle}
			if err := notices.WriteWordFile(cmd.Context(), &file, d); err != nil {
				return err
			}
			if output == "-" {
				_, err := cmd.OutOrStdout().Write(file.Bytes())
				return err
			}
			if output == "" {
				output = word.FileName(title)
			}
			if err := os.WriteFile(output, file.Bytes(), 0o644); err != nil {
				return problem.New("file_unwritable", problem.Params{"file": output, "reason": errors.Unwrap(err)}, err)
			}
			return nil
		},
	}
	c.Flags().
		StringVarP(&output, "output", "o", "", "the Word file, - for standard output (default: named after the title)")
	c.Flags().
		StringVar(&title, "title", "GST Notice Reply", "the title above the text; empty for the heading that the text "+
			"begins with")
	c.Flags().
		BoolVar(&causeTitle, "cause-title", false, "what stands above a line across (---) and the heading of the text "+
			"is a cause title: centre it above that heading")
	return c
}

// readText reads a text file, or standard input for "-".
func readText(cmd *cobra.Command, name string) ([]byte, error) {
	var text []byte
	var err error
	if name == "-" {
		text, err = io.ReadAll(cmd.InOrStdin())
	} else {
		text, err = os.ReadFile(name)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, problem.New("no_such_file", problem.Params{"file": name}, err)
	case err != nil:
		return nil, problem.New("file_unreadable", problem.Params{"file": name, "reason": errors.Unwrap(err)}, err)
	}
	return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), nil // the byte order mark that some editors add
}
