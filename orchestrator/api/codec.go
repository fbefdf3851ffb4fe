package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	commonpb "go.temporal.io/api/common/v1"
	"google.golang.org/protobuf/encoding/protojson"
)

// CodecPath is the address at which Temporal's Web UI finds its codec server.
const CodecPath = "/api/codec"

const decodePath = CodecPath + "/decode"

// codec lets operators read encrypted payloads in Temporal's Web UI. The routes follow Temporal's protocol, so they
// are not in our OpenAPI contract. There is no encoding route, since nobody should start, signal or update workflows
// by hand.
func (s *server) codec(router *gin.Engine) {
	router.OPTIONS(decodePath, s.fromWebUI, func(c *gin.Context) {
		h := c.Writer.Header()
		h.Set("Access-Control-Allow-Methods", http.MethodPost)
		h.Set("Access-Control-Allow-Headers", "Content-Type, X-Namespace")
		h.Set("Access-Control-Max-Age", "600")
		c.Status(http.StatusNoContent)
	})
	router.POST(decodePath, s.fromWebUI, s.decodePayloads)
}

// fromWebUI allows Temporal's Web UI, and no other origin, to read the answer in a browser.
func (s *server) fromWebUI(c *gin.Context) {
	h := c.Writer.Header()
	h.Add("Vary", "Origin")
	h.Set("Cache-Control", "no-store")
	if s.WebUI != "" && c.GetHeader("Origin") == s.WebUI {
		h.Set("Access-Control-Allow-Origin", s.WebUI)
		h.Set("Access-Control-Allow-Credentials", "true")
	}
}

func (s *server) decodePayloads(c *gin.Context) {
	deny := func(p *Problem) {
		s.logCause(c.Request.Context(), p)
		writeProblem(c.Writer, p)
	}
	operator, p := s.operator(c)
	if p != nil {
		deny(p)
		return
	}
	raw, err := io.ReadAll(c.Request.Body)
	var long *http.MaxBytesError
	if errors.As(err, &long) {
		deny(refuse("too_large.request", nil))
		return
	}
	if slow(err) {
		deny(refuse("slow_request", nil))
		return
	}
	var asked commonpb.Payloads
	if err == nil {
		err = protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(raw, &asked)
	}
	if err != nil {
		deny(refuse("invalid_request.payloads", nil))
		return
	}
	answer := &commonpb.Payloads{Payloads: make([]*commonpb.Payload, len(asked.GetPayloads()))}
	for i, payload := range asked.GetPayloads() {
		opened, err := s.Payloads([]*commonpb.Payload{payload})
		if err != nil { // the error is shown in its place, so that the other payloads can be read
			opened = []*commonpb.Payload{textPayload(fmt.Sprintf("Not decrypted: %v.", err))}
		}
		answer.Payloads[i] = opened[0]
	}
	out, err := protojson.Marshal(answer)
	if err != nil {
		deny(s.toProblem(fmt.Errorf("encode decrypted payloads: %w", err)))
		return
	}
	if err := s.Store.Note(c.Request.Context(), nil, "payloads_read",
		map[string]any{"operator": operator, "payloads": len(answer.GetPayloads())}); err != nil {
		deny(s.toProblem(err))
		return
	}
	s.Log.InfoContext(c.Request.Context(), "an operator read payloads of Temporal", "operator", operator, "payloads",
		len(answer.GetPayloads()))
	c.Data(http.StatusOK, "application/json", out)
}

// textPayload returns a text as Temporal's default converter encodes it.
func textPayload(text string) *commonpb.Payload {
	data, _ := json.Marshal(text) // a string can always be encoded
	return &commonpb.Payload{Metadata: map[string][]byte{"encoding": []byte("json/plain")}, Data: data}
}

// crossOrigin refuses requests that another site makes a browser send. The only exception is Temporal's Web UI, which
// may ask for payloads.
func (s *server) crossOrigin(next http.Handler) (http.Handler, error) {
	guard := func(origins ...string) (http.Handler, error) {
		p := http.NewCrossOriginProtection()
		for _, origin := range origins {
			if origin == "" {
				continue
			}
			if err := p.AddTrustedOrigin(origin); err != nil {
				return nil, fmt.Errorf("trust the origin %s: %w", origin, err)
			}
		}
		// called by the payment provider's servers, and authenticated by a signature
		p.AddInsecureBypassPattern("POST " + webhookPath)
		p.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			writeProblem(w, refuse("cross_origin", nil))
		}))
		return p.Handler(next), nil
	}
	public := strings.TrimRight(s.PublicURL, "/") // a proxy may have changed the Host header
	all, err := guard(public)
	if err != nil {
		return nil, err
	}
	decoding, err := guard(public, s.WebUI)
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == decodePath {
			decoding.ServeHTTP(w, r)
			return
		}
		all.ServeHTTP(w, r)
	}), nil
}
