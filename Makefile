# Verbs over CMake and Ninja; `make help` lists them. `make demo`, `make test` and `make deps` install missing packages.
# Every other verb only says what is missing (tools/setup.sh). JOBS limits the number of parallel compilers and tests.
# PREFIX is the target of `make install`. WERROR=ON makes warnings errors in build/ too; the presets for developers
# (asan, clang and so on) always do.
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
# With address randomization, some kernels place memory where the thread sanitizer does not expect it.
fixed_addresses = $(shell setarch -R true 2>/dev/null && echo setarch -R)

.PHONY: build demo python wasm npm recipes-quick test test-python test-page test-wasm test-cross asan ubsan tsan clang fuzz leakcheck lint analyze lint-changed \
	format format-check check-includes check-rooms rooms check-exports bench bench-counts parity test-all install deb release deps \
	clean help
.DEFAULT_GOAL := build

# ---- Building --------------------------------------------------------------------------------------------------------

build: build/build.ninja ## Build the program, build/attend, and the library
	@$(call compile,build) --target attend attend_archive attend_shared

demo: build ## Train a small model and show what it attends to
	bash demo/run.sh

recipes-quick: build ## Run every recipe whose data is in ATTEND_DATA, shortened to seconds
	ATTEND=$(CURDIR)/build/attend bash recipes/quick.sh

# setup.py compiles again only if the library or a header changed.
python: build | setup-python ## Build the Python package, build/python/attend
	@tools/python.sh build

wasm: | setup-wasm ## Build the library for browsers, build/attend.wasm
	@JOBS=$(JOBS) tools/wasm.sh

npm: wasm ## Pack the JavaScript package, build/npm/*.tgz
	@tools/npm.sh

install: build ## Install program, library, headers and attend.pc in PREFIX (and DESTDIR)
	@$(call compile,build) --target attend_manual
	cmake --install build --prefix $(PREFIX)
	@echo 'Now try: $(DESTDIR)$(PREFIX)/bin/attend translate --model english-pronunciation gracht hello'

werror = $(if $(WERROR),-DATTEND_WERROR=$(WERROR))
build/build.ninja: CMakePresets.json | setup-build
	cmake --preset release -DATTEND_TESTS=OFF $(werror)
	@touch $@

# The same folder configured with tests; `make build` still builds only the program there. Configured again if WERROR is
# given, since the folder may have been configured without it.
.PHONY: always
build/with-tests: CMakePresets.json $(if $(WERROR),always) | setup-test
	cmake --preset release -DATTEND_TESTS=ON $(werror)
	@touch build/build.ninja $@

$(presets:%=build-%/build.ninja): build-%/build.ninja: CMakePresets.json
	cmake --preset $*
	@touch $@

# Only configured, not built: clang-tidy needs compile_commands.json.
build-lint/build.ninja: CMakePresets.json | setup-lint
	cmake --preset release -B build-lint -DATTEND_TESTS=OFF -DATTEND_WERROR=ON
	@touch $@

build-asan/build.ninja build-tsan/build.ninja: | setup-test
build-clang/build.ninja build-ubsan/build.ninja: | setup-clang
build-debug/build.ninja: | setup-valgrind
build-fuzz/build.ninja: | setup-fuzz

# ---- Testing ---------------------------------------------------------------------------------------------------------

test: build/with-tests ## Run all tests with the release build
	@$(call compile,build)
	ctest --preset release --parallel $(JOBS)

# The browser is a large download (make deps GROUP=browser), so `make test` uses it only if it is installed.
test-page: build/with-tests | setup-browser ## Test the interactive page in Chromium
	@$(call compile,build) --target page_samples
	@[ tests/page/node_modules -nt tests/page/package-lock.json ] || \
		{ npm ci --prefix tests/page --silent --no-audit --no-fund && touch tests/page/node_modules; }
	ATTEND=build/attend bash tests/page/run.sh

test-python: python ## Run all tests of the Python package, build a wheel and check the types
	@tools/python.sh test
	@tools/python.sh types
	@tools/python.sh wheel

