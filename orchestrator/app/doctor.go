package app

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"go.temporal.io/api/serviceerror"

	"munshi/orchestrator/clock"
	"munshi/orchestrator/document"
	"munshi/orchestrator/local"
	"munshi/orchestrator/message"
	"munshi/orchestrator/payload"
	"munshi/orchestrator/problem"
	"munshi/orchestrator/prompt"
	"munshi/orchestrator/store"
	"munshi/workflows"
)

// Verdict is the result of one check.
type Verdict int

// Fine needs nothing, Watch will need attention later or could not be checked, and Mend keeps the product from
// working.
const (
	Fine Verdict = iota
	Watch
	Mend
)

// Examined is the result of one check, with its message.
type Examined struct {
	Verdict Verdict
	Message message.Message
}

// Examination holds what Examine needs to know.
type Examination struct {
	Backups   string        // the folder of backups; empty: not checked
	Oldest    time.Duration // maximum age of the newest backup
	Processes []string      // operators' addresses of running processes
	Now       time.Time
}

// Tolerances, and timeouts of the checks.
const (
	clocksApart     = 2 * time.Second // an HTTP date has only whole seconds
	certificateSoon = 21 * 24 * time.Hour
	examineTime     = 5 * time.Second
	postgresTried   = 17
)

// Examine checks an installation from this machine, without changing anything.
func Examine(ctx context.Context, a *App, e Examination) []Examined {
	x := &examiner{app: a, Examination: e}
	x.find(Fine, "version", message.Params{"version": a.Version})
	for _, look := range []func(context.Context){x.database, x.temporal, x.keys, x.prompts, x.recognition, x.disks,
		x.models, x.public, x.clientCertificate, x.processes, x.backups} {
		one, cancel := context.WithTimeout(ctx, examineTime)
		look(one)
		cancel()
	}
	return x.findings
}

type examiner struct {
	Examination
	app      *App
	findings []Examined
}

func (x *examiner) find(v Verdict, code string, params message.Params) {
	x.findings = append(x.findings, Examined{v, message.New("command.doctor."+code, params)})
}

