package payload_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"google.golang.org/protobuf/proto"

	"munshi/orchestrator/payload"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func ring(t testing.TB) *payload.Keyring {
	t.Helper()
	r, err := payload.New(time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC))
	must(t, err)
	return r
}

func plain(text string) *commonpb.Payload {
	return &commonpb.Payload{Metadata: map[string][]byte{"encoding": []byte("json/plain"), "messageType": []byte("words")}, Data: []byte(text)}
}

func seal(t testing.TB, c *payload.Codec, p ...*commonpb.Payload) []*commonpb.Payload {
	t.Helper()
	sealed, err := c.Encode(p)
	must(t, err)
	return sealed
}

// A payload is restored unchanged, including its metadata, and no part of either can be read in encrypted form.
// The same payload is never encrypted to the same bytes.
func TestRoundTrip(t *testing.T) {
	c := payload.NewCodec(payload.Fixed(ring(t)), true)
	in := []*commonpb.Payload{plain(`"turn-1"`), plain(`"turn-1"`), {}}
	kept := proto.Clone(in[0])
	sealed := seal(t, c, in...)
	for _, p := range sealed {
		raw, err := proto.Marshal(p)
		must(t, err)
		if string(p.Metadata["encoding"]) != "binary/encrypted" || bytes.Contains(raw, []byte("turn-1")) || bytes.Contains(raw, []byte("json")) || bytes.Contains(raw, []byte("words")) {
			t.Errorf("what is sent is %q", raw)
		}
	}
	if bytes.Equal(sealed[0].Data, sealed[1].Data) {
		t.Error("two payloads have the same nonce")
	}
	opened, err := c.Decode(sealed)
	must(t, err)
	for i := range in {
		if !proto.Equal(opened[i], in[i]) {
			t.Errorf("%v came back as %v", in[i], opened[i])
		}
	}
	if !proto.Equal(in[0], kept) {
		t.Error("what was given was changed")
	}
}

// A payload that was never encrypted is returned unchanged, even by a codec without keys that
// encrypts nothing.
func TestPlainPassesThrough(t *testing.T) {
	p := plain("1")
	for _, c := range []*payload.Codec{payload.NewCodec(payload.Fixed(ring(t)), true), payload.NewCodec(payload.Fixed(nil), false)} {
		if got, err := c.Decode([]*commonpb.Payload{p}); err != nil || !proto.Equal(got[0], p) {
			t.Errorf("%v %v", got, err)
		}
	}
	if got := seal(t, payload.NewCodec(payload.Fixed(ring(t)), false), p); !proto.Equal(got[0], p) {
		t.Errorf("switched off, it gives %v", got)
	}
}

// If one byte is changed, anywhere, nothing is decrypted. The error names the key, even if it is
// missing.
func TestTampering(t *testing.T) {
	r := ring(t)
	c := payload.NewCodec(payload.Fixed(r), true)
	sealed := seal(t, c, plain("a thousand rupees"))[0]
	refused := func(what, says string, p *commonpb.Payload) {
		t.Helper()
		if got, err := c.Decode([]*commonpb.Payload{p}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v %v", what, got, err)
		}
	}
	for i := range sealed.Data {
		p := proto.Clone(sealed).(*commonpb.Payload)
		p.Data[i] ^= 1
		refused(fmt.Sprintf("byte %d changed", i), `was changed, or not encrypted with this keyring's key "`+r.IDs()[0]+`"`, p)
	}
	short := proto.Clone(sealed).(*commonpb.Payload)
	short.Data = short.Data[:5]
	refused("cut", "was changed", short)
	more := proto.Clone(sealed).(*commonpb.Payload)
	more.Metadata["role"] = []byte("system")
	refused("metadata added", "was changed", more)
	other := proto.Clone(sealed).(*commonpb.Payload)
	other.Metadata["encryption-key-id"] = []byte("lost")
	refused("of another key", `the key "lost", which is not in the keyring`, other)
	id, err := r.Add(time.Now(), false)
	must(t, err)
	swapped := proto.Clone(sealed).(*commonpb.Payload)
	swapped.Metadata["encryption-key-id"] = []byte(id)
	refused("with the id of another key", id, swapped)
}

// A new key is used for encryption once it is the first, and the older ones still decrypt.
func TestRotation(t *testing.T) {
	r := ring(t)
	first := r.IDs()[0]
	c := payload.NewCodec(payload.Fixed(r), true)
	old := seal(t, c, plain("old"))
	second, err := r.Add(time.Now(), false)
	must(t, err)
	if got := string(seal(t, c, plain("x"))[0].Metadata["encryption-key-id"]); got != first {
		t.Errorf("a key that was only added encrypts: %s", got)
	}
	must(t, r.Use(second))
	if got := string(seal(t, c, plain("x"))[0].Metadata["encryption-key-id"]); got != second {
		t.Errorf("after the change %s encrypts", got)
	}
	if got, err := c.Decode(old); err != nil || string(got[0].Data) != "old" {
		t.Errorf("%v %v", got, err)
	}
	if err := r.Use("none"); err == nil || !strings.Contains(err.Error(), first) {
		t.Error(err)
	}
	again, err := payload.Parse("# a comment\n" + strings.ReplaceAll(r.Reveal(), "\n", ", ") + "# the end")
	must(t, err)
	if !slices.Equal(again.IDs(), []string{second, first}) {
		t.Errorf("read again: %v", again.IDs())
	}
}

