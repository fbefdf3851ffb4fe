package cmd

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"munshi/orchestrator/message"
	"munshi/orchestrator/problem"
)

// languages are the languages of the command line.
var languages = []string{"en", "hi"}

// languageOf returns the language in which a command prints: that of --language, else that of the environment's
// locale, else English.
func languageOf(cmd *cobra.Command) (string, error) {
	if language, _ := cmd.Root().PersistentFlags().GetString("language"); language != "" {
		if !slices.Contains(languages, language) {
			return "en", problem.New("no_such_language", problem.Params{"language": language}, nil)
		}
		return language, nil
	}
	locale := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG"))
	if language, _, _ := strings.Cut(locale, "_"); language == "hi" {
		return language, nil
	}
	return "en", nil
}

// printer prints messages in one language, one on each line.
type printer struct {
	out      io.Writer
	language string
}

// printerFor returns a printer to the output of a command.
func printerFor(cmd *cobra.Command) (printer, error) {
	language, err := languageOf(cmd)
	return printer{cmd.OutOrStdout(), language}, err
}

// line prints the message with this code in the group "command", indented by a number of spaces.
func (p printer) line(indent int, code string, params message.Params) {
	fmt.Fprintf(p.out, "%*s%s\n", indent, "", p.text(code, params))
}

// text returns the message with this code in the group "command".
func (p printer) text(code string, params message.Params) string {
	return message.New("command."+code, params).In(p.language)
}
