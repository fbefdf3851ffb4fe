package document_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDeclarationsMatchMuPDF compiles testdata/layout.c with and without go-fitz's headers: a
// function with another declaration gives a compiler error, and a type with another layout prints
// another line.
func TestDeclarationsMatchMuPDF(t *testing.T) {
	compiler := os.Getenv("CC")
	if compiler == "" {
		compiler = "cc"
	}
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/gen2brain/go-fitz").Output()
	if err != nil {
		t.Fatalf("find go-fitz: %v", err)
	}
	layout := func(flags ...string) string {
		program := filepath.Join(t.TempDir(), "layout")
		args := append([]string{"-Werror", "-I.", "-o", program, "testdata/layout.c"}, flags...)
		if out, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
			t.Fatalf("compile with %v: %v\n%s", flags, err, out)
		}
		out, err := exec.Command(program).Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	theirs := strings.Split(layout("-DREAL_MUPDF_TYPES", "-I"+filepath.Join(strings.TrimSpace(string(module)), "include")), "\n")
	ours := strings.Split(layout(), "\n")
	for i := range theirs {
		if theirs[i] != ours[i] {
			t.Errorf("MuPDF has %q, mupdf.h %q", theirs[i], ours[i])
		}
	}
}
