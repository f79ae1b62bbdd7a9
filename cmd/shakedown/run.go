package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"shakedown/lab"
	"shakedown/link/space"
	"shakedown/machine"
	"shakedown/plan"
	"shakedown/report"
	"shakedown/result"
	"shakedown/stack"
	"shakedown/study"
)

// runCmd is `shakedown run`.
type runCmd struct {
	Plan string `arg:"" optional:"" help:"Name of a study (see: shakedown studies) or a plan file. Without it: the flags' handshakes, or the study basics."`

	handshakeFlags

	Out       string        `type:"path" help:"Run directory to make. Default: one in the user's cache directory."`
	Resume    string        `type:"path" placeholder:"DIR" help:"Go on with a run that was interrupted or killed."`
	Time      time.Duration `help:"At most so long (30s, 10m)."`
	Samples   int           `help:"So many repetitions of each case."`
	Precision float64       `help:"Stop a case when the interval is this narrow: 0.02 is ± 2 % of the median."`
	Timeout   time.Duration `help:"Deadline of one handshake. Default: 10s."`
	Block     int           `help:"Repetitions in a block."`
	Quick     bool          `help:"Fewer repetitions, for a first look."`
	Seed      uint64        `help:"Seed of the order of blocks. Default: a new one, printed."`
	JSON      bool          `help:"Print rows as JSON Lines instead of a table."`
	PlanOnly  bool          `help:"Print the cases and measure nothing."`
	CA        string        `type:"existingfile" placeholder:"FILE" help:"Root (PEM) to verify a HOST:PORT server against. Default: the system's."`
	Insecure  bool          `help:"Do not verify a HOST:PORT server."`
	MSS       int           `help:"Bytes of payload in a packet, for the composed packets. Default: 1448 (Ethernet)."`
	Fault     string        `enum:",skip-ticket" default:"" help:"Let the client misbehave (skip-ticket: forget the ticket), to see that the lab notices."`
}

// handshakeFlags name cases. Each takes a list: --version 1.2,1.3.
type handshakeFlags struct {
	Kind    string `group:"Cases:" help:"handshake or record."`
	Client  string `group:"Cases:" help:"Stack of the client: go, openssl, openssl@3.5, openssl:/opt/openssl-3.5."`
	Server  string `group:"Cases:" help:"Stack of the server, or HOST:PORT."`
	Size    string `group:"Cases:" help:"Bytes of a record."`
	Replica string `group:"Cases:" help:"Names that tell identical cases apart: a,b measures the noise of the lab itself."`

	parameterFlags
}

// parameterFlags are the parameters of a handshake.
type parameterFlags struct {
	Protocol string `group:"Cases:" help:"tls."`
	Version  string `group:"Cases:" help:"1.2, 1.3."`
	Group    string `group:"Cases:" help:"Key exchange group: x25519, X25519MLKEM768."`
	Suite    string `group:"Cases:" help:"Cipher suite, IANA's or OpenSSL's name."`
	Auth     string `group:"Cases:" help:"ecdsa-p256, ecdsa-p384, ed25519, rsa-2048, rsa-3072, mldsa44, mldsa65, mldsa87, psk."`
	Mode     string `group:"Cases:" help:"full, resumed, early-data."`
	Mutual   bool   `group:"Cases:" help:"The client shows a certificate, too."`
	Retry    bool   `group:"Cases:" help:"Force a HelloRetryRequest."`
	Chain    string `group:"Cases:" help:"Certificates below the root."`
	Leaf     string `group:"Cases:" help:"Bytes to which the leaf certificate is padded."`
	Link     string `group:"Cases:" help:"loopback, a profile such as lte-m, or delay=50ms,loss=1%%,rate=250kbit: emulated, on Linux. Several are parted by semicolons."`
}

// Help shows an example.
func (runCmd) Help() string {
	return `Examples:
  shakedown run                         what this machine's stacks cost, in a minute
  shakedown run iot-tls --quick         a published experiment, repeated
  shakedown run --client openssl --server go --version 1.3 --mode full,resumed`
}

