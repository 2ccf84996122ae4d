#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
#
# ibs_samples.py: files of IBS samples, made by hand, and the CSV files that 'pfmon ibs
# decode' has to make of them. Columns and values are written down here from the
# processors' manuals and the description of the toolkit's decoder, not from pfmon's code.
#
#	ibs_samples.py list			names of the cases
#	ibs_samples.py make CASE FILE		a file of samples
#	ibs_samples.py expect CASE FILE		its CSV
#	ibs_samples.py both HEADER FILE OP FETCH
#						a file of perfmon with both kinds behind
#						the text in HEADER, and its two CSV files
#	ibs_samples.py many KIND COUNT		COUNT samples to standard output
#	ibs_samples.py many-both HEADER COUNT	the same in a file of perfmon, half of them fetches
import struct
import sys

END = "=" * 45
OP_FLAGS = ("IbsOpBrnResync IbsOpMispReturn BrnTrgt OpCntExt RipInvalidChk OpBrnFuse IbsOpData4 "
            "Microcode IBSOpData2_4_5 IbsDcLdBnkCon IbsDcStBnkCon IbsDcStToLdFwd IbsDcStToLdCan "
            "IbsData3_20_31_48_63").split()


def header(first, version, family, model, flags):
    text = "\n".join((
        first, "AMD Processor Family: 0x%x" % family, "AMD Processor Model: 0x%x" % model,
        "AMD Processor Stepping: 0x1", "AMD Processor Name: AMD made up", "Memory Size: 15.6 GB",
        "System name: host", "OS: Linux 6.1.0 #1 SMP x86_64",
        "Timestamp: Mon Nov 23 12:00:00 2026", "Working directory: /tmp",
        "Command line: /bin/true AMD Processor Family: 0x99 " + "x" * 3000, ""))
    text += version + ": 1\n"
    text += "".join("%s: %d\n" % flag for flag in flags)
    return (text + "\n" + END + "\n").encode()


def op_header(family, model, bits):
    """bits: the flags in the order of OP_FLAGS"""
    return header("IBS Op Sample File", "IBS Op Structure Version", family, model,
                  [(name, int(bit)) for name, bit in zip(OP_FLAGS, bits)])


def fetch_header(family, model, extd):
    return header("IBS Fetch Sample File", "IBS Fetch Structure Version", family, model,
                  [("IbsFetchCtlExtd", extd)])


def op(ctl=0x40000 | 0x4000, rip=0x401234, data=0, data2=0, data3=0, data4=0, linad=0x7f0010,
       physad=0x123456789, target=0x405000, tsc=1000, tid=11, pid=10, cpu=3, kernel=0):
    return struct.pack("<11Q4i", ctl, rip, data, data2, data3, data4, linad, physad, target, tsc,
                       0xc3c3, tid, pid, cpu, kernel)


def fetch(ctl=0, extd=0, linad=0x401000, physad=0x87654321, tsc=2000, tid=21, pid=20, cpu=1,
          kernel=0):
    return struct.pack("<6Q4i", ctl, extd, linad, physad, tsc, 0xc3c3, tid, pid, cpu, kernel)


# The parts of samples.
LOAD, STORE, MISS, L2MISS = 1 << 0, 1 << 1, 1 << 7, 1 << 20
WC, UC, MAB, LIN, PHYS, SWPF = 1 << 13, 1 << 14, 1 << 16, 1 << 17, 1 << 18, 1 << 21
RETURN, TAKEN, MISP, BRANCH = 1 << 34, 1 << 35, 1 << 36, 1 << 37
COMP, ICMISS, FPHYS = 1 << 50, 1 << 51, 1 << 52

FIRST = "TSC,CPU_Number,TID,PID,Kern_mode,"
BRANCHES = "IbsOpReturn,IbsOpBrnTaken,IbsOpBrnMisp,IbsOpBrnRet,"
OLD = "NbIbsReqSrc,NbIbsReqDstNode,NbIbsReqCacheHitSt,"
NEW = "DataSrc,RmtNode,CacheHitSt,"
ACCESS = ("IbsLdOp,IbsStOp,IbsDcL1tlbMiss,IbsDcL2TlbMiss,IbsDcL1TlbHit2M,IbsDcL1TlbHit1G,"
          "IbsDcL2tlbHit2M,IbsDcMiss,IbsDcMissAcc,")
