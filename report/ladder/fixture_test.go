package ladder

import (
	"fmt"
	"slices"
	"strings"

	"shakedown/result"
	"shakedown/spec"
)

// mss is that of the fixtures, in bytes.
const mss = 1448

// fixtures are handshakes as they came over the wire, by the name of their golden
// file.
func fixtures() map[string]result.Transcript {
	return map[string]result.Transcript{
		"hybrid": hybrid(), "tls12": tls12(), "early": early(), "retry": retry(),
		"closed": closedRecords(), "cut": cut(), "large": large(),
	}
}

// transcriptOf builds a transcript of messages, one a line: ms, side, epoch, bytes of
// message and record, packets, flight, marks (c counted, p post, s shared, n in
// three records, - none), name.
func transcriptOf(c spec.Case, proof spec.Proof, lines string) result.Transcript {
	t := result.Transcript{
		Schema: result.Schema, ID: c.ID(), Label: result.Measured, Case: c, Decrypted: true,
		Wire:  result.Exchange{MSS: mss, PacketsLabel: result.Composed},
		Proof: result.Proof{Client: &proof, Server: &proof, Wire: &proof},
	}
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		t.Messages = append(t.Messages, message(line))
	}
	for _, m := range t.Messages {
		addTo(&t, m)
	}
	t.Wire.MessagesPaper, t.Wire.Flights = t.Wire.Messages, len(t.Flights)
	return t
}

func message(line string) (m result.Message) {
	var ms float64
	var marks string
	fields := strings.Fields(line)
	text := strings.Join(fields[:8], " ")
	if _, err := fmt.Sscan(text, &ms, &m.From, &m.Epoch, &m.Size, &m.Record, &m.Packets, &m.Flight, &marks); err != nil {
		panic(err)
	}
	m.Name, m.Time, m.Records = strings.Join(fields[8:], " "), ms/1000, 1
	m.Counted, m.Post = strings.Contains(marks, "c"), strings.Contains(marks, "p")
	m.Shared = strings.Contains(marks, "s")
	if strings.Contains(marks, "n") {
		m.Records = 3
	}
	return m
}

// addTo counts a message into its flight and the totals.
func addTo(t *result.Transcript, m result.Message) {
	x := &t.Wire
	switch {
	case m.Counted:
		x.Messages++
	case m.Post:
		x.MessagesPost++
	}
	if m.Flight == 0 {
		return
	}
	if m.Flight > len(t.Flights) {
		t.Flights = append(t.Flights, result.Flight{Number: m.Flight, From: m.From, Start: m.Time})
	}
	f := &t.Flights[m.Flight-1]
	before := f.Packets
	f.Bytes, f.End = f.Bytes+m.Record, m.Time
	f.Packets = (f.Bytes-1)/mss + 1
	f.Extra = slices.IndexFunc([]int{10, 30, 70, 150}, func(most int) bool { return f.Packets <= most })
	bytes, packets := &x.ClientBytes, &x.ClientPackets
	if m.From == server {
		bytes, packets = &x.ServerBytes, &x.ServerPackets
	}
	*bytes, *packets = *bytes+m.Record, *packets+f.Packets-before
}

func caseOf(client, server string, version spec.Version, mode spec.Mode) spec.Case {
	return spec.Case{
		Kind: spec.KindHandshake, Client: client, Server: server, Protocol: spec.ProtocolTLS,
		Version: version, Mode: mode, Link: "loopback",
	}
}

func proof(version, suite, group, signature, mode string) spec.Proof {
	no := false
	return spec.Proof{
		Version: version, Suite: suite, Group: group, Signature: signature, Mode: mode, HelloRetry: &no, Mutual: &no,
	}
}

// extensions reads "name bytes [part:bytes …]" lines.
func extensions(lines string) (list []result.Extension) {
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		fields := strings.Split(strings.TrimSpace(line), ", ")
		e := result.Extension{Name: partOf(fields[0]).Name, Bytes: partOf(fields[0]).Bytes}
		for _, field := range fields[1:] {
			e.Parts = append(e.Parts, partOf(field))
		}
		list = append(list, e)
	}
	return list
}

func partOf(text string) (p result.Part) {
	at := strings.LastIndex(text, " ")
	p.Name = text[:at]
	if _, err := fmt.Sscan(text[at:], &p.Bytes); err != nil {
		panic(err)
	}
	return p
}

