package local

import (
	"bytes"
	"os"
	"strings"
	"sync"
)

const (
	logLimit  = 8 << 20 // bytes; a full log file is renamed and kept until the next one is full
	tailLimit = 8 << 10
)

// output writes everything that a server prints to a log file, and keeps the end of it in memory, where it can be read
// even if the disk is full.
type output struct {
	path   string
	onFull func() // called when the server reports that the disk is full

	mu   sync.Mutex
	file *os.File
	size int64
	tail []byte
}

// Write never fails: a server must not stop because its log cannot be written.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tail = append(o.tail, p...)
	if extra := len(o.tail) - tailLimit; extra > 0 {
		o.tail = append(o.tail[:0], o.tail[extra:]...)
	}
	if tellsDiskFull(string(p)) {
		o.onFull()
	}
	if o.file == nil || o.size > logLimit {
		o.open()
	}
	if o.file != nil {
		n, _ := o.file.Write(p)
		o.size += int64(n)
	}
	return len(p), nil
}

func (o *output) open() {
	o.close()
	if info, err := os.Stat(o.path); err == nil && info.Size() > logLimit {
		_ = os.Rename(o.path, o.path+".1")
	}
	file, err := os.OpenFile(o.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return
	}
	if info, err := file.Stat(); err == nil {
		o.size = info.Size()
	}
	o.file = file
}

func (o *output) close() {
	if o.file != nil {
		_ = o.file.Close()
		o.file, o.size = nil, 0
	}
}

// begin forgets the output of earlier processes of the server.
func (o *output) begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tail = o.tail[:0]
}

// text returns the end of the output since begin.
func (o *output) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(o.tail)
}

// lastLine returns the last line of text that is not empty.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// lineWatch is a writer that calls found once, when a line with the prefix has been written.
type lineWatch struct {
	prefix string
	found  func()
	line   bytes.Buffer
}

func (w *lineWatch) Write(p []byte) (int, error) {
	for _, b := range p {
		if b != '\n' {
			w.line.WriteByte(b)
			continue
		}
		if strings.HasPrefix(w.line.String(), w.prefix) && w.found != nil {
			w.found()
			w.found = nil
		}
		w.line.Reset()
	}
	return len(p), nil
}
