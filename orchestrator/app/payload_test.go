package app_test

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/api/enums/v1"
	failurepb "go.temporal.io/api/failure/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/api/proxy"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	tlog "go.temporal.io/sdk/log"
	"google.golang.org/protobuf/proto"

	"munshi/config"
	"munshi/orchestrator/app"
	"munshi/orchestrator/cmd"
	"munshi/orchestrator/local/localtest"
	"munshi/orchestrator/model/modeltest"
	"munshi/orchestrator/payload"
	"munshi/orchestrator/problem"
	"munshi/workflows"
)

// keylessTemporal is a client for someone who has access to Temporal, but no keys.
func (p *product) keylessTemporal(t *testing.T) client.Client {
	t.Helper()
	c, err := client.NewLazyClient(client.Options{HostPort: p.app.Config.Temporal.Address, Namespace: p.app.Config.Temporal.Namespace, Logger: tlog.NewStructuredLogger(slog.New(slog.DiscardHandler))})
	must(t, err)
	t.Cleanup(c.Close)
	return c
}

// sealedKeys returns the ids of the keys with which the payloads in a message are encrypted; an unencrypted payload
// fails the test. Headers belong to the SDK and hold the ids of a trace.
func sealedKeys(t *testing.T, m proto.Message) (keys []string) {
	t.Helper()
	must(t, proxy.VisitPayloads(t.Context(), m, proxy.VisitPayloadsOptions{SkipSearchAttributes: true,
		Visitor: func(c *proxy.VisitPayloadsContext, payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
			for _, p := range payloads {
				if _, header := c.Parent.(*commonpb.Header); !header && string(p.GetMetadata()["encoding"]) != "binary/encrypted" {
					t.Errorf("a payload in a %T can be read: %s", m, p)
				}
				keys = append(keys, string(p.GetMetadata()["encryption-key-id"]))
			}
			return payloads, nil
		}}))
	must(t, proxy.VisitFailures(t.Context(), m, proxy.VisitFailuresOptions{Visitor: func(_ *proxy.VisitFailuresContext, f *failurepb.Failure) error {
		if f.GetResetWorkflowFailureInfo() != nil {
			return nil // the reason for a reset, which the person who resets gives to the server
		}
		if f.GetMessage() != "Encoded failure" || f.GetStackTrace() != "" || f.GetEncodedAttributes() == nil {
			t.Errorf("a failure can be read: %s", f)
		}
		return nil
	}}))
	return keys
}

// Someone who has access to Temporal but no key can read no payload, error message or query result: neither of a
// turn that failed and was answered later, nor of a workflow that waits for documents.
func TestWhatTemporalSees(t *testing.T) {
	fake := &modeltest.Server{}
	fake.Next(modeltest.Behaviour{Status: 400})
	p := start(t, withModel(t, fake))
	v := p.visitor()
	c := v.converse()
	turn := v.hand(c, "testdata/notice.pdf", "")
	d := v.settled(c, turn.ID, "failed")
	stranger := p.keylessTemporal(t)
	id := workflows.TurnWorkflowID(turn.ID)
	p.settledWorkflow(id, enums.WORKFLOW_EXECUTION_STATUS_FAILED)
	failed, err := workflows.HistoryOf(t.Context(), stranger, id, "")
	must(t, err)
	v.post("/api/turns/"+turn.ID+"/retry", nil, 202, nil)
	v.answer(c, turn)
	p.settledWorkflow(id, enums.WORKFLOW_EXECUTION_STATUS_COMPLETED)
	answered, err := workflows.HistoryOf(t.Context(), stranger, id, "")
	must(t, err)
	v.followUp(c, "waiting")
	waiting, err := workflows.HistoryOf(t.Context(), stranger, workflows.FollowUpWorkflowID(c), "")
	must(t, err)
	for _, h := range []*historypb.History{failed, answered, waiting} {
		if keys := sealedKeys(t, h); len(keys) < 3 || slices.ContainsFunc(keys, func(k string) bool { return k != "new" && k != "" }) {
			t.Errorf("the keys are %v", keys)
		}
	}
	raw, err := proto.Marshal(failed)
	must(t, err)
	for _, word := range []string{d.Turn.Error.Sentence, d.Documents[0].ID, "Something went wrong"} {
		if bytes.Contains(raw, []byte(word)) {
			t.Errorf("%q can be read", word)
		}
	}
	if d.Turn.Error.Sentence == "" || !bytes.Contains(raw, []byte(d.Turn.Error.Code)) {
		t.Errorf("operators find no code %+v", d.Turn.Error)
	}
	must(t, p.app.Codec.Open(t.Context(), failed))
	if raw, err = proto.Marshal(failed); err != nil || !bytes.Contains(raw, []byte(d.Turn.Error.Sentence)) {
		t.Errorf("with the keys the sentence is not there either: %v", err)
	}

	described, err := stranger.DescribeWorkflowExecution(t.Context(), workflows.FollowUpWorkflowID(c), "")
	must(t, err)
	if keys := sealedKeys(t, described); len(keys) < 2 { // its summary and its details
		t.Errorf("described with %v", keys)
	}
	answer, err := stranger.QueryWorkflow(t.Context(), workflows.FollowUpWorkflowID(c), "", workflows.StateQuery)
	must(t, err)
	var state map[string]any
	if err := answer.Get(&state); err == nil {
		t.Errorf("the query's answer can be read: %v", state)
	}
}

