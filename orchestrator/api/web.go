package api

import (
	"errors"
	"net/http"
	"path"
	"strings"

	"github.com/gin-gonic/gin"

	"munshi/orchestrator/store"
)

// web serves the built web app: its files, the page for its own routes, and the way home for everything else.
func (s *server) web(router *gin.Engine) {
	router.NoMethod(func(c *gin.Context) {
		c.JSON(http.StatusMethodNotAllowed, problem(http.StatusMethodNotAllowed, "method_not_allowed", "This cannot be done here."))
	})
	router.NoRoute(func(c *gin.Context) {
		p := path.Clean("/" + c.Request.URL.Path)
		switch {
		case strings.HasPrefix(p, "/api/") || p == "/api":
			c.JSON(http.StatusNotFound, problem(http.StatusNotFound, "not_found", "There is no such address."))
		case c.Request.Method != http.MethodGet && c.Request.Method != http.MethodHead:
			c.JSON(http.StatusMethodNotAllowed, problem(http.StatusMethodNotAllowed, "method_not_allowed", "This cannot be done here."))
		case p == "/" || p == "/app" || strings.HasPrefix(p, "/app/"):
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

// isEnded tells that a turn was not there to be stopped, since it has ended.
func isEnded(err error) bool { return errors.Is(err, store.ErrNotFound) }
