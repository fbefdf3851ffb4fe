// Package config holds the typed configuration. Later sources override earlier ones: the defaults in munshi.yaml, the
// operator's own file, environment variables (MUNSHI_SERVER_ADDRESS for server.address), and the flags of a command.
package config

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-viper/mapstructure/v2"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"
)

//go:embed munshi.yaml
var defaults []byte

// LawSources is the list of official files of the law for download.
//
//go:embed law/sources.yaml
var LawSources []byte

// Config holds every setting; munshi.yaml explains each key.
type Config struct {
	Home      string `mapstructure:"-"` // the folder for relative paths
	Server    Server
	Database  Database
	Temporal  Temporal
	Worker    Worker
	Model     Model
	Reading   Reading
	Prompts   Prompts
	Evals     Evals
	Law       Law
	Check     Check
	Account   Account
	Firms     Firms
	Abuse     Abuse
	Mail      Mail
	MailIn    MailIn `mapstructure:"mail_in"`
	Payment   Payment
	Spending  Spending
	Privacy   Privacy
	Retention Retention
	Backups   Backups
	Local     Local
	Links     Links
	Log       struct{ Level, Format string }
	Trace     Trace
}

// Server says at which address the product listens, and under which names people reach it.
type Server struct {
	Address        string
	PublicURL      string        `mapstructure:"public_url"`
	Hosts          []string      // other host names under which people and operators reach the product
	TrustedProxies []string      `mapstructure:"trusted_proxies"`
	BodyTime       time.Duration `mapstructure:"body_time"`
	WebRoot        string        `mapstructure:"web_root"`
	StartTime      time.Duration `mapstructure:"start_time"`
	ShutdownTime   time.Duration `mapstructure:"shutdown_time"`

	OperatorAddress string `mapstructure:"operator_address"`
}

// Secure reports whether people reach the product over https.
func (s Server) Secure() bool { return strings.HasPrefix(s.PublicURL, "https://") }

// Names returns the host names and addresses under which people and operators reach the product, without ports.
// Loopback names are always accepted and are not listed.
func (s Server) Names() []string {
	names := slices.Clone(s.Hosts)
	if u, err := url.Parse(s.PublicURL); err == nil && u.Host != "" {
		names = append(names, u.Hostname())
	}
	for _, address := range []string{s.Address, s.OperatorAddress} {
		host, _, err := net.SplitHostPort(address)
		if ip := net.ParseIP(host); err == nil && host != "" && (ip == nil || !ip.IsUnspecified()) {
			names = append(names, host)
		}
	}
	return names
}

// Database says which PostgreSQL to use.
type Database struct {
	URL         string
	Connections int
}

// Temporal says which Temporal cluster to use.
type Temporal struct {
	Address, Namespace string
	WebUIURL           string `mapstructure:"web_ui_url"`
	Encryption         string
	Keys               string
	KeysFile           string `mapstructure:"keys_file"`
	Own                bool   `mapstructure:"-"` // it was started by us
}

// Worker says what a worker takes work from.
type Worker struct {
	Queues []string // QueueTurns, QueueReading or both
}

// The task queues as settings name them.
const (
	QueueTurns   = "turns"
	QueueReading = "reading"
)

// Model lists the language models to call: the first one, and those used when it fails or when a prompt names them.
type Model struct {
	Provider          string
	ModelProvider     `mapstructure:",squash"` // the first one
	Fallback          []string
	FirstTokenTimeout time.Duration `mapstructure:"first_token_timeout"`
	IdleTimeout       time.Duration `mapstructure:"idle_timeout"`
	Providers         map[string]ModelProvider
}

// ModelProvider is one provider, and the model to use there.
type ModelProvider struct {
	BaseURL       string `mapstructure:"base_url"`
	Key           string
	Name          string
	Temperature   string
	MaxTokens     int   `mapstructure:"max_tokens"`
	ContextTokens int   `mapstructure:"context_tokens"`
	PriceInput    int64 `mapstructure:"price_input"`
	PriceOutput   int64 `mapstructure:"price_output"`

	CallsPerMinute int `mapstructure:"calls_per_minute"`
}

// Degrees returns the temperature; nil leaves it to the provider.
func (m ModelProvider) Degrees() *float64 {
	t, err := strconv.ParseFloat(m.Temperature, 64)
	if err != nil {
		return nil
	}
	return &t
}

