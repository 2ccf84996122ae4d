# SPDX-License-Identifier: GPL-2.0-only
# python3 plot.py <heat.csv >heat.svg: a square for each page or line, the redder the more samples
import csv, sys
rows = [row for row in csv.DictReader(sys.stdin) if int(row["address"], 16)]
rows = sorted(rows, key=lambda row: int(row["address"], 16))
most = max((int(row["count"]) for row in rows), default=1)
print('<svg xmlns="http://www.w3.org/2000/svg" width="640" height="%d">' % (20 * (len(rows) // 32 + 1)))
for i, row in enumerate(rows):
    print('<rect x="%d" y="%d" width="19" height="19" fill="rgb(255,%d,64)"><title>%s: %s</title></rect>' % (
        i % 32 * 20, i // 32 * 20, 255 - 255 * int(row["count"]) // most, row["address"], row["count"]))
print("</svg>")
