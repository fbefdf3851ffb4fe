package app_test

import (
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"munshi/config"
)

// A new connection has as much time until its request arrives as a body has: a client that opens many connections at
// once is not cut off before it uses the last of them.
func TestConnectionsWaitForTheirRequest(t *testing.T) {
	p := start(t, func(c *config.Config) { c.Server.BodyTime = time.Second })
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.address, "http://"))
	must(t, err)
	defer conn.Close()
	must(t, conn.SetReadDeadline(time.Now().Add(8*time.Second)))
	if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("after a second without a request the connection gives %v", err)
	}
}