// Reading says how documents are read.
type Reading struct {
	Scale           float64
	Languages       []string
	Workers         int
	MaxBytes        int64         `mapstructure:"max_bytes"`
	MaxPages        int           `mapstructure:"max_pages"`
	MemoryBytes     int64         `mapstructure:"memory_bytes"`
	PageTime        time.Duration `mapstructure:"page_time"`
	DocumentsAtOnce int           `mapstructure:"documents_at_once"`
}

// Prompts says where the plugin folders are, how often to check them, and whether changed prompts must be tested
// before they are used.
type Prompts struct {
	Dir  string
	Poll time.Duration
	// "on": changed prompts are not used until their golden set scores no worse than the blessed run; or "off"
	Gate       string
	GateMargin float64 `mapstructure:"gate_margin"` // how far the lower end of the pass rate's interval may drop
}

// Evals says where the evaluation cases are.
type Evals struct{ Dir string }

// Law names two folders: one with law tables that override the built-in ones ("" for none), and one with the imported
// text of the law ("" for the default one in the state folder).
type Law struct{ Overlay, Library string }

// Check says what happens to an answer that contradicts the facts.
type Check struct{ Revise bool }

// Account says what people may do with and without an account.
type Account struct {
	FreeUses       int           `mapstructure:"free_uses"`
	SessionIdle    time.Duration `mapstructure:"session_idle"`
	SessionLongest time.Duration `mapstructure:"session_longest"`
	HashesAtOnce   int           `mapstructure:"hashes_at_once"`
	FairUsePerHour int           `mapstructure:"fair_use_per_hour"`
}

// Firms says what a firm may use before it pays, and what it pays for.
type Firms struct {
	FreeUses  int   `mapstructure:"free_uses"`
	FreeSeats int   `mapstructure:"free_seats"`
	SeatPaise int64 `mapstructure:"seat_paise"`
}

// Abuse limits what one network address may do in an hour before its browsers must solve a proof of work; 0 means no
// limit.
type Abuse struct {
	Visitors, Neighbours int
	SignUps              int `mapstructure:"sign_ups"`
	FreeTurns            int `mapstructure:"free_turns"`
	UploadMB             int `mapstructure:"upload_mb"`
	WorkBits             int `mapstructure:"work_bits"`
}

// MailIn is the IMAP mailbox to which firms forward papers; without Host none arrive by e-mail.
type MailIn struct {
	Host           string
	Port           int
	User, Password string
	TLS            string // implicit, starttls or none
	Mailbox        string
	Address        string
	Trusted        string
	MaxMB          int64 `mapstructure:"max_mb"`
	Every          time.Duration
}

// Mail is the SMTP server for sending mail; without Host no mail is sent.
type Mail struct {
	Host           string
	Port           int
	User, Password string
	From           string
	TLS            string // starttls, implicit or none
}

// Payment says which provider takes payments, and what is sold.
type Payment struct {
	Provider         string // razorpay, sandbox, none, or "" for the default of the command
	KeyID            string `mapstructure:"key_id"`
	KeySecret        string `mapstructure:"key_secret"`
	WebhookSecret    string `mapstructure:"webhook_secret"`
	BaseURL          string `mapstructure:"base_url"`
	Checkout         string
	AmountPaise      int64 `mapstructure:"amount_paise"`
	Currency         string
	Price            string
	Description      string
	DescriptionHindi string `mapstructure:"description_hi"`
	Period           time.Duration
	Timeout          time.Duration
	ReconcileAfter   time.Duration `mapstructure:"reconcile_after"`
	Support          string
	Seller           Seller
}

// Seller is the seller named on receipts; with a GSTIN, receipts are tax invoices.
type Seller struct {
	Name, Address, GSTIN, SAC string
	TaxRate                   float64 `mapstructure:"tax_rate"` // per cent
}

// Spending limits what models may cost in a day, in paise; 0 means no limit.
type Spending struct {
	PersonDayPaise       int64 `mapstructure:"person_day_paise"`
	VisitorsDayPaise     int64 `mapstructure:"visitors_day_paise"`
	InstallationDayPaise int64 `mapstructure:"installation_day_paise"`
}

// Privacy says what people are told about their data, and whether names are masked before text is sent to a provider.
type Privacy struct {
	Country   string
	Mask      string // off, on or always
	NoticeURL string `mapstructure:"notice_url"`
}

