package api

import (
	"net/http"
	"path"
	"strings"

	"github.com/gin-gonic/gin"
)

// web serves the built web app: its files, the page for its own routes, and the way home for everything else.
func (s *server) web(router *gin.Engine) {
	router.NoMethod(func(c *gin.Context) {
		writeProblem(c.Writer, problem(http.StatusMethodNotAllowed, "method_not_allowed", "This cannot be done here."))
	})
	router.NoRoute(func(c *gin.Context) {
		p := path.Clean("/" + c.Request.URL.Path)
		switch {
		case strings.HasPrefix(p, "/api/") || p == "/api":
			writeProblem(c.Writer, problem(http.StatusNotFound, "not_found", "There is no such address."))
		case c.Request.Method != http.MethodGet && c.Request.Method != http.MethodHead:
			writeProblem(c.Writer, problem(http.StatusMethodNotAllowed, "method_not_allowed", "This cannot be done here."))
		case p == "/" || p == operatorPage || p == "/app" || p == "/payment/success" || strings.HasPrefix(p, "/app/") || strings.HasPrefix(p, "/erased/"):
			c.Header("Cache-Control", "no-cache")
			c.File(s.WebRoot + "/index.html")
		case s.webFile(p):
			if strings.HasPrefix(p, "/assets/") {
				c.Header("Cache-Control", "public, max-age=31536000, immutable") // their names carry a hash
			} else {
				c.Header("Cache-Control", "no-cache")
			}
			c.File(s.WebRoot + p)
		case strings.HasPrefix(p, "/assets/"):
			c.Status(http.StatusNotFound)
		default:
			c.Redirect(http.StatusFound, "/")
		}
	})
}
