# `make` without a target lists the targets.

PREFIX ?= /usr/local
SWIFT ?= swift
# Until Swift 6.4, SwiftPM passes the traits to the compiler in the order of a set, another one whenever it plans a build
# (its issue 10525). Without a fixed seed, a build of another product compiles everything again.
build_swift := SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build
# Further arguments of the debug build and the tests.
SWIFT_FLAGS ?=
# The tests are built with the optional products and their dependencies, unlike the tool.
leaves := --enable-all-traits

# static: the binary contains libcurl and its libraries. shared: it loads those of the system.
LINK ?= static
$(if $(filter static shared,$(LINK)),,$(error LINK is static or shared, not $(LINK)))

# The shipped binary: stripped, with Swift's runtime inside.
binary := .build/bin/afcli$(if $(filter shared,$(LINK)),-shared)
demo_server := $(CURDIR)/Demo/.build/debug/demo-server
swift_code := $(wildcard Package.swift Sources Tests Demo/Package.swift Demo/Sources \
    Benchmarks/Package.swift Benchmarks/Sources Fuzz/Sources)

build_packages := binutils ca-certificates libbrotli-dev libcurl4-openssl-dev libidn2-dev libnghttp2-dev libpsl-dev \
    libre2-dev libssl-dev libunistring-dev libzstd-dev pkg-config zlib1g-dev
test_packages := curl faketime fish iproute2 jq libxml2 mandoc microsocks nginx-light openssl strace tinyproxy-bin zsh
torture_packages := $(test_packages) wget
bench_packages := $(torture_packages) aria2 hyperfine python3

# The installed files: path in the repository, then path below PREFIX. Missing files are skipped.
installed := \
    $(binary):bin/afcli \
    man/afcli.1:share/man/man1/afcli.1 \
    man/afcli-run.1:share/man/man1/afcli-run.1 \
    completions/afcli.bash:share/bash-completion/completions/afcli \
    completions/_afcli:share/zsh/site-functions/_afcli \
    completions/afcli.fish:share/fish/vendor_completions.d/afcli.fish
source = $(firstword $(subst :, ,$(1)))
target = $(DESTDIR)$(PREFIX)/$(lastword $(subst :, ,$(1)))

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help deps package-deps dist deb rpm build-deps test-deps torture-deps bench-deps build demo demo-server pictures test busy check check-shared check-fresh check-curl8 check-distributions check-reproducible lint generated docs sanitize fuzz guards torture torture-short servers servers-short servers-deps uploads uploads-short tasks bench install uninstall clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

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
	    echo "Swift 6.3 is missing: https://www.swift.org/install/linux/ explains how to install it." >&2; exit 1; }

# A small request spends most of its time on loading the program, so the linker gets these options:
# - libraries in the binary are not searched, loaded and bound at every start: libcurl and its libraries, and libstdc++. The
#   linker takes the archives, as the first directory it looks into has nothing else. LINK=shared leaves out libcurl's;
# - relative relocations in their packed form, which glibc 2.36 reads: the static build runs with 2.34, and goes without;
# - the static build looks up all of glibc's functions at once, which costs nothing that can be measured: the table of their
#   addresses becomes read-only;
# - read-only data lies beside the code; the program exports no symbols; unreferenced functions are removed (each function
#   is in a section of its own), and so is what .ci/sections.ld names.
# Swift optimizes for speed: -Osize saves 0.9 of 23 MB, but copies optional values by metadata that it looks up by name at
# their first use, which takes 0.4 ms of a request.
libstdcxx := $(lastword $(sort $(wildcard /usr/lib/gcc/*/*/libstdc++.a)))
# RE2's archive goes into both builds: each version of Debian has another libre2.so. Later versions need Abseil, and are
# taken from the system.
re2 := $(if $(shell pkg-config --print-requires re2 2>/dev/null),,$(wildcard $(shell pkg-config --variable=libdir re2 2>/dev/null)/libre2.a))
archives := $(CURDIR)/.build/archives
# Apart from the debug build, so that both can be built at the same time. LINK changes little more than what is linked.
scratch := .build/tool
options_static := --wrap=nghttp2_session_callbacks_set_on_frame_recv_callback --wrap=OPENSSL_init_ssl --undefined=_libunistring_version -z now
options_shared := -z pack-relative-relocs
link_options := -L$(archives)/$(LINK) --no-export-dynamic --no-rosegment -T $(CURDIR)/.ci/sections.ld --no-eh-frame-hdr \
    --wrap=_dispatch_workq_worker_register --wrap=_dispatch_workq_worker_unregister $(options_$(LINK))
