package practice

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-msgauth/authres"
	"github.com/google/uuid"

	"munshi/orchestrator/api"
)

// taking records the files that it receives.
type taking struct {
	api.Intake
	files *[]string
}

func (t taking) Take(_ context.Context, _, _ uuid.UUID, f api.IntakeFile) error {
	content, err := os.ReadFile(f.Path)
	*t.files = append(*t.files, f.Name+": "+string(content))
	return err
}

// A badly encoded file is accepted as far as it can be read, and the other files of the mail are accepted
// completely.
func TestBadlyEncodedFile(t *testing.T) {
	part := func(name, content string) string {
		return "--xyz\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n" +
			"Content-Disposition: attachment; filename=" + name + "\r\n\r\n" + content + "\r\n"
	}
	raw := "From: clerk@firm.co.in\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=xyz\r\n\r\n" +
		part("bad.pdf", "JVBE***Rg==") + part("good.pdf", "JVBERg==") + "--xyz--\r\n"
	if m := readMail([]byte(raw), ""); m.broken || m.files != 2 {
		t.Fatalf("the mail is %+v, want two files", m)
	}
	var files []string
	in := MailIntake{Intake: taking{files: &files}}
	err := attachments([]byte(raw), func(name string, content io.Reader) error {
		return in.takeFile(t.Context(), uuid.New(), uuid.New(), name, content)
	})
	if err != nil || len(files) != 2 || !strings.HasPrefix(files[0], "bad.pdf: ") || files[1] != "good.pdf: %PDF" {
		t.Errorf("taken are %q, error %v", files, err)
	}
}

// A sender whose address hides a letter is nobody, and a file is named by what is seen of its name.
func TestHiddenLettersOfMails(t *testing.T) {
	for address, want := range map[string]string{"Clerk@firm.co.in": "clerk@firm.co.in", "cl\u200Berk@firm.co.in": ""} {
		if m := readMail([]byte("From: "+address+"\r\n\r\nText"), ""); m.from != want {
			t.Errorf("%+q is from %+q, want %+q", address, m.from, want)
		}
	}
	for name, want := range map[string]string{"papers/\u202Efdp.pdf": "fdp.pdf", "\u200B": "attachment.pdf"} {
		raw := "From: clerk@firm.co.in\r\nMIME-Version: 1.0\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=\"" + name + "\"\r\n\r\n%PDF"
		err := attachments([]byte(raw), func(got string, _ io.Reader) error {
			if got != want {
				t.Errorf("%+q is named %+q, want %+q", name, got, want)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// Only the topmost result of the trusted server counts, and no result below one that cannot be
// read.
func TestTopmostResultCounts(t *testing.T) {
	const (
		pass   = "Authentication-Results: mx.example.com; dkim=pass header.d=firm.co.in\r\n"
		fail   = "Authentication-Results: mx.example.com; dkim=fail header.d=firm.co.in\r\n"
		other  = "Authentication-Results: mx.other.com; dkim=fail header.d=firm.co.in\r\n"
		broken = "Authentication-Results: mx.example.com; dkim\r\n"
	)
	for _, c := range []struct {
		head []string
		want bool
	}{
		{[]string{pass}, true},
		{[]string{other, pass}, true},
		{[]string{pass, fail}, true},
		{[]string{fail, pass}, false},
		{[]string{broken, pass}, false},
		{nil, false},
	} {
		raw := strings.Join(slices.Concat(c.head, []string{"From: clerk@firm.co.in\r\n\r\nHello\r\n"}), "")
		if m := readMail([]byte(raw), "mx.example.com"); m.authentic != c.want {
			t.Errorf("authentic is %v, want %v:\n%s", m.authentic, c.want, raw)
		}
	}
}

// A server authenticates a sender if what it checked belongs to the sender's organisation, and not only to the same
// suffix.
func TestVouched(t *testing.T) {
	dkim := func(domain string) authres.Result {
		return &authres.DKIMResult{Value: authres.ResultPass, Domain: domain}
	}
	spf := func(from string) authres.Result { return &authres.SPFResult{Value: authres.ResultPass, From: from} }
	dmarc := func(from string) authres.Result { return &authres.DMARCResult{Value: authres.ResultPass, From: from} }
	for _, c := range []struct {
		name, from string
		result     authres.Result
		want       bool
	}{
		{"the domain itself", "clerk@firm.co.in", dkim("firm.co.in"), true},
		{"in capitals, with a dot", "clerk@firm.co.in", dkim("Firm.CO.IN."), true},
		{"a domain above", "clerk@mail.firm.co.in", dkim("firm.co.in"), true},
		{"a domain below", "clerk@firm.co.in", spf("bounce@mail.firm.co.in"), true},
		{"by DMARC", "clerk@firm.co.in", dmarc("firm.co.in"), true},
		{"the suffix", "clerk@firm.co.in", dkim("co.in"), false},
		{"the suffix, by SPF", "clerk@firm.co.in", spf("anybody@co.in"), false},
		{"the suffix, by DMARC", "clerk@firm.co.in", dmarc("co.in"), false},
		{"a neighbour under the suffix", "clerk@firm.co.in", dkim("evil.co.in"), false},
		{"a neighbour at a host of many", "clerk@firm.github.io", dkim("evil.github.io"), false},
		{"an ending that looks alike", "clerk@firm.co.in", dkim("evilfirm.co.in"), false},
		{"a sender without a domain", "clerk", dkim("clerk"), false},
		{"no sender", "", dkim(""), false},
		{"a sender at a suffix", "clerk@co.in", dkim("co.in"), false},
		{"what failed", "clerk@firm.co.in", &authres.DKIMResult{Value: authres.ResultFail, Domain: "firm.co.in"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := vouched([]authres.Result{c.result}, c.from); got != c.want {
				t.Errorf("vouched is %v for a mail from %q, want %v", got, c.from, c.want)
			}
		})
	}
}
