# SPDX-License-Identifier: GPL-2.0-only
# The devices of a guest: x86-pmu/build has QEMU built with these and no others.
CONFIG_Q35=y
CONFIG_PCI_DEVICES=n
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_BLK=y
CONFIG_VIRTIO_SERIAL=y
CONFIG_VIRTIO_9P=y
CONFIG_ISA_DEBUG=y
