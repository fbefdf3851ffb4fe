package api

import (
	"io"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
)

// uploadsAtOnce is how many uploads of one workspace are taken at the same time. Opening each takes CPU, so that
// whoever sends two hundred files at once would otherwise keep everybody else waiting.
const uploadsAtOnce = 4

// outOfTurn is how long we wait for an upload's body before the next upload may come: a slow or dead line costs no CPU,
// and must not hold up the others, who may be colleagues in a firm.
const outOfTurn = 2 * time.Second

// queue lets a limited number of requests of each workspace through at once; the others wait.
type queue struct {
	most int
	mu   sync.Mutex
	of   map[uuid.UUID]*line
}

// line is the requests of one workspace. It is deleted when it is empty.
type line struct {
	slots  chan struct{}
	people int // number of requests that wait, or were let through
}

func newQueue(most int) *queue { return &queue{most: most, of: map[uuid.UUID]*line{}} }

// enter waits until another request of a workspace may continue, or until givenUp is closed. leave must be called
// in any case.
func (q *queue) enter(workspace uuid.UUID, givenUp <-chan struct{}) (leave func(), ok bool) {
	q.mu.Lock()
	l := q.of[workspace]
	if l == nil {
		l = &line{slots: make(chan struct{}, q.most)}
		q.of[workspace] = l
	}
	l.people++
	q.mu.Unlock()
	select {
	case l.slots <- struct{}{}:
		ok = true
	case <-givenUp:
	}
	return func() {
		if ok {
			<-l.slots
		}
		q.mu.Lock()
		defer q.mu.Unlock()
		if l.people--; l.people == 0 {
			delete(q.of, workspace)
		}
	}, ok
}

// uploadInTurn makes an upload wait, before its body is read, while the same workspace has uploadsAtOnce in progress.
// One whose body arrives slowly is not counted.
func (s *server) uploadInTurn(c *gin.Context) {
	workspace, err := who(c.Request.Context())
	if err != nil || !isUpload(c.Request) {
		return
	}
	leave, ok := s.uploads.enter(workspace, c.Request.Context().Done())
	leave = sync.OnceFunc(leave)
	defer leave()
	if !ok {
		c.Abort()
		return
	}
	c.Request.Body = &bodyInTurn{c.Request.Body, leave, outOfTurn}
	c.Next()
}

// bodyInTurn is the body of an upload. It calls leave once its sender has kept us waiting for too long in all.
type bodyInTurn struct {
	io.ReadCloser
	leave func()
	left  time.Duration // how much longer we wait for it
}

// Read implements io.Reader.
func (b *bodyInTurn) Read(p []byte) (int, error) {
	if b.left <= 0 {
		b.leave()
		return b.ReadCloser.Read(p)
	}
	begun := time.Now()
	defer time.AfterFunc(b.left, b.leave).Stop()
	n, err := b.ReadCloser.Read(p)
	b.left -= time.Since(begun)
	return n, err
}
