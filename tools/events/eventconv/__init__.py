# SPDX-License-Identifier: GPL-2.0-only
"""Tables of events for libperfmon, made from the files of processors' vendors."""