// keysIn writes a keyring file as `munshi keys` does, in one step.
func keysIn(t *testing.T, file string, keys ...string) {
	t.Helper()
	must(t, os.WriteFile(file+"~", []byte(strings.Join(keys, "\n")), 0o600))
	must(t, os.Rename(file+"~", file))
}

// Keys are rotated while a turn runs: it continues with the new key. A turn that failed before is reset and
// answered.
func TestKeysAreRotated(t *testing.T) {
	gate := make(chan struct{})
	fake := &modeltest.Server{}
	fake.Next(modeltest.Behaviour{Status: 400})
	fake.Answer = func(r modeltest.Request) string { <-gate; return modeltest.Answer(r) }
	file := filepath.Join(t.TempDir(), "keys")
	keysIn(t, file, oldKey)
	model := withModel(t, fake)
	p := startAlone(t, func(c *config.Config) { model(c); c.Temporal.Keys, c.Temporal.KeysFile = "", file })
	v := p.visitor()
	failedIn := v.converse()
	failed := v.hand(failedIn, "testdata/notice.pdf", "")
	v.settled(failedIn, failed.ID, "failed")
	p.settledWorkflow(workflows.TurnWorkflowID(failed.ID), enums.WORKFLOW_EXECUTION_STATUS_FAILED)
	runningIn := v.converse()
	running := v.say(runningIn, "A question")
	await(t, "the model is asked twice", func() bool { return len(fake.Requests()) == 2 })

	keysIn(t, file, newKey, oldKey)
	close(gate)
	v.answer(runningIn, running)
	_, at := p.tasks(failed.ID)
	p.reset(failed.ID, at)
	v.settled(failedIn, failed.ID, "answered")
	stranger := p.keylessTemporal(t)
	for _, turn := range []string{running.ID, failed.ID} {
		id := workflows.TurnWorkflowID(turn)
		p.settledWorkflow(id, enums.WORKFLOW_EXECUTION_STATUS_COMPLETED)
		h, err := workflows.HistoryOf(t.Context(), stranger, id, "")
		must(t, err)
		if keys := sealedKeys(t, h); !slices.Contains(keys, "old") || keys[len(keys)-1] != "new" {
			t.Errorf("encrypted with %v", keys)
		}
		must(t, workflows.Replay(tlog.NewStructuredLogger(slog.New(slog.DiscardHandler)), p.history(t, id)))
	}
}