// say adds an error from the start as a result.
func (x *examiner) say(v Verdict, err error) {
	var p *problem.Error
	if errors.As(err, &p) {
		x.findings = append(x.findings, Examined{v, p.Message()})
		return
	}
	x.find(v, "error", message.Params{"reason": oneLine(err)})
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// local reports whether `munshi run` starts the servers, because the configuration names none.
func (x *examiner) local() bool { return x.app.Config.Database.URL == "" }

func (x *examiner) database(ctx context.Context) {
	cfg := x.app.Config
	address := cfg.Database.URL
	if x.local() {
		var err error
		if address, err = local.DatabaseURL(cfg.Local.StateDir, cfg.Local.PostgresPort); err != nil {
			if errors.Is(err, local.ErrNotStarted) {
				err = problem.New("not_running", nil, err)
			}
			x.say(Mend, err)
			return
		}
	}
	d, err := store.Examine(ctx, address)
	params := message.Params{"host": d.Host, "user": d.User, "version": d.Version, "has": int(d.Schema),
		"needs": int(d.Newest), "roles": strings.Join(d.Unusable, ", ")}
	switch {
	case err != nil && x.local() && store.Away(err):
		x.say(Mend, problem.New("not_running", nil, err))
		return
	case errors.As(err, new(*problem.Error)):
		x.say(Mend, err)
		return
	case err != nil:
		params["reason"] = oneLine(err)
		x.find(Mend, "database_away", params)
		return
	case d.Replica:
		x.find(Mend, "database_replica", params)
	case d.Schema < d.Newest:
		x.find(Mend, "database_old", params)
	case d.Schema > d.Newest:
		x.find(Mend, "database_newer", params)
	case len(d.Unusable) > 0:
		x.find(Mend, "database_roles", params)
	case d.Version != postgresTried:
		params["tried"] = postgresTried
		x.find(Watch, "database_untried", params)
	default:
		x.find(Fine, "database", params)
	}
	if d.Replicas > 0 && !d.Behind {
		x.find(Watch, "database_replicas_unseen", params)
	}
	x.clock("PostgreSQL", d.Ahead)
	x.certificates("PostgreSQL ("+d.Host+")", d.Certificates)
	x.certificates("PostgreSQL ("+d.User+")", d.Ours)
}

func (x *examiner) clock(part string, ahead time.Duration) {
	params := message.Params{"part": part, "seconds": int(ahead.Abs().Round(time.Second).Seconds())}
	if ahead.Abs() > clocksApart {
		x.find(Mend, "clock_apart", params)
		return
	}
	x.find(Fine, "clock", params)
}

func (x *examiner) temporal(ctx context.Context) {
	cfg := x.app.Config.Temporal
	if cfg.Address == "" {
		var err error
		if cfg.Address, err = local.TemporalAddress(x.app.Config.Local.StateDir,
			x.app.Config.Local.TemporalPort); err != nil {
			return // the check of the database reports it already
		}
		cfg.Own = true
	}
	params := message.Params{"address": cfg.Address, "namespace": cfg.Namespace}
	log := slog.New(slog.DiscardHandler)
	// This check reads no workflow payloads, so it needs no key.
	c, err := NewTemporal(cfg, payload.NewCodec(payload.Fixed(nil), false), nil, log)
	if err != nil {
		x.say(Mend, err)
		return
	}
	defer c.Close()
	is, err := workflows.Examine(ctx, c, cfg.Namespace)
	var missing *serviceerror.NamespaceNotFound
	var certificates *problem.Error
	params["version"], params["days"] = is.Version, int(is.Retention.Hours()/24)
	switch {
	case errors.As(err, &missing):
		x.say(Mend, problem.New("no_namespace", problem.Params{"address": cfg.Address, "namespace": cfg.Namespace},
			err))
	case errors.As(explainTemporal(ctx, cfg, err), &certificates):
		x.say(Mend, certificates)
	case err != nil:
		params["reason"] = oneLine(err)
		x.find(Mend, "temporal_away", params)
	case !is.Prepared:
		x.find(Watch, "temporal_unprepared", params)
	default:
		x.find(Fine, "temporal", params)
	}
	if err != nil {
		return
	}
	if ahead, err := workflows.Clock(ctx, c, cfg.Namespace); err != nil {
		x.find(Watch, "clock_unknown", message.Params{"part": "Temporal", "reason": oneLine(err)})
	} else {
		x.clock("Temporal", ahead)
	}
	x.certificates("Temporal ("+cfg.Address+")", temporalCertificates(ctx, cfg))
}

// keys checks the keys as at a start, but creates none.
func (x *examiner) keys(context.Context) {
	cfg := x.app.Config
	cfg.Temporal.Own = x.local()
	file := KeysFile(cfg)
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) && cfg.Temporal.Own && cfg.Temporal.Keys == "" && cfg.Temporal.KeysFile == "" {
		return // the first start will create them
	}
	if _, err := OpenCodec(cfg, slog.New(slog.DiscardHandler)); err != nil {
		x.say(Mend, err)
		return
	}
	switch {
	case cfg.Temporal.Encryption != "on":
		x.find(Watch, "keys_off", nil)
	case cfg.Temporal.Keys != "":
		x.find(Fine, "keys_in_environment", nil)
	case err == nil && info.Mode().Perm()&0o077 != 0:
		x.find(Mend, "keys_open", message.Params{"file": file})
	default:
		x.find(Fine, "keys", message.Params{"file": file})
	}
}

func (x *examiner) prompts(context.Context) {
	dir := x.app.Config.Prompts.Dir
	folders, err := prompt.ReadDir(dir)
	if err != nil {
		x.say(Mend, problem.New("folder_unreadable", problem.Params{"folder": dir}, err))
		return
	}
	problems, plugins := prompt.Problems{}, 0
	for _, f := range folders {
		if f.Plugin != prompt.TemplateFolder {
			plugins++
		}
		_, err := f.Check(x.app.Registry())
		var found prompt.Problems
		if !errors.As(err, &found) && err != nil {
			x.say(Mend, err)
			return
		}
		problems = append(problems, found...)
	}
	problems = problems.Tidy()
	switch {
	case plugins == 0:
		x.say(Mend, problem.New("no_plugin_folder", problem.Params{"folder": dir}, nil))
	case len(problems) > 0:
		x.find(Mend, "prompts_wrong", message.Params{"count": len(problems), "folder": dir})
	default:
		x.find(Fine, "prompts", message.Params{"count": plugins, "folder": dir})
	}
}