// matrix makes the matrix that the flags span; it is empty without flags.
func (f handshakeFlags) matrix() (plan.Matrix, error) {
	var m plan.Matrix
	for _, flag := range []struct{ field, list string }{
		{"kind", f.Kind},
		{"client", f.Client},
		{"server", f.Server},
		{"protocol", f.Protocol},
		{"version", f.Version},
		{"group", f.Group},
		{"suite", f.Suite},
		{"auth", f.Auth},
		{"mode", f.Mode},
		{"mutual", trueIf(f.Mutual)},
		{"retry", trueIf(f.Retry)},
		{"chain", f.Chain},
		{"leaf", f.Leaf},
		{"size", f.Size},
		{"replica", f.Replica},
		{"link", f.Link},
	} {
		if flag.list == "" {
			continue
		}
		if err := m.Add(flag.field, flag.list); err != nil {
			return m, err
		}
	}
	return m, nil
}

func trueIf(b bool) string {
	if b {
		return "true"
	}
	return ""
}

// Run measures.
func (c *runCmd) Run(e *env) error {
	if err := c.check(); err != nil {
		return usage(err, "shakedown run --help")
	}
	if c.Resume != "" {
		return c.resume(e)
	}
	p, err := c.plan()
	if err != nil {
		return usage(err, c.hint())
	}
	set := newSet(e)
	cases, err := lab.Cases(e.ctx, p, set)
	if err != nil {
		return err
	}
	if c.PlanOnly && c.JSON {
		return report.JSON(e.stdout, lab.Entries(cases))
	}
	if c.PlanOnly {
		return report.Plan(e.stdout, p, lab.Entries(cases))
	}
	if done, err := enterNamespace(cases); done || err != nil {
		return err
	}
	about := c.describe(e, p, cases)
	dir, err := result.Create(c.directory(p), about)
	if err != nil {
		return usage(err, "--out DIR names another place")
	}
	return c.measure(e, p, cases, dir, about, past{})
}

// enterNamespace runs this program once more as root of a user namespace, where the
// cases need emulated links and the user may not make them; done says that it ran.
func enterNamespace(cases []lab.Planned) (done bool, err error) {
	if !slices.ContainsFunc(cases, lab.Planned.Emulated) {
		return false, nil
	}
	status, done, err := space.Enter()
	var refused *space.RefusedError
	switch {
	case errors.As(err, &refused):
		return false, &exitError{exitFailed, err, refused.Hint + "; --link loopback works without"}
	case done && status != exitDone:
		return true, &exitError{status: status}
	}
	return done, err
}

// check refuses numbers that mean nothing.
func (c *runCmd) check() error {
	switch {
	case c.Samples < 0, c.Block < 0, c.Time < 0, c.Precision < 0:
		return errors.New("--samples, --block, --time, --precision: must not be negative")
	case c.Precision >= 1:
		return fmt.Errorf("--precision: %v is no precision: 0.02 means ± 2 %% of the median", c.Precision)
	}
	if c.MSS != 0 {
		if err := checkMSS(c.MSS); err != nil {
			return err
		}
	}
	return checkTimeout(c.Timeout)
}

// checkTimeout refuses deadlines that no driver takes; 0 is the default.
func checkTimeout(timeout time.Duration) error {
	const longest = 24 * time.Hour
	if timeout != 0 && (timeout < time.Millisecond || timeout > longest) {
		return fmt.Errorf("--timeout: want 1ms to %v, not %v", longest, timeout)
	}
	return nil
}

// hint says where to look after a plan that cannot be read.
func (c *runCmd) hint() string {
	switch {
	case c.Plan == "":
		return "shakedown run --help"
	case isFile(c.Plan):
		return "shakedown studies basics prints a plan that can be read"
	}
	return "shakedown studies lists what can be run"
}

// past is what was measured in an earlier part of a run.
type past struct {
	blocks []result.Block
	rows   []result.Row
}