// A worker that lacks the key of a turn leaves it open, and completes it once it has the key.
func TestWorkerWithoutTheKey(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "keys")
	keysIn(t, file, newKey)
	p := startAlone(t, func(c *config.Config) { c.Temporal.Keys, c.Temporal.KeysFile = "", file })
	ahead := p.beside(nil) // it has the next keys already
	keysAhead, err := payload.Parse(oldKey)
	must(t, err)
	ahead.app.Codec = payload.NewCodec(payload.Fixed(keysAhead), true)
	ahead.app.Temporal, err = app.NewTemporal(ahead.app.Config.Temporal, ahead.app.Codec, nil, ahead.app.Log)
	must(t, err)
	ahead.app.Work.Temporal = ahead.app.Temporal
	ahead.serve()
	v := ahead.visitor()
	c := v.converse()
	turn := v.say(c, "By when must I reply?")
	await(t, "the worker has met the turn", func() bool {
		h, err := workflows.HistoryOf(t.Context(), ahead.app.Temporal, workflows.TurnWorkflowID(turn.ID), "")
		return err == nil && slices.ContainsFunc(h.GetEvents(), func(e *historypb.HistoryEvent) bool {
			return e.GetEventType() == enums.EVENT_TYPE_WORKFLOW_TASK_FAILED
		})
	})
	if now := v.detail(c).Turn; now.State != "queued" {
		t.Errorf("the turn is %s meanwhile", now.State)
	}
	keysIn(t, file, newKey, oldKey)
	v.answer(c, turn)
}

// webAnswer is a response to a page of another origin.
type webAnswer struct {
	status int
	header http.Header
	said   string
}