MEMORY = "IbsDcWcMemAcc,IbsDcUcMemAcc,IbsDcLockedOp,"
VALID = "IbsDcLinAddrValid,IbsDcPhyAddrValid,IbsDcL2tlbHit1G,"
L2 = "IbsL2Miss,IbsSwPf,IbsOpMemWidth,IbsOpDcMissOpenMemReqs,IbsDcMissLat,IbstlbRefillLat,"
WHERE = "IbsDcLinAd,IbsDcPhysAd,"
FETCH = ("IbsPhyAddrValid,IbsFetchLinAd,IbsFetchPhysAd,IbsFetchMaxCnt[19:0],IbsFetchLat,"
         "IbsFetchComp,IbsIcMiss,IbsL1TlbPgSz,IbsL1TlbMiss,IbsL2TlbMiss,")

CASES = {}

# Family 10h: the period has 20 bits, also when bits above are set. The first op has each
# of the bits of data and data3 that the family has; the others one thing at a time.
CASES["op 10h"] = (
    op_header(0x10, 4, "11000000111110"),
    [(op(ctl=0x7ff1234, data=0x3f00070005, data2=0x31, data3=0x2a000fffff),
      "1000,3,11,10,0,0x401234,74560,5,7,1,1,1,1,1,1,"
      "local_L3,other_node,-,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,42,0x7f0010,0x123456789,"),
     (op(data2=0x32, data3=LOAD | MISS),
      "1000,3,11,10,0,0x401234,262144,0,0,0,0,0,0,0,0,"
      "other_core_cache,other_node,O,1,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,-,-,"),
     (op(data2=0x02, data3=LOAD | MISS | LIN, kernel=1, rip=0xffffffff81000000),
      "1000,3,11,10,1,0xffffffff81000000,262144,0,0,0,0,0,0,0,0,"
      "other_core_cache,same_node,M,1,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,1,0,0,0,0x7f0010,-,"),
     (op(data2=0x33, data3=LOAD | MISS | PHYS, physad=0xabcd123456789abc),
      "1000,3,11,10,0,0x401234,262144,0,0,0,0,0,0,0,0,"
      "DRAM,other_node,-,1,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,1,0,0,-,0x123456789abc,"),
     (op(data2=0x07, data3=LOAD | MISS, tsc=2**64 - 1),
      "18446744073709551615,3,11,10,0,0x401234,262144,0,0,0,0,0,0,0,0,"
      "Other,same_node,-,1,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,-,-,"),
     (op(data2=0x30, data3=LOAD | MISS),
      "1000,3,11,10,0,0x401234,262144,0,0,0,0,0,0,0,0,"
      "-,-,-,1,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,-,-,"),
     (op(data2=0x35, data3=LOAD | MISS, tid=-1, pid=-2147483648, cpu=1023),
      "1000,1023,-1,-2147483648,0,0x401234,262144,0,0,0,0,0,0,0,0,"
      "Reserved-5,other_node,-,1,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,-,-,"),
     # Not a load, and no miss: nothing about the source.
     (op(data2=0x32, data3=STORE | MISS),
      "1000,3,11,10,0,0x401234,262144,0,0,0,0,0,0,0,0,"
      "-,-,-,0,1,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,-,-,"),
     (op(data2=0x32, data3=LOAD),
      "1000,3,11,10,0,0x401234,262144,0,0,0,0,0,0,0,0,"
      "-,-,-,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-,-,")],
    FIRST + "IbsOpRip,IbsOpMaxCnt[19:0],IbsCompToRetCtr,IbsTagToRetCtr,IbsOpBrnResync,"
    "IbsOpMispReturn," + BRANCHES + OLD + ACCESS +
    "IbsDcLdBnkCon,IbsDcStBnkCon,IbsDcStToLdFwd,IbsDcStToLdCan," + MEMORY + "IbsDcMabHit," +
    VALID + "IbsDcMissLat," + WHERE)

