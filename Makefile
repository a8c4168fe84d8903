.PHONY: build test race fuzz bench lint demo

build: ## both commands into bin/
	go build -o bin/ ./cmd/...

test: ## every test, on real servers that the tests start themselves
	go test ./...

race: ## the rooms that run goroutines, under the race detector
	go test -race -short ./audit ./bus/... ./reconcile/... ./recall/... ./projection/registry ./storage/... ./agent/... ./embedded/... ./cmd/... ./internal/...

FUZZTIME ?= 20s
fuzz: ## FUZZTIME for each fuzz target, two at a time
	./.ci/fuzz $(FUZZTIME)

bench: ## measured figures: see docs/measured.md
	go run ./bench

lint: ## vet and staticcheck
	go vet ./...
	go tool staticcheck ./...

demo: ## a fleet, a poisoner, its quarantine
	go run ./cmd/reconciler demo
