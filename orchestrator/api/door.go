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

	"github.com/danielgtaylor/huma/v2"
	"github.com/gin-gonic/gin"

	"munshi/orchestrator/problem"
)

// Door checks requests before any handler: it refuses unknown host names, and cuts off request bodies that arrive too
// slowly.
type Door struct {
	// Hosts are the names or addresses under which users reach us, without ports; loopback names are always accepted.
	Hosts []string
	// BodyTime is how long a request's body may take. A longer body gets more time, as long as it arrives at
	// slowestPace or faster.
	BodyTime time.Duration
	Log      *slog.Logger
}

// bodyTime is the default of BodyTime.
const bodyTime = 30 * time.Second

// slowestPace is how many bytes per second a body must deliver after BodyTime: about the speed of GPRS.
const slowestPace = 4 << 10

// Before returns a handler that makes these checks before it calls next.
func (d Door) Before(next http.Handler) http.Handler {
	known := map[string]bool{}
	for _, host := range d.Hosts {
		known[bareHost(host)] = true
	}
	if d.BodyTime <= 0 {
		d.BodyTime = bodyTime
	}
	tell := sync.OnceFunc(func() {
		d.Log.Warn("a request under a name that is not ours was refused: those under which people come belong in " +
			"server.hosts")
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
			body := &pacedBody{
				ReadCloser: r.Body,
				control:    http.NewResponseController(w),
				first:      d.BodyTime,
			}
			body.limit(time.Now())         // set here too, for handlers that never read the body
			r = r.WithContext(r.Context()) // a copy: the server itself checks on r whether the body was read completely
			r.Body = body
		}
		next.ServeHTTP(w, r)
	})
}

// bareHost returns a Host header without its port, in lower case and otherwise ready to be compared.
func bareHost(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// loopback reports whether a host name can only lead to the machine of the caller.
func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// reached reports whether a host is the IP address at which the request arrived, as in a cluster's health probes. A
// DNS rebinding attack would have its own name there.
func reached(host string, r *http.Request) bool {
	ip, err := netip.ParseAddr(host)
	at, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return err == nil && ok && at.AddrPort().Addr().Unmap() == ip.Unmap()
}

// pacedBody is a request body that is cut off if it arrives too slowly, or if nothing arrives for some time. Only the
// time that we wait for it counts, not the time in which the server is busy or an upload waits for its turn.
type pacedBody struct {
	io.ReadCloser
	control *http.ResponseController
	first   time.Duration
	waited  time.Duration
	came    int64
}

// limit sets the deadline for the next bytes.
func (b *pacedBody) limit(now time.Time) {
	may := min(b.first+time.Duration(b.came)*time.Second/slowestPace, max(b.first, transferTime))
	_ = b.control.SetReadDeadline(now.Add(min(may-b.waited, b.first))) // not every connection supports it
}

// Read implements io.Reader.
func (b *pacedBody) Read(p []byte) (int, error) {
	begun := time.Now()
	b.limit(begun)
	n, err := b.ReadCloser.Read(p)
	b.waited += time.Since(begun)
	b.came += int64(n)
	if errors.Is(err, io.EOF) {
		_ = b.control.SetReadDeadline(time.Time{}) // no deadline for the handler's response
	}
	return n, err
}

// slow reports whether err means that a body was cut off. Huma gives the reason for a form as text alone.
func slow(err error) bool {
	var detail *huma.ErrorDetail
	return errors.Is(err, os.ErrDeadlineExceeded) ||
		errors.As(err, &detail) && strings.HasSuffix(detail.Message, os.ErrDeadlineExceeded.Error())
}

// dropForms removes an upload's temporary files, even if it was refused before anyone read it.
func dropForms(c *gin.Context) {
	c.Next()
	if form := c.Request.MultipartForm; form != nil {
		_ = form.RemoveAll() // best effort: they are in the system's temporary folder
	}
}

// limitBody refuses bodies larger than any that we accept, and uploads without a session. Uploads may be somewhat
// larger than their files, because of the form around them.
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

// refuseBody refuses a request without waiting for its body. What still arrives of it is thrown away, within the limits
// of any body: if the connection were closed while the client sends, most clients would lose the answer.
func (s *server) refuseBody(c *gin.Context, p *Problem) {
	c.Header("Connection", "close")
	writeProblem(c.Writer, p)
	c.Writer.Flush()
	_, _ = io.CopyN(io.Discard, c.Request.Body, s.Config.Upload.MaxBytes) // best effort: the answer has been sent
	c.Abort()
}
