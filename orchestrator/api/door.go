package api

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"

	"munshi/orchestrator/problem"
)

// Door stands before everything that we serve: it answers under known names only, and cuts off bodies that drip.
type Door struct {
	// Hosts are the names, or addresses, under which people come, without ports; loopback ones are always known.
	Hosts []string
	// BodyTime is how long a request's body may take before it is cut off; a longer body has more, as long as it comes
	// at the slowest pace.
	BodyTime time.Duration
	Log      *slog.Logger
}

// bodyTime is BodyTime where none is given.
const bodyTime = 30 * time.Second

// slowestPace is how many bytes a second of a body have to come once BodyTime is over: what GPRS brings.
const slowestPace = 4 << 10

// Before returns next behind the door.
func (d Door) Before(next http.Handler) http.Handler {
	known := map[string]bool{}
	for _, host := range d.Hosts {
		known[bareHost(host)] = true
	}
	if d.BodyTime <= 0 {
		d.BodyTime = bodyTime
	}
	tell := sync.OnceFunc(func() {
		d.Log.Warn("a request under a name that is not ours was refused: those under which people come belong in server.hosts")
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := bareHost(r.Host)
		if !known[host] && !loopback(host) && !reached(host, r) {
			tell()
			w.Header().Set("Connection", "close")
			writeProblem(w, refuse("wrong_host", nil))
			return
		}
		if r.Body != nil && r.Body != http.NoBody {
			body := &pacedBody{ReadCloser: r.Body, control: http.NewResponseController(w), begun: time.Now(), first: d.BodyTime}
			body.limit()                   // also for handlers that never read it
			r = r.WithContext(r.Context()) // the server looks at its own request whether the body was read to its end
			r.Body = body
		}
		next.ServeHTTP(w, r)
	})
}

// bareHost returns a Host header without its port, in the form in which names are compared.
func bareHost(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// loopback reports whether a name can only lead to the machine that asks.
func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// reached tells whether a host is the very address at which the request arrived, as probes of a cluster ask. A site
// that was rebound to that address has its own name there.
func reached(host string, r *http.Request) bool {
	ip, err := netip.ParseAddr(host)
	at, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return err == nil && ok && at.AddrPort().Addr().Unmap() == ip.Unmap()
}

// pacedBody is a request's body that has to keep coming.
type pacedBody struct {
	io.ReadCloser
	control *http.ResponseController
	begun   time.Time
	first   time.Duration
	came    int64
}

// limit sets the time by which more has to have come.
func (b *pacedBody) limit() {
	may := min(b.first+time.Duration(b.came)*time.Second/slowestPace, max(b.first, transferTime))
	_ = b.control.SetReadDeadline(b.begun.Add(may)) // not every connection can
}

// Read implements io.Reader.
func (b *pacedBody) Read(p []byte) (int, error) {
	b.limit()
	n, err := b.ReadCloser.Read(p)
	b.came += int64(n)
	if errors.Is(err, io.EOF) {
		_ = b.control.SetReadDeadline(time.Time{}) // the answer may take its time
	}
	return n, err
}

// slow reports whether a body was cut off.
func slow(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }

// dropForms removes what an upload left on disk, also where it was refused before anyone looked at it.
func dropForms(c *gin.Context) {
	c.Next()
	if form := c.Request.MultipartForm; form != nil {
		_ = form.RemoveAll() // best effort: the system's temporary folder
	}
}

// drainTo is how much of a refused body is still read, so that the client gets to see the refusal.
const drainTo = 64 << 10

// limitBody refuses bodies that nothing of ours could be, and a stranger's uploads; others have room for the form
// around the file.
func (s *server) limitBody(c *gin.Context) {
	limit := int64(1 << 20)
	if isUpload(c.Request) {
		limit = s.Config.Upload.MaxBytes + 1<<20
	}
	if isIntake(c.Request) {
		limit = zipTimes*s.Config.Upload.MaxBytes + 1<<20
	}
	if c.Request.ContentLength > limit {
		p := refuse("too_large.request", nil)
		switch {
		case isIntake(c.Request):
			p = refuse("too_large.upload", problem.Params{"limit": zipTimes * s.Config.Upload.MaxBytes >> 20})
		case isUpload(c.Request):
			p = s.tooLarge()
		}
		s.refuseBody(c, p)
		return
	}
	if _, err := who(c.Request.Context()); err != nil && isUpload(c.Request) && c.Request.URL.Path != linkUpload {
		s.refuseBody(c, nobody(c.Request.Context()))
		return
	}
	c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, limit)
}

func (s *server) refuseBody(c *gin.Context, p *Problem) {
	c.Header("Connection", "close")
	writeProblem(c.Writer, p)
	_, _ = io.CopyN(io.Discard, c.Request.Body, drainTo) // the answer is given, whatever comes
	c.Abort()
}
