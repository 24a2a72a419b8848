# `make` alone lists what there is.

PREFIX ?= /usr/local
SWIFT ?= swift
# Further arguments of the debug build and the tests.
SWIFT_FLAGS ?=
# The tests are built with the optional leaves and what they need, which the tool is not.
leaves := --enable-all-traits

# The shipped binary: stripped, with Swift's runtime inside.
binary := .build/bin/afcli
demo_server := $(CURDIR)/Demo/.build/release/demo-server
swift_code := $(wildcard Package.swift Sources Tests Demo/Package.swift Demo/Sources \
    Benchmarks/Package.swift Benchmarks/Sources Fuzz/Sources)

build_packages := binutils ca-certificates libbrotli-dev libcurl4-openssl-dev libidn2-dev libssl-dev libzstd-dev \
    pkg-config zlib1g-dev
test_packages := curl faketime fish iproute2 mandoc microsocks nginx-light openssl strace tinyproxy-bin zsh
torture_packages := $(test_packages) wget
bench_packages := $(torture_packages) aria2 hyperfine jq python3

# What is installed: file in the repository, then its place below PREFIX. Files that are not there are left out.
installed := \
    $(binary):bin/afcli \
    man/afcli.1:share/man/man1/afcli.1 \
    completions/afcli.bash:share/bash-completion/completions/afcli \
    completions/_afcli:share/zsh/site-functions/_afcli \
    completions/afcli.fish:share/fish/vendor_completions.d/afcli.fish
source = $(firstword $(subst :, ,$(1)))
target = $(DESTDIR)$(PREFIX)/$(lastword $(subst :, ,$(1)))

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help deps build-deps test-deps torture-deps bench-deps build demo demo-server pictures test check check-fresh lint generated docs sanitize fuzz guards torture torture-short bench install uninstall clean

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: build-deps test-deps ## Install the system packages that are missing

build-deps: toolchain
	@.ci/packages $(build_packages)

test-deps: toolchain
	@.ci/packages $(test_packages)

torture-deps: build-deps
	@.ci/packages $(torture_packages)

bench-deps: build-deps
	@.ci/packages $(bench_packages)

.PHONY: toolchain
toolchain:
	@command -v $(SWIFT) >/dev/null || { \
	    echo "Swift 6.3 is missing: https://www.swift.org/install/linux/ tells how to install it." >&2; exit 1; }

# What a small request takes is for the most part loading the program, so that it is linked with that in mind:
# - libstdc++ inside is one library less to load and some thousand symbols less to look up; the linker takes the archive
#   when it finds nothing else in the first folder it looks into;
# - relative relocations in their packed form, read-only data beside the code: less to read and fewer mappings;
# - nobody looks up symbols in a program, and what nobody calls goes (each function in a section of its own).
# Together they take a fifth of the time and a ninth of the size.
libstdcxx := $(lastword $(sort $(wildcard /usr/lib/gcc/*/*/libstdc++.a)))
static_folder := .build/static
link_options := -L$(CURDIR)/$(static_folder) --no-export-dynamic --no-rosegment -z pack-relative-relocs
lean := --disable-local-rpath -Xswiftc -Xfrontend -Xswiftc -function-sections \
    -Xswiftc -use-ld=lld $(foreach option,$(link_options),-Xlinker $(option))

build: build-deps ## Build the tool for release into .build/bin
	@mkdir -p $(static_folder)
	$(if $(libstdcxx),@ln -sf $(libstdcxx) $(static_folder)/)
	$(SWIFT) build -c release --static-swift-stdlib --product afcli $(lean)
	@mkdir -p $(dir $(binary))
	strip -o $(binary) .build/release/afcli

demo: build demo-server ## Show the tool at work against a server on loopback
	Demo/demo.sh $(binary)

pictures: build demo-server ## Draw the readme's pictures anew, from what the tool shows (needs python3)
	Demo/pictures.py $(binary) $(demo_server) Documentation/pictures

demo-server: build-deps
	$(SWIFT) build --package-path Demo -c release --product demo-server

# One test after the other: many of them measure waits, and each starts servers of its own.
test: deps demo-server ## Run the tests
	$(SWIFT) build --build-tests $(leaves) $(SWIFT_FLAGS)
	SWIFT_BACKTRACE=enable=no AFCLI_DEMO_SERVER=$(demo_server) PATH="$$PATH:/usr/sbin" \
	    .ci/failures timeout --kill-after=10 2700 \
	    $(SWIFT) test --skip-build $(leaves) --disable-xctest --no-parallel $(SWIFT_FLAGS)

