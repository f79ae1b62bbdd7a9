package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// row is a row as another program reads it.
type row map[string]any

// readRows reads JSON Lines, and nothing else beside them.
func readRows(ts *testscript.TestScript, file string) []row {
	var rows []row
	for n, line := range strings.Split(strings.TrimSuffix(ts.ReadFile(file), "\n"), "\n") {
		dec := json.NewDecoder(strings.NewReader(line))
		dec.UseNumber()
		var r row
		if err := dec.Decode(&r); err != nil {
			ts.Fatalf("%s:%d: %v in %.200q", file, n+1, err, line)
		}
		rows = append(rows, r)
	}
	return rows
}

// rowsCommand is `rows N [FILE]`.
func rowsCommand(ts *testscript.TestScript, _ bool, args []string) {
	file := "stdout"
	if len(args) > 1 {
		file = ts.MkAbs(args[1])
	}
	rows := readRows(ts, file)
	if len(rows) != number(ts, args[0]) {
		ts.Fatalf("%d rows, want %s", len(rows), args[0])
	}
	for i, r := range rows {
		if err := keepsContract(r); err != nil {
			ts.Fatalf("row %d: %v", i+1, err)
		}
	}
}

// rowCommand is `row [in FILE] WHERE... -> CHECK...`.
func rowCommand(ts *testscript.TestScript, _ bool, args []string) {
	file := "stdout"
	if len(args) > 2 && args[0] == "in" {
		file, args = ts.MkAbs(args[1]), args[2:]
	}
	arrow := slices.Index(args, "->")
	if arrow < 0 {
		ts.Fatalf("usage: row [in FILE] WHERE... -> CHECK...")
	}
	met := 0
	for _, r := range readRows(ts, file) {
		if passes(ts, r, "case.", args[:arrow]) != "" {
			continue
		}
		met++
		if check := passes(ts, r, "", args[arrow+1:]); check != "" {
			text, _ := json.Marshal(r)
			ts.Fatalf("%s: not so in %s", check, text)
		}
	}
	if met == 0 {
		ts.Fatalf("no row is %q", args[:arrow])
	}
}

// passes returns the first check that the row fails, or "".
func passes(ts *testscript.TestScript, r row, prefix string, checks []string) string {
	for _, check := range checks {
		parts := checkForm.FindStringSubmatch(check)
		if parts == nil {
			ts.Fatalf("%q is no check", check)
		}
		holds, err := compare(r.get(prefix+parts[1]), parts[2], parts[3])
		ts.Check(err)
		if !holds {
			return check
		}
	}
	return ""
}

var checkForm = regexp.MustCompile(`^([a-z_0-9.]+)(>=|=|~|>)(.*)$`)

func compare(got, operator, want string) (bool, error) {
	switch operator {
	case "=":
		return got == want, nil
	case "~":
		return regexp.MatchString(want, got)
	}
	limit, err := strconv.ParseFloat(want, 64)
	if err != nil {
		return false, err
	}
	value, err := strconv.ParseFloat(got, 64)
	return err == nil && (value > limit || operator == ">=" && value == limit), nil
}

// get gives what a path such as "failures.0.reason" leads to, as text: the
// empty one where it leads nowhere.
func (r row) get(path string) string {
	var at any = map[string]any(r)
	for name := range strings.SplitSeq(path, ".") {
		switch v := at.(type) {
		case map[string]any:
			at = v[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(v) {
				return ""
			}
			at = v[i]
		default:
			return ""
		}
	}
	return plain(at)
}

// plain prints strings and numbers as they are and the rest as JSON.
func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case json.Number:
		return v.String()
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	return strings.TrimSpace(text.String())
}

// contractUnits are the metrics of each kind of case, with those of the host.
var contractUnits = map[string]map[string]string{
	"handshake": {
		"connect": "s", "client_complete": "s", "server_complete": "s", "request": "s", "response": "s",
		"client_cpu": "s", "server_cpu": "s", "client_memory": "B", "server_memory": "B", "energy": "J",
		"process": "s", "cpu_share": "", "memory_share": "", "packets": "", "retransmissions": "", "wire_bytes": "B",
	},
	"record": {"encrypt": "s", "decrypt": "s", "energy": "J", "cpu_share": "", "memory_share": ""},
}

// keepsContract holds a row against what other programs may rely on.
func keepsContract(r row) error {
	for _, check := range []func(row) error{contractFields, contractCounts, contractMetrics, contractProof, contractWire} {
		if err := check(r); err != nil {
			return err
		}
	}
	return nil
}

// contractFields: the fields are there, and of their type.
func contractFields(r row) error {
	for path, form := range map[string]string{
		"schema": "^1$", "id": "^[0-9a-f]{12}$", "label": "^measured$", "status": "^(ok|cannot|failed|error)$",
		"case.kind": "^(handshake|record)$", "case.client": ".", "case.server": ".", "case.protocol": "^tls$",
		"case.version": "^(|1.2|1.3)$", "case.mode": "^(full|resumed|early-data)$", "case.mutual": "^(true|false)$",
		"case.link": ".", "case.size": "^[0-9]+$", "attempted": "^[0-9]+$", "completed": "^[0-9]+$",
		"failures": `^\[`, "metrics": `^\{`, "proof": `^\{`, "warnings": `^\[`,
		"stopped": "^(|interval|samples|time|interrupt|failures)$",
	} {
		if got := r.get(path); !regexp.MustCompile(form).MatchString(got) {
			return fmt.Errorf("%s is %q, want %s", path, got, form)
		}
	}
	for _, name := range []string{"group", "suite", "auth", "op", "provider", "token"} {
		if _, text := r["case"].(map[string]any)[name].(string); !text {
			return fmt.Errorf("case.%s is missing", name)
		}
	}
	if (r.get("status") == "ok") != (r.get("reason") == "") {
		return fmt.Errorf("status %s with the reason %q", r.get("status"), r.get("reason"))
	}
	return nil
}