// Retention says how long data is kept that nobody asked to erase; 0 means for ever.
type Retention struct {
	Visitors, Deleted, Audit, Events, Evaluations time.Duration
}

// Local configures the servers that `munshi run` starts by itself.
type Local struct {
	StateDir     string `mapstructure:"state_dir"`
	PostgresBin  string `mapstructure:"postgres_bin"`
	TemporalBin  string `mapstructure:"temporal_bin"`
	TemporalPort int    `mapstructure:"temporal_port"`
	WebUIPort    int    `mapstructure:"web_ui_port"`
	PostgresPort int    `mapstructure:"postgres_port"`
}

// Links are the operator's names and addresses to show on pages.
type Links struct {
	ProductName     string `mapstructure:"product_name"`
	ConsultationURL string `mapstructure:"consultation_url"`
	ParentURL       string `mapstructure:"parent_url"`
	ParentName      string `mapstructure:"parent_name"`
	Contact         string
	Texts           string
}

// Trace says where OpenTelemetry traces are sent, and where operators look at them.
type Trace struct {
	Endpoint string
	Ratio    float64
	Link     string
}

// TraceID stands for a trace's id in the link to it.
const TraceID = "{trace_id}"

// URL returns the address where operators look at a trace; "" if there is none.
func (t Trace) URL(id string) string {
	if id == "" {
		return ""
	}
	return strings.ReplaceAll(t.Link, TraceID, id)
}

// Backups says where backups are put, and how old the newest may be.
type Backups struct {
	Folder string
	Oldest time.Duration
}

// Load reads the configuration. An empty file name means config/munshi.yaml of the home folder, if there is one. An
// unknown key is an error, so that a misspelt key is not silently ignored.
func Load(file string, flags *pflag.FlagSet) (Config, error) {
	home := findHome()
	v := viper.New()
	v.SetConfigType("yaml")
	if err := v.ReadConfig(bytes.NewReader(defaults)); err != nil {
		return Config{}, fmt.Errorf("read the built-in defaults: %w", err)
	}
	if file == "" {
		file = os.Getenv("MUNSHI_CONFIG")
	}
	wanted := file != ""
	if !wanted {
		file = filepath.Join(home, "config", "munshi.yaml")
	}
	raw, err := os.ReadFile(file)
	switch {
	case err == nil:
		if err := v.MergeConfig(bytes.NewReader(raw)); err != nil {
			return Config{}, fmt.Errorf("the configuration %s is not valid YAML: %w", file, err)
		}
	case wanted || !errors.Is(err, os.ErrNotExist):
		return Config{}, fmt.Errorf("read the configuration: %w", err)
	}
	v.SetEnvPrefix("munshi")
	v.SetEnvKeyReplacer(strings.NewReplacer(".", "_"))
	v.AutomaticEnv()
	if err := errors.Join(
		v.BindEnv("database.url", "MUNSHI_DATABASE_URL", "DATABASE_URL"),
		v.BindEnv("temporal.address", "MUNSHI_TEMPORAL_ADDRESS", "TEMPORAL_ADDRESS"),
		v.BindEnv("temporal.namespace", "MUNSHI_TEMPORAL_NAMESPACE", "TEMPORAL_NAMESPACE"),
		v.BindEnv("trace.endpoint", "MUNSHI_TRACE_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"),
	); err != nil {
		return Config{}, fmt.Errorf("bind the environment: %w", err)
	}
	if flags != nil {
		flags.VisitAll(func(f *pflag.Flag) {
			if strings.Contains(f.Name, ".") {
				err = errors.Join(err, v.BindPFlag(f.Name, f))
			}
		})
	}
	c := Config{Home: home}
	err = v.UnmarshalExact(&c, viper.DecodeHook(mapstructure.ComposeDecodeHookFunc(
		mapstructure.StringToTimeDurationHookFunc(), mapstructure.StringToSliceHookFunc(","))))
	if err != nil {
		return Config{}, fmt.Errorf("the configuration %s: %w", file, err)
	}
	for _, p := range []*string{&c.Server.WebRoot, &c.Prompts.Dir, &c.Evals.Dir, &c.Law.Overlay, &c.Law.Library,
		&c.Links.Texts, &c.Temporal.KeysFile, &c.Local.StateDir, &c.Local.PostgresBin, &c.Local.TemporalBin,
		&c.Backups.Folder} {
		if *p != "" && !filepath.IsAbs(*p) {
			*p = filepath.Join(home, *p)
		}
	}
	return c, c.check()
}