func fitOf(bytes int) *result.Fit {
	return &result.Fit{Label: result.Composed, MSS: mss, Bytes: bytes, Packets: (bytes-1)/mss + 1, Spare: mss - bytes}
}

// way is a change to a ClientHello of so many bytes.
func way(name string, bytes, saves int, price string) result.Way {
	return result.Way{Name: name, Saves: saves, Bytes: bytes - saves, Fits: bytes-saves <= mss, Price: price}
}

var (
	withoutShare = "a HelloRetryRequest, one round trip, with servers that lack X25519MLKEM768"
	withoutLooks = "networks that let pass only what looks like TLS 1.2 (RFC 8446 D.4)"
	without12    = "servers without TLS 1.3"
)

// hybrid: OpenSSL 3.5 offers X25519MLKEM768 alone.
func hybrid() result.Transcript {
	p := proof("1.3", "TLS_AES_128_GCM_SHA256", "X25519MLKEM768", "ecdsa_secp256r1_sha256", "full")
	t := transcriptOf(caseOf("openssl@3.5.9", "caddy@2.11.4", spec.Version13, spec.ModeFull), p, `
		0     client clear       1488 1493 2 1 c ClientHello
		1.113 server clear       1210 1215 1 2 c ServerHello
		1.113 server clear          1    6 1 2 - ChangeCipherSpec
		1.113 server handshake     10   32 1 2 c EncryptedExtensions
		1.113 server handshake    788  810 2 2 c Certificate
		1.113 server handshake     79  101 1 2 c CertificateVerify
		1.113 server handshake     36   58 1 2 c Finished
		2.404 client clear          1    6 1 3 - ChangeCipherSpec
		2.404 client handshake     36   58 1 3 c Finished
		2.431 client application   73   95 1 0 - application data
		2.688 server application  122  144 1 0 p NewSessionTicket
		2.911 server application  151  173 1 0 - application data
		2.912 server application    2   24 1 0 - alert close_notify`)
	server := p
	server.Signature, server.HelloRetry, server.Mutual = "", nil, nil // Caddy cannot tell
	verified := true
	t.Proof.Client.Verified, t.Proof.Server = &verified, &server
	wire := p
	t.Proof.Wire = &wire
	t.Wire.RoundTrips = 1
	t.Hello = &result.Offer{JA4: "t13d301100_1d37bd780c83_214a7489a1d6", Other: 137, Extensions: extensions(`
		renegotiation_info 5
		server_name 18, name 9
		supported_groups 8, 1 group 2
		session_ticket 4
		encrypt_then_mac 4
		extended_master_secret 4
		signature_algorithms 58, 26 schemes 52
		supported_versions 9
		psk_key_exchange_modes 6
		key_share 1226, X25519MLKEM768 1220
		compress_certificate 9`)}
	t.Fit = fitOf(1493)
	t.Fit.Ways = []result.Way{way("no compatibility mode", 1493, 32, withoutLooks), way("TLS 1.3 only", 1493, 56, without12)}
	t.Fit.Enough = []string{"TLS 1.3 only"}
	return t
}

func tls12() result.Transcript {
	p := proof("1.2", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "x25519", "ecdsa_secp256r1_sha256", "full")
	t := transcriptOf(caseOf("openssl@3.0.22", "openssl@3.0.22", spec.Version12, spec.ModeFull), p, `
		0     client clear       200 205 1 1 c ClientHello
		0.118 server clear        93  98 1 2 c ServerHello
		0.118 server clear       315 320 1 2 c Certificate
		0.118 server clear       116 121 1 2 c ServerKeyExchange
		0.118 server clear         4   9 1 2 c ServerHelloDone
		0.421 client clear        37  42 1 3 c ClientKeyExchange
		0.421 client clear         1   6 1 3 c ChangeCipherSpec
		0.421 client application  16  45 1 3 c Finished
		0.610 server clear         1   6 1 4 c ChangeCipherSpec
		0.610 server application  16  45 1 4 c Finished
		0.653 client application   2  31 1 0 - alert close_notify`)
	t.Wire.RoundTrips = 2
	t.Hello = &result.Offer{JA4: "t12d270700_a2460661a67a_eed5f1524d5c", Other: 99, Extensions: extensions(`
		renegotiation_info 5
		server_name 18, name 9
		ec_point_formats 8
		supported_groups 16, 5 groups 10
		encrypt_then_mac 4
		extended_master_secret 4
		signature_algorithms 46, 20 schemes 40`)}
	t.Fit = fitOf(205)
	return t
}

