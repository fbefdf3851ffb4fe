//go:build soak

package app_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"munshi/config"
)

// status sends a JSON body and returns the status of the response; from, if given, is the network from
// which the request comes.
func (v *person) status(path, body, from string) int {
	req, err := http.NewRequestWithContext(v.t.Context(), http.MethodPost, v.address+path, bytes.NewReader([]byte(body)))
	if err != nil {
		v.t.Error(err)
		return 0
	}
	req.Header.Set("Content-Type", "application/json")
	if from != "" {
		req.Header.Set("X-Forwarded-For", from)
	}
	resp, err := v.http.Do(req)
	if err != nil {
		v.t.Error(err)
		return 0
	}
	resp.Body.Close()
	return resp.StatusCode
}

// Two tabs send at the same moment with one of two uses spent, a thousand times, over HTTP.
func TestSoakTwoTabs(t *testing.T) {
	const times = 1000
	p := start(t, func(c *config.Config) { c.Account.FreeUses = 2 })
	var all sync.WaitGroup
	var passed, refused, other atomic.Int64
	next := make(chan int)
	for range 8 {
		all.Go(func() {
			for range next {
				v := p.visitor()
				first, second, third := v.converse(), v.converse(), v.converse()
				v.say(first, "The first use")
				var tabs sync.WaitGroup
				var through atomic.Int64
				for _, c := range []string{second, third} {
					tabs.Go(func() {
						switch v.status("/api/conversations/"+c+"/messages", `{"text":"The last use"}`, "") {
						case 202:
							passed.Add(1)
							through.Add(1)
						case 402:
							refused.Add(1)
						default:
							other.Add(1)
						}
					})
				}
				tabs.Wait()
				if through.Load() != 1 {
					t.Errorf("%d of two passed", through.Load())
				}
			}
		})
	}
	for i := range times {
		next <- i
	}
	close(next)
	all.Wait()
	fmt.Printf("two tabs send at used = 1, %d times: %d passed, %d were refused, %d otherwise\n", times, passed.Load(), refused.Load(), other.Load())
	if passed.Load() != times || refused.Load() != times {
		t.Fail()
	}
}

// A thousand sign-in attempts on one account within a minute, from one address and from many, while another person
// signs in; and eight people who sign in at the same moment, again and again.
func TestSoakSignIns(t *testing.T) {
	p := start(t, func(c *config.Config) { c.Server.TrustedProxies = []string{"127.0.0.1"} })
	for i := range 42 {
		// 0 is the attacked account, 1 signs in meanwhile.
		p.visitor().status("/api/sign-up", fmt.Sprintf(`{"email":"p%d@example.com","password":"a good password","consent":"2026-11"}`, i), fmt.Sprintf("203.0.113.%d", i))
	}
	attack := func(name string, from func(int) string) {
		begun := time.Now()
		var statuses sync.Map
		var tries sync.WaitGroup
		gate := make(chan struct{}, 16)
		for i := range 1000 {
			gate <- struct{}{}
			tries.Go(func() {
				defer func() { <-gate }()
				n, _ := statuses.LoadOrStore(p.visitor().status("/api/sign-in", `{"email":"p0@example.com","password":"a guess"}`, from(i)), new(atomic.Int64))
				n.(*atomic.Int64).Add(1)
			})
			if i%100 == 0 {
				if got := p.visitor().status("/api/sign-in", `{"email":"p1@example.com","password":"a good password"}`, fmt.Sprintf("192.0.2.%d", i/100)); got != 200 {
					t.Errorf("another person gets %d meanwhile", got)
				}
			}
		}
		tries.Wait()
		count := map[int]int64{}
		statuses.Range(func(status, n any) bool { count[status.(int)] = n.(*atomic.Int64).Load(); return true })
		fmt.Printf("1000 tries on one account from %s in %.0f s: %v\n", name, time.Since(begun).Seconds(), count)
		if count[429] < 900 {
			t.Errorf("only %d of 1000 tries from %s were throttled", count[429], name)
		}
	}
	attack("one address", func(int) string { return "198.51.100.1" })
	attack("many addresses", func(i int) string { return fmt.Sprintf("10.%d.%d.1", i/250, i%250) })

	var mu sync.Mutex
	var took []time.Duration
	var people sync.WaitGroup
	for i := range 8 {
		people.Go(func() {
			for n := range 25 {
				begun := time.Now()
				if got := p.visitor().status("/api/sign-in", fmt.Sprintf(`{"email":"p%d@example.com","password":"a good password"}`, 2+i*5+n%5), fmt.Sprintf("172.16.%d.%d", i, n)); got != 200 {
					t.Errorf("sign-in gives %d", got)
				}
				mu.Lock()
				took = append(took, time.Since(begun))
				mu.Unlock()
			}
		})
	}
	people.Wait()
	slices.Sort(took)
	fmt.Printf("eight people sign in at once, %d times: p50 %v, p95 %v\n", len(took), took[len(took)/2].Round(time.Millisecond), took[len(took)*95/100].Round(time.Millisecond))
}
