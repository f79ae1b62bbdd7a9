# shakedown: `make` lists the targets. `make run` needs Go and nothing else;
# `make test` brings the rest by itself.
GO       ?= go
FUZZTIME ?= 60s
ROOTS    := trixie bullseye
PEERS    := $(patsubst %/go.mod,%,$(wildcard peers/*/go.mod))
CROSS    := linux/amd64 linux/arm64 linux/arm linux/riscv64 linux/mipsle \
            darwin/arm64 windows/amd64
LINT     := $(GO) tool -modfile=tools/lint/go.mod
# Small, and without the paths of this machine.
BUILD    := CGO_ENABLED=0 $(GO) build -trimpath -ldflags='-s -w'

.DEFAULT_GOAL := help
.PHONY: help run test lint bench fuzz build cross roots peers setup clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## measure on this machine with what is here: the study `basics`
	$(GO) run ./cmd/shakedown run

test: setup ## set up what the tests need, then run every test
	@echo 'test: go vet'
	@$(GO) vet ./...
	@echo 'test: go test'
	@$(GO) test -count=1 -timeout 15m ./...

lint: ## format, staticcheck and golangci-lint (the first time: minutes)
	@echo 'lint: gofumpt'
	@files=$$($(LINT) gofumpt -l .) && { [ -z "$$files" ] || \
		{ echo "$$files"; \
		echo 'lint: hint: $(LINT) gofumpt -w .' >&2; exit 1; }; }
	@echo 'lint: staticcheck'
	@$(LINT) staticcheck ./...
	@echo 'lint: golangci-lint'
	@$(LINT) golangci-lint run ./...
	@echo 'lint: go vet of the peers'
	@set -e; for peer in $(PEERS); do CGO_ENABLED=0 $(GO) vet -C $$peer -trimpath ./...; done

bench: ## run the benchmarks
	@$(GO) test -run '^$$' -bench . -benchmem ./...

fuzz: ## run each fuzz target for FUZZTIME (60s)
	@GO='$(GO)' scripts/fuzz $(FUZZTIME)

build: ## build dist/shakedown for this machine
	$(BUILD) -o dist/shakedown ./cmd/shakedown

cross: ## build dist/shakedown-OS-ARCH for each system we build for
	@set -e; for target in $(CROSS); do \
		os=$${target%/*} arch=$${target#*/} exe=; \
		[ $$os != windows ] || exe=.exe; \
		echo "cross: $$target"; \
		GOOS=$$os GOARCH=$$arch GOARM=7 GOMIPS=softfloat \
			$(BUILD) -o dist/shakedown-$$os-$$arch$$exe ./cmd/shakedown; \
	done

roots: ## make the roots with the libraries of other Debian releases
	@set -e; for suite in $(ROOTS); do scripts/make-root $$suite; done

peers: ## build Caddy, from a module of its own (the first time: minutes)
	@GO='$(GO)' scripts/make-peers

setup: ## packages (as root on Debian), roots and peers for the tests, as far as possible
	@scripts/setup-debian
	@for suite in $(ROOTS); do scripts/make-root $$suite || [ "$$CI" != true ] || exit 1; done
	@GO='$(GO)' scripts/make-peers || [ "$$CI" != true ] || exit 1

clean: ## remove what was built here (the user cache directory stays)
	rm -rf dist
