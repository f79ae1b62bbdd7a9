package report

import (
	"strings"
	"time"

	"shakedown/machine"
	"shakedown/plan"
	"shakedown/result"
	"shakedown/spec"
	"shakedown/stats"
)

// estimate makes a metric with an interval of ± rel.
func estimate(unit string, median, rel float64, n int) result.Metric {
	return result.Metric{Estimate: stats.Estimate{
		Unit: unit, Median: median, Low: median * (1 - rel), High: median * (1 + rel), Level: 0.95,
		Mean: median * 1.03, SD: median * 0.12, P95: median * 1.2, P99: median * 1.5, Min: median * 0.9, Max: median * 2, N: n,
	}}
}

func called(m result.Metric, what string) result.Metric {
	m.What = what
	return m
}

// caseOf reads a case from "field=value" words.
func caseOf(words string) spec.Case {
	c := spec.Case{Kind: spec.KindHandshake, Protocol: spec.ProtocolTLS, Mode: spec.ModeFull, Link: "loopback"}
	for _, word := range strings.Fields(words) {
		field, value, _ := strings.Cut(word, "=")
		if err := c.Set(field, value); err != nil {
			panic(err)
		}
	}
	return c
}

// good makes a row with figures.
func good(words string, metrics map[string]result.Metric) result.Row {
	c := caseOf(words)
	n := metrics["response"].N + metrics["encrypt"].N
	return result.Row{
		Schema: result.Schema, ID: c.ID(), Label: result.Measured, Status: result.OK, Case: c,
		Attempted: n, Completed: n, Failures: []result.Failure{}, Metrics: metrics,
		Stopped: result.StoppedSamples, Warnings: []string{},
	}
}

// bad makes a row without figures.
func bad(words string, status result.Status, reason string) result.Row {
	r := good(words, map[string]result.Metric{})
	r.Status, r.Reason, r.Stopped = status, reason, result.StoppedFailures
	return r
}

// handshake makes the metrics of a handshake from the time of its answer, s.
func handshake(answer float64, n int) map[string]result.Metric {
	return map[string]result.Metric{
		"connect":         estimate("s", answer/12, 0.02, n),
		"client_complete": estimate("s", answer*0.9, 0.011, n),
		"server_complete": estimate("s", answer*0.93, 0.012, n),
		"request":         estimate("s", answer*0.95, 0.012, n),
		"response":        estimate("s", answer, 0.013, n),
		"client_cpu":      called(estimate("s", answer*0.55, 0.02, n/20), "mean of a block"),
		"server_cpu":      called(estimate("s", answer*0.35, 0.02, n/20), "mean of a block"),
		"client_memory":   called(estimate("B", 118_000, 0.01, 5), "heap"),
		"server_memory":   called(estimate("B", 98_500, 0.01, 5), "heap"),
		"cpu_share":       called(estimate("", 0.512+answer*10, 0.01, 9), "whole machine"),
		"memory_share":    called(estimate("", 0.113, 0.001, 9), "whole machine"),
	}
}

func record(encrypt, decrypt float64) map[string]result.Metric {
	return map[string]result.Metric{
		"encrypt": called(estimate("s", encrypt, 0.01, 200), "mean of 256 records"),
		"decrypt": called(estimate("s", decrypt, 0.01, 200), "mean of 256 records"),
	}
}

// gainOver compares two rows in the fixture.
func gainOver(title, metric string, base, this result.Row, significant bool, published *plan.Published) result.Comparison {
	g := base.Metrics[metric].Mean/this.Metrics[metric].Mean - 1
	low, high := g-0.031, g+0.029
	if !significant {
		low, high = min(low, -0.012), max(high, 0.012)
	}
	return result.Comparison{
		Title: title, Metric: metric, Statistic: "mean", Base: base.ID, Gain: g, Low: low, High: high,
		Significant: significant, Published: published,
	}
}

const (
	paperClock = "gain over TLS 1.2 until the client's handshake is complete (the paper's clock)"
	fairClock  = "gain over TLS 1.2 until the first byte of the answer"
	source     = "A. Author, Journal of Examples 1 (2022), section 5"
)

// started is when the runs of the fixtures began.
var started = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func environment() machine.Environment {
	return machine.Environment{
		OS: "linux", Arch: "arm64", Kernel: "6.12.0", CPU: "Cortex-A72", CPUs: 4, Features: []string{"asimd", "aes", "pmull"},
		Governor: "performance", Clock: "arch_sys_counter", MemoryKiB: 4 << 20, Go: "go1.26.8",
	}
}

