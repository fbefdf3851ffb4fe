package document

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"munshi/orchestrator/confine"
)

// The parent and the child exchange JSON values over two pipes. The parent sends a job. The child answers it with an
// empty answer as soon as it has limited itself, and then with an Info. Then the parent sends page numbers, each
// answered by a Page. The job of a photograph is answered by a Picture, and nothing follows. Before the child
// examines a page's picture, it sends what the layer has of the page, with More set, to be used if the rest fails.
type (
	job struct {
		Path      string        `json:"path"`
		Scale     float64       `json:"scale"`
		Languages []string      `json:"languages"`
		Memory    int64         `json:"memory"`
		LastTry   bool          `json:"last_try"`
		OpenTime  time.Duration `json:"open_time"`
		PageTime  time.Duration `json:"page_time"`

		Photograph bool `json:"photograph,omitempty"` // Path is a photograph to be straightened; no pages are read
	}
	answer struct {
		Info    *Info         `json:"info,omitempty"`
		Picture *sheetPicture `json:"picture,omitempty"`
		Page    *Page         `json:"page,omitempty"`
		More    bool          `json:"more,omitempty"`
		Failure Code          `json:"failure,omitempty"`
		Detail  string        `json:"detail,omitempty"`
		Found   int64         `json:"found,omitempty"` // and Limit: if the Failure is about a limit
		Limit   int64         `json:"limit,omitempty"`
	}
)

// notSetUp is the failure of a child whose tools are missing or do not fit. It is not the file's fault.
const notSetUp Code = "not_set_up"

// The file descriptors of the child process after the standard three.
const (
	ordersFile  = 3
	answersFile = 4
)

// maxAnswer limits the size of one answer, since a hostile file may control the child. Because of maxChars a normal
// answer stays below it.
const maxAnswer = 16 << 20

// process is a child that has one file open. A nil process can be killed.
type process struct {
	orders  *json.Encoder
	answers *json.Decoder
	limit   *io.LimitedReader
	pipes   [2]*os.File // the parent's ends: orders, answers
	stderr  confine.Tail
	cmd     *exec.Cmd
	ended   chan struct{} // closed when the child has ended and was reaped
	release func() bool   // stops watching the context
	killed  sync.Once
}

// job returns the job for a file. If more is set, for the last try and for a photograph, the child may use half as
// much memory again.
func (r *Reader) job(path string, more bool) job {
	o := r.options
	memory := o.Memory
	if more {
		memory += memory / 2
	}
	return job{Path: path, Scale: o.Scale, Languages: o.Languages, Memory: memory, LastTry: more, OpenTime: o.OpenTime,
		PageTime: o.PageTime}
}

// begin starts a child and sends it the job.
func (r *Reader) begin(ctx context.Context, deadline time.Time, j job) (*process, error) {
	p, err := r.launch(ctx)
	if err != nil {
		return nil, fmt.Errorf("start a document reader: %w", err)
	}
	if _, err := p.ask(ctx, deadline, j); err != nil {
		p.kill()
		if cause := context.Cause(ctx); cause != nil {
			return nil, cause
		}
		//nolint:errorlint // not wrapped: it is no refusal of the file
		return nil, fmt.Errorf("start a document reader: %v", err)
	}
	return p, nil
}

// start starts a child and has it open the file. On the last try it may use more memory.
func (r *Reader) start(ctx context.Context, path string, lastTry bool) (*process, Info, error) {
	deadline := time.Now().Add(patience * r.options.OpenTime)
	p, err := r.begin(ctx, deadline, r.job(path, lastTry))
	if err != nil {
		return nil, Info{}, err
	}
	reply, err := p.receive(ctx, deadline)
	if err == nil && reply.Info == nil {
		err = &Refusal{Code: Damaged, Detail: "the reader answered something else"}
	}
	if err != nil {
		p.kill()
		return nil, Info{}, err
	}
	return p, *reply.Info, nil
}

