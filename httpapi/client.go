package httpapi

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// clientOf returns the address that a request came from, without its port. Of one that a trusted proxy passed on it is
// the last address in X-Forwarded-For that is not of a trusted proxy: what stands before that anybody can write. From
// any other address the header is not asked.
func clientOf(r *http.Request, trusted []netip.Prefix) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	if !IsTrusted(host, trusted) {
		return host
	}
	list := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(list) {
		at, ok := addressIn(strings.TrimSpace(hop))
		if !ok {
			return host
		}
		if host = at.Unmap().String(); !IsTrusted(host, trusted) {
			return host
		}
	}
	return host
}

// addressIn reads an address with or without a port.
func addressIn(hop string) (netip.Addr, bool) {
	if at, err := netip.ParseAddrPort(hop); err == nil {
		return at.Addr(), true
	}
	at, err := netip.ParseAddr(strings.Trim(hop, "[]"))
	return at, err == nil
}

// IsTrusted reports whether an address is in one of the trusted networks.
func IsTrusted(host string, trusted []netip.Prefix) bool {
	at, err := netip.ParseAddr(host)
	return err == nil && slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(at.Unmap()) })
}