// check returns one sentence for each invalid setting.
func (c Config) check() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if _, port, err := net.SplitHostPort(c.Server.Address); err != nil || port == "" {
		bad("server.address is %q: write host:port, such as 127.0.0.1:8080", c.Server.Address)
	}
	if u, err := url.Parse(c.Server.PublicURL); c.Server.PublicURL != "" &&
		(err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		bad("server.public_url is %q: write an address such as https://munshi.example", c.Server.PublicURL)
	}
	for _, host := range c.Server.Hosts {
		if strings.ContainsAny(host, "/:*") && net.ParseIP(host) == nil {
			bad("server.hosts has %q: write a name such as munshi.example, without https:// and without a port", host)
		}
	}
	if c.Server.BodyTime <= 0 {
		bad("server.body_time must be more than 0")
	}
	if e := c.Temporal.Encryption; e != "on" && e != "off" {
		bad("temporal.encryption is %q: write on or off", e)
	}
	if c.Temporal.Keys != "" && c.Temporal.KeysFile != "" {
		bad("temporal.keys and temporal.keys_file are both set: leave one of them empty")
	}
	if len(c.Worker.Queues) == 0 {
		bad("worker.queues is empty: write turns, reading or both")
	}
	for _, queue := range c.Worker.Queues {
		if queue != QueueTurns && queue != QueueReading {
			bad("worker.queues has %q: write turns, reading or both", queue)
		}
	}
	if u, err := url.Parse(c.Temporal.WebUIURL); c.Temporal.WebUIURL != "" &&
		(err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		bad("temporal.web_ui_url is %q: write an address such as http://127.0.0.1:8233", c.Temporal.WebUIURL)
	}
	if t := c.Model.Temperature; t != "unset" && t != "" && c.Model.Degrees() == nil {
		bad("model.temperature is %q: write a number from 0 to 2, or unset", t)
	}
	if c.Model.CallsPerMinute < 0 {
		bad("model.calls_per_minute cannot be negative")
	}
	for name, p := range c.Model.Providers {
		if t := p.Temperature; t != "unset" && t != "" && p.Degrees() == nil {
			bad("model.providers.%s.temperature is %q: write a number from 0 to 2, or unset", name, t)
		}
		if p.CallsPerMinute < 0 {
			bad("model.providers.%s.calls_per_minute cannot be negative", name)
		}
	}
	if n := c.Database.Connections; n != 0 && n < 3 {
		bad("database.connections is %d: a process needs at least 3", n)
	}
	if c.Reading.MaxBytes <= 0 || c.Reading.MaxPages <= 0 {
		bad("reading.max_bytes and reading.max_pages must be more than 0")
	}
	if a := c.Account; a.FreeUses < -1 || a.SessionIdle <= 0 || a.SessionLongest <= 0 || a.HashesAtOnce <= 0 {
		bad("account.free_uses must be -1 (as many as fit what is sold), 0 or more, and account.session_idle, " +
			"session_longest and hashes_at_once must be more than 0")
	}
	if f := c.Firms; f.FreeUses < -1 || f.FreeSeats < 0 || f.SeatPaise < 0 {
		bad("firms.free_uses must be -1 (as account.free_uses), 0 or more, firms.free_seats and firms.seat_paise 0 or more")
	}
	c.Payment.check(bad)
	if c.Account.FairUsePerHour < 0 || min(c.Spending.PersonDayPaise, c.Spending.VisitorsDayPaise,
		c.Spending.InstallationDayPaise) < 0 {
		bad("account.fair_use_per_hour, spending.person_day_paise, visitors_day_paise and installation_day_paise must " +
			"not be less than 0; 0 is no limit")
	}
	if a := c.Abuse; min(a.Visitors, a.SignUps, a.FreeTurns, a.UploadMB) < 0 || a.Neighbours < 1 || a.WorkBits < 1 ||
		a.WorkBits > 30 {
		bad("abuse.visitors, sign_ups, free_turns and upload_mb must not be less than 0, abuse.neighbours not less " +
			"than 1, and abuse.work_bits from 1 to 30")
	}
	if m := c.MailIn; m.Host != "" {
		if _, err := mail.ParseAddress("x" + m.Address); err != nil {
			bad("mail_in.address is %q: write the address of the mailbox, or @ and a domain that takes all", m.Address)
		}
		if m.TLS != "implicit" && m.TLS != "starttls" && m.TLS != "none" {
			bad("mail_in.tls is %q: write implicit, starttls or none", m.TLS)
		}
		if m.MaxMB < 1 || m.Every < time.Second {
			bad("mail_in.max_mb and mail_in.every must be at least 1 and 1s")
		}
	}
	if m := c.Mail; m.Host != "" {
		if _, err := mail.ParseAddress(m.From); err != nil {
			bad("mail.from is %q: write the address that mail comes from, such as Munshi <munshi@example.com>", m.From)
		}
		if m.TLS != "starttls" && m.TLS != "implicit" && m.TLS != "none" {
			bad("mail.tls is %q: write starttls, implicit or none", m.TLS)
		}
		if c.Server.PublicURL == "" {
			bad("mail.host is set, but not server.public_url: without it a mail could hold no link")
		}
	}
	switch c.Privacy.Mask {
	case "off", "on", "always":
	default:
		bad("privacy.mask is %q: write off, on or always", c.Privacy.Mask)
	}
	if r := c.Retention; r.Visitors < 0 || r.Audit < 0 || r.Evaluations < 0 || r.Deleted <= 0 || r.Events <= 0 {
		bad("retention.visitors, retention.audit and retention.evaluations must not be less than 0, retention.deleted " +
			"and retention.events must be more than 0")
	}
	if c.Prompts.Poll <= 0 {
		bad("prompts.poll must be more than 0")
	}
	if c.Prompts.Gate != "on" && c.Prompts.Gate != "off" || c.Prompts.GateMargin < 0 || c.Prompts.GateMargin > 1 {
		bad("prompts.gate must be on or off, and prompts.gate_margin between 0 and 1")
	}
	for name, link := range map[string]string{"links.consultation_url": c.Links.ConsultationURL,
		"links.parent_url": c.Links.ParentURL, "privacy.notice_url": c.Privacy.NoticeURL} {
		if u, err := url.Parse(link); link != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http") {
			bad("%s is %q: write an address such as https://example.com", name, link)
		}
	}
	if _, port, err := net.SplitHostPort(c.Server.OperatorAddress); c.Server.OperatorAddress != "" &&
		(err != nil || port == "") {
		bad("server.operator_address is %q: write host:port, such as 127.0.0.1:9464, or leave it empty",
			c.Server.OperatorAddress)
	}
	if u, err := url.Parse(c.Trace.Endpoint); c.Trace.Endpoint != "" &&
		(err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		bad("trace.endpoint is %q: write the address of an OTLP/HTTP collector, such as http://127.0.0.1:4318",
			c.Trace.Endpoint)
	}
	if u, err := url.Parse(strings.ReplaceAll(c.Trace.Link, TraceID, "0")); c.Trace.Link != "" &&
		(err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" ||
			!strings.Contains(c.Trace.Link, TraceID)) {
		bad("trace.link is %q: write the address of a trace, such as https://jaeger.example/trace/"+TraceID, c.Trace.Link)
	}
	if c.Backups.Oldest <= 0 {
		bad("backups.oldest must be more than 0")
	}
	if c.Trace.Ratio < 0 || c.Trace.Ratio > 1 {
		bad("trace.ratio is %g: write a number from 0 to 1", c.Trace.Ratio)
	}
	switch c.Log.Level {
	case "debug", "info", "warn", "error":
	default:
		bad("log.level is %q: write debug, info, warn or error", c.Log.Level)
	}
	if c.Log.Format != "text" && c.Log.Format != "json" {
		bad("log.format is %q: write text or json", c.Log.Format)
	}
	return errors.Join(errs...)
}

