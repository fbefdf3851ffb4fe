// Package munshi holds the files that the program brings along, so that it works from any folder: the prompts, the
// evaluation cases and the landing page's texts. A folder beside the program, or one that the configuration names,
// takes their place.
package munshi

import "embed"

// Files are the folders prompts, evals and config/site as they were when the program was built.
//
//go:embed all:prompts evals/*/*.yaml evals/documents/*.pdf evals/*.txt config/site
var Files embed.FS
