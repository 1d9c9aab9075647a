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
LIBS = $(shell pkg-config --libs $(PKGS)) -lcsv -lm

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
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(CLI_OBJ) $(BUILD)/libood.a $(LIBS)

# Every tests/unit/test_NAME.c has a suite_NAME(); the list is made here.
$(BUILD)/suites.def: $(TEST_SRC)
	@mkdir -p $(BUILD)
	@for f in $(patsubst tests/unit/test_%.c,%,$(filter tests/unit/test_%,$(TEST_SRC))); \
	do echo "OOD_SUITE($$f)"; done > $@
$(BUILD)/tests/unit/main.o: $(BUILD)/suites.def
$(BUILD)/tests/unit/%.o: PKG_CFLAGS += $(shell pkg-config --cflags check) -I$(BUILD) -Itests/unit
$(BUILD)/unit: $(TEST_OBJ) $(BUILD)/libood.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(TEST_OBJ) $(BUILD)/libood.a $(LIBS) $(shell pkg-config --libs check)

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(TEST_OBJ:.o=.d)