func (x *examiner) recognition(context.Context) {
	missing, err := document.NotInstalled(x.app.Config.Reading.Languages)
	switch languages := strings.Join(x.app.Config.Reading.Languages, ", "); {
	case err != nil:
		x.say(Mend, err)
	case len(missing) > 0:
		x.find(Mend, "recognition_missing", message.Params{"languages": strings.Join(missing, ", ")})
	default:
		x.find(Fine, "recognition", message.Params{"languages": languages})
	}
}

// disks checks the free space, and tries to write.
func (x *examiner) disks(context.Context) {
	written := []string{os.TempDir()}
	if x.local() {
		written = append(written, x.app.Config.Local.StateDir)
	}
	for _, folder := range written {
		params := message.Params{"folder": folder}
		if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) && folder == x.app.Config.Local.StateDir {
			continue // the first start will create it
		}
		draft, err := os.CreateTemp(folder, ".munshi-doctor-")
		if err == nil {
			err = errors.Join(draft.Close(), os.Remove(draft.Name()))
		}
		switch {
		case err != nil:
			params["reason"] = oneLine(err)
			x.find(Mend, "disk_refuses", params)
		case local.Full(folder):
			x.find(Mend, "disk_full", params)
		case local.Tight(folder):
			x.find(Watch, "disk_tight", params)
		default:
			x.find(Fine, "disk", params)
		}
	}
}

func (x *examiner) models(ctx context.Context) {
	if x.app.Chain.Offline() {
		x.findings = append(x.findings, Examined{Fine, x.app.WhoAnswers()})
		return
	}
	wrong := x.app.Chain.Check(ctx)
	for _, name := range x.app.Chain.Order {
		if err := wrong[name]; err != nil {
			x.say(Mend, err)
		}
	}
	if len(wrong) == 0 {
		x.findings = append(x.findings, Examined{Fine, x.app.WhoAnswers()})
	}
}

// public calls the product at its public address, and also checks its certificate and clock.
func (x *examiner) public(ctx context.Context) {
	address := strings.TrimRight(x.app.Config.Server.PublicURL, "/")
	if address == "" {
		return
	}
	params := message.Params{"address": address}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/api/ready", nil)
	if err != nil {
		x.say(Mend, err)
		return
	}
	asked := time.Now()
	resp, err := http.DefaultClient.Do(req)
	var ended x509.CertificateInvalidError
	switch {
	case errors.As(err, &ended) && ended.Reason == x509.Expired:
		params["day"] = message.Date(ended.Cert.NotAfter.In(clock.India).Format(time.DateOnly))
		x.find(Mend, "certificate_ended", params)
		return
	case err != nil:
		params["reason"] = oneLine(err)
		x.find(Mend, "public_away", params)
		return
	}
	defer resp.Body.Close()
	if params["status"] = resp.Status; resp.StatusCode != http.StatusOK {
		x.find(Mend, "public_refuses", params)
	} else {
		x.find(Fine, "public", params)
	}
	x.clockOf(address, resp, asked)
	if resp.TLS != nil {
		x.certificates(address, resp.TLS.PeerCertificates)
	}
}

// clockOf compares the clocks by the date of an answer.
func (x *examiner) clockOf(part string, resp *http.Response, asked time.Time) {
	says, err := http.ParseTime(resp.Header.Get("Date"))
	if err != nil {
		return
	}
	ahead := says.Sub(asked)
	// the Date header is rounded down to seconds, and the request took some time
	if ahead < 0 && ahead > -time.Since(asked)-time.Second {
		ahead = 0
	}
	x.clock(part, ahead)
}

// processes asks running processes for their state, their release and their time.
func (x *examiner) processes(ctx context.Context) {
	for _, address := range x.Processes {
		x.process(ctx, strings.TrimRight(address, "/"))
	}
}