lean := --scratch-path $(scratch) -debug-info-format none --disable-local-rpath \
    -Xswiftc -Xfrontend -Xswiftc -function-sections \
    -Xswiftc -use-ld=lld $(foreach option,$(link_options),-Xlinker $(option))
# What --version lists: the commit, and the runtime libraries of the compiler.
runtime = Swift/$(shell $(SWIFT) --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')$(if $(re2), \
    RE2/$(shell dpkg-query --show --showformat='$${source:Upstream-Version}' libre2-dev | sed 's/+.*//'))$(if $(libstdcxx), \
    libstdc++/$(notdir $(patsubst %/,%,$(dir $(libstdcxx)))))
commit := $(shell git describe --always --abbrev=12 --dirty --exclude='*' 2>/dev/null)

build: build-deps ## Build the tool for release into .build/bin; LINK=shared takes the system's libraries
	@mkdir -p $(archives)/shared $(dir $(binary))
	@link=$(LINK); \
	if [ $$link = static ]; then \
	    .ci/static-archives $(archives)/static clang || { [ $$? = 77 ] && link=shared; } || exit 1; \
	fi; \
	$(MAKE) --no-print-directory link LINK=$$link binary=$(binary)

.PHONY: link
link:
	$(if $(libstdcxx),@ln -sf $(libstdcxx) $(archives)/$(LINK)/)
	@rm -f $(scratch)/release/afcli # Linked each time: an archive may have been updated.
	AFCLI_LINK=$(LINK) AFCLI_RE2=$(if $(re2),:$(notdir $(re2)),re2) AFCLI_COMMIT=$(commit) AFCLI_RUNTIME='$(runtime)' $(build_swift) -c release --static-swift-stdlib --product afcli $(lean)
	strip -o $(binary) $(scratch)/release/afcli
	.ci/linkage $(LINK) $(binary)

demo: build demo-server ## Run examples against a server on loopback
	Demo/demo.sh $(binary)

pictures: build demo-server ## Regenerate the README's pictures (needs python3)
	Demo/pictures.py $(binary) $(demo_server) Documentation/pictures

demo-server: build-deps
	$(build_swift) --package-path Demo --product demo-server --disable-index-store -debug-info-format none

# Each test starts its own servers on free ports and has its own files, so several processes share nothing. BINARY is tested
# in place of the tool that is built for debugging; TESTS is a pattern for `swift test --filter`.
BINARY ?=
TESTS ?=
test_bundle := .build/debug/afcliPackageTests.xctest
test: test-build ## Run the tests, all or TESTS, with the debug build of the tool or with BINARY
	$(run_tests)

.PHONY: test-run test-build
test-run:
	$(run_tests)

test-build: deps demo-server
	$(build_swift) --build-tests $(leaves) $(SWIFT_FLAGS)

run_tests = AFCLI_DEMO_SERVER=$(demo_server) $(if $(BINARY),AFCLI_BINARY=$(abspath $(BINARY))) \
    .ci/failures .ci/tests $(test_bundle) '$(TESTS)'

# Tests must not depend on the machine's speed. AT_ONCE runs at a time take little longer than one.
RUNS ?= 10
AT_ONCE ?= 4
busy: deps demo-server ## Run the tests RUNS (10) times beside two busy loops and writes to the disk
	$(build_swift) --build-tests $(leaves) $(SWIFT_FLAGS)
	NO_COLOR=1 SWIFT_BACKTRACE=enable=no AFCLI_DEMO_SERVER=$(demo_server) PATH="$$PATH:/usr/sbin" \
	    .ci/busy $(test_bundle) $(RUNS) $(AT_ONCE)

# A build keeps little more than one processor busy, as its modules depend on each other, and tests mostly wait: two of them
# at a time need two processors. Without debug information, compiling takes less time, and linking the tests half of it.
checked := -debug-info-format none -Xswiftc -warnings-as-errors
check: deps lint ## Run the checks that a change must pass: format, warnings, tests, generated files, linkage
	AT_ONCE=2 .ci/together '$(MAKE) test-build SWIFT_FLAGS="$(checked)"' '$(MAKE) build'
	AT_ONCE=2 .ci/together '$(MAKE) test-run BINARY=$(binary)' '$(MAKE) dependent fuzz-build SWIFT_FLAGS="$(checked)"'
	$(MAKE) torture-short servers-short BINARY=$(binary) SWIFT_FLAGS="$(checked)"
	.ci/by-hand
	Tests/Guards/run --check
	.ci/generated
	.ci/linkage static $(binary)
	$(MAKE) check-shared LINK=shared