# Family 12h: as 10h, but source 1 is no L3 cache.
CASES["op 12h"] = (
    op_header(0x12, 1, "11000000111110"),
    [(op(data2=0x11, data3=LOAD | MISS | MAB),
      "1000,3,11,10,0,0x401234,262144,0,0,0,0,0,0,0,0,"
      "Reserved-1,other_node,-,1,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,1,0,0,0,0,-,-,")],
    CASES["op 10h"][2])

# Family 14h: no node, so a value that is not valid is one '-'. Erratum 484: no source for WC.
CASES["op 14h"] = (
    op_header(0x14, 2, "11000000000100"),
    [(op(data2=0x33, data3=LOAD | MISS | (1 << 11)),
      "1000,3,11,10,0,0x401234,262144,0,0,0,0,0,0,0,0,"
      "DRAM,1,0,0,0,0,0,0,1,0,1,0,0,0,0,0,0,0,0,-,-,"),
     (op(data2=0x33, data3=LOAD | MISS | WC | MAB),
      "1000,3,11,10,0,0x401234,262144,0,0,0,0,0,0,0,0,"
      "-,1,0,0,0,0,0,0,1,0,0,1,0,0,1,0,0,0,0,-,-,"),
     (op(data2=0x33, data3=STORE | WC),
      "1000,3,11,10,0,0x401234,262144,0,0,0,0,0,0,0,0,"
      "-,0,1,0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,-,-,")],
    FIRST + "IbsOpRip,IbsOpMaxCnt[19:0],IbsCompToRetCtr,IbsTagToRetCtr,IbsOpBrnResync,"
    "IbsOpMispReturn," + BRANCHES + "NbIbsReqSrc," + ACCESS + "IbsDcStToLdFwd," + MEMORY +
    "DcMissNoMabAlloc," + VALID + "IbsDcMissLat," + WHERE)

# Family 15h, first models: erratum 717, a MAB hit without a miss is none; with a miss it is one.
BULLDOZER = (
    FIRST + "IbsOpRip,IbsOpMaxCnt[26:0],IbsCompToRetCtr,IbsTagToRetCtr,IbsOpBrnResync,"
    "IbsOpMispReturn," + BRANCHES + "IbsRipInvalid," + OLD + ACCESS +
    "IbsDcLdBnkCon,IbsDcStToLdFwd,IbsDcStToLdCan," + MEMORY + "IbsDcMabHit," + VALID +
    "IbsDcMissLat," + WHERE + "IbsBrnTarget,")
CASES["op 15h, model 1"] = (
    op_header(0x15, 1, "11111000110110"),
    [(op(ctl=0x7f0ffff, data3=LOAD | MAB, data=BRANCH),
      "1000,3,11,10,0,0x401234,134217712,0,0,0,0,0,0,0,1,0,"
      "-,-,-,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-,-,0x405000,"),
     (op(ctl=0x0100001, data2=0x01, data3=LOAD | MAB | MISS, data=RETURN),
      "1000,3,11,10,0,0x401234,1048592,0,0,0,0,1,0,0,0,0,"
      "local_L3,same_node,-,1,0,0,0,0,0,0,1,0,0,0,0,0,0,0,1,0,0,0,0,-,-,-,"),
     (op(data3=STORE | MISS | (1 << 9) | (1 << 12), data=1 << 38),
      "1000,3,11,10,0,0x401234,262144,0,0,0,0,0,0,0,0,1,"
      "-,-,-,0,1,0,0,0,0,0,1,0,1,0,1,0,0,0,0,0,0,0,0,-,-,-,")],
    BULLDOZER)
CASES["op 15h, model 2"] = (
    op_header(0x15, 2, "11111000110110"),
    [(op(data3=LOAD | MAB),
      "1000,3,11,10,0,0x401234,262144,0,0,0,0,0,0,0,0,0,"
      "-,-,-,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,-,-,-,")],
    BULLDOZER)

