package api

import (
	"fmt"
	"mime"
	"net/http"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"
)

// web serves the landing page and the built web app (its files, and its page for the web app's own routes); for
// everything else a page with a link home.
func (s *server) web(router *gin.Engine) {
	router.NoMethod(func(c *gin.Context) {
		writeProblem(c.Writer, refuse("method_not_allowed", nil))
	})
	router.NoRoute(func(c *gin.Context) {
		p := path.Clean("/" + c.Request.URL.Path)
		switch {
		case strings.HasPrefix(p, "/api/") || p == "/api":
			writeProblem(c.Writer, refuse("not_found.address", nil))
		case c.Request.Method != http.MethodGet && c.Request.Method != http.MethodHead:
			writeProblem(c.Writer, refuse("method_not_allowed", nil))
		case p == "/":
			c.Status(http.StatusOK)
			s.Landing.ServeHTTP(c.Writer, c.Request)
		case p == operatorPage || p == "/join" || p == "/app" || p == "/payment/success" ||
			strings.HasPrefix(p, "/app/") || strings.HasPrefix(p, "/erased/"):
			c.Header("Cache-Control", "no-cache")
			s.sendFile(c, "/index.html")
		case p != "/index.html" && s.webFile(p):
			if strings.HasPrefix(p, "/assets/") {
				c.Header("Cache-Control", "public, max-age=31536000, immutable") // their names contain a hash
			} else {
				c.Header("Cache-Control", "no-cache")
			}
			s.sendFile(c, p)
		case strings.HasPrefix(p, "/assets/"):
			c.Status(http.StatusNotFound)
		default:
			c.Redirect(http.StatusFound, "/")
		}
	})
}

// compressed are the encodings in which the build stores files, smallest first.
var compressed = []struct{ coding, ending string }{{"br", ".br"}, {"gzip", ".gz"}}

// sendFile sends a file of the web app in the smallest encoding that the client accepts. Ranges refer to the
// uncompressed file. Answers of the API are never compressed: they can contain a secret next to text from others, and
// their compressed length would reveal something about the secret (the BREACH attack).
func (s *server) sendFile(c *gin.Context, name string) {
	h, file, coding := c.Writer.Header(), s.WebRoot+name, ""
	h.Add("Vary", "Accept-Encoding")
	if kind := mime.TypeByExtension(path.Ext(name)); kind != "" && c.GetHeader("Range") == "" {
		for _, form := range compressed {
			if accepts(c.GetHeader("Accept-Encoding"), form.coding) && s.webFile(name+form.ending) {
				h.Set("Content-Type", kind)
				h.Set("Content-Encoding", form.coding)
				file, coding = file+form.ending, "-"+form.coding
				break
			}
		}
	}
	f, err := os.Open(file)
	if err != nil {
		h.Del("Content-Encoding")
		c.Status(http.StatusNotFound)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		h.Del("Content-Encoding")
		c.Status(http.StatusNotFound)
		return
	}
	h.Set("ETag", fmt.Sprintf(`"%x-%x%s"`, info.ModTime().UnixNano(), info.Size(), coding))
	if coding != "" {
		h.Set("Content-Length", strconv.FormatInt(info.Size(), 10)) // ServeContent omits it for an encoded file
	}
	c.Status(http.StatusOK)
	http.ServeContent(c.Writer, c.Request, name, info.ModTime(), f)
}

// accepts reports whether an Accept-Encoding header allows an encoding.
func accepts(header, coding string) bool {
	for one := range strings.SplitSeq(header, ",") {
		name, q, _ := strings.Cut(strings.TrimSpace(one), ";")
		if name == coding {
			weight, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(q), "q="), 64)
			return err != nil || weight > 0
		}
	}
	return false
}
