//go:build soak && linux

package app_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"munshi/orchestrator/local/localtest"
)

// A backup taken while an answer is being written is restored into an empty folder, after
// everything was killed and removed; the answer is then completed for the same browser.
func TestSoakBackupInTheMiddleOfAnAnswer(t *testing.T) {
	model, root := newCountingModel(t), localtest.Root(t)
	file := filepath.Join(t.TempDir(), "munshi.backup")
	address := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	env := func(state string) []string {
		return append(os.Environ(), asProduct+"=1", "MUNSHI_HOME="+root, "MUNSHI_LOCAL_STATE_DIR="+state, "MUNSHI_SERVER_ADDRESS="+address,
			"MUNSHI_SERVER_OPERATOR_ADDRESS=", "MUNSHI_PAYMENT_PROVIDER=none", "MUNSHI_BACKUP_PASSPHRASE=a sea of five",
			fmt.Sprintf("MUNSHI_LOCAL_TEMPORAL_PORT=%d", freePort(t)), fmt.Sprintf("MUNSHI_LOCAL_WEB_UI_PORT=%d", freePort(t)),
			"MUNSHI_SERVER_WEB_ROOT="+filepath.Join(root, "orchestrator", "testdata", "web"),
			"MUNSHI_MODEL_BASE_URL="+model.address, "MUNSHI_MODEL_KEY=test-key", "MUNSHI_MODEL_NAME=stand-in", "MUNSHI_MODEL_CONTEXT_TOKENS=128000")
	}
	command := func(env []string, args ...string) {
		t.Helper()
		exe, err := os.Executable()
		must(t, err)
		cmd := exec.CommandContext(t.Context(), exe, args...)
		cmd.Env = env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	answers := func() bool {
		resp, err := http.Get("http://" + address + "/api/health")
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	}

	before := filepath.Join(localtest.Folder(t), "state")
	first := newProcess(t, "the original", address, env(before), "run")
	first.start()
	await(t, "it answers", answers)
	b := newBrowser([]string{"http://" + address})
	c, err := b.converse(t.Context())
	must(t, err)
	mark := newMark()
	gate := model.hold(mark)
	turn, err := b.hand(t.Context(), c, "", paper(mark))
	must(t, err)
	<-gate.reached
	command(env(before), "backup", file)
	first.kill()
	close(gate.open)
	await(t, "its servers are gone with it", func() bool { return os.RemoveAll(before) == nil })

	after := filepath.Join(localtest.Folder(t), "state")
	command(env(after), "restore", file)
	second := newProcess(t, "the restored one", address, env(after), "run")
	second.start()
	await(t, "it answers again", answers)
	text, d, err := b.follow(t.Context(), c, turn.ID)
	must(t, err)
	must(t, answered(d, turn.ID, mark, text))
	if times := model.times(mark); times != 2 {
		t.Errorf("the model was asked %d times, want once before and once after", times)
	}
}