test-wasm: npm ## Test attend.wasm under Node, and the JavaScript package in a project
	ATTEND_WASM=$(CURDIR)/build/attend.wasm node --expose-gc --test tests/wasm/
	@[ tests/npm/node_modules -nt tests/npm/package-lock.json ] || \
		{ npm ci --prefix tests/npm --silent --no-audit --no-fund && touch tests/npm/node_modules; }
	bash tests/npm/run.sh build/npm/*.tgz

test-cross: | setup-cross ## Build for ARM and run all unit tests in an emulator, in half an hour
	@JOBS=$(JOBS) tests/long/cross.sh

asan: build-asan/build.ninja ## Run all tests with the address, leak and undefined behavior sanitizers
	@$(call compile,build-asan)
	ctest --preset asan --parallel $(JOBS)

ubsan: build-ubsan/build.ninja ## Run all tests with clang's undefined behavior sanitizer, which finds more
	@$(call compile,build-ubsan)
	ctest --preset ubsan --parallel $(JOBS)

tsan: build-tsan/build.ninja ## Run all tests with the thread sanitizer
	@$(call compile,build-tsan)
	$(fixed_addresses) ctest --preset tsan --parallel $(JOBS)

clang: build-clang/build.ninja ## Run all tests, built with clang
	@$(call compile,build-clang)
	ctest --preset clang --parallel $(JOBS)

leakcheck: build-debug/build.ninja ## Run the unit tests under valgrind
	@$(call compile,build-debug)
	@cd build-debug/tests && printf '%s\n' ../unit/*_test ../unit/*_test_double | xargs -P $(JOBS) -I TEST sh -c 'echo "valgrind TEST"; \
		valgrind -q --leak-check=full --suppressions=../../tests/valgrind.supp --error-exitcode=1 TEST >/dev/null || exit 255'

# SECONDS=n is the time per target, TARGETS="a b" selects targets. LONG=1 is for overnight runs: an hour per target.
fuzz_seconds = $(if $(filter command%,$(origin SECONDS)),$(SECONDS),$(if $(LONG),3600,60))
fuzz: build-fuzz/build.ninja ## Run the fuzz targets, a minute each: SECONDS=, TARGETS=, LONG=1
	@$(call compile,build-fuzz) --target fuzz
	SECONDS_EACH=$(fuzz_seconds) JOBS=$(JOBS) tests/fuzz/run.sh $(TARGETS)

test-all: setup-all test test-wasm test-page test-python check-exports asan ubsan lint analyze clang tsan leakcheck test-cross ## All of these checks

parity: | setup-parity ## Regenerate tests/parity with PyTorch
	/usr/bin/python3 tools/make_parity.py tests/parity

# ROWS=train,beam selects rows, ROUNDS=n sets the repetitions, MODEL=file translates with an existing model, QUICK=1
# only tries everything once. The comparison with PyTorch is left out if PyTorch is not installed; TORCH=1 requires it
# (1 GB).
bench: build | setup-bench $(if $(TORCH),setup-parity) ## Compare the speed with PyTorch's: ROWS=, ROUNDS=, TORCH=1, MODEL=, QUICK=1
	python3 -B tools/bench/compare.py --attend build/attend --folder build/bench $(if $(ROWS),--rows $(ROWS)) \
		$(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(MODEL),--model $(MODEL)) $(if $(QUICK),--quick)

bench-counts: build-counts/build.ninja | setup-valgrind ## Fail if fixed work takes 3 % more instructions; UPDATE=1 records
	@$(call compile,build-counts) --target attend
	python3 -B tools/bench/counts.py --attend build-counts/attend $(if $(UPDATE),--update)

# The user's build, with line numbers for the instruction counts.
build-counts/build.ninja: CMakePresets.json | setup-build
	cmake --preset release -B build-counts -DATTEND_MPI=OFF -DCMAKE_BUILD_TYPE=RelWithDebInfo \
		-DCMAKE_C_FLAGS_RELWITHDEBINFO="-O3 -g1" -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="-O3 -g1"
	@touch $@

# ---- Reading ---------------------------------------------------------------------------------------------------------

lint: build-lint/build.ninja format-check check-includes check-rooms check-exports | setup-lint ## Run all static checks of the sources
	shellcheck -x -P SCRIPTDIR $(scripts) tests/cli/lib.bash tests/faults/serve.bash recipes/lib.bash
	@printf '%s\n' $(units) | $(tidy)

# gcc -fanalyzer, cppcheck and clang's analyzer, with checks that lint leaves out. Findings are fixed or justified in
# tools/analysis.supp. QUICK=1 leaves out clang's analyzer, which takes by far the longest.
analyze: build-lint/build.ninja | setup-analyze ## Run further static analyzers; QUICK=1
	JOBS=$(JOBS) tools/analyze.sh build-lint cppcheck gcc $(if $(QUICK),,clang)

lint-changed: build-lint/build.ninja format-check check-includes | setup-lint ## Run clang-tidy on files changed since the last commit
	@{ git diff --name-only --diff-filter=d HEAD; git ls-files --others --exclude-standard; } | \
		grep -E '^(src|cli)/.*\.c$$' | grep -v '_test\.c$$' | sort -u | $(tidy)

format: | setup-format ## Format the sources
	@clang-format -i $(sources)

format-check: | setup-format ## Fail if `make format` would change anything
	@clang-format --dry-run -Werror $(sources)

check-includes: ## Fail if a room includes a header that it may not
	@tools/check_includes.sh

rooms: ## Redraw docs/images/rooms.svg from tools/rooms.txt
	@python3 -B tools/draw_rooms.py

check-rooms: ## Fail if docs/images/rooms.svg does not match tools/rooms.txt
	@python3 -B tools/draw_rooms.py --check

check-exports: build ## Fail if the library exports a name that is not attend_*
	@tools/check_exports.sh build

# ---- Publishing ------------------------------------------------------------------------------------------------------

# DEB_BUILD_OPTIONS=nocheck leaves out the tests.
deb: | setup-deb ## Build the Debian packages in build/deb
	JOBS=$(JOBS) tools/deb.sh build/deb

release: ## Make the source archive of the last commit and its checksum in build/release
	@tools/release.sh build/release

# ---- The rest --------------------------------------------------------------------------------------------------------

# Only if they are named on the command line: test-all installs nothing.
demo test: installs = $(filter demo test,$(MAKECMDGOALS))

# GROUP=lint, or several: GROUP="lint clang". tools/setup.sh has the list of groups.
GROUP ?= build
deps: ## Install packages for building, or those of another GROUP= of tools/setup.sh
	@tools/setup.sh $(GROUP)

all_groups = build test wasm browser python lint analyze clang valgrind cross
.PHONY: setup-all
setup-all:
	@tools/setup.sh --check $(all_groups)

.PHONY: setup-deb setup-build setup-test setup-format setup-lint setup-analyze setup-clang setup-fuzz setup-valgrind setup-parity setup-bench setup-browser setup-python setup-wasm setup-cross
setup-deb setup-build setup-test setup-format setup-lint setup-analyze setup-clang setup-fuzz setup-valgrind setup-parity setup-bench setup-browser setup-python setup-wasm setup-cross: \
	setup-%:
	@tools/setup.sh $(if $(installs),,--check) $*

clean: ## Remove all build output
	rm -rf build build-* tests/page/node_modules tests/npm/node_modules

help: ## Show this list
	@sed -n 's/^\([a-z][a-z -]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 16