func (r *Reader) launch(ctx context.Context) (*process, error) {
	ordersIn, ordersOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer ordersIn.Close()
	answersIn, answersOut, err := os.Pipe()
	if err != nil {
		ordersOut.Close()
		return nil, err
	}
	defer answersOut.Close()
	p := &process{pipes: [2]*os.File{ordersOut, answersIn}, ended: make(chan struct{})}
	p.orders = json.NewEncoder(ordersOut)
	p.limit = &io.LimitedReader{R: answersIn}
	p.answers = json.NewDecoder(p.limit)

	p.cmd = exec.Command(r.options.Executable, r.options.Args...)
	p.cmd.ExtraFiles = []*os.File{ordersIn, answersOut}
	p.cmd.Stdout = &p.stderr // the C libraries print there too
	p.cmd.Stderr = &p.stderr
	p.cmd.Env = childEnvironment()
	p.cmd.SysProcAttr = confine.Attributes()
	p.cmd.WaitDelay = time.Second
	started := make(chan error)
	go func() {
		// Linux ends the child when the thread that started it ends, so this thread has to live as long as the child.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
		started <- err
		if err == nil {
			_ = p.cmd.Wait() // receive and refusal find out how it ended
			close(p.ended)
		}
	}()
	if err := <-started; err != nil {
		ordersOut.Close()
		answersIn.Close()
		return nil, err
	}
	p.release = context.AfterFunc(ctx, func() { _ = p.cmd.Process.Kill() })
	return p, nil
}

// childEnvironment returns the part of the environment that the child gets: no keys, no addresses.
func childEnvironment() []string {
	// Tesseract's own threads multiply the CPU time of a page, and the variable that limits them is read only when
	// the process starts. The child's Go code needs no parallel threads, and its garbage is not worth collecting
	// below some megabytes.
	env := []string{"OMP_THREAD_LIMIT=1", "GOMAXPROCS=1", "GOGC=400", "GOMEMLIMIT=64MiB", "GOTRACEBACK=none"}
	for _, name := range []string{"PATH", "TESSDATA_PREFIX", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "GOCOVERDIR"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// read reads page n. If that fails, it returns as much of the page as could be read.
func (p *process) read(ctx context.Context, n int, cpu time.Duration) (Page, error) {
	page := unreadable(n)
	deadline := time.Now().Add(patience * cpu)
	reply, err := p.ask(ctx, deadline, n)
	if err == nil && reply.More && reply.Page != nil {
		page = *reply.Page
		page.Incomplete = true
		if page.Text == "" {
			page.Method, page.Confidence = MethodUnreadable, 0
		}
		reply, err = p.receive(ctx, deadline)
	}
	if err == nil && (reply.Page == nil || reply.Page.Number != n) {
		err = &Refusal{Code: Damaged, Detail: "the reader answered something else"}
	}
	if err != nil {
		return page, fmt.Errorf("read page %d: %w", n, err)
	}
	return *reply.Page, nil
}

// ask sends the child an order and waits for the answer.
func (p *process) ask(ctx context.Context, deadline time.Time, order any) (answer, error) {
	_ = p.pipes[0].SetWriteDeadline(deadline)
	if err := p.orders.Encode(order); err != nil {
		return answer{}, p.refusal(ctx, err)
	}
	return p.receive(ctx, deadline)
}

// receive waits for an answer. A failure, the end of the child and a timeout are each a *Refusal.
func (p *process) receive(ctx context.Context, deadline time.Time) (answer, error) {
	var reply answer
	_ = p.pipes[1].SetReadDeadline(deadline)
	p.limit.N = maxAnswer
	if err := p.answers.Decode(&reply); err != nil {
		return reply, p.refusal(ctx, err)
	}
	switch reply.Failure {
	case "":
	case notSetUp:
		return reply, errors.New(reply.Detail)
	default:
		return reply, &Refusal{Code: reply.Failure, Detail: reply.Detail, Found: reply.Found, Limit: reply.Limit}
	}
	return reply, nil
}

// refusal returns why the child, which did not answer, could not read the file.
func (p *process) refusal(ctx context.Context, err error) error {
	timeout := errors.Is(err, os.ErrDeadlineExceeded)
	p.kill()
	words := p.stderr.String()
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case timeout || p.cmd.ProcessState.ExitCode() == confine.TooSlow:
		return &Refusal{Code: TooSlow, Detail: "the reader ran out of time"}
	case confine.OutOfMemory(words):
		return &Refusal{Code: TooMuchMemory, Detail: words}
	}
	return &Refusal{Code: Damaged, Detail: fmt.Sprintf("the reader ended (%v): %s", p.cmd.ProcessState, words)}
}

// kill ends the child and waits until it has been reaped.
func (p *process) kill() {
	if p == nil {
		return
	}
	p.killed.Do(func() {
		p.release()
		_ = p.cmd.Process.Kill()
		for _, pipe := range p.pipes {
			_ = pipe.Close()
		}
	})
	<-p.ended
}