# Trinity: none of the bits of Bulldozer, and not yet those of Kaveri.
CASES["op 15h, model 10h"] = (
    op_header(0x15, 0x10, "00111000100000"),
    [(op(ctl=0x4040, data=BRANCH | TAKEN | 0x10002, data2=0x11, data3=LOAD | MISS | MAB),
      "1000,3,11,10,0,0x401234,263168,2,1,0,1,0,1,0,"
      "Reserved-1,other_node,-,1,0,0,0,0,0,0,1,0,0,0,0,1,0,0,0,0,-,-,0x405000,")],
    FIRST + "IbsOpRip,IbsOpMaxCnt[26:0],IbsCompToRetCtr,IbsTagToRetCtr," + BRANCHES +
    "IbsRipInvalid," + OLD + ACCESS + MEMORY + "IbsDcMabHit," + VALID + "IbsDcMissLat," + WHERE +
    "IbsBrnTarget,")

# Carrizo: the L2 cache must have missed, too; IBS_OP_DATA4.
CASES["op 15h, model 60h"] = (
    op_header(0x15, 0x60, "00111111100001"),
    [(op(data=BRANCH | MISP | (3 << 39), data2=0x23, data4=1,
         data3=LOAD | MISS | L2MISS | (4 << 22) | (9 << 26) | (300 << 32) | (77 << 48)),
      "1000,3,11,10,0,0x401234,262144,0,0,0,0,1,1,0,1,1,"
      "DRAM,same_node,-,1,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,1,0,8,9,300,77,-,-,0x405000,1,"),
     (op(data2=0x23, data3=LOAD | MISS | (1 << 22)),
      "1000,3,11,10,0,0x401234,262144,0,0,0,0,0,0,0,0,0,"
      "-,-,-,1,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,1,0,0,0,-,-,-,0,"),
     (op(data2=0x22, data3=LOAD | L2MISS | MAB | SWPF | (2 << 22)),
      "1000,3,11,10,0,0x401234,262144,0,0,0,0,0,0,0,0,0,"
      "-,-,-,1,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,1,1,2,0,0,0,-,-,-,0,")],
    FIRST + "IbsOpRip,IbsOpMaxCnt[26:0],IbsCompToRetCtr,IbsTagToRetCtr," + BRANCHES +
    "IbsRipInvalid,IbsOpBrnFuse,IbsOpMicrocode," + OLD + ACCESS + MEMORY + "DcMissNoMabAlloc," +
    VALID + L2 + WHERE + "IbsBrnTarget,IbsOpLdResync,")

ZEN = (FIRST + "IbsOpRip,IbsOpMaxCnt[26:0],IbsCompToRetCtr,IbsTagToRetCtr," + BRANCHES +
       "IbsRipInvalid,IbsOpBrnFuse,IbsOpMicrocode," + NEW + ACCESS + MEMORY +
       "DcMissNoMabAlloc," + VALID + L2 + WHERE + "IbsBrnTarget,")
ZEN_FLAGS = "00111101100001"
ZERO = "1000,3,11,10,0,0x401234,262144,0,0,0,0,0,0,0,0,0,"
MISSED = LOAD | MISS | L2MISS

# Family 17h: each bit of the branches alone; the source has three bits, widths end at 16.
CASES["op 17h"] = (
    op_header(0x17, 0x31, ZEN_FLAGS),
    [(op(data=RETURN),
      "1000,3,11,10,0,0x401234,262144,0,0,1,0,0,0,0,0,0,"
      "-,-,-,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-,-,-,"),
     (op(data=BRANCH),
      "1000,3,11,10,0,0x401234,262144,0,0,0,0,0,1,0,0,0,"
      "-,-,-,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-,-,0x405000,"),
     (op(data=TAKEN | MISP | RETURN | BRANCH),
      "1000,3,11,10,0,0x401234,262144,0,0,1,1,1,1,0,0,0,"
      "-,-,-,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-,-,0x405000,"),
     (op(data2=0xf2, data3=MISSED | UC | (5 << 22) | (500 << 32)),
      ZERO + "other_core_cache,other_node,O,"
      "1,0,0,0,0,0,0,1,0,0,1,0,0,0,0,0,1,0,16,0,500,0,-,-,-,"),
     (op(data2=0x01, data3=MISSED | MAB | SWPF | (6 << 22)),
      ZERO + "Reserved-1,same_node,-,"
      "1,0,0,0,0,0,0,1,0,0,0,0,1,0,0,0,1,1,Reserved-6,0,0,0,-,-,-,"),
     (op(data3=0xffff << 48 | 0xffff << 32 | 0x3f << 26 | 3 << 22 | 0x7e, data=0xffff | 0xabc << 16),
      "1000,3,11,10,0,0x401234,262144,65535,2748,0,0,0,0,0,0,0,"
      "-,-,-,0,1,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,0,4,63,65535,65535,-,-,-,")],
    ZEN)

