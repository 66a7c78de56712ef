# Verbs over CMake and Ninja; `make help` lists them. Each first installs what it lacks (tools/setup.sh).
# JOBS limits how many compilers and tests run at once, PREFIX is where `make install` puts things.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
SHELL := /bin/bash

presets := debug asan ubsan tsan clang fuzz
sources = $(shell find src cli include tests demo examples -name node_modules -prune -o -name '*.[ch]' -print -o \
	-name '*.cc' -print)
units = $(shell find src cli -name '*.c' ! -name '*_test.c')
tidy = xargs -r -P $(JOBS) -n 4 clang-tidy -p build-lint --quiet 2> >(grep -v 'warnings* generated' >&2)
scripts = .ci/run $(shell find tools demo tests docs recipes -name node_modules -prune -o -name '*.sh' -print 2>/dev/null)
compile = cmake --build $(1) --parallel $(JOBS)
# Some kernels place memory where the thread sanitizer does not expect it, unless told not to move it about.
fixed_addresses = $(shell setarch -R true 2>/dev/null && echo setarch -R)

.PHONY: build demo recipes-quick test test-page asan ubsan tsan clang fuzz leakcheck lint analyze lint-changed format format-check \
	check-includes check-exports bench bench-counts parity test-all install clean help
.DEFAULT_GOAL := build

# ---- Building --------------------------------------------------------------------------------------------------------

build: build/build.ninja ## The program, build/attend, and the library
	@$(call compile,build) --target attend attend_archive attend_shared

demo: build ## Train a small model and show what it attends to
	bash demo/run.sh

recipes-quick: build ## Every recipe whose data is there (ATTEND_DATA), shortened to seconds
	ATTEND=$(CURDIR)/build/attend bash recipes/quick.sh

install: build ## Program, library, headers and attend.pc to PREFIX (and DESTDIR)
	@$(call compile,build) --target attend_manual
	cmake --install build --prefix $(PREFIX)

build/build.ninja: CMakePresets.json | setup-build
	cmake --preset release -DATTEND_TESTS=OFF
	@touch $@

# The same folder with the tests: `make build` keeps to the program there.
build/with-tests: CMakePresets.json | setup-test
	cmake --preset release -DATTEND_TESTS=ON
	@touch build/build.ninja $@

$(presets:%=build-%/build.ninja): build-%/build.ninja: CMakePresets.json
	cmake --preset $*
	@touch $@

# Only configured: clang-tidy wants to know how each file is compiled.
build-lint/build.ninja: CMakePresets.json | setup-lint
	cmake --preset release -B build-lint -DATTEND_TESTS=OFF
	@touch $@

build-asan/build.ninja build-tsan/build.ninja: | setup-test
build-clang/build.ninja build-ubsan/build.ninja: | setup-clang
build-debug/build.ninja: | setup-valgrind
build-fuzz/build.ninja: | setup-fuzz

# ---- Testing ---------------------------------------------------------------------------------------------------------

test: build/with-tests ## All tests, with the user's build
	@$(call compile,build)
	ctest --preset release --parallel $(JOBS)

# The browser is a large download, so that `make test` uses it only if it is there.
test-page: build/with-tests | setup-browser ## The interactive page, driven in Chromium
	@$(call compile,build) --target page_samples
	@[ tests/page/node_modules -nt tests/page/package-lock.json ] || \
		{ npm ci --prefix tests/page --silent --no-audit --no-fund && touch tests/page/node_modules; }
	ATTEND=build/attend bash tests/page/run.sh

asan: build-asan/build.ninja ## All tests, looking for wrong accesses, leaks, undefined behaviour
	@$(call compile,build-asan)
	ctest --preset asan --parallel $(JOBS)

ubsan: build-ubsan/build.ninja ## All tests, looking for undefined behaviour with clang, which sees more of it
	@$(call compile,build-ubsan)
	ctest --preset ubsan --parallel $(JOBS)

tsan: build-tsan/build.ninja ## All tests, looking for data races
	@$(call compile,build-tsan)
	$(fixed_addresses) ctest --preset tsan --parallel $(JOBS)

clang: build-clang/build.ninja ## All tests, built by clang
	@$(call compile,build-clang)
	ctest --preset clang --parallel $(JOBS)