// resume goes on with a run.
func (c *runCmd) resume(e *env) error {
	dir, about, blocks, err := result.Resume(c.Resume)
	if err != nil {
		return usage(err, "")
	}
	rows, rowsErr := result.ReadRows(c.Resume)
	cases, err := lab.Cases(e.ctx, &about.Plan, newSet(e))
	if err := errors.Join(rowsErr, err); err != nil {
		return errors.Join(err, dir.Leave())
	}
	if err := sameCases(about.Cases, lab.Entries(cases)); err != nil {
		return errors.Join(usage(err, "a run is resumed with the stacks it was begun with"), dir.Leave())
	}
	return c.measure(e, &about.Plan, cases, dir, about, past{blocks, rows})
}

// sameCases tells whether the stacks of the machine are still those of the run.
func sameCases(before, now []result.CaseEntry) error {
	if len(before) != len(now) {
		return fmt.Errorf("the run has %d cases, this machine now makes %d of its plan", len(before), len(now))
	}
	for i := range before {
		if before[i].ID != now[i].ID {
			return fmt.Errorf("case %d was %q, now it is %q", i+1, before[i].Text, now[i].Text)
		}
	}
	return nil
}

// plan finds the plan: a study, a file, or the flags'.
func (c *runCmd) plan() (*plan.Plan, error) {
	m, err := c.matrix()
	switch {
	case err != nil:
		return nil, err
	case c.Plan != "" && len(m.Axes) > 0:
		return nil, errors.New("a plan and flags that name cases do not go together")
	case len(m.Axes) > 0:
		return fromFlags(m), nil
	case c.Plan == "":
		return study.Load(study.Default)
	case isFile(c.Plan):
		return readPlan(c.Plan)
	}
	return study.Load(c.Plan)
}