# Zen 3: no state of the cache line; erratum 1293 leaves neither source nor L2 hit; nothing
# about misses of uncacheable accesses; widths up to 64.
CASES["op 19h, model 1"] = (
    op_header(0x19, 1, ZEN_FLAGS),
    [(op(data2=0x22, data3=MISSED | (7 << 22)),
      ZERO + "other_core_cache,same_node,-,1,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,1,0,64,0,0,0,-,-,-,"),
     (op(data2=0x23, data3=MISSED | SWPF | (6 << 22)),
      ZERO + "-,-,-,1,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,1,1,32,0,0,0,-,-,-,"),
     (op(data2=0x23, data3=LOAD | MISS | MAB),
      ZERO + "-,-,-,1,0,0,0,0,0,0,1,0,0,0,0,1,0,0,0,-,0,0,0,0,0,-,-,-,"),
     (op(data2=0x23, data3=MISSED | UC | (400 << 32) | (8 << 22)),
      ZERO + "-,-,-,1,0,0,0,0,0,0,-,0,0,1,0,0,0,0,0,-,0,Reserved-8,0,-,0,-,-,-,"),
     (op(data2=0x81, data3=MISSED | PHYS, physad=0xfffabcd123456789),
      ZERO + "Reserved-1,same_node,-,"
      "1,0,0,0,0,0,0,1,0,0,0,0,0,0,1,0,1,0,0,0,0,0,-,0xabcd123456789,-,")],
    ZEN)
CASES["op 19h, model 50h"] = (
    op_header(0x19, 0x50, ZEN_FLAGS),
    [(op(data2=0x22, data3=MISSED | MAB),
      ZERO + "other_core_cache,same_node,-,1,0,0,0,0,0,0,1,0,0,0,0,1,0,0,0,1,0,0,0,0,0,-,-,-,")],
    ZEN)

# Zen 4: five bits of source.
CASES["op 19h, model 11h"] = (
    op_header(0x19, 0x11, ZEN_FLAGS),
    [(op(data2=data2, data3=MISSED | MAB),
      ZERO + source + ",1,0,0,0,0,0,0,1,0,0,0,0,1,0,0,0,1,0,0,0,0,0,-,-,-,")
     for data2, source in [
         (0x01, "local_cache,same_node,M"),
         (0x22, "near_CCX_cache,same_node,O"),
         (0x03, "DRAM,same_node,-"),
         (0x04, "Reserved-4,same_node,-"),
         (0x35, "far_CCX_cache,other_node,O"),
         (0x16, "PMEM,other_node,-"),
         (0x07, "Other,same_node,-"),
         (0x40, "extension_memory,same_node,-"),
         (0x74, "peer_agent,other_node,-"),
         (0xe7, "Reserved-31,same_node,-"),
         (0x30, "-,-,-")]],
    ZEN)
CASES["op 1Ah"] = (
    op_header(0x1a, 2, ZEN_FLAGS),
    [(op(data2=0x45, data3=MISSED | LIN | PHYS),
      ZERO + "Reserved-13,same_node,-,"
      "1,0,0,0,0,0,0,1,0,0,0,0,0,1,1,0,1,0,0,0,0,0,0x7f0010,0x123456789,-,"),
     (op(data2=0x03, data3=MISSED | UC),
      ZERO + "-,-,-,1,0,0,0,0,0,0,-,0,0,1,0,0,0,0,0,-,0,0,0,-,0,-,-,-,")],
    ZEN)
