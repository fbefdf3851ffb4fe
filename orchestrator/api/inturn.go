package api

import (
	"sync"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
)

// uploadsAtOnce is how many uploads of one workspace are taken at the same time. Opening each takes CPU, so that
// whoever sends two hundred files at once would otherwise keep everybody else waiting.
const uploadsAtOnce = 4

// queue lets so many requests of each workspace through at once; the others wait.
type queue struct {
	most int
	mu   sync.Mutex
	of   map[uuid.UUID]*line
}

// line is what one workspace sends. It is forgotten when nobody is in it.
type line struct {
	slots  chan struct{}
	people int // who wait, or were let through
}

func newQueue(most int) *queue { return &queue{most: most, of: map[uuid.UUID]*line{}} }

// enter waits until another request of a workspace may go on, or until given up is closed. leave must be called in
// any case.
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

// uploadInTurn has an upload wait, before its body is read, while the same workspace has uploadsAtOnce under way.
func (s *server) uploadInTurn(c *gin.Context) {
	workspace, err := who(c.Request.Context())
	if err != nil || !isUpload(c.Request) {
		return
	}
	leave, ok := s.uploads.enter(workspace, c.Request.Context().Done())
	defer leave()
	if !ok {
		c.Abort()
		return
	}
	c.Next()
}