// early: a resumption whose first request leaves with the ClientHello.
func early() result.Transcript {
	p := proof("1.3", "TLS_AES_256_GCM_SHA384", "X25519MLKEM768", "", "early-data")
	p.Early = "accepted"
	t := transcriptOf(caseOf("openssl@3.5.9", "openssl@3.5.9", spec.Version13, spec.ModeEarlyData), p, `
		0      client clear       1572 1577 2 1 c ClientHello
		0      client clear          1    6 1 1 - ChangeCipherSpec
		0      client early         14   36 1 1 - early data
		0.647  server clear       1216 1221 1 2 c ServerHello
		0.647  server clear          1    6 1 2 - ChangeCipherSpec
		0.647  server handshake     10   32 1 2 c EncryptedExtensions
		0.647  server handshake     52   74 1 2 c Finished
		11.391 client early          4   26 1 3 c EndOfEarlyData
		11.391 client handshake     52   74 1 3 c Finished
		11.402 client application    2   24 1 0 - alert close_notify`)
	t.Wire.EarlyBytes, t.Wire.MessagesPaper = 36, 5
	t.Hello = &result.Offer{JA4: "t13d031300_55b375c5d22e_16b4759adcd3", Other: 83, Extensions: extensions(`
		server_name 18, name 9
		ec_point_formats 8
		supported_groups 22, 8 groups 16
		session_ticket 4
		encrypt_then_mac 4
		extended_master_secret 4
		signature_algorithms 46, 20 schemes 40
		supported_versions 7
		psk_key_exchange_modes 6
		key_share 1262, X25519MLKEM768 1220, x25519 36
		compress_certificate 9
		early_data 4
		pre_shared_key 95, 1 identity 38, 1 binder 49`)}
	t.Fit = fitOf(1577)
	t.Fit.Ways = []result.Way{
		way("no x25519 share", 1577, 36, withoutShare),
		way("no ticket", 1577, 99, "no resumption: a full handshake with its certificates, and no 0-RTT data, one round trip"),
		way("no compatibility mode", 1577, 32, withoutLooks),
	}
	t.Fit.Enough = []string{"no x25519 share", "no ticket"}
	return t
}

// goOffer is the ClientHello of crypto/tls.
func goOffer(t *result.Transcript) {
	t.Hello = &result.Offer{JA4: "t13d131100_f57a46bbacb6_ab7e3b40a677", Other: 103, Extensions: extensions(`
		server_name 18, name 9
		ec_point_formats 6
		renegotiation_info 5
		extended_master_secret 4
		signed_certificate_timestamp 4
		status_request 9
		supported_groups 20, 7 groups 14
		signature_algorithms 26, 10 schemes 20
		signature_algorithms_cert 30, 12 schemes 24
		supported_versions 9
		key_share 1262, X25519MLKEM768 1220, x25519 36`)}
	t.Fit = fitOf(1501)
	t.Fit.Ways = []result.Way{
		way("no x25519 share", 1501, 36, withoutShare), way("no compatibility mode", 1501, 32, withoutLooks),
		way("TLS 1.3 only", 1501, 22, without12),
	}
	t.Fit.Enough = []string{"no x25519 share", "no compatibility mode"}
}

// retry: the server takes neither share.
func retry() result.Transcript {
	p := proof("1.3", "TLS_AES_128_GCM_SHA256", "secp384r1", "ecdsa_secp256r1_sha256", "full")
	yes := true
	p.HelloRetry = &yes
	t := transcriptOf(caseOf("go@1.26.8", "example.org:443", spec.Version13, spec.ModeFull), p, `
		0      client clear       1496 1501 2 1 c ClientHello
		20.196 server clear         88   93 1 2 c HelloRetryRequest
		20.196 server clear          1    6 1 2 - ChangeCipherSpec
		20.218 client clear          1    6 1 3 - ChangeCipherSpec
		23.924 client clear        341  346 1 3 c ClientHello
		45.270 server clear        187  192 1 4 c ServerHello
		45.270 server handshake     10   32 1 4 c EncryptedExtensions
		45.270 server handshake    319  341 1 4 c Certificate
		46.017 server handshake     79  101 1 4 c CertificateVerify
		46.017 server handshake     36   58 1 4 c Finished
		46.189 client handshake     36   58 1 5 c Finished
		46.211 client application    4   26 1 0 - application data
		66.283 server application    4   26 1 0 - application data`)
	t.Proof.Server = nil // a live server tells nothing
	t.Wire.RoundTrips, t.Wire.HelloRetry = 2, true
	goOffer(&t)
	return t
}