CASES["op 16h"] = (
    op_header(0x16, 0, "00111100000101"),
    [(op(data2=0x32, data3=MISSED | (1 << 11)),
      "1000,3,11,10,0,0x401234,262144,0,0,0,0,0,0,0,0,"
      "other_core_cache,1,0,0,0,0,0,0,1,0,1,0,0,0,0,0,0,0,1,0,0,0,0,0,-,-,-,")],
    FIRST + "IbsOpRip,IbsOpMaxCnt[26:0],IbsCompToRetCtr,IbsTagToRetCtr," + BRANCHES +
    "IbsRipInvalid,IbsOpBrnFuse,NbIbsReqSrc," + ACCESS + "IbsDcStToLdFwd," +
    MEMORY + "DcMissNoMabAlloc," + VALID + L2 + WHERE + "IbsBrnTarget,")

# Fetches: the first has each bit, the others one at a time.
ALL = 0x05f8 << 48 | 0x0123 << 32 | 0x5555 << 16 | 0xffff


def size(code):
    return code << 53


OLD_FETCHES = [
    (fetch(ctl=ALL & ~size(3) | size(1), kernel=1),
     "2000,1,21,20,1,1,0x401000,0x87654321,1048560,291,0,1,2 MB,1,1,"),
    (fetch(ctl=size(1) | COMP | 0x1000, physad=0),
     "2000,1,21,20,0,0,0x401000,-,65536,0,1,0,-,0,0,"),
    (fetch(ctl=FPHYS | size(0) | 1, physad=0xffff000000001000),
     "2000,1,21,20,0,1,0x401000,0x1000,16,0,0,0,4 KB,0,0,"),
    (fetch(ctl=FPHYS | size(2) | 1 << 55, linad=0),
     "2000,1,21,20,0,1,0x0,0x87654321,0,0,0,0,1 GB,1,0,"),
    (fetch(ctl=FPHYS | size(3) | 1 << 56),
     "2000,1,21,20,0,1,0x401000,0x87654321,0,0,0,0,Reserved-3,0,1,")]
for name, family, model in (("10h", 0x10, 4), ("12h", 0x12, 1), ("14h", 0x14, 2),
                            ("15h, model 1", 0x15, 1), ("15h, model 10h", 0x15, 0x10)):
    CASES["fetch " + name] = (fetch_header(family, model, 0), OLD_FETCHES, FIRST + FETCH)

NEW_FETCHES = [
    (fetch(ctl=COMP | FPHYS | 1 << 58, extd=0xabcd1234),
     "2000,1,21,20,0,1,0x401000,0x87654321,0,0,1,0,4 KB,0,0,1,4660,"),
    (fetch(ctl=ICMISS, extd=0x1234),
     "2000,1,21,20,0,0,0x401000,-,0,0,0,1,-,0,0,0,-,")]
CASES["fetch 15h, model 60h"] = (
    fetch_header(0x15, 0x60, 1),
    NEW_FETCHES + [(fetch(ctl=FPHYS | size(3)),
                    "2000,1,21,20,0,1,0x401000,0x87654321,0,0,0,0,Reserved-3,0,0,0,-,")],
    FIRST + FETCH + "IbsFetchL2Miss,IbsItlbRefillLat,")
CASES["fetch 15h, model 60h without latency"] = (
    fetch_header(0x15, 0x60, 0),
    [(fetch(ctl=COMP | 1 << 58),
      "2000,1,21,20,0,0,0x401000,-,0,0,1,0,-,0,0,1,")],
    FIRST + FETCH + "IbsFetchL2Miss,")
PAGE_16K = [(fetch(ctl=FPHYS | size(3)),
             "2000,1,21,20,0,1,0x401000,0x87654321,0,0,0,0,16 KB,0,0,0,-,")]
for name, family, model, zero in (("17h", 0x17, 1, "0x0"), ("19h, model 1", 0x19, 1, "-"),
                                  ("19h, model 11h", 0x19, 0x11, "0x0"),
                                  ("1Ah", 0x1a, 2, "0x0")):
    # Erratum 1197: Zen 3 may leave the address out.
    CASES["fetch " + name] = (
        fetch_header(family, model, 1),
        NEW_FETCHES + PAGE_16K +
        [(fetch(linad=0), "2000,1,21,20,0,0," + zero + ",-,0,0,0,0,-,0,0,0,-,")],
        FIRST + FETCH + "IbsFetchL2Miss,IbsItlbRefillLat,")


