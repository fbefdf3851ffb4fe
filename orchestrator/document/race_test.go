//go:build race

package document_test

// childMemory: the race detector maps many times what the limit leaves a child.
const childMemory = 1 << 40
