package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// peer is another product's chat endpoint: one POST whose answer is the turn, streamed or not.
type peer struct {
	url, body string
	header    http.Header
	client    *http.Client
}

func (p *peer) addHeader(line string) error {
	key, value, ok := strings.Cut(line, ":")
	if !ok {
		return errors.New("write a header as 'Name: value'")
	}
	if p.header == nil {
		p.header = http.Header{}
	}
	p.header.Add(strings.TrimSpace(key), strings.TrimSpace(value))
	return nil
}

func (p peer) prepare(context.Context, int) (func(context.Context, int) (sample, error), error) {
	text, err := json.Marshal(question)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, _ int) (sample, error) {
		id, err := json.Marshal(rand.Text())
		if err != nil {
			return sample{}, err
		}
		return p.ask(ctx, strings.NewReplacer("{{text}}", string(text), "{{id}}", string(id)).Replace(p.body))
	}, nil
}

func (p peer) ask(ctx context.Context, body string) (sample, error) {
	if !json.Valid([]byte(body)) {
		return sample{}, fmt.Errorf("--peer-body gives no valid JSON: %s", body)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, strings.NewReader(body))
	if err != nil {
		return sample{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	for key, values := range p.header {
		req.Header[key] = values
	}
	began := time.Now()
	resp, err := p.client.Do(req)
	if err != nil {
		return sample{}, fmt.Errorf("ask %s: %w", p.url, err)
	}
	defer resp.Body.Close()
	answer := bufio.NewReader(resp.Body)
	if resp.StatusCode >= 300 {
		said, _ := io.ReadAll(io.LimitReader(answer, 500)) // only to show it
		return sample{}, fmt.Errorf("%s answers %s: %s", p.url, resp.Status, said)
	}
	var took sample
	if _, err := answer.Peek(1); err != nil {
		return sample{}, fmt.Errorf("%s answers with nothing: %w", p.url, err)
	}
	took.first = time.Since(began) // the first bytes: we cannot know where the text begins
	if _, err := io.Copy(io.Discard, answer); err != nil {
		return sample{}, fmt.Errorf("read the answer of %s: %w", p.url, err)
	}
	took.whole = time.Since(began)
	return took, nil
}
