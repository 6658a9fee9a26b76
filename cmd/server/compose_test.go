package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"
)

// compose is the checked part of docker-compose.yml.
type compose struct {
	Services map[string]composeService `yaml:"services"`
	Volumes  map[string]struct{}       `yaml:"volumes"`
}

type composeService struct {
	Image       string            `yaml:"image"`
	Build       string            `yaml:"build"`
	Environment map[string]string `yaml:"environment"`
	Command     []string          `yaml:"command"`
	Ports       []string          `yaml:"ports"`
	Volumes     []string          `yaml:"volumes"`
	DependsOn   map[string]struct {
		Condition string `yaml:"condition"`
	} `yaml:"depends_on"`
	Healthcheck struct {
		Test     []string `yaml:"test"`
		Interval string   `yaml:"interval"`
		Retries  int      `yaml:"retries"`
	} `yaml:"healthcheck"`
}

// pinned matches an image whose version names at least a release line, and whose digest is given.
var pinned = regexp.MustCompile(`^[a-z0-9./_-]+:\d+\.\d+[a-z0-9.-]*@sha256:[0-9a-f]{64}$`)

// faults lists the faults of a compose file, given the environment variables that the server knows.
func (c compose) faults(variables map[string]bool) []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(c.Services)) {
		s := c.Services[name]
		fault := func(format string, args ...any) { list = append(list, name+": "+fmt.Sprintf(format, args...)) }
		if s.Build == "" && !pinned.MatchString(s.Image) {
			fault("image %q is not pinned", s.Image)
		}
		if len(s.Healthcheck.Test) < 2 || s.Healthcheck.Interval == "" || s.Healthcheck.Retries == 0 {
			fault("no health check")
		}
		for _, other := range slices.Sorted(maps.Keys(s.DependsOn)) {
			if s.DependsOn[other].Condition != "service_healthy" {
				fault("starts before %s is healthy", other)
			}
		}
		if s.Build != "" && len(s.DependsOn) == 0 {
			fault("does not wait for its store")
		}
		for _, p := range s.Ports {
			if !strings.HasPrefix(p, "127.0.0.1:") {
				fault("port %s can be reached by others", p)
			}
		}
		for _, v := range s.Volumes {
			volume, _, _ := strings.Cut(v, ":")
			if _, ok := c.Volumes[volume]; !ok {
				fault("volume %s is not declared", volume)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(s.Environment)) {
			value := s.Environment[key]
			if strings.HasPrefix(key, "TENURE_") && !variables[key] {
				fault("the server does not know %s", key)
			}
			if secret.MatchString(key) && !strings.Contains(value, "${NEO4J_PASSWORD:?") {
				fault("%s is not taken from the environment", key)
			}
		}
	}
	return list
}

var secret = regexp.MustCompile(`PASSWORD$|_AUTH$`)

// variables returns the environment variables that the server's flags name, and those of secrets.
func variables(t *testing.T) (known map[string]bool, parser *kong.Kong) {
	t.Helper()
	parser, err := kong.New(&cli{}, kong.Name("server"), kong.DefaultEnvars("TENURE"))
	if err != nil {
		t.Fatal(err)
	}
	known = map[string]bool{}
	for _, name := range []string{"TENURE_NEO4J_PASSWORD", "TENURE_CURSOR_KEY", statementsKey} { // which no flag takes
		known[name] = true
	}
	var walk func(n *kong.Node)
	walk = func(n *kong.Node) {
		for _, f := range n.Flags {
			for _, e := range f.Envs {
				known[e] = true
			}
		}
		for _, child := range n.Children {
			walk(child)
		}
	}
	walk(parser.Model.Node)
	return known, parser
}

