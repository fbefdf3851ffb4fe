# Everything a developer types. `make run` is all that a newcomer needs.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --silent --no-print-directory
.DEFAULT_GOAL := help

step    := tools/setup/step
section := tools/setup/section
version := $(shell git describe --always --dirty 2>/dev/null || echo dev)

# The same for all that is built, so that what programs, tests and the linter share is compiled once. Without nodynamic
# a libheif of the machine would read HEIC, outside WebAssembly; without nomsgpack Gin brings MessagePack, a tenth of all
# that is compiled.
tags  := nodynamic,nomsgpack
flags := -tags=$(tags) -buildvcs=false
export GOFLAGS := $(filter-out $(flags),$(GOFLAGS)) $(flags)

# Two things at a time, each of which shows what it wrote when it has ended (where make can: macOS's cannot).
side-by-side := $(MAKE) -j2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

ifeq ($(shell uname -s),Darwin)
  # Homebrew's libraries are where clang does not look.
  export CGO_CPPFLAGS += -I$(shell brew --prefix 2>/dev/null)/include
  export CGO_LDFLAGS  += -L$(shell brew --prefix 2>/dev/null)/lib
endif

# What npm writes last, so that it stands for a finished installation.
postgres := tools/postgres/node_modules/.package-lock.json
webpacks := webapp/node_modules/.package-lock.json
webapp   := webapp/dist/index.html
# Folders are among the sources: they change when a file in them goes.
websources := $(shell find webapp/src webapp/landing webapp/public orchestrator/message/hi.json 2>/dev/null) $(wildcard webapp/index.html webapp/build.ts webapp/*.config.ts webapp/tsconfig*.json)

# The tests that come by the screens of the gallery.
gallery := landing workspace lawyer notice refusal evidence checks model reply drafting law summary plugin account billing privacy training gate operators

.PHONY: help
help: ## Show this list
	awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

.PHONY: run
run: build ## Install what is missing, build, and start the whole product
	exec bin/munshi run

.PHONY: setup
setup: versions ## Install missing system packages and PostgreSQL's programs
	tools/setup/packages
	$(MAKE) $(postgres)

.PHONY: setup-test
setup-test: setup ## Also install what the tests need (Chromium)
	tools/setup/packages --tests

.PHONY: setup-soak
setup-soak: setup-test
	tools/setup/packages --soak

.PHONY: setup-bench
setup-bench: setup-test
	tools/setup/packages --bench

.PHONY: build
build: setup ## Build bin/munshi, bin/temporal-dev and the web app
	$(MAKE) -j2 munshi bin/temporal-dev $(webapp)

.PHONY: test
test: setup-test ## Run every test: Go, web app, browser
	echo 'Go, web app and browser tests run side by side.'
	$(side-by-side) test-go test-webapp test-browser

.PHONY: test-go
test-go: bin/temporal-dev $(postgres)
	$(section) 'Go tests' go test -vet off -ldflags='-s -w' -timeout 25m ./...

.PHONY: test-webapp
test-webapp: $(webpacks)
	$(section) 'Web app tests' npm --prefix webapp test

.PHONY: test-browser
test-browser: munshi bin/temporal-dev fakemodel fakerazorpay $(webapp) $(postgres)
	$(section) 'Browser tests' npm --prefix webapp run e2e

.PHONY: soak
soak: setup-soak build fakemodel fakerazorpay ## Run the long tests too: big files, hostile files, kills, more screens
	$(section) 'Soak' go test -tags soak,$(tags) -run Soak -timeout 2h -v ./...
	$(section) 'More screens' env SOAK=1 npm --prefix webapp run e2e -- --grep @soak
	$(MAKE) check-answers

.PHONY: record
record: ## Record workflow histories and a data folder of this version, which later ones must be able to go on with
	go test ./orchestrator/app -run 'Notice|Reply$$|Stop|FailAndRetry|LongNotice|LongConversation|FollowUp|Drafting$$|Evaluation$$|EvaluationCancelled|PopulatedDatabase' -count 1 -record $$(date +%F)

.PHONY: bench
bench: setup-bench ## Measure speed and memory, as ratios; BENCH="--only turns --quick" for a part
	$(MAKE) -j2 munshi bin/temporal-dev $(webapp)
	go run ./tools/bench $(BENCH)
	$(section) 'What decides a paper: at most 5 ms' go test ./orchestrator/law/defences -run '^$$' -bench Evaluate -benchmem
	$(section) 'The law: a search at most 1 ms, a provision opened 50 ms' go test ./orchestrator/law -run '^$$' -bench 'Search|Open' -benchmem
	$(section) 'The step law of a turn: at most 2 ms' go test ./orchestrator/notices -run '^$$' -bench Passages -benchmem
	$(section) 'Figures: 200,000 rows matched in at most 10 s, read in 20 s and 400 MB' go test ./orchestrator/figures ./orchestrator/figures/read -run '^$$' -bench . -benchtime 1x

.PHONY: pictures
pictures: setup-test build fakemodel ## Make the landing page's and README's pictures anew, from the running product
	npm --prefix webapp run pictures
	PICTURES=1 npm --prefix webapp run e2e -- replay --project model
	for picture in webapp/screenshots/model-replay-*.png; do cp $$picture docs/replay/$${picture##*model-replay-}; done
	cp webapp/screenshots/model-followup-waiting.png docs/replay/6-follow-up-waiting.png
	$(MAKE) $(webapp)

.PHONY: gallery
gallery: setup-test build fakemodel fakerazorpay ## Look at every screen in both themes and languages; keep them on one page to flip through
	PICTURES=gallery npm --prefix webapp run e2e -- $(gallery)

.PHONY: check
check: setup-test ## What CI runs: format, lint, generated code, and every test
	echo 'Everything is built, checked and tested side by side.'
	$(side-by-side) check-lint-go check-lint-webapp check-format check-generated check-answers test-go test-browser test-webapp
	echo; echo 'All checks passed.'

.PHONY: check-format
check-format: $(webpacks)
	$(section) 'Format' tools/setup/format --check

.PHONY: check-lint-go
check-lint-go: bin/golangci-lint munshi
	$(section) 'Lint: Go' bin/golangci-lint run ./...

.PHONY: check-lint-webapp
check-lint-webapp: $(webpacks)
	$(section) 'Lint: web app' npm --prefix webapp run lint
	$(section) 'Types: web app' npm --prefix webapp run typecheck

.PHONY: check-generated
check-generated: munshi $(webpacks)
	$(section) 'Generated code' tools/setup/generated

.PHONY: check-answers
check-answers: munshi bin/temporal-dev $(postgres)
	$(section) 'Offline score' env MUNSHI_LOCAL_STATE_DIR=$$(mktemp -d)/state bin/munshi evals run --offline --baseline evals/offline.txt

.PHONY: format
format: $(webpacks) ## Format the code: Go, TypeScript
	tools/setup/format

.PHONY: generate
generate: generate-sqlc generate-openapi generate-client generate-schemas generate-digest ## Generate all code anew: queries, API contract, API client, schemas of the prompts, the packed digest of the law

.PHONY: generate-sqlc
generate-sqlc: bin/sqlc
	cd orchestrator/store && ../../bin/sqlc generate
	go run ./tools/fresh record sqlc

.PHONY: generate-openapi
generate-openapi: munshi
	mkdir -p .cache
	bin/munshi openapi >.cache/openapi.yaml
	mv .cache/openapi.yaml orchestrator/api/openapi.yaml

.PHONY: generate-client
generate-client: $(webpacks)
	npm --prefix webapp run generate

.PHONY: generate-schemas
generate-schemas: munshi
	bin/munshi prompts schema plugin >prompts/plugin.schema.json
	bin/munshi prompts schema prompt >prompts/prompt.schema.json

.PHONY: generate-digest
generate-digest:
	go run ./tools/digest

# For Debian, as root, with 12 GB of disk: builds the images, brings docker-compose.yml up, and breaks it on
# purpose; CONTAINERS="-chaos 30m -seed 7" for longer, and for the same breaks again.
.PHONY: containers
containers: $(postgres)
	go run ./tools/containers $(CONTAINERS)

# For Debian: lints the Helm chart of deploy/chart, and installs it on a Kubernetes API server, which is built the first
# time, in half an hour or so.
.PHONY: chart
chart:
	go run ./tools/chart

# For Linux: measures one to six workers, waiting follow-ups and live streams, against a Temporal server on PostgreSQL,
# which is built the first time; SCALE="-only workers -rounds 5" for a part, SCALE=-help for more.
.PHONY: scale
scale: munshi $(postgres)
	go run ./tools/scale $(SCALE)

# For machines with a network: asks Go's and npm's databases of known faults about what we use.
.PHONY: audit
audit: $(webpacks)
	$(section) 'Known faults: Go' go run golang.org/x/vuln/cmd/govulncheck@v1.1.4 -tags $(tags) ./...
	$(section) 'Known faults: web app' npm --prefix webapp audit --omit dev

# Learns the weights of the reader anew, from the labelled notices beside the repository.
.PHONY: weights
weights:
	go run ./tools/weighfacts $(addprefix ../shared/samples/,notices notices-a notices-b)

.PHONY: clean
clean: ## Remove what was built; never touches .munshi, where the data is
	rm -rf bin .cache webapp/dist webapp/test-results webapp/playwright-report

.PHONY: versions
versions:
	tools/setup/versions

# Go's own cache knows what has changed. The others wait for the first, so that what they share is compiled once.
.PHONY: munshi
munshi:
	$(step) 'munshi' go build -v -ldflags='-s -w -X main.version=$(version)' -o bin/munshi ./orchestrator

.PHONY: fakemodel
fakemodel: | munshi
	$(step) 'fake model' go build -o bin/fakemodel ./tools/fakemodel

.PHONY: fakerazorpay
fakerazorpay: | munshi
	$(step) 'fake Razorpay' go build -o bin/fakerazorpay ./tools/fakerazorpay

# sqlite_fts5: in the list of workflows, SQLite searches texts.
bin/temporal-dev: $(shell find tools/temporal-dev -type f) | munshi
	$(step) 'Temporal server' go build -C tools/temporal-dev -tags=$(tags),sqlite_fts5 -v -ldflags='-s -w' -o ../../bin/temporal-dev .
	touch $@

bin/golangci-lint: tools/lint/go.mod | bin/temporal-dev
	$(step) 'golangci-lint' go build -C tools/lint -v -ldflags='-s -w' -o ../../bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	touch $@

bin/sqlc: tools/sqlc/go.mod
	$(step) 'sqlc' go build -C tools/sqlc -v -ldflags='-s -w' -o ../../bin/sqlc github.com/sqlc-dev/sqlc/cmd/sqlc
	touch $@

$(postgres): tools/postgres/package.json tools/postgres/package-lock.json
	$(step) 'PostgreSQL programs' npm --prefix tools/postgres ci --no-audit --no-fund
	touch $@

$(webpacks): webapp/package.json webapp/package-lock.json
	$(step) 'web app packages' npm --prefix webapp ci --no-audit --no-fund
	touch $@

$(webapp): $(webpacks) $(websources)
	$(step) 'web app' npm --prefix webapp run build
	touch $@