leakcheck: build-debug/build.ninja ## Unit tests under valgrind
	@$(call compile,build-debug)
	@cd build-debug/tests && for test in ../unit/*_test ../unit/*_test_double; do \
		echo "valgrind $$test"; \
		valgrind -q --leak-check=full --suppressions=../../tests/valgrind.supp --error-exitcode=1 $$test >/dev/null || exit 1; \
	done

# SECONDS=n runs each target so long, TARGETS="a b" only these. LONG=1 is for the night: an hour each, with a SentencePiece
# that is built with the sanitizers as well.
fuzz_seconds = $(if $(filter command%,$(origin SECONDS)),$(SECONDS),$(if $(LONG),3600,60))
fuzz_build = $(if $(LONG),build-fuzz-long,build-fuzz)
fuzz: $(fuzz_build)/build.ninja ## Fuzz targets, a minute each: SECONDS=, TARGETS=, LONG=1
	@$(call compile,$(fuzz_build)) --target fuzz
	FUZZ_BUILD=$(fuzz_build) SECONDS_EACH=$(fuzz_seconds) JOBS=$(JOBS) tests/fuzz/run.sh $(TARGETS)

build-fuzz-long/build.ninja: CMakePresets.json | setup-fuzz
	JOBS=$(JOBS) tests/fuzz/sentencepiece.sh
	PKG_CONFIG_PATH=$(CURDIR)/build-fuzz-sp/install/lib/pkgconfig cmake --preset fuzz -B build-fuzz-long
	@touch $@

test-all: test test-page check-exports asan ubsan lint analyze clang tsan leakcheck ## Everything above, and lint

parity: | setup-parity ## Write tests/parity anew from PyTorch
	/usr/bin/python3 tools/make_parity.py tests/parity

# ROWS=train,beam measures some rows, ROUNDS=n how often, MODEL=file translates with a model that is there, QUICK=1 only
# tries it. PyTorch, the peer, is compared with where it is installed; TORCH=1 installs it (1 GB).
bench: build | setup-bench $(if $(TORCH),setup-parity) ## Speed beside PyTorch's: ROWS=, ROUNDS=, TORCH=1, MODEL=, QUICK=1
	python3 -B tools/bench/compare.py --attend build/attend --folder build/bench $(if $(ROWS),--rows $(ROWS)) \
		$(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(MODEL),--model $(MODEL)) $(if $(QUICK),--quick)

bench-counts: build-counts/build.ninja | setup-valgrind ## Fail if fixed work takes 3 % more instructions; UPDATE=1 records
	@$(call compile,build-counts) --target attend
	python3 -B tools/bench/counts.py --attend build-counts/attend $(if $(UPDATE),--update)

# The user's build, with the lines that instructions come from.
build-counts/build.ninja: CMakePresets.json | setup-build
	cmake --preset release -B build-counts -DATTEND_TESTS=OFF -DATTEND_MPI=OFF -DCMAKE_BUILD_TYPE=RelWithDebInfo \
		-DCMAKE_C_FLAGS_RELWITHDEBINFO="-O3 -g1" -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O3 -g1"
	@touch $@

# ---- Reading ---------------------------------------------------------------------------------------------------------

lint: build-lint/build.ninja format-check check-includes check-exports | setup-lint ## Everything that reads the sources
	shellcheck -x -P SCRIPTDIR $(scripts) tests/cli/lib.bash tests/faults/serve.bash recipes/lib.bash
	@printf '%s\n' $(units) | $(tidy)

# gcc -fanalyzer, cppcheck and clang's analyser with checks that lint leaves out; findings are mended or argued in
# tools/analysis.supp. QUICK=1 leaves out clang's, which takes by far the longest.
analyze: build-lint/build.ninja | setup-analyze ## More programs that read the sources for mistakes; QUICK=1
	JOBS=$(JOBS) tools/analyze.sh build-lint cppcheck gcc $(if $(QUICK),,clang)

lint-changed: build-lint/build.ninja format-check check-includes | setup-lint ## clang-tidy on what differs from the last commit
	@{ git diff --name-only --diff-filter=d HEAD; git ls-files --others --exclude-standard; } | \
		grep -E '^(src|cli)/.*\.c$$' | grep -v '_test\.c$$' | sort -u | $(tidy)

format: | setup-format ## Rewrite the sources in the house form
	@clang-format -i $(sources)

format-check: | setup-format ## Fail if `make format` would change anything
	@clang-format --dry-run -Werror $(sources)

check-includes: ## Fail if a layer includes what it may not
	@tools/check_includes.sh

check-exports: build ## Fail if the library shows a name that is not attend_*
	@tools/check_exports.sh build

# ---- The rest --------------------------------------------------------------------------------------------------------

.PHONY: setup-build setup-test setup-format setup-lint setup-analyze setup-clang setup-fuzz setup-valgrind setup-parity setup-bench setup-browser
setup-build setup-test setup-format setup-lint setup-analyze setup-clang setup-fuzz setup-valgrind setup-parity setup-bench setup-browser: \
	setup-%:
	@tools/setup.sh $*

clean: ## Remove everything that was built
	rm -rf build build-* tests/page/node_modules

help: ## This list
	@sed -n 's/^\([a-z][a-z -]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 16