func parseCompose(t *testing.T, body string) compose {
	t.Helper()
	var c compose
	if err := yaml.Unmarshal([]byte(body), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCompose checks docker-compose.yml without Docker, and with Docker where it is installed.
func TestCompose(t *testing.T) {
	body := text(t, "docker-compose.yml")
	c := parseCompose(t, body)
	known, parser := variables(t)
	for _, f := range c.faults(known) {
		t.Error(f)
	}
	if got := slices.Sorted(maps.Keys(c.Services)); !slices.Equal(got, []string{"neo4j", "server"}) {
		t.Errorf("services: %v", got)
	}
	if image := c.Services["neo4j"].Image; !strings.Contains(text(t, "scripts/neo4j"), ":-"+image+"}") {
		t.Errorf("the tests run against another server than %s", image)
	}
	for _, v := range regexp.MustCompile(`\bTENURE_\w+`).FindAllString(body, -1) {
		if !known[v] {
			t.Errorf("the server does not know %s", v)
		}
	}
	for key, value := range c.Services["server"].Environment {
		t.Setenv(key, interpolated(value))
	}
	for _, command := range [][]string{c.Services["server"].Command, {"keys", "create", "--tenant", "acme", "--roles", "admin"}} {
		if _, err := parser.Parse(command); err != nil {
			t.Errorf("server %s: %v", strings.Join(command, " "), err)
		}
	}
	withDocker(t)
}

// interpolated returns a value with only the required variables set.
func interpolated(value string) string {
	return regexp.MustCompile(`\$\{\w+:[^}]*\}`).ReplaceAllStringFunc(value, func(v string) string {
		if _, standard, ok := strings.Cut(v, ":-"); ok {
			return strings.TrimSuffix(standard, "}")
		}
		return "set"
	})
}

// withDocker has Docker validate the file, if Docker is installed.
func withDocker(t *testing.T) {
	t.Helper()
	if err := exec.CommandContext(t.Context(), "docker", "compose", "version").Run(); err != nil {
		t.Log("docker compose is not there: it has not read the file")
		return
	}
	cmd := exec.CommandContext(t.Context(), "docker", "compose", "-f", filepath.Join(top, "docker-compose.yml"), "config", "--quiet")
	cmd.Env = append(os.Environ(), "NEO4J_PASSWORD=only-to-read-it")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("docker compose config: %v\n%s", err, out)
	}
}

func TestComposeFaults(t *testing.T) {
	healthy := `healthcheck: {test: [CMD, "true"], interval: 5s, retries: 3}`
	known := map[string]bool{"TENURE_STORE": true}
	digest := "@sha256:" + strings.Repeat("0a", 32)
	for _, c := range []struct{ name, service, want string }{
		{"good", `{image: "db:5.26-community` + digest + `", ` + healthy + `, ports: ["127.0.0.1:1:1"], environment: {TENURE_STORE: x}}`, ""},
		{"latest", `{image: "db:latest", ` + healthy + `}`, `s: image "db:latest" is not pinned`},
		{"no-digest", `{image: "db:5.26", ` + healthy + `}`, `s: image "db:5.26" is not pinned`},
		{"major-only", `{image: "db:5", ` + healthy + `}`, `s: image "db:5" is not pinned`},
		{"no-tag", `{image: db, ` + healthy + `}`, `s: image "db" is not pinned`},
		{"no-health-check", `{image: "db:1.2` + digest + `"}`, "s: no health check"},
		{"all-addresses", `{image: "db:1.2` + digest + `", ` + healthy + `, ports: ["8080:8080"]}`, "s: port 8080:8080 can be reached by others"},
		{"unknown-variable", `{image: "db:1.2` + digest + `", ` + healthy + `, environment: {TENURE_STOER: x}}`, "s: the server does not know TENURE_STOER"},
		{"password", `{image: "db:1.2` + digest + `", ` + healthy + `, environment: {DB_PASSWORD: x}}`, "s: DB_PASSWORD is not taken from the environment"},
		{"volume", `{image: "db:1.2` + digest + `", ` + healthy + `, volumes: ["data:/data"]}`, "s: volume data is not declared"},
		{"does-not-wait", `{build: ., ` + healthy + `}`, "s: does not wait for its store"},
		{"waits-for-start-only", `{build: ., ` + healthy + `, depends_on: {db: {condition: service_started}}}`, "s: starts before db is healthy"},
	} {
		if got := strings.Join(parseCompose(t, "services: {s: "+c.service+"}").faults(known), "\n"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestDockerfile checks that the image is as docs/operations.md describes it.
func TestDockerfile(t *testing.T) {
	body := text(t, "Dockerfile")
	from := regexp.MustCompile(`(?m)^FROM (\S+)`).FindAllStringSubmatch(body, -1)
	if len(from) < 2 {
		t.Error("it is built in one stage: the image has the compiler in it")
	}
	for _, f := range from {
		if !pinned.MatchString(f[1]) {
			t.Errorf("%s is not pinned", f[1])
		}
	}
	wanted := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(text(t, "go.mod"))[1]
	if !strings.HasPrefix(from[0][1], "golang:"+wanted) {
		t.Errorf("go.mod asks for Go %s, and %s builds it", wanted, from[0][1])
	}
	for _, line := range []string{
		`(?m)^RUN CGO_ENABLED=0 go build .* \./cmd/server$`, // static
		`(?m)^USER [1-9]\d*$`,                               // by number and not root
		`(?m)^COPY LICENSE NOTICE /usr/share/doc/tenure/$`,  // required by the licences of third-party data
		`(?m)^ENTRYPOINT \["/usr/local/bin/server"\]$`,
	} {
		if !regexp.MustCompile(line).MatchString(body) {
			t.Errorf("no line %s", line)
		}
	}
}
