# SPDX-License-Identifier: GPL-2.0-only
#
# perfmon has a kernel half (Kbuild: the modules) and a user half (library and
# pfmon). 'make help' lists what can be made.

KERNELVERSION ?= $(shell uname -r)
KERNELDIR ?= /lib/modules/$(KERNELVERSION)/build
O ?= $(CURDIR)/build/native
prefix ?= /usr/local
libdir ?= $(prefix)/lib
includedir ?= $(prefix)/include
docdir ?= $(prefix)/share/doc/perfmon
udevdir ?= /usr/lib/udev/rules.d
# Settings that an administrator may want; they are not active there.
sysctldir ?= $(prefix)/share/perfmon/sysctl
# What modules of others (formats, PMUs) are built with: PERFMON= for them.
moddevdir ?= $(prefix)/src/perfmon
INSTALL ?= install

# Sub-makes run in their own folders.
override O := $(abspath $(O))
LIBPERFMON := $(O)/lib
export prefix libdir includedir docdir DESTDIR INSTALL LIBPERFMON

HAVE = $(if $(wildcard $(1)/Makefile),$(1))
# pfmon is nothing without the library.
USER_DIRS := $(if $(call HAVE,lib),lib $(call HAVE,tools/pfmon))
UDEV_RULES := $(wildcard tools/udev/*.rules)

all: user
	@if [ -d "$(KERNELDIR)" ]; then $(MAKE) --no-print-directory modules; else \
	echo "modules left out: no kernel headers in $(KERNELDIR)" >&2; \
	echo "install linux-headers-$$(uname -r), or set KERNELDIR=" >&2; fi

modules:
	$(MAKE) -C $(KERNELDIR) M=$(CURDIR) modules

user: $(USER_DIRS)

lib tools/pfmon selftests:
	$(MAKE) -C $@ O=$(O)/$(notdir $@)

tools: tools/pfmon
tools/pfmon: lib
selftests: $(USER_DIRS)
tests: $(call HAVE,selftests)
	$(MAKE) -C tools/pfmon O=$(O)/pfmon tests

install: install-modules install-user

install-modules:
	$(MAKE) -C $(KERNELDIR) M=$(CURDIR) INSTALL_MOD_DIR=updates \
		$(if $(DESTDIR),INSTALL_MOD_PATH=$(DESTDIR)) modules_install
	$(if $(DESTDIR),,depmod -a)
	$(INSTALL) -D -m 644 -t $(DESTDIR)$(moddevdir) Module.symvers

install-headers:
	$(INSTALL) -D -m 644 -t $(DESTDIR)$(includedir)/linux include/uapi/linux/*.h
	$(INSTALL) -D -m 644 -t $(DESTDIR)$(moddevdir)/include/perfmon include/perfmon/*.h
	$(INSTALL) -D -m 644 -t $(DESTDIR)$(moddevdir)/include/uapi/linux \
		include/uapi/linux/*.h

install-user: user install-headers
	set -e; for dir in $(USER_DIRS); do \
		$(MAKE) -C $$dir O=$(O)/$${dir##*/} install; done
	$(if $(UDEV_RULES),$(INSTALL) -D -m 644 -t $(DESTDIR)$(udevdir) $(UDEV_RULES))
	$(INSTALL) -D -m 644 -t $(DESTDIR)$(sysctldir) tools/sysctl/perfmon-watchdog.conf

