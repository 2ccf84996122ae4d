# SPDX-License-Identifier: GPL-2.0-only
# The devices of a guest: arm-pmu/build has QEMU built with these and no others.
CONFIG_ARM_VIRT=y
CONFIG_PCI_DEVICES=n
CONFIG_VIRTIO_PCI=y
CONFIG_VIRTIO_BLK=y
CONFIG_VIRTIO_SERIAL=y
CONFIG_VIRTIO_9P=y