.PHONY: dependent fuzz-build
dependent: build-deps
	.ci/dependent $(SWIFT)

fuzz-build: build-deps
	AFCLI_FUZZ=1 $(build_swift) --target fuzz $(leaves) $(SWIFT_FLAGS)

# Tests the shared build with the test bundle of `make check`. Torture shows no more than with the static build: both link
# the same version of libcurl.
check-shared: BINARY = $(binary)
check-shared: TESTS = ^AFCLITests\.
check-shared: build
	$(run_tests)

# Checks that the targets install everything on a machine with only Swift, git and make.
check-fresh: toolchain ## Run make demo and make test in a bare Debian root (needs root)
	.ci/check-fresh

check-curl8: test-build ## Compare curl commands with the curl of Debian 13, in a root of it (needs root)
	AFCLI_DEMO_SERVER=$(demo_server) $(if $(BINARY),AFCLI_BINARY=$(abspath $(BINARY))) .ci/check-curl8 $(test_bundle)

check-reproducible: build-deps ## Make the tarball in two directories and compare
	Packaging/check-reproducible

check-distributions: test-deps demo-server dist deb rpm ## Run the packages in bare Debian 12 and 13 roots (needs root)
	$(build_swift) --build-tests $(leaves) $(SWIFT_FLAGS)
	SWIFT=$(SWIFT) Packaging/check-distributions $(version) $(packages) '$(test_packages)'

lint: toolchain
	.ci/sentences
	.ci/rooms
	.ci/quirks
	$(SWIFT) format lint --strict --recursive --parallel $(swift_code)

generated: build-deps ## Regenerate the manual page and the completions
	$(build_swift) --product afcli-docs $(leaves) $(SWIFT_FLAGS)
	.ci/generated --write

docs: build-deps ## Build the documentation of the libraries; fails on a warning
	.ci/documentation $(SWIFT)

# The suites of the transport and the core under each sanitizer, except for the number of allocations, to which the
# sanitizers add theirs. The annotations of Swift's Mutex for Thread Sanitizer, .ci/mutex.c, are loaded first. Address
# Sanitizer keeps less freed memory than by default: some tests measure memory.
sanitize: deps demo-server ## Run the core's tests under Thread and Address Sanitizer
	@echo "Skipped: AllocationTests, as sanitizers allocate memory themselves."
	@echo "Skipped: 'SOCKS 4 reaches no IPv6 address', after which libcurl 7.88 leaks the looked up address (104 bytes)."
	$(call build_sanitized,thread)
	clang -shared -fPIC -O2 -Wall -Wextra -Werror -o .build/thread/mutex.so .ci/mutex.c
	$(call test_sanitized,thread,TSAN_OPTIONS=exitcode=66 LD_PRELOAD=$(CURDIR)/.build/thread/mutex.so)
	$(call build_sanitized,address)
	$(call test_sanitized,address,ASAN_OPTIONS=quarantine_size_mb=16 LSAN_OPTIONS=suppressions=$(CURDIR)/.ci/leaks)

sanitized = $(leaves) --sanitize=$(1) --scratch-path .build/$(1)
build_sanitized = $(build_swift) --build-tests $(sanitized)
test_sanitized = SWIFT_BACKTRACE=enable=no AFCLI_DEMO_SERVER=$(demo_server) PATH="$$PATH:/usr/sbin" $(2) \
    .ci/failures timeout --kill-after=10 1500 $(SWIFT) test --skip-build $(sanitized) --disable-xctest --no-parallel \
    --filter '^(AFTransportTests|AFCoreTests|AFCoreDataTests|AFSigningTests)\.' --skip '^AFCoreTests\.AllocationTests|SOCKS 4 reaches no IPv6 address'

# A release build, which also ends at an overflow or an index out of bounds; the targets test internal code, too.
# gold fails with -sanitize=fuzzer.
SECONDS ?= 60
TARGETS ?=
fuzz_folder := .build/fuzz
fuzz: build-deps ## Fuzz every parser of untrusted input, or TARGETS, for SECONDS (60) each
	AFCLI_FUZZ=1 $(build_swift) -c release --product fuzz --scratch-path $(fuzz_folder) --sanitize=address \
	    -Xswiftc -sanitize=fuzzer -Xswiftc -enable-testing -Xswiftc -use-ld=lld
	Fuzz/run $(fuzz_folder)/release/fuzz $(SECONDS) $(TARGETS)

# One build and one suite for each patch: an hour for all of them, a minute or two for a row.
ROWS ?=
guards: deps ## Remove each guard of Documentation/safety.md, or of ROWS, and check that its tests fail
	SWIFT="$(SWIFT)" Tests/Guards/run $(ROWS)