# Entries of the format "ibs", see include/uapi/linux/perfmon_ibs.h.
def entry(kind, kernel, tstamp):
    return struct.pack("<BBHHHIIQQ", kind, kernel, 5, 1, 0, 40, 41, tstamp, 3000)


def perfmon_op(tstamp, period, data2, data4, *registers, kernel=0):
    return entry(2, kernel, tstamp) + struct.pack("<IHH7Q", period, data2, data4, *registers)


def perfmon_fetch(tstamp, period, extd, *registers):
    return entry(1, 0, tstamp) + struct.pack("<II3Q", period, extd, *registers)


def both(text, file, op_csv, fetch_csv):
    """for a processor with the extensions of Zen 4"""
    fetches = [
        (perfmon_fetch(100, 65536, 9, COMP | FPHYS | 5 << 58 | 0x1000, 0x401000, 0x2000),
         "3000,5,41,40,0,1,0x401000,0x2000,65536,0,1,0,4 KB,0,0,1,9,1,0,65536,100,"),
        (perfmon_fetch(300, 0, 0, FPHYS | 1 << 61, 0, 0),
         "3000,5,41,40,0,1,-,-,0,0,0,0,4 KB,0,0,0,-,0,1,-,300,")]
    ops = [
        (perfmon_op(200, 262144, 0x40, 1, 0x4000, 0x401234, RETURN | BRANCH,
                    MISSED | LIN | PHYS, 0x7000, 0x8000, 0x405000),
         "3000,5,41,40,0,0x401234,262144,0,0,1,0,0,1,0,0,0,extension_memory,same_node,-,"
         "1,0,0,0,0,0,0,1,0,0,0,0,0,1,1,0,1,0,0,0,0,0,0x7000,0x8000,0x405000,1,262144,200,"),
        # Addresses that the user may not see.
        (perfmon_op(400, 0, 0, 0, 0x4000, 0, BRANCH, LIN | PHYS, 0, 0, 0, kernel=1),
         "3000,5,41,40,1,-,262144,0,0,0,0,0,1,0,0,0,-,-,-,"
         "0,0,0,0,0,0,0,0,0,0,0,0,0,1,1,0,0,0,0,0,0,0,-,-,-,0,-,400,")]
    with open(file, "wb") as out:
        out.write(open(text, "rb").read())
        for pair in zip(fetches, ops):
            out.write(pair[0][0] + pair[1][0])
    write_csv(op_csv, ZEN + "IbsOpLdResync,IbsPeriod,Time_ns,", ops)
    write_csv(fetch_csv, FIRST + FETCH + "IbsFetchL2Miss,IbsItlbRefillLat,IbsFetchOcMiss,"
              "IbsFetchL3Miss,IbsPeriod,Time_ns,", fetches)


def write_csv(file, names, samples):
    with open(file, "w", encoding="ascii") as out:
        out.write("".join(line + "\n" for line in [names] + [row for _, row in samples]))


def many(kind, count):
    write_many(CASES[kind][0], CASES[kind][1][0][0], count)


def many_both(text, count):
    pair = (perfmon_fetch(100, 65536, 9, COMP | FPHYS | 0x1000, 0x401000, 0x2000) +
            perfmon_op(200, 262144, 0x40, 1, 0x4000, 0x401234, BRANCH, MISSED | LIN | PHYS,
                       0x7000, 0x8000, 0x405000))
    with open(text, "rb") as header_file:
        write_many(header_file.read(), pair, count // 2)


def write_many(begin, one, count):
    sys.stdout.buffer.write(begin)
    for _ in range(count // 10000):
        sys.stdout.buffer.write(one * 10000)


command, *words = sys.argv[1:]
if command == "list":
    print("\n".join(CASES))
elif command == "make":
    with open(words[1], "wb") as stream:
        stream.write(CASES[words[0]][0] + b"".join(raw for raw, _ in CASES[words[0]][1]))
elif command == "expect":
    write_csv(words[1], CASES[words[0]][2], CASES[words[0]][1])
elif command == "both":
    both(*words)
elif command == "many-both":
    many_both(words[0], int(words[1]))
else:
    many(words[0], int(words[1]))
