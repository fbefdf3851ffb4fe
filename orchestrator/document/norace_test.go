//go:build !race

package document_test

// childMemory is the default.
const childMemory = 0