func (x *examiner) process(ctx context.Context, address string) {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	params := message.Params{"address": address, "ours": x.app.Version}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/ready", nil)
	if err != nil {
		x.say(Mend, err)
		return
	}
	asked := time.Now()
	resp, err := http.DefaultClient.Do(req)
	var is struct {
		Parts   map[string]string
		Version string
	}
	if err == nil {
		defer resp.Body.Close()
		err = json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&is)
	}
	if err != nil {
		params["reason"] = oneLine(err)
		x.find(Mend, "process_away", params)
		return
	}
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(is.Parts)) {
		if is.Parts[name] != fine {
			wrong = append(wrong, name+": "+is.Parts[name])
		}
	}
	params["version"], params["reason"] = is.Version, strings.Join(wrong, " ")
	switch {
	case len(wrong) > 0:
		x.find(Mend, "process_unwell", params)
	case is.Version != x.app.Version:
		x.find(Watch, "process_other", params)
	default:
		x.find(Fine, "process", params)
	}
	x.clockOf(address, resp, asked)
}

// certificates checks the certificate of a chain that expires first.
func (x *examiner) certificates(of string, chain []*x509.Certificate) {
	if len(chain) > 0 {
		x.certificate(of, slices.MinFunc(chain, func(a, b *x509.Certificate) int { return a.NotAfter.Compare(b.NotAfter) }))
	}
}

func (x *examiner) certificate(of string, c *x509.Certificate) {
	params := message.Params{"address": of, "day": message.Date(c.NotAfter.In(clock.India).Format(time.DateOnly))}
	switch left := c.NotAfter.Sub(x.Now); {
	case left <= 0:
		x.find(Mend, "certificate_ended", params)
	case left < certificateSoon:
		x.find(Watch, "certificate_soon", params)
	default:
		x.find(Fine, "certificate", params)
	}
}

// clientCertificate checks the files for TLS with Temporal, if there are any: our certificate, its key, and the CA.
func (x *examiner) clientCertificate(context.Context) {
	for _, variable := range []string{"TEMPORAL_TLS_CLIENT_CERT_PATH", "TEMPORAL_TLS_SERVER_CA_CERT_PATH"} {
		file := os.Getenv(variable)
		if file == "" {
			continue
		}
		chain, err := readCertificates(file)
		if err != nil {
			x.say(Mend, problem.New("file_unreadable", problem.Params{"file": file, "reason": err}, err))
			continue
		}
		x.certificates(file, chain)
	}
	file := os.Getenv("TEMPORAL_TLS_CLIENT_KEY_PATH")
	if info, err := os.Stat(file); file != "" && err == nil && info.Mode().Perm()&0o007 != 0 {
		x.find(Mend, "keys_open", message.Params{"file": file})
	}
}

func readCertificates(file string) (chain []*x509.Certificate, err error) {
	left, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for {
		var block *pem.Block
		if block, left = pem.Decode(left); block == nil {
			break
		}
		if block.Type != "CERTIFICATE" {
			continue
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, err
		}
		chain = append(chain, c)
	}
	if len(chain) == 0 {
		return nil, fmt.Errorf("%s holds no certificate", file)
	}
	return chain, nil
}

// backups checks the newest backup in the folder of backups. Other files are skipped; with external servers, whose
// backups have other formats, the newest such file is named so that a person can look at it.
func (x *examiner) backups(context.Context) {
	if x.Backups == "" {
		x.find(Watch, "backups_unseen", nil)
		return
	}
	ours, other, err := backupsIn(x.Backups)
	if err != nil {
		x.say(Mend, problem.New("no_such_folder", problem.Params{"folder": x.Backups}, err))
		return
	}
	params := func(f backup) message.Params {
		return message.Params{"folder": x.Backups, "hours": int(x.Oldest.Hours()), "file": f.path,
			"age": int(x.Now.Sub(f.made).Hours())}
	}
	switch {
	case ours.path == "" && other.path != "" && x.app.Config.Database.URL != "":
		x.find(Watch, "backups_unknown", params(other))
	case ours.path == "":
		x.find(Mend, "backups_none", params(other))
	case x.Now.Sub(ours.made) > x.Oldest:
		x.find(Mend, "backups_old", params(ours))
	default:
		x.find(Fine, "backups", params(ours))
	}
}
