package auth

import (
	"net/netip"
	"strings"
	"testing"
)

// FuzzParse holds a key to one spelling, and what it is made of to the bound of a key.
func FuzzParse(f *testing.F) {
	f.Add("tnr_0198c1f0-6c5e-7d0a-9a53-3f0d8a1f2b01_c2VjcmV0")
	f.Add("tnr_0198c1f0-6c5e-7d0a-9a53-3f0d8a1f2b01_")
	f.Add("tnr_" + strings.Repeat("_", 400))
	f.Fuzz(func(t *testing.T, key string) {
		id, secret, ok := parse(key)
		if ok && (prefix+string(id)+"_"+secret != key || secret == "" || len(key) > maxKey) {
			t.Errorf("parse(%q) = %q, %q", key, id, secret)
		}
	})
}

// FuzzNetwork holds that the network of a client is a network of its own, and has the client in it.
func FuzzNetwork(f *testing.F) {
	for _, s := range []string{"192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1", "fe80::1%eth0", "", "x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, client string) {
		name := Network(client)
		if p, err := netip.ParsePrefix(name); err == nil {
			if a, err := netip.ParseAddr(client); err == nil && !p.Contains(a.Unmap().WithZone("")) {
				t.Errorf("%q is not in its network %q", client, name)
			}
		} else if Network(name) != name {
			t.Errorf("the network of %q is %q, and of that %q", client, name, Network(name))
		}
	})
}
