# ood: build, test, install. `make help` lists the targets.

MODE ?= release
CC ?= gcc
prefix ?= /usr/local
bindir = $(prefix)/bin
libdir = $(prefix)/lib
includedir = $(prefix)/include
mandir = $(prefix)/share/man

VERSION := $(shell sed -n 's/^\#define OOD_VERSION "\(.*\)"/\1/p' include/ood.h)

# `make` leaves build/ood; other modes (asan, clang ...) live in build/MODE.
BUILD_release = build
BUILD ?= $(or $(BUILD_$(MODE)),build/$(MODE))

WARN = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla \
       -Wstrict-prototypes -Wmissing-prototypes
# No contraction: sums and comparisons must not depend on the compiler's
# choice of fused operations; fma() is written where it is meant.
BASE = -std=c11 -D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -ffp-contract=off \
       -fopenmp -Iinclude -Isrc $(WARN)
OPT_release = -O2 -g
OPT_asan = -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
           -fno-omit-frame-pointer
OPT = $(or $(OPT_$(MODE)),$(OPT_release))
ifdef CI
BASE += -Werror
endif

# Debian package of each library, named when it is missing.
PKGS = libcjson zlib openblas lapacke
DEB_libcjson = libcjson-dev
DEB_zlib = zlib1g-dev
DEB_openblas = libopenblas-dev
DEB_lapacke = liblapacke-dev
DEB_check = check

NEEDS_BUILD := $(if $(filter-out help clean install-deps demo check check-asan bench,$(or $(MAKECMDGOALS),all)),yes)
ifeq ($(NEEDS_BUILD),yes)
ifeq ($(shell command -v pkg-config),)
$(error pkg-config is missing: apt-get install pkg-config (or scripts/install-deps))
endif
$(foreach p,$(PKGS),$(if $(shell pkg-config --exists $(p) && echo ok),,\
  $(error $(p) is missing: apt-get install $(DEB_$(p)) (or scripts/install-deps))))
# libcsv has no .pc file: ask the compiler.
ifneq ($(shell echo '\#include <csv.h>' | $(CC) -E -x c - >/dev/null 2>&1 && echo ok),ok)
$(error libcsv is missing: apt-get install libcsv-dev (or scripts/install-deps))
endif
endif

CFLAGS ?=
ALL_CFLAGS = $(BASE) $(OPT) $(CFLAGS)
PKG_CFLAGS = $(shell pkg-config --cflags $(PKGS))
LIBS = -Wl,--as-needed $(shell pkg-config --libs $(PKGS)) -lcsv -lm

# The command links GCC's OpenMP statically, where it is there: main.c then
# sets its waiting policy before it starts.
ifneq ($(findstring Free Software Foundation,$(shell $(CC) --version)),)
GOMP := $(wildcard $(shell $(CC) -print-file-name=libgomp.a))
endif

