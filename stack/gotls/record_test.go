package gotls

import (
	"testing"

	"shakedown/driver"
)

// TestRecord checks the bytes of a record against the formats: header, explicit
// nonce (RFC 5288 3), content type (RFC 8446 5.2), tag.
func TestRecord(t *testing.T) {
	for _, c := range []struct {
		suite    string
		overhead int
	}{
		{"TLS_AES_128_GCM_SHA256", 5 + 1 + 16},
		{"TLS_AES_256_GCM_SHA384", 5 + 1 + 16},
		{"TLS_CHACHA20_POLY1305_SHA256", 5 + 1 + 16},
		{"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", 5 + 8 + 16},
		{"TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", 5 + 16},
	} {
		for _, size := range []int{1, 32, driver.MaxApp} {
			id := identity(t, "ecdsa-p256", false)
			op := start(t, "op", driver.Config{
				Op: "record", Size: size, Suites: []string{c.suite}, Cert: id.Chain, Key: id.Key, CA: id.Root,
			})
			checkRecord(t, op, c.suite, size+c.overhead)
		}
	}
}

func checkRecord(t *testing.T, op *driver.Process, suite string, bytes int) {
	t.Helper()
	ready := op.Ready
	if ready.RecordBytes != bytes || ready.Batch < 1 {
		t.Errorf("%s: %d bytes in batches of %d, want %d bytes", suite, ready.RecordBytes, ready.Batch, bytes)
	}
	if ready.Proof == nil || ready.Proof.Client.Suite != suite || ready.Proof.Server.Suite != suite {
		t.Fatalf("%s: proof %+v", suite, ready.Proof)
	}
	block, err := op.RunOp(patience(t), 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, metric := range []string{"encrypt", "decrypt"} {
		s := block.Samples[metric]
		if s.Unit != "s" || s.Batch != ready.Batch || len(s.Values) != 3 {
			t.Errorf("%s %s: %+v", suite, metric, s)
		}
		for _, v := range s.Values {
			if v <= 0 || v > 1 {
				t.Errorf("%s %s: %g s", suite, metric, v)
			}
		}
	}
	if block.Block.Count != 3 || block.Block.CPU <= 0 {
		t.Errorf("%+v", block.Block)
	}
}