// contractCounts: each repetition was completed or has failed, and a failure
// has a reason.
func contractCounts(r row) error {
	failed := 0
	for i := range r["failures"].([]any) {
		at := fmt.Sprintf("failures.%d.", i)
		n, err := strconv.Atoi(r.get(at + "count"))
		if err != nil || n < 1 || r.get(at+"reason") == "" {
			return fmt.Errorf("failures: %s", r.get("failures"))
		}
		failed += n
	}
	attempted, _ := strconv.Atoi(r.get("attempted"))
	completed, _ := strconv.Atoi(r.get("completed"))
	if attempted != completed+failed {
		return fmt.Errorf("%d attempted, %d completed and %d failed", attempted, completed, failed)
	}
	if r.get("status") == "ok" && (completed == 0 || r.get("stopped") == "") {
		return fmt.Errorf("ok with %d completed, stopped by %q", completed, r.get("stopped"))
	}
	return nil
}

// contractMetrics: known names, their units, and figures that go together.
func contractMetrics(r row) error {
	metrics := r["metrics"].(map[string]any)
	if r.get("status") == "cannot" || r.get("status") == "failed" {
		if len(metrics) > 0 {
			return fmt.Errorf("status %s with figures", r.get("status"))
		}
		return nil
	}
	units := contractUnits[r.get("case.kind")]
	for name := range metrics {
		unit, known := units[name]
		if got := r.get("metrics." + name + ".unit"); !known || got != unit {
			return fmt.Errorf("metric %s in %q, want one of %v", name, got, units)
		}
		if err := contractEstimate(r, "metrics."+name+"."); err != nil {
			return err
		}
	}
	return nil
}

// contractEstimate: all figures of an estimate, none negative, in their order.
func contractEstimate(r row, at string) error {
	v := map[string]float64{}
	for _, name := range []string{"median", "low", "high", "level", "mean", "sd", "p95", "p99", "min", "max", "n"} {
		figure, err := strconv.ParseFloat(r.get(at+name), 64)
		if err != nil || figure < 0 {
			return fmt.Errorf("%s%s is %q", at, name, r.get(at+name))
		}
		v[name] = figure
	}
	within := v["low"] <= v["median"] && v["median"] <= v["high"]
	ordered := v["min"] <= v["median"] && v["median"] <= v["p95"] && v["p95"] <= v["p99"] && v["p99"] <= v["max"]
	if !within || !ordered || v["n"] < 1 || v["level"] != 0.95 {
		return fmt.Errorf("%s: %v do not go together", at, v)
	}
	return nil
}

// contractProof: a row with figures has both sides' word that they are of what
// the label says, a foreign server's side left out.
func contractProof(r row) error {
	if r.get("status") != "ok" {
		return nil
	}
	sides := []string{"client", "server"}
	if strings.Contains(r.get("case.server"), ":") {
		sides = sides[:1]
	}
	for _, side := range sides {
		for _, field := range []string{"version", "suite", "group", "mode"} {
			proof, label := r.get("proof."+side+"."+field), r.get("case."+field)
			if field != "group" && proof == "" || label != "" && proof != "" && proof != label {
				return fmt.Errorf("the %s's proof says %s %q, the label %q", side, field, proof, label)
			}
		}
	}
	return nil
}

// contractWire: a handshake that was seen on the wire was seen whole, and the wire
// says what the label says; of a record the bytes are known. A run that was cut
// short may not have come to it.
func contractWire(r row) error {
	if r.get("wire") == "" {
		return nil
	}
	fields := []string{
		"messages", "flights", "client_bytes", "server_bytes", "client_packets", "server_packets",
		"client_hello.message", "client_hello.record", "client_hello.packets",
		"server_hello.message", "server_hello.record", "server_hello.packets",
	}
	if r.get("case.kind") == "record" {
		fields = []string{"record_bytes"}
	}
	for _, field := range fields {
		if n, err := strconv.Atoi(r.get("wire." + field)); err != nil || n < 1 {
			return fmt.Errorf("wire.%s is %q", field, r.get("wire."+field))
		}
	}
	if r.get("case.kind") == "record" {
		return nil
	}
	return contractCountsOfWire(r)
}

// contractCountsOfWire: messages and round trips go with version, mode and retry
// (RFC 5246 7.3, RFC 8446 2).
func contractCountsOfWire(r row) error {
	version, mode := r.get("proof.wire.version"), r.get("proof.wire.mode")
	if version != r.get("proof.client.version") || mode != r.get("case.mode") {
		return fmt.Errorf("the wire says %s %s, the client %s, the label %s", version, mode, r.get("proof.client.version"), r.get("case.mode"))
	}
	trips := map[string]int{"1.2 full": 2, "1.2 resumed": 1, "1.3 full": 1, "1.3 resumed": 1, "1.3 early-data": 0}[version+" "+mode]
	if r.get("wire.hello_retry") == "true" {
		trips++
	}
	if got := r.get("wire.round_trips"); got != strconv.Itoa(trips) {
		return fmt.Errorf("%s round trips, want %d", got, trips)
	}
	return nil
}