SRC := $(sort $(wildcard src/*/*.c))
LIB_SRC := $(filter-out src/cli/%,$(SRC))
CLI_SRC := $(filter src/cli/%,$(SRC))
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o)
CLI_OBJ := $(CLI_SRC:%.c=$(BUILD)/%.o)
TEST_SRC := $(sort $(wildcard tests/unit/*.c))
TEST_OBJ := $(TEST_SRC:%.c=$(BUILD)/%.o)

.PHONY: all
all: $(BUILD)/ood $(BUILD)/libood.a

# Changed flags rebuild everything.
FLAGS_NOW = $(CC) $(ALL_CFLAGS) $(LDFLAGS)
$(BUILD)/flags: FORCE
	@mkdir -p $(BUILD)
	@echo '$(FLAGS_NOW)' | cmp -s - $@ || echo '$(FLAGS_NOW)' > $@
.PHONY: FORCE
FORCE:

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(PKG_CFLAGS) -MMD -MP -c -o $@ $<

# The kernels are loops for the vectoriser, cloned per instruction set; their
# clones may contract and are tested against the plain one.
$(BUILD)/src/math/digest_%.o: OPT += -O3 -ffp-contract=fast

$(BUILD)/libood.a: $(LIB_OBJ)
	@rm -f $@
	ar rcs $@ $(LIB_OBJ)

$(BUILD)/ood: $(CLI_OBJ) $(BUILD)/libood.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(CLI_OBJ) $(BUILD)/libood.a $(LIBS) $(GOMP)

# Every tests/unit/test_NAME.c has a suite_NAME(); the list is made here.
$(BUILD)/suites.def: $(TEST_SRC)
	@mkdir -p $(BUILD)
	@for f in $(patsubst tests/unit/test_%.c,%,$(filter tests/unit/test_%,$(TEST_SRC))); \
	do echo "OOD_SUITE($$f)"; done > $@
$(BUILD)/tests/unit/main.o: $(BUILD)/suites.def
$(BUILD)/tests/unit/%.o: PKG_CFLAGS += $(shell pkg-config --cflags check) -I$(BUILD) -Itests/unit
$(BUILD)/unit: $(TEST_OBJ) $(BUILD)/libood.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(TEST_OBJ) $(BUILD)/libood.a $(LIBS) $(shell pkg-config --libs check)


# Fuzz targets: every tests/fuzz/fuzz_NAME.c has an ood_fuzz_NAME().
FUZZ_SRC := $(sort $(wildcard tests/fuzz/*.c))
FUZZ_OBJ := $(FUZZ_SRC:%.c=$(BUILD)/%.o)
$(BUILD)/targets.def: $(FUZZ_SRC)
	@mkdir -p $(BUILD)
	@for f in $(patsubst tests/fuzz/fuzz_%.c,%,$(filter tests/fuzz/fuzz_%,$(FUZZ_SRC))); \
	do echo "OOD_TARGET($$f)"; done > $@
$(BUILD)/tests/fuzz/replay.o: $(BUILD)/targets.def
$(BUILD)/tests/fuzz/%.o: PKG_CFLAGS += -I$(BUILD) -Wno-missing-prototypes
$(BUILD)/fuzz: $(FUZZ_OBJ) $(BUILD)/libood.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(FUZZ_OBJ) $(BUILD)/libood.a $(LIBS)
$(BUILD)/transcript: $(BUILD)/tests/transcript.o
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< -lm

# The example programs of the library, as a user would build them.
EXAMPLE_SRC := $(sort $(wildcard examples/*.c))
EXAMPLES := $(EXAMPLE_SRC:examples/%.c=$(BUILD)/example-%)
$(BUILD)/example-%: examples/%.c $(BUILD)/libood.a
	$(CC) $(BASE) $(OPT) $(LDFLAGS) -o $@ $< $(BUILD)/libood.a $(LIBS)

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(TEST_OBJ:.o=.d) $(FUZZ_OBJ:.o=.d)
-include $(BUILD)/tests/transcript.d

.PHONY: tests
tests: all $(BUILD)/unit $(BUILD)/transcript $(BUILD)/fuzz $(EXAMPLES)

## install-deps: install the Debian packages that are missing
.PHONY: install-deps
install-deps:
	@scripts/install-deps

## check: all tests; the last line counts them
.PHONY: check
check: install-deps
	@$(MAKE) --no-print-directory -s tests
	@tests/run $(BUILD)

## check-asan: the tests under the address and undefined-behaviour sanitizers
.PHONY: check-asan
check-asan: install-deps
	@$(MAKE) --no-print-directory -s MODE=asan tests
	@CK_FORK=no ASAN_OPTIONS=detect_leaks=1 tests/run build/asan unit transcripts fuzz

## demo: score, judge and threshold the example data
.PHONY: demo
demo: install-deps
	@$(MAKE) --no-print-directory -s all
	@PATH="$(CURDIR)/$(BUILD):$$PATH" sh examples/demo.sh

## bench: time ood against the peers that are installed (makes 1.5 GB of inputs)
.PHONY: bench
bench: install-deps
	@$(MAKE) --no-print-directory -s all
	@bench/run $(BUILD)/ood

## man: put the options of the commands into the manual pages
.PHONY: man
man: $(BUILD)/ood
	scripts/man-options $(BUILD)/ood

## install: install to DESTDIR and prefix (/usr/local)
.PHONY: install
install: all
	install -d $(DESTDIR)$(bindir) $(DESTDIR)$(libdir)/pkgconfig \
		$(DESTDIR)$(includedir) $(DESTDIR)$(mandir)/man1 \
		$(DESTDIR)$(mandir)/man5 $(DESTDIR)$(mandir)/man7 \
		$(DESTDIR)$(prefix)/share/bash-completion/completions
	install -m 755 $(BUILD)/ood $(DESTDIR)$(bindir)/ood
	install -m 644 $(BUILD)/libood.a $(DESTDIR)$(libdir)/libood.a
	install -m 644 include/ood.h $(DESTDIR)$(includedir)/ood.h
	sed -e 's|@prefix@|$(prefix)|' -e 's|@version@|$(VERSION)|' \
		scripts/ood.pc.in > $(DESTDIR)$(libdir)/pkgconfig/ood.pc
	install -m 644 scripts/ood.bash \
		$(DESTDIR)$(prefix)/share/bash-completion/completions/ood
	for s in 1 5 7; do \
		for p in man/*.$$s; do \
			install -m 644 $$p $(DESTDIR)$(mandir)/man$$s/ || exit 1; \
		done; \
	done

## uninstall: remove what install has put there
.PHONY: uninstall
uninstall:
	rm -f $(DESTDIR)$(bindir)/ood $(DESTDIR)$(libdir)/libood.a \
		$(DESTDIR)$(includedir)/ood.h $(DESTDIR)$(libdir)/pkgconfig/ood.pc \
		$(DESTDIR)$(prefix)/share/bash-completion/completions/ood
	for s in 1 5 7; do \
		for p in man/*.$$s; do \
			rm -f $(DESTDIR)$(mandir)/man$$s/$$(basename $$p); \
		done; \
	done

## clean: remove what was built
.PHONY: clean
clean:
	rm -rf build

## help: this list
.PHONY: help
help:
	@echo "make                builds build/ood and build/libood.a"
	@sed -n 's/^## \([a-z-]*\): \(.*\)/make \1|\2/p' Makefile | \
		awk -F'|' '{ printf "%-19s %s\n", $$1, $$2 }'
