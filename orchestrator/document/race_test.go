//go:build race

package document_test

// childMemory is high because the race detector maps far more than the limit leaves a child.
const childMemory = 1 << 40