// triedUses is the number of free turns if Premium is sold and the operator has set no number.
const triedUses = 2

// Sold reports whether Premium is on sale.
func (p Payment) Sold() bool { return p.Provider != "" && p.Provider != "none" }

// FreeUses returns how many turns a visitor, and an account, may start without a subscription; nil means any number,
// because nothing is sold.
func (c Config) FreeUses() *int {
	switch n := c.Account.FreeUses; {
	case n >= 0:
		return &n
	case c.Payment.Sold():
		n = triedUses
		return &n
	}
	return nil
}

// FirmUses returns how many turns a firm may start without a subscription, nil for any number.
func (c Config) FirmUses() *int {
	if n := c.Firms.FreeUses; n >= 0 {
		return &n
	}
	return c.FreeUses()
}

// FreeSeats returns how many members may work in a firm that has not paid; 0 means any number, because nothing is sold.
func (c Config) FreeSeats() int {
	if !c.Payment.Sold() {
		return 0
	}
	return c.Firms.FreeSeats
}

// OnOneMachine adjusts the configuration for `munshi run`: its worker does everything, and without a payment provider it
// uses the sandbox, so that everything from free use to Premium can be tried.
func (c Config) OnOneMachine() Config {
	if c.Payment.Provider == "" {
		c.Payment.Provider = "sandbox"
	}
	c.Worker.Queues = []string{QueueTurns, QueueReading}
	return c
}