// A keyring with a mistake is refused, and neither the error nor the printed keyring shows a key.
func TestMistakesInAKeyring(t *testing.T) {
	good := ring(t)
	secret := strings.TrimSpace(strings.SplitN(good.Reveal(), ":", 2)[1])
	for text, says := range map[string]string{
		"":                                  "no key",
		"# only words":                      "no key",
		secret:                              "ID:KEY",
		"k 1:" + secret:                     "ID:KEY",
		"k1:" + secret[:20]:                 "k1 is not 32 bytes",
		"k1:not base64!":                    "k1 is not 32 bytes",
		"k1:" + secret + "\nk1:" + secret:   "two keys of the id k1",
		strings.Repeat("k", 65) + ":secret": "at most 64",
	} {
		if _, err := payload.Parse(text); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), secret[:20]) {
			t.Errorf("%q: %v", text, err)
		}
	}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "ring", good)
	for _, printed := range []string{fmt.Sprint(good), fmt.Sprintf("%+v %#v %q", good, good, good), log.String()} {
		if strings.Contains(printed, secret) || !strings.Contains(printed, good.IDs()[0]) {
			t.Errorf("printed is %q", printed)
		}
	}
}

// A process notices when the file changes: at once when it encrypts, and when it meets an unknown key. A broken or
// missing file changes nothing.
func TestFileIsFollowed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys")
	must(t, payload.Create(file, ring(t)))
	if err := payload.Create(file, ring(t)); !errors.Is(err, fs.ErrExist) {
		t.Errorf("made a second time: %v", err)
	}
	var log bytes.Buffer
	follow := func() *payload.Codec {
		keys, err := payload.Follow(file, slog.New(slog.NewTextHandler(&log, nil)))
		must(t, err)
		return payload.NewCodec(keys, true)
	}
	writer, reader := follow(), follow()
	var second string
	must(t, payload.Change(file, func(r *payload.Keyring) (err error) { second, err = r.Add(time.Now(), true); return err }))
	sealed := seal(t, writer, plain("new"))
	if string(sealed[0].Metadata["encryption-key-id"]) != second {
		t.Error("the writer did not notice")
	}
	if got, err := reader.Decode(sealed); err != nil || string(got[0].Data) != "new" {
		t.Errorf("the reader did not notice: %v", err)
	}
	info, err := os.Stat(file)
	must(t, err)
	if info.Mode() != 0o600 {
		t.Errorf("the file may be read by others: %v", info.Mode())
	}
	for _, breakIt := range []func() error{func() error { return os.WriteFile(file, []byte("k1:short"), 0o600) }, func() error { return os.Remove(file) }} {
		must(t, breakIt())
		if got, err := reader.Decode(seal(t, writer, plain("still"))); err != nil || string(got[0].Data) != "still" {
			t.Errorf("with a broken file: %v", err)
		}
	}
	if n := strings.Count(log.String(), "cannot be read again"); n != 1 {
		t.Errorf("it was logged %d times:\n%s", n, log.String())
	}
	left, err := os.ReadDir(filepath.Dir(file))
	must(t, err)
	for _, f := range left {
		if f.Name() != "keys.lock" {
			t.Errorf("%s is left", f.Name())
		}
	}
}

// If many processes add keys at the same time, none is lost; if many create the same file, one
// succeeds.
func TestChangesAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys")
	var all sync.WaitGroup
	var mu sync.Mutex
	created := 0
	for range 20 {
		all.Go(func() {
			if r, err := payload.New(time.Now()); err != nil {
				t.Error(err)
			} else if err := payload.Create(file, r); err == nil {
				mu.Lock()
				created++
				mu.Unlock()
			} else if !errors.Is(err, fs.ErrExist) {
				t.Error(err)
			}
			if err := payload.Change(file, func(r *payload.Keyring) error { _, err := r.Add(time.Now(), true); return err }); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	r, err := payload.Read(file)
	must(t, err)
	if created != 1 || len(r.IDs()) != 21 {
		t.Errorf("%d created it, and it has %d keys", created, len(r.IDs()))
	}
}

// The message of a failure is encrypted and its code is not; decoding restores it completely.
func TestFailures(t *testing.T) {
	_, failures := payload.NewCodec(payload.Fixed(ring(t)), true).Converters()
	f := failures.ErrorToFailure(temporal.NewApplicationError("Check model.key.", "model_bad_key", "a detail"))
	raw, err := proto.Marshal(f)
	must(t, err)
	if bytes.Contains(raw, []byte("Check")) || bytes.Contains(raw, []byte("detail")) || f.GetApplicationFailureInfo().GetType() != "model_bad_key" {
		t.Errorf("sent is %q", raw)
	}
	var back *temporal.ApplicationError
	var detail string
	if err := failures.FailureToError(f); !errors.As(err, &back) || back.Message() != "Check model.key." || back.Details(&detail) != nil || detail != "a detail" {
		t.Errorf("it came back as %v", err)
	}
}

// BenchmarkCodec encrypts and decrypts the payloads of a turn's workflow, in addition to the conversion to JSON that
// is done anyway.
func BenchmarkCodec(b *testing.B) {
	file := filepath.Join(b.TempDir(), "keys")
	must(b, payload.Create(file, ring(b)))
	keys, err := payload.Follow(file, slog.New(slog.DiscardHandler))
	must(b, err)
	encrypted, _ := payload.NewCodec(keys, true).Converters()
	in := map[string]string{"Turn": "01a2b3c4-0000-7000-8000-000000000000", "Conversation": "01a2b3c4-0000-7000-8000-000000000000", "Plugin": "notice", "Kind": "analysis"}
	for name, c := range map[string]converter.DataConverter{"plain": converter.GetDefaultDataConverter(), "encrypted": encrypted} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p, err := c.ToPayloads(in)
				must(b, err)
				var out map[string]string
				must(b, c.FromPayloads(p, &out))
			}
		})
	}
}
