//go:build !race

package document_test

// childMemory 0 means the default.
const childMemory = 0