// gstin matches the format of a GSTIN.
var gstin = regexp.MustCompile(`^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][1-9A-Z]Z[0-9A-Z]$`)

func (p Payment) check(bad func(string, ...any)) {
	switch p.Provider {
	case "", "none":
		if p.KeyID != "" || p.KeySecret != "" || p.WebhookSecret != "" {
			bad("payment keys are set, but payment.provider is not: set it to razorpay, or take the keys away")
		}
		return
	case "sandbox":
		if p.KeyID != "" || p.KeySecret != "" {
			bad("payment.provider is sandbox, which takes no money, and keys are set: set it to razorpay, or take the " +
				"keys away")
		}
	case "razorpay":
		if p.KeyID == "" || p.KeySecret == "" {
			bad("payment.provider is razorpay: set payment.key_id and payment.key_secret (MUNSHI_PAYMENT_KEY_ID, " +
				"MUNSHI_PAYMENT_KEY_SECRET) from Razorpay's dashboard")
		}
		if p.WebhookSecret == "" {
			bad("payment.provider is razorpay: set payment.webhook_secret to the secret that you gave the webhook in " +
				"Razorpay's dashboard")
		} else if p.WebhookSecret == p.KeySecret {
			bad("payment.webhook_secret is the key secret: give the webhook a secret of its own")
		}
		for name, address := range map[string]string{"payment.base_url": p.BaseURL, "payment.checkout": p.Checkout} {
			if u, err := url.Parse(address); address != "" &&
				(err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
				bad("%s is %q: leave it empty for Razorpay's own, or write an address", name, address)
			}
		}
	default:
		bad("payment.provider is %q: write razorpay, sandbox, none, or nothing", p.Provider)
	}
	if p.AmountPaise < 100 {
		bad("payment.amount_paise is %d: nothing less than 100, one rupee, can be charged", p.AmountPaise)
	}
	if p.Currency != "INR" {
		bad("payment.currency is %q: receipts and prices are in INR", p.Currency)
	}
	if p.Period <= 0 || p.Timeout <= 0 || p.ReconcileAfter <= 0 {
		bad("payment.period, payment.timeout and payment.reconcile_after must be more than 0")
	}
	if s := p.Seller; s.GSTIN != "" {
		if !gstin.MatchString(s.GSTIN) {
			bad("payment.seller.gstin is %q: write the 15 signs of the seller's GSTIN", s.GSTIN)
		}
		if s.Name == "" || s.Address == "" || s.SAC == "" || s.TaxRate <= 0 {
			bad("payment.seller.gstin is set: a tax invoice also needs payment.seller.name, address, sac and tax_rate " +
				"(rule 46)")
		}
	}
}

// findHome returns the folder above the program's bin/ if it is a Munshi folder, else the current folder.
func findHome() string {
	if home := os.Getenv("MUNSHI_HOME"); home != "" {
		return home
	}
	if exe, err := os.Executable(); err == nil {
		if exe, err = filepath.EvalSymlinks(exe); err == nil {
			home := filepath.Dir(filepath.Dir(exe))
			if _, err := os.Stat(filepath.Join(home, "config", "munshi.yaml")); err == nil {
				return home
			}
		}
	}
	if dir, err := os.Getwd(); err == nil {
		return dir
	}
	return "."
}