// webUI sends a request as Temporal's Web UI does, from its origin in the person's browser.
func (v *person) webUI(method, path, origin string, body []byte) webAnswer {
	v.t.Helper()
	req, err := http.NewRequestWithContext(v.t.Context(), method, v.address+path, bytes.NewReader(body))
	must(v.t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Namespace", "default")
	req.Header.Set("Origin", origin)
	req.Header.Set("Sec-Fetch-Site", "same-site")
	resp, err := v.http.Do(req)
	must(v.t, err)
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	must(v.t, err)
	return webAnswer{resp.StatusCode, resp.Header, string(said)}
}

// Temporal's Web UI gets payloads decrypted in an operator's browser, and in no other; other sites do not, and the
// Web UI can do nothing else.
func TestCodecEndpoint(t *testing.T) {
	const ui = "http://temporal.example"
	var log bytes.Buffer
	p := start(t, nil)
	p.logsTo(&log)
	operator, visitor := p.visitor(), p.visitor()
	p.grant(operator)
	visitor.converse()
	sealed, err := p.app.Codec.Encode([]*commonpb.Payload{{Metadata: map[string][]byte{"encoding": []byte("json/plain")}, Data: []byte(`"turn-of-someone"`)}})
	must(t, err)
	lost := proto.Clone(sealed[0]).(*commonpb.Payload)
	lost.Metadata["encryption-key-id"] = []byte("lost")
	body, err := json.Marshal(&commonpb.Payloads{Payloads: []*commonpb.Payload{sealed[0], lost}})
	must(t, err)
	const decode = "/api/codec/decode"

	preflight := operator.webUI("OPTIONS", decode, ui, nil)
	if h := preflight.header; preflight.status != 204 || h.Get("Access-Control-Allow-Origin") != ui || h.Get("Access-Control-Allow-Credentials") != "true" ||
		!strings.Contains(h.Get("Access-Control-Allow-Headers"), "X-Namespace") || h.Get("Access-Control-Allow-Methods") != "POST" {
		t.Errorf("the preflight says %d %v", preflight.status, h)
	}
	for who, c := range map[string]struct {
		v      *person
		origin string
		want   int
	}{
		"a visitor in the Web UI":                 {visitor, ui, 404},
		"an operator at another port":             {operator, "http://temporal.example:9999", 403},
		"an operator at another site":             {operator, "https://evil.example", 403},
		"an operator at another name of the host": {operator, "http://www.temporal.example", 403},
		"an operator in the Web UI over https":    {operator, "https://temporal.example", 403},
	} {
		resp := c.v.webUI("POST", decode, c.origin, body)
		if resp.status != c.want || strings.Contains(resp.said, "payloads") || c.origin != ui && resp.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s gets %d %v %s", who, resp.status, resp.header, resp.said)
		}
		if c.origin != ui && c.v.webUI("OPTIONS", decode, c.origin, nil).header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s is promised an answer", who)
		}
	}
	if strings.Contains(log.String(), "read payloads") {
		t.Errorf("nobody read anything, and it was logged:\n%s", log.String())
	}

	// Temporal's own client of codec servers understands the answer.
	remote := converter.NewRemotePayloadCodec(converter.RemotePayloadCodecOptions{Endpoint: p.address + "/api/codec", Client: *operator.http,
		ModifyRequest: func(r *http.Request) error {
			r.Header.Set("Origin", ui)
			r.Header.Set("Sec-Fetch-Site", "same-site")
			return nil
		}})
	opened, err := remote.Decode([]*commonpb.Payload{sealed[0], lost})
	must(t, err)
	if string(opened[0].GetData()) != `"turn-of-someone"` || !strings.Contains(string(opened[1].GetData()), `encrypted with the key \"lost\"`) {
		t.Errorf("decrypted is %v", opened)
	}
	if _, err := remote.Encode(opened); err == nil {
		t.Error("it encrypts for others")
	}
	if !strings.Contains(log.String(), "an operator read payloads of Temporal") || !strings.Contains(log.String(), `"payloads":2`) || strings.Contains(log.String(), "someone") {
		t.Errorf("the log says:\n%s", log.String())
	}
	for body, want := range map[string]int{"not Temporal payloads": 400, "{}": 200, `{"payloads":[]}`: 200, strings.Repeat(" ", 2<<20): 413} {
		if got := operator.webUI("POST", decode, ui, []byte(body)).status; got != want {
			t.Errorf("%.20q is answered %d", body, got)
		}
	}
	for _, path := range []string{"/api/operator/end", "/api/conversations", "/api/codec/encode", "/api/codec/decode/"} {
		if got := operator.webUI("POST", path, ui, []byte("{}")).status; got != 403 {
			t.Errorf("the Web UI at %s is answered %d", path, got)
		}
	}
	if !operator.operates() {
		t.Error("the operator's session ended")
	}
	operator.post("/api/operator/end", nil, 204, nil)
	if got := operator.webUI("POST", decode, ui, body).status; got != 404 {
		t.Errorf("after the session's end it is answered %d", got)
	}
}

// Without keys, nothing starts that needs them, and the error says what to do; with its own Temporal, the product
// creates them.
func TestWhereTheKeysComeFrom(t *testing.T) {
	cfg, err := config.Load(filepath.Join(localtest.Root(t), "config", "munshi.yaml"), nil)
	must(t, err)
	cfg.Local.StateDir = t.TempDir()
	quiet := slog.New(slog.DiscardHandler)
	seals := func(change func(*config.Config)) (bool, error) {
		t.Helper()
		c := cfg
		change(&c)
		codec, err := app.OpenCodec(c, quiet)
		if err != nil {
			return false, err
		}
		out, err := codec.Encode([]*commonpb.Payload{{}})
		must(t, err)
		return string(out[0].GetMetadata()["encoding"]) == "binary/encrypted", nil
	}
	refused := func(says string, change func(*config.Config)) {
		t.Helper()
		if _, err := seals(change); err == nil || !strings.Contains(problem.SentenceOf(err), says) {
			t.Errorf("want %q, got %v", says, err)
		}
	}
	refused("Make them with `munshi keys new FILE`", func(*config.Config) {})
	refused("(MUNSHI_TEMPORAL_KEYS) cannot be read: what stands for the key k is not 32 bytes", func(c *config.Config) { c.Temporal.Keys = "k:short" })
	refused("`munshi keys new /nowhere/keys` makes new ones", func(c *config.Config) { c.Temporal.KeysFile = "/nowhere/keys" })
	off := func(c *config.Config) { c.Temporal.Encryption = "off" }
	if sealed, err := seals(off); err != nil || sealed {
		t.Errorf("switched off: %v %v", sealed, err)
	}
	if sealed, err := seals(func(c *config.Config) { off(c); c.Temporal.Own = true }); err != nil || sealed {
		t.Errorf("switched off with a Temporal of its own: %v %v", sealed, err)
	}
	made := filepath.Join(cfg.Local.StateDir, "temporal-keys")
	if _, err := os.Stat(made); err == nil {
		t.Error("keys were made for nothing")
	}
	for range 2 {
		if sealed, err := seals(func(c *config.Config) { c.Temporal.Own = true }); err != nil || !sealed {
			t.Errorf("with a Temporal of its own: %v %v", sealed, err)
		}
	}
	info, err := os.Stat(made)
	must(t, err)
	if ring, err := payload.Read(made); err != nil || len(ring.IDs()) != 1 || info.Mode() != 0o600 {
		t.Errorf("made were %v %v %v", ring, info.Mode(), err)
	}
}