// closedRecords: TLS 1.3 without the key log of either end.
func closedRecords() result.Transcript {
	p := proof("1.3", "TLS_AES_128_GCM_SHA256", "X25519MLKEM768", "", "full")
	p.Mutual = nil
	t := transcriptOf(caseOf("go@1.26.8", "go@1.26.8", spec.Version13, spec.ModeFull), p, `
		0     client clear  1496 1501 2 1 c ClientHello
		0.681 server clear  1210 1215 1 2 c ServerHello
		0.681 server clear     1    6 1 2 - ChangeCipherSpec
		0.681 server closed    0   32 1 2 - encrypted record
		0.681 server closed    0  341 2 2 - encrypted record
		0.681 server closed    0  101 1 2 - encrypted record
		0.681 server closed    0   58 1 2 - encrypted record
		1.128 client clear     1    6 1 0 - ChangeCipherSpec
		1.128 client closed    0   58 1 0 - encrypted record
		1.176 client closed    0   26 1 0 - encrypted record
		1.264 server closed    0   26 1 0 - encrypted record`)
	t.Decrypted, t.Wire.RoundTrips = false, 1
	t.Warnings = []string{"7 encrypted records stayed closed, so messages, flights and bytes of the handshake are not all counted: the key log of an endpoint opens them"}
	goOffer(&t)
	return t
}

// cut: the server went away within its first record.
func cut() result.Transcript {
	t := transcriptOf(caseOf("go@1.26.8", "192.0.2.7:443", spec.Version13, spec.ModeFull), spec.Proof{}, `
		0 client clear 1496 1501 2 1 c ClientHello`)
	t.Problem, t.Warnings = "server: the stream ends inside a record", []string{"the handshake did not complete"}
	goOffer(&t)
	return t
}

// large: a chain of ML-DSA-87 with a client certificate, several messages a record;
// client and wire tell different stories.
func large() result.Transcript {
	p := proof("1.3", "TLS_CHACHA20_POLY1305_SHA256", "SecP384r1MLKEM1024", "mldsa87", "full")
	t := transcriptOf(caseOf("wolfssl@5.8.2", "gnutls@3.8.10", spec.Version13, spec.ModeFull), p, `
		0     client clear        1842  1847  2 1 c  ClientHello
		31.2  server clear        1754  1759  2 2 c  ServerHello
		31.2  server handshake      10    32  1 2 cs EncryptedExtensions
		31.2  server handshake      62    62  1 2 cs CertificateRequest
		62.9  server handshake   22310 22354 16 2 cn Certificate
		62.9  server handshake    4635  4657  5 2 cs CertificateVerify
		62.9  server handshake      36    36  1 2 cs Finished
		64.0  client handshake    7502  7524  6 3 c  Certificate
		64.0  client handshake    4635  4657  5 3 cs CertificateVerify
		64.0  client handshake      36    36  1 3 cs Finished
		95.31 server application     2    24  1 0 -  alert bad_certificate_status_response
		95.32 server application    19    41  1 0 p  NewSessionTicket`)
	yes := true
	client, wire := p, p
	client.Group, wire.Mutual = "X25519MLKEM768", &yes
	t.Proof.Client, t.Proof.Wire = &client, &wire
	t.Wire.RoundTrips = 1
	t.Warnings = []string{"client says group X25519MLKEM768, wire says SecP384r1MLKEM1024"}
	t.Hello = &result.Offer{Other: 75, Extensions: extensions(`
		supported_groups 8, 1 group 2
		signature_algorithms 24, 9 schemes 18
		supported_versions 7
		psk_key_exchange_modes 6
		server_name 49, name 40
		key_share 1673, SecP384r1MLKEM1024 1669`)}
	t.Fit = fitOf(1847)
	t.Fit.Ways = []result.Way{way("server name of 12 B", 1847, 28, "the present name: the server must be reached by a shorter one")}
	return t
}