// paper is a run that repeats a publication.
func paper() (result.Run, []result.Row) {
	published := func(v float64) *plan.Published {
		return &plan.Published{Metric: "gain", Value: v, Unit: "%", Source: source}
	}
	const shared = "group=secp256r1 auth=ecdsa-p256 "
	old := "version=1.2 suite=TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 " + shared
	gcm := "version=1.3 suite=TLS_AES_128_GCM_SHA256 " + shared
	var rows []result.Row
	for i, name := range []string{"openssl@3.5.9", "wolfssl@5.7.2"} {
		stacks, slower := "client="+name+" server="+name+" ", 1+float64(i)*0.37
		base := good(stacks+old, handshake(0.000913*slower, 10000))
		full := good(stacks+gcm, handshake(0.000702*slower, 10000))
		full.Comparisons = []result.Comparison{
			gainOver(paperClock, "client_complete", base, full, true, published(39.94)),
			gainOver(fairClock, "response", base, full, i == 0, nil),
		}
		early := good(stacks+gcm+" mode=early-data", handshake(0.000455, 10000))
		early.Comparisons = []result.Comparison{gainOver(paperClock, "client_complete", base, early, true, published(116.20))}
		if i == 1 {
			early = bad(stacks+gcm+" mode=early-data", result.Cannot, name+": this build has no early data")
		}
		chacha := good(stacks+"version=1.3 suite=TLS_CHACHA20_POLY1305_SHA256 "+shared, handshake(0.000733*slower, 10000))
		chacha.Warnings = []string{"response: outliers: 200 of 10000 samples (2.0 %) above 2.1 times the median; they raise the mean by 6.5 %"}
		rows = append(rows, base, full, early, chacha)
	}
	rows[3].Warnings = []string{"response: outliers: 350 of 10000 samples (3.5 %) above 2.1 times the median; they raise the mean by 16 %"}
	rows = append(rows, records()...)
	run := result.Run{
		Schema: 1, Tool: "v1.0.0 go1.26.8", Started: started, Seed: 42, CommandLine: []string{"run", "paper"},
		Plan: plan.Plan{
			Name: "paper", Title: "TLS 1.2 against TLS 1.3", Question: "How much faster is TLS 1.3?", Source: source,
			Comparisons: []plan.Comparison{
				{Title: paperClock, Metric: "client_complete", Statistic: "mean"},
				{Title: fairClock, Metric: "response", Statistic: "mean"},
				{Title: "gain of the impossible", Metric: "response"},
			},
			Notes: []string{"The paper's tables are not available."},
		},
		Effort: plan.Effort{Samples: 10000, Time: plan.Duration(time.Hour)}, Environment: environment(), Stacks: map[string]result.Stack{
			"openssl@3.5.9": {Info: spec.Info{Library: "OpenSSL 3.5.9 29 Sep 2026"}, Root: "/opt/trixie"},
			"wolfssl@5.7.2": {Info: spec.Info{Library: "wolfSSL 5.7.2"}},
		},
	}
	return run, rows
}

func records() []result.Row {
	var rows []result.Row
	for i, suite := range []string{"TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_CCM_8_SHA256"} {
		slow := float64(i) * 0.2e-6
		words := "kind=record client=openssl@3.5.9 server=openssl@3.5.9 version=1.3 group=secp256r1 auth=ecdsa-p256 size=14 suite=" + suite
		r := good(words, record(0.35e-6+slow, 0.41e-6))
		r.Wire = &result.Wire{RecordBytes: []int{36, 36, 28}[i]}
		if i == 2 {
			r.Published = []plan.Published{{Metric: "encrypt", Value: 35e-6, Unit: "s", Source: source + " (another machine)"}}
		}
		rows = append(rows, r)
	}
	return rows
}

// rough is an interrupted run of flags in which much went wrong.
func rough() (result.Run, []result.Row) {
	open := good("client=go@1.26.8 server=openssl@3.0.22 version=1.3 auth=ecdsa-p256", handshake(0.00123, 420))
	open.Stopped = result.StoppedInterrupt
	open.Proof.Client = &spec.Proof{Version: "1.3", Group: "x25519", Suite: "TLS_AES_128_GCM_SHA256"}
	open.Metrics["client_memory"] = called(estimate("B", 1_300_000, 0.05, 5), "rss")
	open.Warnings = []string{"fell back to x25519: go@1.26.8 prefers X25519MLKEM768, openssl@3.0.22 has not taken it"}
	flaky := good("client=openssl@3.0.22 server=go@1.26.8 version=1.3 auth=rsa-2048 mutual=true", handshake(0.0102, 960))
	flaky.Attempted, flaky.Stopped = 1000, result.StoppedTime
	flaky.Failures = []result.Failure{{Reason: "timeout", Side: "server", Count: 38}, {Reason: "alert", Side: "client", Alert: "bad_record_mac", Detail: "\x1b[31mred", Count: 2}}
	flaky.Proof.Client = &spec.Proof{Group: "X25519MLKEM768", Suite: "TLS_AES_128_GCM_SHA256"}
	delete(flaky.Metrics, "server_cpu")
	rows := []result.Row{
		open, flaky,
		bad("client=openssl@3.0.22 server=go@1.26.8 version=1.3 auth=ecdsa-p256 mode=resumed", result.Error, "client says mode full, the case says resumed"),
		bad("client=mbedtls@2.28.3 server=go@1.26.8 version=1.3 auth=ecdsa-p256", result.Cannot, "mbedtls@2.28.3: this build has no TLS 1.3"),
		bad("client=mbedtls@2.28.3 server=go@1.26.8 version=1.3 auth=rsa-2048", result.Cannot, "mbedtls@2.28.3: this build has no TLS 1.3"),
		bad("client=go@1.26.8 server=192.0.2.1:443 version=1.2 auth=ecdsa-p256", result.Failed, "no handshake completed: timeout at the client"),
	}
	run := result.Run{
		Schema: 1, Tool: "v1.0.0 go1.26.8", Started: started, Seed: 7, CommandLine: []string{"run", "--client", "go"},
		Plan:   plan.Plan{Name: "flags", Title: "The cases named on the command line"},
		Effort: plan.Effort{Precision: 0.01}, Environment: machine.Environment{OS: "linux", Arch: "amd64", CPUs: 1, Virtual: "QEMU"},
		Settings: result.Settings{Fault: "skip-ticket", Insecure: true},
		Cases: []result.CaseEntry{
			{ID: open.ID, Text: "shown"},
			{ID: "a", Text: "handshake go -> go, TLS 1.2, early-data", Cannot: "early data needs version 1.3"},
			{ID: "b", Text: "handshake go -> go, TLS 1.3"},
		},
	}
	return run, rows
}