// The commands create, change and list keys, and print them only on request.
func TestKeysCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys")
	t.Setenv("MUNSHI_TEMPORAL_KEYS_FILE", file)
	run := func(args ...string) (string, error) {
		var out strings.Builder
		c := cmd.Command("test")
		c.SetOut(&out)
		c.SetErr(&out)
		c.SetArgs(append([]string{"keys"}, args...))
		err := c.ExecuteContext(t.Context())
		return out.String(), err
	}
	does := func(args ...string) string {
		t.Helper()
		out, err := run(args...)
		must(t, err)
		if raw, err := os.ReadFile(file); err == nil {
			for line := range strings.Lines(string(raw)) {
				if _, secret, ok := strings.Cut(strings.TrimSpace(line), ":"); ok && strings.Contains(out, secret[:10]) {
					t.Errorf("%v shows a key: %s", args, out)
				}
			}
		}
		return out
	}
	refuses := func(says string, args ...string) {
		t.Helper()
		if _, err := run(args...); err == nil || !strings.Contains(problem.SentenceOf(err), says) {
			t.Errorf("%v: want %q, got %v", args, says, err)
		}
	}
	refuses("There are no keys in "+file, "list")
	refuses("There are no keys in "+file, "rotate")
	does("new")
	refuses(file+" already exists", "new")
	first := strings.Fields(does("list"))[0]
	does("rotate")
	second := strings.Fields(does("list"))[0]
	does("rotate", "--add-only")
	lines := strings.Split(strings.TrimSpace(does("list")), "\n")
	if len(lines) != 3 || lines[0] != second+"  encrypts" || lines[1] != first+"  decrypts" {
		t.Fatalf("listed are %q", lines)
	}
	third := strings.Fields(lines[2])[0]
	does("rotate", "--to", third)
	if got := does("list"); !strings.HasPrefix(got, third+"  encrypts\n"+second+"  decrypts\n") {
		t.Errorf("then %q", got)
	}
	refuses("there is no key none", "rotate", "--to", "none")
	refuses("add-only", "rotate", "--to", first, "--add-only")
	printed, err := run("new", "-")
	must(t, err)
	if ring, err := payload.Parse(printed); err != nil || len(ring.IDs()) != 1 {
		t.Errorf("printed is no keyring: %v", err)
	}
	other := filepath.Join(t.TempDir(), "other")
	does("new", other)
	if info, err := os.Stat(other); err != nil || info.Mode() != fs.FileMode(0o600) {
		t.Errorf("%v %v", info, err)
	}
	t.Setenv("MUNSHI_TEMPORAL_KEYS_FILE", "")
	t.Setenv("MUNSHI_TEMPORAL_KEYS", testKeys)
	refuses("which a command cannot change", "rotate")
}