// isFile: a plan file is told from the name of a study by its ending or a slash.
func isFile(name string) bool {
	return strings.ContainsAny(name, `/\`) || strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

func readPlan(name string) (*plan.Plan, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return plan.Read(name, text)
}

// fromFlags makes a plan of the flags' cases; both ends are Go where nothing
// else is said, and the server is the client's stack.
func fromFlags(m plan.Matrix) *plan.Plan {
	if len(m.Axes["client"]) == 0 {
		m.Axes["client"] = []string{"go"}
	}
	if len(m.Axes["server"]) == 0 {
		m.Axes["server"] = []string{plan.Same}
	}
	return &plan.Plan{
		Name: "flags", Title: "The cases named on the command line",
		Effort: plan.Effort{Time: plan.Duration(time.Minute), Precision: 0.01},
		Quick:  plan.Effort{Time: plan.Duration(10 * time.Second), Samples: 200},
		Cases:  []plan.Matrix{m},
	}
}

// effort is the plan's, replaced by --quick and by flags.
func (c *runCmd) effort(p *plan.Plan) plan.Effort {
	e := p.Effort
	if c.Quick {
		e = e.Or(p.Quick)
	}
	if c.Samples > 0 && c.Time == 0 {
		e.Time, e.Precision = 0, 0 // so many were asked for
	}
	return e.Or(plan.Effort{Samples: c.Samples, Time: plan.Duration(c.Time), Precision: c.Precision, Block: c.Block, Timeout: plan.Duration(c.Timeout)})
}

// describe writes down all that could explain a figure.
func (c *runCmd) describe(e *env, p *plan.Plan, cases []lab.Planned) result.Run {
	seed := c.Seed
	if seed == 0 {
		seed = rand.Uint64() >> 1 // fits a signed number of any reader
	}
	return result.Run{
		Schema: result.Schema, Tool: version(), Started: time.Now().UTC(), CommandLine: e.args, Seed: seed,
		Plan: *p, Effort: c.effort(p), Environment: machine.Describe(), Stacks: loaded(cases),
		Cases: lab.Entries(cases), Settings: c.settings(),
	}
}

func (c *runCmd) settings() result.Settings {
	return result.Settings{Fault: c.Fault, CA: c.CA, Insecure: c.Insecure, MSS: c.MSS}
}

// loaded lists the stacks of the cases.
func loaded(cases []lab.Planned) map[string]result.Stack {
	out := map[string]result.Stack{}
	for _, p := range cases {
		for _, s := range []*stack.Stack{p.Client, p.Server} {
			if s != nil {
				out[s.Name] = result.Stack{Info: s.Info, Root: s.Root, Program: s.Command.Path}
			}
		}
	}
	return out
}

// directory is where the run goes.
func (c *runCmd) directory(p *plan.Plan) string {
	if c.Out != "" {
		return c.Out
	}
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	name := fmt.Sprintf("%s-%s-%d", time.Now().Format("20060102-150405"), p.Name, os.Getpid())
	return filepath.Join(base, "shakedown", "runs", name)
}

// measure runs the lab and shows what came out, also after an interruption.
func (c *runCmd) measure(e *env, p *plan.Plan, cases []lab.Planned, dir *result.Dir, about result.Run, before past) error {
	watch := newWatcher(e)
	rows, err := lab.Run(e.ctx, cases, dir, before.blocks, lab.Options{
		Plan: p, Effort: about.Effort, Seed: about.Seed, Set: about.Settings, Rows: before.rows, Watch: watch,
		Emulator: []string{self(), emulatorVerb},
	})
	watch.end()
	closed := closeRun(dir, err)
	if shown := c.show(e, p, about, rows, dir.Path); shown != nil {
		return errors.Join(err, shown)
	}
	switch {
	case errors.Is(err, lab.ErrInterrupted):
		return &exitError{exitInterrupted, errors.New("interrupted: what was measured is kept"), "shakedown run --resume " + dir.Path}
	case err != nil:
		return &exitError{exitFailed, err, "what was measured is kept: shakedown run --resume " + dir.Path}
	case closed != nil:
		return closed
	}
	return verdict(rows)
}

// closeRun leaves a run that is not over open for --resume.
func closeRun(dir *result.Dir, err error) error {
	if err != nil {
		return dir.Leave()
	}
	return dir.Close()
}

// show prints the rows.
func (c *runCmd) show(e *env, p *plan.Plan, about result.Run, rows []result.Row, path string) error {
	blocks, err := result.ReadBlocks(path)
	if err != nil {
		return err
	}
	result.Annotate(p, rows, blocks)
	keepPage(e, filepath.Join(path, "report.html"), about, rows, blocks)
	if c.JSON {
		return report.JSON(e.stdout, rows)
	}
	if err := report.Text(e.stdout, about, rows); err != nil {
		return err
	}
	fmt.Fprintf(e.stderr, "run directory: %s\n", path)
	return nil
}

// keepPage writes the page of the run beside its files. Without it nothing is
// lost: it can be made again of them.
func keepPage(e *env, name string, about result.Run, rows []result.Row, blocks []result.Block) {
	if err := writePage(name, about, rows, blocks); err != nil {
		_ = os.Remove(name) // no half of a page
		fmt.Fprintf(e.stderr, "shakedown: warning: no page: %v (shakedown report RUN --html FILE makes one)\n", err)
	}
}

// verdict: a run has failed when a row contradicts its label, a driver broke, or
// nothing could be measured.
func verdict(rows []result.Row) error {
	var bad, good int
	for _, r := range rows {
		switch r.Status {
		case result.OK:
			good++
		case result.Error, result.Failed:
			bad++
		case result.Cannot: // no fault of the run
		}
	}
	switch {
	case bad > 0:
		return fmt.Errorf("%d of %d cases have no figures that can be trusted (see their reasons)", bad, len(rows))
	case good == 0:
		return errors.New("nothing could be measured (see the reasons)")
	}
	return nil
}

// self is this very program.
func self() string {
	program, err := os.Executable()
	if err != nil {
		return os.Args[0]
	}
	return program
}

// newSet finds stacks through this very program.
func newSet(e *env) *stack.Set {
	return stack.NewSet(self(), func(note string) { fmt.Fprintln(e.stderr, "shakedown:", note) })
}

var _ lab.Stacks = (*stack.Set)(nil)
