# "make" lists the targets. CONTRIBUTING.md says when to use which.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# Where the data sets of the evaluations are.
TENURE_DATA ?= $(abspath ../shared/data)
export TENURE_DATA

# The server that the tests use; scripts/neo4j says where it comes from when NEO4J_URI is not set.
NEO4J_USERNAME ?= neo4j
NEO4J_PASSWORD ?= testpassword
export NEO4J_USERNAME NEO4J_PASSWORD

# What "make test" runs: make test PKG=./store/... TESTFLAGS='-run Conflict'
PKG ?= ./...
TESTFLAGS ?=

# How long "make fuzz" searches with each target.
FUZZTIME ?= 10s

# Every program under eval/ except the benchmark, the faults, and the one that makes the scoring model.
EVALS = $(filter-out bench model torture,$(notdir $(patsubst %/main.go,%,$(wildcard eval/*/main.go))))

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: demo
demo: ## a server with a story in it, on this machine only; prints its key (needs Go alone)
	@mkdir -p .bin && go build -o .bin/demo ./cmd/server # "go run" would call the end by Ctrl-C an error
	@.bin/demo demo

.PHONY: run
run: ## a server on SQLite in .data/; more flags in ARGS
	@mkdir -p .data
	@go run ./cmd/server serve --store sqlite:.data/tenure.db $(ARGS)

.PHONY: weights
weights: ## fetch the weights of the local encoder into .data/weights (Maven Central; 16 MB, once)
	@scripts/weights >/dev/null

.PHONY: check
check: .bin/gotestsum gofmt ## an answer in two minutes: build, vet, gofmt, and the tests that need no Neo4j
	@go build ./...
	@go vet ./...
	@scripts/test check

# Without PKG and TESTFLAGS, everything runs; scripts/test says how, and where Neo4j comes from.
.PHONY: test
test: .bin/gotestsum ## all tests with the race detector, long histories without, a real Neo4j included; PKG and TESTFLAGS narrow it
	@if [[ '$(PKG)$(TESTFLAGS)' == ./... ]]; then scripts/test all; else scripts/test some '$(TESTFLAGS)' $(PKG); fi

# Which packages without PKG, and what is known to change nothing: internal/mutate/mutate.json. Without --sample in
# MUTATEFLAGS it takes hours.
.PHONY: mutate
mutate: ## which changes of the code no test notices; PKG narrows it, E2E=1 runs the end-to-end tests too; MUTATEFLAGS='--sample 50'
	@go run ./internal/mutate $(if $(E2E),--e2e "$$(scripts/test narrow)") $(MUTATEFLAGS) $(filter-out ./...,$(PKG))

.PHONY: fuzz
fuzz: ## every fuzz target for a while: FUZZTIME=1m, PKG=./httpapi/...
	@scripts/fuzz '$(FUZZTIME)' '$(PKG)'

# Not in tools/go.mod: only a release needs it, and it brings half as many modules as all others together.
SBOM = github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.9.0
.PHONY: sbom
sbom: ## the modules of the program with their versions, hashes and licences, CycloneDX: .bin/sbom.json
	@mkdir -p .bin && go build -trimpath -o .bin/released ./cmd/server
	@go run $(SBOM) bin -json -licenses -version "$$(git describe --always)" -output .bin/sbom.json .bin/released
	@echo .bin/sbom.json

.PHONY: licences
licences: ## the licences of all that is compiled into the program: .bin/licences
	@rm -rf .bin/licences && scripts/licences .bin/licences && echo .bin/licences

.PHONY: lint
lint: .bin/.built gofmt ## golangci-lint and gofmt
	@.bin/golangci-lint run ./...

.PHONY: gofmt
gofmt: ## fail where gofmt would change a file
	@unformatted=$$(gofmt -l .); \
	if [[ $$unformatted ]]; then echo "not formatted, run gofmt -w on:" >&2; echo "$$unformatted" >&2; exit 1; fi

.PHONY: bench
bench: ## the benchmarks behind the numbers in the README
	@go run ./eval/bench
	@go run ./eval/bench resolve
	@go run ./eval/bench texts
	@go run ./eval/bench idle

.PHONY: load
load: ## more than a server can carry out, from one tenant beside a quiet one, on both engines; more flags in ARGS
	@go run ./eval/bench load $(ARGS)

.PHONY: torture
torture: ## 100 random faults on each engine under load: nothing that was acknowledged is lost or doubled; more flags in ARGS
	@go run ./eval/torture $(ARGS)

.PHONY: eval
eval: ## every evaluation against the data sets in TENURE_DATA
	@if [[ ! "$(EVALS)" ]]; then echo "no program under eval/" >&2; exit 1; fi
	@for name in $(EVALS); do echo "== $$name"; go run ./eval/$$name; done

.PHONY: eval-beliefs
eval-beliefs: ## the evaluation of belief standing alone: facts, then talk
	@go run ./eval/beliefs --digests
	@go run ./eval/talk

.PHONY: eval-talk
eval-talk: ## what is understood of plain talk, beside baselines, on both engines; more flags in ARGS
	@go run ./eval/talk $(ARGS)

.PHONY: eval-notes
eval-notes: ## how well plain notes are read; more flags in ARGS
	@go run ./eval/notes $(ARGS)

.PHONY: eval-values
eval-values: ## the evaluation of how values are compared alone; more flags in ARGS
	@go run ./eval/values $(ARGS)

.PHONY: eval-stories
eval-stories: ## short stories about beliefs, checked over HTTP on both engines; more flags in ARGS
	@go run ./eval/stories $(ARGS)

.PHONY: eval-agents
eval-agents: ## what first agents get out of the defaults, on both engines; more flags in ARGS
	@go run ./eval/agents $(ARGS)

.PHONY: eval-compile
eval-compile: ## how well compiled contexts fit their questions, beside plain search, on both engines; more flags in ARGS
	@go run ./eval/compile $(ARGS)

.PHONY: eval-resolution
eval-resolution: ## entity resolution: the model on sets it learned from and on those left out, then the service on both engines; more flags in ARGS
	@go run ./eval/model --dry-run --quick
	@go run ./eval/resolution $(ARGS)

.PHONY: model
model: ## make the models of resolution and of statements again from TENURE_DATA, and print what they reach
	@go run ./eval/model
	@go run ./eval/talk/model

.PHONY: generate
generate: .bin/.built ## write the code generated from api/openapi.yaml again
	@PATH="$(CURDIR)/.bin:$$PATH" go generate ./...

.PHONY: check-generated
check-generated: generate ## fail if the generated code is not what is committed or staged
	@git diff --exit-code -- api client || { echo "api/ or client/ differs from what make generate writes: commit it" >&2; exit 1; }
	@new=$$(git ls-files --others --exclude-standard -- api client); \
	if [[ $$new ]]; then echo "not in git, add and commit:" >&2; echo "$$new" >&2; exit 1; fi

# The checks of the API document for people who are not Go programmers. Python and Node come from PyPI and npm in the
# versions of tools/api/, so that python3 with venv is all that they need here.
OUTSIDE = PATH="$(CURDIR)/.bin/python/bin:$(CURDIR)/.bin/node/node_modules/.bin:$$PATH"

.PHONY: lint-api
lint-api: .bin/node/.built ## Spectral and Redocly on api/openapi.yaml (needs python3 with venv)
	@$(OUTSIDE) spectral lint --fail-severity=hint --ruleset tools/api/.spectral.yaml api/openapi.yaml
	@$(OUTSIDE) REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true redocly lint --config tools/api/redocly.yaml api/openapi.yaml

.PHONY: test-clients
test-clients: .bin/node/.built ## generate TypeScript and Python clients and type-check the programs of e2e/clients with them
	@rm -rf .bin/clients; cp -r e2e/clients .bin/clients; ln -s ../../node/node_modules .bin/clients/typescript/node_modules
	@$(OUTSIDE) openapi-typescript api/openapi.yaml -o .bin/clients/typescript/generated/tenure.d.ts >.bin/clients/log 2>&1 \
		|| { cat .bin/clients/log; exit 1; }
	@$(OUTSIDE) tsc -p .bin/clients/typescript
	@$(OUTSIDE) openapi-python-client generate --path api/openapi.yaml --meta none \
		--output-path .bin/clients/python/tenure_client >.bin/clients/log 2>&1 || { cat .bin/clients/log; exit 1; }
	@cd .bin/clients/python && $(OUTSIDE) mypy main.py tenure_client

# Of each operation, about EXAMPLES requests are made; the long form is 330 of them, more than 20,000 in all.
EXAMPLES ?= 330
.PHONY: fuzz-api
fuzz-api: .bin/python/.built ## random requests by the API document to a server on each engine; EXAMPLES, ARGS='--seed 2'
	@scripts/fuzz-api --store sqlite --examples $(EXAMPLES) $(ARGS)
	@scripts/fuzz-api --store neo4j --examples $(EXAMPLES) $(ARGS)

.PHONY: fuzz-api-short
fuzz-api-short: .bin/python/.built ## the same on SQLite alone, with few requests; prints only what went wrong
	@scripts/fuzz-api --quiet --examples 12 $(ARGS)

.bin/python/.built: tools/api/requirements.txt
	@rm -rf .bin/python; mkdir -p .bin; python3 -m venv .bin/python
	@.bin/python/bin/pip install --quiet --disable-pip-version-check -r tools/api/requirements.txt
	@touch $@

.bin/node/.built: tools/api/package.json tools/api/package-lock.json .bin/python/.built
	@rm -rf .bin/node; mkdir -p .bin/node; cp tools/api/package.json tools/api/package-lock.json .bin/node/
	@cd .bin/node && $(OUTSIDE) npm ci --ignore-scripts --no-fund --no-audit --silent
	@touch $@

.PHONY: tools
tools: .bin/.built ## build the pinned tools of tools/go.mod into .bin/
	@:

.bin/.built: tools/go.mod
	@mkdir -p .bin
	@go -C tools build -o ../.bin/ tool
	@touch $@

# make check needs this one alone, and not to wait for golangci-lint.
.bin/gotestsum: tools/go.mod
	@mkdir -p .bin
	@go -C tools build -o ../.bin/ gotest.tools/gotestsum
	@touch $@

.PHONY: clean
clean: ## end and delete our Neo4j servers; delete built tools and local data
	@for home in .neo4j/*/; do if [[ -d $$home ]]; then scripts/neo4j remove "$$home"; fi; done
	@rm -rf .bin .neo4j .data
