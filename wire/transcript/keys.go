package transcript

import (
	"shakedown/wire"
	"shakedown/wire/protect"
)

// keys13 sets the keys of both directions, all with the suite of the ServerHello:
// 0-RTT data that the server accepts has the same (RFC 8446 4.2.10).
func (r *reader) keys13() {
	r.sides[Client].stages = r.stages(
		protect.ClientEarlySecret, protect.ClientHandshakeSecret, protect.ClientApplicationFirst)
	r.sides[Server].stages = r.stages(
		protect.ServerHandshakeSecret, protect.ServerApplicationFirst)
}

// epochs says what the secrets of TLS 1.3 protect.
var epochs = map[protect.Label]Epoch{
	protect.ClientEarlySecret: Early, protect.ClientHandshakeSecret: Handshake,
	protect.ServerHandshakeSecret: Handshake, protect.ClientApplicationFirst: Application,
	protect.ServerApplicationFirst: Application,
}

func (r *reader) stages(labels ...protect.Label) (stages []stage) {
	for _, label := range labels {
		secret := r.keys.Secret(label, r.random)
		if secret == nil || label == protect.ClientEarlySecret && !r.offered {
			continue
		}
		if opener, err := protect.New13(r.suite, secret); err == nil {
			stages = append(stages, stage{opener, epochs[label]})
		}
	}
	return stages
}

// keys12 sets the keys of a direction after its ChangeCipherSpec.
func (r *reader) keys12(side Side, d *direction) {
	client, server, err := protect.New12(protect.Session12{
		Version: r.version, Suite: r.suite, EncryptThenMAC: r.etm,
		Master:       r.keys.Secret(protect.MasterSecret, r.random),
		ClientRandom: r.random, ServerRandom: r.server,
	})
	if err != nil {
		return
	}
	opener := client
	if side == Server {
		opener = server
	}
	d.stages = []stage{{opener, Application}}
}

// update follows a KeyUpdate.
func (r *reader) update(d *direction, body []byte) {
	var m wire.KeyUpdate
	if m.Parse(body) != nil || len(d.stages) == 0 {
		return
	}
	if err := d.stages[0].Update(); err != nil {
		d.stages = nil
	}
}
