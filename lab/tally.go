package lab

import (
	"shakedown/driver"
	"shakedown/link/seen"
	"shakedown/result"
	"shakedown/spec"
)

// tally turns the two sides' accounts of handshakes into a block.
type tally struct {
	c         spec.Case
	hasServer bool
	block     result.Block

	connections []*seen.Connection // where packets were seen
}

func newTally(c spec.Case, hasServer bool) *tally {
	return &tally{c: c, hasServer: hasServer, block: result.Block{
		Metrics: map[string][]float64{}, What: map[string]string{},
	}}
}

// add counts one handshake: a sample when both sides completed it as labelled.
func (t *tally) add(client driver.Handshake, servers map[int]driver.Handshake) {
	t.block.Attempted++
	server, met := servers[client.Port]
	switch {
	case !client.OK:
		t.fail(failureOf(client))
	case t.hasServer && !met:
		t.fail(result.Failure{Reason: "missing", Side: "server", Detail: "the server has no account of it"})
	case t.hasServer && !server.OK:
		t.fail(failureOf(server))
	default:
		t.complete(client, server)
	}
}

func (t *tally) complete(client, server driver.Handshake) {
	witnesses := []spec.Witness{{Name: "client", Proof: client.Proof}}
	if t.hasServer {
		witnesses = append(witnesses, spec.Witness{Name: "server", Proof: server.Proof})
	}
	if mismatch := judge(t.c, witnesses...); mismatch != "" {
		t.block.Mismatch = mismatch
		t.fail(result.Failure{Reason: "proof", Side: "", Detail: mismatch})
		t.prove(client, server)
		return
	}
	t.block.Completed++
	t.prove(client, server)
	t.marks(client, server)
	t.packets(client.Port)
}

// judge holds what the witnesses say against the label of the case, and against
// each other. It returns one sentence, or "" where nothing contradicts.
func judge(c spec.Case, witnesses ...spec.Witness) string {
	for i, w := range witnesses {
		if said := c.Judge(w.Name, w.Proof); said != "" {
			return said
		}
		for _, other := range witnesses[:i] {
			if said := spec.Disagree(other, w); said != "" {
				return said
			}
		}
	}
	return ""
}

// prove keeps the proof of the block's first handshake.
func (t *tally) prove(client, server driver.Handshake) {
	if t.block.Proof.Client == nil {
		t.block.Proof = result.Proof{Client: client.Proof, Server: server.Proof}
	}
}

// marks adds the samples of one handshake, in seconds from the client's start.
func (t *tally) marks(client, server driver.Handshake) {
	t.sample("connect", client.Dial, client.Connected)
	t.sample("client_complete", client.Start, client.Complete)
	t.sample("server_complete", client.Start, server.Complete)
	t.sample("request", client.Start, server.Request)
	t.sample("response", client.Start, client.Response)
}

// packets adds what was seen of the connection from a port, to its end.
func (t *tally) packets(port int) {
	c := seen.Of(t.connections, port)
	if c == nil {
		return
	}
	for metric, value := range map[string]int{
		"packets": len(c.Packets), "wire_bytes": c.Bytes(), "retransmissions": c.Retransmissions(),
	} {
		t.block.Metrics[metric] = append(t.block.Metrics[metric], float64(value))
		t.block.What[metric] = "both ways, connect and close included"
	}
}

func (t *tally) sample(metric string, from, to int64) {
	if s, ok := seconds(from, to); ok {
		t.block.Metrics[metric] = append(t.block.Metrics[metric], s)
	}
}

func failureOf(h driver.Handshake) result.Failure {
	side := h.Side
	if h.From == "peer" {
		side = map[string]string{"client": "server", "server": "client"}[side]
	}
	return result.Failure{Reason: h.Reason, Side: side, Alert: h.Alert, Detail: h.Detail}
}

// told puts a failure into words.
func told(f result.Failure) string {
	text := f.Reason + " at the " + f.Side
	if f.Alert != "" {
		text += ", alert " + f.Alert
	}
	if f.Detail != "" {
		text += " (" + f.Detail + ")"
	}
	return text
}

func (t *tally) fail(f result.Failure) { t.block.Failures = addFailure(t.block.Failures, f, 1) }

// addFailure counts a failure with those that are alike.
func addFailure(all []result.Failure, f result.Failure, n int) []result.Failure {
	for i := range all {
		same := all[i]
		same.Count = f.Count
		if same == f {
			all[i].Count += n
			return all
		}
	}
	f.Count = n
	return append(all, f)
}

// sides adds what was counted for the whole block: processor time per handshake.
func (t *tally) sides(client driver.Block, server driver.Report) {
	t.block.CPU = client.CPU + server.CPU
	t.perHandshake("client_cpu", client.CPU, t.block.Attempted)
	if t.hasServer {
		t.perHandshake("server_cpu", server.CPU, server.Count)
	}
}

func (t *tally) perHandshake(metric string, cpu float64, n int) {
	if t.block.Completed == t.block.Attempted && n > 0 {
		t.block.Metrics[metric] = []float64{cpu / float64(n)}
		t.block.What[metric] = "mean of a block"
	}
}
