package cmd

import (
	"errors"
	"testing"

	"munshi/orchestrator/problem"
)

func TestShortPassphraseOfTheEnvironment(t *testing.T) {
	t.Setenv(passphraseVariable, "abc")
	_, err := passphrase(backupCommand(), false, true)
	if refused := (*problem.Error)(nil); !errors.As(err, &refused) || refused.Code != "passphrase_short" {
		t.Errorf("a new backup is encrypted with three letters (%v)", err)
	}
	if given, err := passphrase(restoreCommand(), true, false); err != nil || given != "abc" {
		t.Errorf("an old backup is not opened with its passphrase: %q, %v", given, err)
	}
}
