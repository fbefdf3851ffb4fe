package local_test

import "errors"

func mountMemory(string, string) error { return errors.New("macOS has no tmpfs") }
