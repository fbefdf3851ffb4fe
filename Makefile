# Everything a developer types. `make run` is all that a newcomer needs.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --silent --no-print-directory
.DEFAULT_GOAL := help

step    := tools/setup/step
section := tools/setup/section
version := $(shell git describe --always --dirty 2>/dev/null || echo dev)

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
	$(MAKE) -j2 bin/temporal-dev munshi $(webapp)

.PHONY: test
test: setup-test build fakemodel fakerazorpay ## Run every test: Go, web app, browser
	$(section) 'Go tests' go test -vet off -timeout 25m ./...
	$(section) 'Web app tests' npm --prefix webapp test
	$(section) 'Browser tests' npm --prefix webapp run e2e

.PHONY: soak
soak: setup-soak build fakemodel fakerazorpay ## Run the long tests too: big files, hostile files, kills, more screens
	$(section) 'Soak' go test -tags soak -run Soak -timeout 2h -v ./...
	$(section) 'More screens' env SOAK=1 npm --prefix webapp run e2e -- --grep @soak
	$(section) 'Offline score' env MUNSHI_LOCAL_STATE_DIR=$$(mktemp -d)/state bin/munshi evals run --offline --baseline evals/offline.txt

.PHONY: record
record: ## Record workflow histories and a data folder of this version, which later ones must be able to go on with
	go test ./orchestrator/app -run 'Notice|Reply$$|Stop|FailAndRetry|LongNotice|LongConversation|FollowUp|Drafting$$|Evaluation$$|EvaluationCancelled|PopulatedDatabase' -count 1 -record $$(date +%F)

.PHONY: bench
bench: setup-bench ## Measure speed and memory, as ratios; BENCH="--only turns --quick" for a part
	$(MAKE) -j2 bin/temporal-dev munshi $(webapp)
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
check: ## What CI runs: format, lint, generated code, then every test
	$(section) 'Set up' $(MAKE) setup-test ready-to-check
	$(section) 'Format' $(MAKE) check-format
	$(section) 'Lint' $(MAKE) check-lint
	$(section) 'Generated code' $(MAKE) check-generated
	$(MAKE) test
	echo; echo 'All checks passed.'

.PHONY: ready-to-check
ready-to-check:
	$(MAKE) -j2 bin/temporal-dev munshi $(webapp) bin/golangci-lint fakemodel fakerazorpay

.PHONY: check-format
check-format: $(webpacks)
	wrong=$$(find . -name '*.go' -not -path '*/node_modules/*' -print0 | xargs -0 gofmt -l); \
	if [ -n "$$wrong" ]; then echo "Run \`make format\`. Not formatted:"; echo "$$wrong"; exit 1; fi
	npm --prefix webapp run --silent check-format

# ESLint, which knows types, takes one core for three minutes: Go's goes beside it.
.PHONY: check-lint
check-lint:
	$(MAKE) -j2 --output-sync=target check-lint-go check-lint-webapp

.PHONY: check-lint-go
check-lint-go:
	bin/golangci-lint run ./...
	go test ./orchestrator
	npm --prefix webapp run typecheck

.PHONY: check-lint-webapp
check-lint-webapp:
	npm --prefix webapp run lint

# What is quick to generate is generated again and compared; sqlc takes a minute
# to build, so for its code a hash is kept.
.PHONY: check-generated
check-generated:
	go run ./tools/fresh
	mkdir -p .cache
	bin/munshi openapi >.cache/openapi.yaml
	diff -u orchestrator/api/openapi.yaml .cache/openapi.yaml || { echo 'The API has changed: run `make generate`.'; exit 1; }
	for what in plugin prompt; do bin/munshi prompts schema $$what | diff -u prompts/$$what.schema.json - || { echo 'The prompts can say something else now: run `make generate-schemas`.'; exit 1; }; done
	npm --prefix webapp run generate -- --silent --output ../.cache/client >/dev/null
	diff -ru webapp/src/lib/api/generated .cache/client || { echo 'The API has changed: run `make generate`.'; exit 1; }

.PHONY: format
format: $(webpacks) ## Format the code: Go, TypeScript
	find . -name '*.go' -not -path '*/node_modules/*' -print0 | xargs -0 gofmt -w
	npm --prefix webapp run --silent format

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

.PHONY: clean
clean: ## Remove what was built; never touches .munshi, where the data is
	rm -rf bin .cache webapp/dist webapp/test-results webapp/playwright-report

.PHONY: versions
versions:
	tools/setup/versions

# Go's own cache knows what has changed. Without nodynamic a libheif of the machine would read HEIC, outside WebAssembly.
.PHONY: munshi
munshi:
	$(step) 'munshi' go build -v -tags nodynamic -buildvcs=false -ldflags='-s -w -X main.version=$(version)' -o bin/munshi ./orchestrator

.PHONY: fakemodel
fakemodel:
	$(step) 'fake model' go build -buildvcs=false -o bin/fakemodel ./tools/fakemodel

.PHONY: fakerazorpay
fakerazorpay:
	$(step) 'fake Razorpay' go build -buildvcs=false -o bin/fakerazorpay ./tools/fakerazorpay

bin/temporal-dev: $(wildcard tools/temporal-dev/*)
	echo '  …  Temporal server: the first build takes 4 minutes on two cores'
	CGO_ENABLED=0 $(step) 'Temporal server' go build -C tools/temporal-dev -v -buildvcs=false -trimpath -ldflags='-s -w' -o ../../bin/temporal-dev .
	touch $@

bin/golangci-lint: tools/lint/go.mod
	CGO_ENABLED=0 $(step) 'golangci-lint' go build -C tools/lint -v -trimpath -ldflags='-s -w' -o ../../bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	touch $@

bin/sqlc: tools/sqlc/go.mod
	$(step) 'sqlc' go build -C tools/sqlc -v -trimpath -ldflags='-s -w' -o ../../bin/sqlc github.com/sqlc-dev/sqlc/cmd/sqlc
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