check: deps lint build ## Everything a change must pass: format, warnings, tests, generated files, linkage
	$(MAKE) test torture-short SWIFT_FLAGS="-Xswiftc -warnings-as-errors"
	Tests/Guards/run --check
	.ci/generated $(binary)
	.ci/linkage $(binary)

# Shows that a machine with nothing but Swift, git and make gets everything else from the targets themselves.
check-fresh: toolchain ## Run make demo and make test in a bare Debian root (needs root)
	.ci/check-fresh

lint: toolchain
	$(SWIFT) format lint --strict --recursive --parallel $(swift_code)

generated: build ## Write the manual page and the completions anew
	.ci/generated --write $(binary)

docs: build-deps ## Build the documentation of the libraries, without a warning
	.ci/documentation $(SWIFT)

# The suites of the transport and the core, under each sanitizer. What .ci/mutex.c tells Thread Sanitizer of Swift's
# Mutex is loaded before everything else. Address Sanitizer keeps less freed memory than it likes: some tests measure it.
sanitize: deps demo-server ## Run the core's tests under Thread and Address Sanitizer
	$(call build_sanitized,thread)
	clang -shared -fPIC -O2 -Wall -Wextra -Werror -o .build/thread/mutex.so .ci/mutex.c
	$(call test_sanitized,thread,TSAN_OPTIONS=exitcode=66 LD_PRELOAD=$(CURDIR)/.build/thread/mutex.so)
	$(call build_sanitized,address)
	$(call test_sanitized,address,ASAN_OPTIONS=quarantine_size_mb=16 LSAN_OPTIONS=suppressions=$(CURDIR)/.ci/leaks)

sanitized = $(leaves) --sanitize=$(1) --scratch-path .build/$(1)
build_sanitized = $(SWIFT) build --build-tests $(sanitized)
test_sanitized = SWIFT_BACKTRACE=enable=no AFCLI_DEMO_SERVER=$(demo_server) PATH="$$PATH:/usr/sbin" $(2) \
    .ci/failures timeout --kill-after=10 1500 $(SWIFT) test --skip-build $(sanitized) --disable-xctest --no-parallel \
    --filter '^(AFTransportTests|AFCoreTests)\.'

# For release, where what overflows or is out of bounds ends the process as well; the targets test what is internal, too.
# gold fails on what -sanitize=fuzzer makes.
SECONDS ?= 60
TARGETS ?=
fuzz_folder := .build/fuzz
fuzz: build-deps ## Fuzz whatever reads bytes of others, for SECONDS (60) each; all TARGETS or these
	AFCLI_FUZZ=1 $(SWIFT) build -c release --product fuzz --scratch-path $(fuzz_folder) --sanitize=address \
	    -Xswiftc -sanitize=fuzzer -Xswiftc -enable-testing -Xswiftc -use-ld=lld
	Fuzz/run $(fuzz_folder)/release/fuzz $(SECONDS) $(TARGETS)

# One build and one suite for each patch: an hour for all of them, a minute or two for a row.
ROWS ?=
guards: deps ## Take the guards of Documentation/safety.md out one by one; all ROWS or these
	SWIFT="$(SWIFT)" Tests/Guards/run $(ROWS)

# Downloads while everything goes wrong that can. The program is built as the tests are, so that it takes what is built for
# them; it is no part of any other build. The short form plays every case once, with few kills and without other clients.
torture: torture-deps build ## Torture downloads, beside curl and wget; writes Tests/Torture/RESULTS.md
	$(build_torture)
	$(torture_program) --results Tests/Torture/RESULTS.md $(binary)

torture-short: test-deps build
	$(build_torture)
	$(torture_program) --short $(binary)

SEED ?=
build_torture = AFCLI_TORTURE=1 $(SWIFT) build --product torture $(leaves) $(SWIFT_FLAGS)
torture_program = timeout --kill-after=10 1500 .build/debug/torture $(if $(SEED),--seed $(SEED))

bench: bench-deps build ## Measure against curl, jq and other clients in one run
	$(SWIFT) build --package-path Benchmarks -c release
	Benchmarks/run $(binary)

install: ## Install below PREFIX (/usr/local) what `make build` built
	@test -x $(binary) || { echo "Run make build first." >&2; exit 1; }
	$(foreach file,$(installed),$(if $(wildcard $(call source,$(file))),\
	    install -D -m $(if $(filter $(binary),$(call source,$(file))),755,644) \
	        $(call source,$(file)) $(call target,$(file)) &&)) true

uninstall: ## Remove what was installed below PREFIX
	rm -f $(foreach file,$(installed),$(call target,$(file)))

clean: ## Remove everything that was built
	rm -rf .build Demo/.build Benchmarks/.build