# What an installation would lay down is what goes.
uninstall:
	$(MAKE) -s install-user DESTDIR=$(O)/uninstall
	cd $(O)/uninstall && find . ! -type d -printf '%P\n' | \
		while read -r file; do rm -fv "$(DESTDIR)/$$file"; done
	rm -rf $(O)/uninstall
	rm -fv $(DESTDIR)$(moddevdir)/Module.symvers
	rm -fv $(DESTDIR)/lib/modules/$(KERNELVERSION)/updates/perfmon*.ko* \
		$(DESTDIR)/lib/modules/$(KERNELVERSION)/updates/*/perfmon*.ko*
	$(if $(DESTDIR),,depmod -a)

# Counts and samples the build of our own library by the guest's own compiler, exactly,
# because the guest runs one instruction a nanosecond. DEMO=user builds pfmon as well,
# which takes four times as long. ARCH=x86_64: on an emulated Intel processor.
DEMO := lib
DEMO_GUEST = $(if $(filter x86_64,$(ARCH)),--pmu icelake,--icount)
demo:
	selftests/qemu/setup
	@mkdir -p build
	selftests/qemu/guest --arch $(or $(ARCH),arm64) $(DEMO_GUEST) --progress --timeout 1800 -- \
		examples/demo/guest $(DEMO) >build/demo.html
	@echo "The flame graph is in $(CURDIR)/build/demo.html; a browser opens it from disk." >&2

# What the README shows: pfmon's output, and a picture of the page that 'make demo' makes.
docs-pictures: demo
	examples/demo/pictures

# The pages of Documentation/ as HTML, with one for each header of the kernel's interface and one
# of all source files.
docs:
	@command -v sphinx-build >/dev/null || \
		{ echo 'make docs needs sphinx-build, from the package python3-sphinx' >&2; exit 1; }
	rm -rf build/docs build/docs-source
	mkdir -p build
	cp -r Documentation build/docs-source
	cp CONTRIBUTING.rst build/docs-source
	tools/docs/headers build/docs-source/extend/linux include/uapi/linux/*.h
	tools/docs/files --page >build/docs-source/change/files.rst
	PYTHONDONTWRITEBYTECODE=1 sphinx-build -q -W --keep-going -c tools/docs -d build/docs-source/.doctrees \
		build/docs-source build/docs
	@echo 'The first page is build/docs/index.html' >&2

# Each test once; check-all is the rest: other kernels, processors and numbers of CPUs,
# long races, costs.
check: emulators
	selftests/run

check-all: emulators
	selftests/run --more

# Runs the guest plans of 'make check', and those of sharing the PMU, on the kernels of later releases.
# On the kernel without Debian's patches it runs those in which their exports are missed.
KERNEL_PLANS = arm64-nopmu takeover-icount takeover-smp2 x86-perf-turns x86-perf-turns-amd x86-rdpmc
VANILLA_PLANS = arm64-icount arm64-smp2 sampling-icount pfmon-icount pfmon-outputs
check-kernels: emulators
	status=0; for kernel in 6.12 7; do \
		selftests/run --kernel $$kernel || status=1; \
		selftests/run --kernel $$kernel $(KERNEL_PLANS) || status=1; \
	done; \
	selftests/run --kernel vanilla $(VANILLA_PLANS) || status=1; exit $$status

# The QEMU with an x86 PMU, and that with synthetic events of Arm's. They are built before any
# guest runs, as a build takes all CPUs for ten minutes, and show how far they are.
emulators: emulator
	selftests/qemu/setup arm-pmu
	selftests/emulator/arm-pmu/build >/dev/null

emulator:
	selftests/qemu/setup x86-pmu
	selftests/emulator/x86-pmu/build >/dev/null

# Costs beside perf's in the same boot, in instructions of a guest: arm64, or with
# ARCH=x86_64 an emulated Intel processor.
bench: $(if $(filter x86_64,$(ARCH)),emulator)
	selftests/qemu/setup
	ARCH=$(or $(ARCH),arm64) selftests/bench/run

# On a machine of one's own, with a processor of Intel or AMD: as root, perfmon installed and its
# modules loaded.
check-hardware:
	@selftests/hardware/report $(CURDIR)/build/hardware-report.txt

# Packages for the Debian release of this machine, in build/deb/, or with SUITE=trixie for
# another one, in build/deb-trixie/
deb:
	@tools/deb/build $(SUITE)

# Which lines, branches and functions the tests execute: of library and pfmon, with a guest; of the
# modules, with guests that have the debug kernel. All is in build/coverage.
coverage:
	selftests/runner/coverage

coverage-modules: emulators
	selftests/runner/coverage --modules

style:
	selftests/runner/style

clean:
	rm -rf build
	@if [ -d "$(KERNELDIR)" ]; then $(MAKE) -s -C $(KERNELDIR) M=$(CURDIR) clean; fi

help:
	@echo 'all         modules for the running kernel, library, pfmon'
	@echo 'modules     the modules; KERNELDIR=... for another kernel'
	@echo 'lib tools   the library; the library and pfmon (O=... builds elsewhere)'
	@echo 'install     everything; DESTDIR=, prefix=, libdir= as usual'
	@echo 'uninstall   removes it again'
	@echo 'demo        counts a build in an arm64 guest, from nothing (ARCH=x86_64)'
	@echo 'docs        HTML of Documentation/, in build/docs (package python3-sphinx)'
	@echo 'docs-pictures'
	@echo '            makes what the README shows, from a real run'
	@echo 'check       runs each test once, in guests'
	@echo 'check-all   runs the rest: more kernels and processors, races, costs'
	@echo 'check-kernels'
	@echo '            runs the guests of check on the kernels of later releases, and without'
	@echo '            the patches of Debian'
	@echo 'emulators   the two QEMUs that the checks need; once, ten minutes each'
	@echo 'emulator    of these the one with an x86 PMU'
	@echo 'check-hardware'
	@echo '            tests the counters of this machine (Intel, AMD), and writes a report'
	@echo 'bench       what perfmon costs, beside perf in the same boot'
	@echo 'deb         Debian packages for the release of this machine, in build/deb'
	@echo '            (SUITE=trixie: for that release, in build/deb-trixie)'
	@echo 'coverage    which lines and functions of library and pfmon the tests execute'
	@echo 'coverage-modules'
	@echo '            the same for the modules, in guests with the debug kernel'
	@echo 'style       checkers for style and simple mistakes'
	@echo 'clean       removes everything built'

.PHONY: all modules user lib tools tools/pfmon selftests tests install \
	install-modules install-headers install-user uninstall demo docs docs-pictures check check-all \
	check-kernels check-hardware emulators emulator bench deb coverage coverage-modules style clean help