# Downloads under faults of servers, disks and the process. The program is built with the flags of the tests, to use the same
# modules; no other build contains it. The short form runs every case once, with few kills and without other clients.
torture: torture-deps build ## Torture downloads, beside curl and wget; writes Tests/Torture/RESULTS.md
	$(build_torture)
	$(torture_program) --results Tests/Torture/RESULTS.md $(binary)

torture-short: test-deps build
	$(build_torture)
	$(torture_program) --short $(binary)

# Everything that the servers need is installed by the program itself: what cannot be installed is a row of the table.
servers: servers-deps build ## Ask real servers, or those of ONLY; writes Documentation/servers.md
	$(servers_program) $(if $(ONLY),--only '$(ONLY)',--results Documentation/servers.md) $(binary)

servers-short: servers-deps build
	$(servers_program) --short $(binary)

# The server on swift-nio-extras takes some minutes to build, once; the short form goes without it if it is not built.
uploads: servers-deps build ## Torture uploads, beside tuspy and awscli; writes Tests/Uploads/RESULTS.md
	$(uploads_program) $(if $(ONLY),--only '$(ONLY)',--results Tests/Uploads/RESULTS.md) \
	    $(if $(SEED),--seed $(SEED)) $(if $(LARGE),--large $(LARGE)) $(binary)

uploads-short: servers-deps build
	$(uploads_program) --short $(binary)

tasks: servers-deps build ## Run everyday tasks, or those of ONLY, against servers on loopback
	PYTHONDONTWRITEBYTECODE=1 timeout --kill-after=10 1200 Tests/Tasks/run $(if $(ONLY),--only '$(ONLY)') $(binary)

servers-deps:
	@.ci/packages openssl python3 python3-venv

ONLY ?=
# LARGE is the size of the large file in bytes.
LARGE ?=
uploads_program = PYTHONDONTWRITEBYTECODE=1 timeout --kill-after=10 3600 Tests/Uploads/run
servers_program = PYTHONDONTWRITEBYTECODE=1 timeout --kill-after=10 3600 Tests/Servers/run

SEED ?=
build_torture = AFCLI_TORTURE=1 $(build_swift) --product torture $(leaves) $(SWIFT_FLAGS)
torture_program = timeout --kill-after=10 1500 .build/debug/torture $(if $(SEED),--seed $(SEED))

bench: bench-deps build ## Measure against curl, jq and other clients in one run
	$(build_swift) --package-path Benchmarks -c release
	Benchmarks/run $(binary)

# SOURCE_DATE_EPOCH and MAINTAINER may be set; see Documentation/releasing.md. SHA256SUMS lists all packages of this version.
version := $(shell sed -n 's/.*static let version = "\(.*\)"/\1/p' Sources/AFHTTP/AFInfo.swift)
packages := .build/packages

dist: ## Make the tarball of the static build in .build/packages
	$(MAKE) build LINK=static
	SWIFT=$(SWIFT) Packaging/dist $(version) '$(or $(commit),unknown)' $(packages)
	@$(checksums)

deb: package-deps ## Make the Debian package of the shared build in .build/packages
	$(MAKE) build LINK=shared
	Packaging/deb $(version) .build/bin/afcli-shared $(packages)
	@$(checksums)

rpm: package-deps ## Make the RPM package of the static build in .build/packages
	$(MAKE) build LINK=static
	SWIFT=$(SWIFT) Packaging/rpm $(version) '$(or $(commit),unknown)' $(packages)
	@$(checksums)

# Only of this version. An existing signature belongs to other checksums.
checksums = cd $(packages) && rm -f SHA256SUMS.asc && \
    sha256sum $$(ls | grep -E '^afcli(-$(version)-linux-.*\.tar\.gz|_$(subst -,~,$(version))-1_.*\.deb|-$(subst -,~,$(version))-1\..*\.rpm)$$') >SHA256SUMS

package-deps: build-deps
	@.ci/packages dpkg-dev lintian rpm

install: ## Install below PREFIX (/usr/local) what `make build` built
	@test -x $(binary) || { echo "Run make build first." >&2; exit 1; }
	$(foreach file,$(installed),$(if $(wildcard $(call source,$(file))),\
	    install -D -m $(if $(filter $(binary),$(call source,$(file))),755,644) \
	        $(call source,$(file)) $(call target,$(file)) &&)) true

uninstall: ## Remove what was installed below PREFIX
	rm -f $(foreach file,$(installed),$(call target,$(file)))

clean: ## Remove everything that was built
	rm -rf .build Demo/.build Benchmarks/.build
