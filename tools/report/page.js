// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page of pfmon report: reads the folded stacks that pfmon put into the
 * element "data" and draws them as a flame graph.  d3-hierarchy places the
 * frames, d3-selection keeps the elements; only what is wide enough to be seen
 * becomes an element, so the number of stacks does not matter.
 */
"use strict";
(() => {
const ROW = 18;		/* pixels from one row to the next */
const THINNEST = 0.5;	/* narrower frames are left out */
const LABEL = 25;	/* narrower frames have no text */

const by = id => document.getElementById(id);
const data = JSON.parse(by("data").textContent);
const comments = data.lines.filter(line => line.startsWith("#"))
	.map(line => line.replace(/^#\s*/, ""));
const stacks = data.lines.filter(line => !line.startsWith("#"));

/* A node for each function called by way of the same callers. */
function tree() {
	const top = { name: "all", self: 0, callees: new Map() };

	for (const line of stacks) {
		const blank = line.lastIndexOf(" ");
		let node = top;

		for (const name of line.slice(0, blank).split(";")) {
			if (!node.callees.has(name))
				node.callees.set(name, { name, self: 0, callees: new Map() });
			node = node.callees.get(name);
		}
		node.self += Number(line.slice(blank + 1));
	}
	return top;
}

const root = d3.partition()(d3.hierarchy(tree(), node => node.callees.values())
	.sum(node => node.self)
	.sort((a, b) => b.value - a.value || (a.data.name < b.data.name ? -1 : 1)));
const graph = d3.select("#graph");
let focus = root, height = 0;

const number = n => n.toLocaleString("en-US");
const count = n => number(n) + (n === 1 ? " sample" : " samples");
const percent = (n, of) => (of ? 100 * n / of : 0).toFixed(2) + " %";

/* The same colour for the same name; what is marked as kernel code is blue, as inlined green. */
function colour(name) {
	const hue = name.endsWith("_[k]") ? 195 : name.endsWith("_[i]") ? 110 : 22;
	let hash = 7;

	for (let i = 0; i < name.length; i++)
		hash = (hash * 31 + name.charCodeAt(i)) >>> 0;
	return `hsl(${hue + hash % 31} 85% ${64 + hash % 13}%)`;
}

/* Lists the visible frames: @focus, its callers, and the functions below it. */
function visible(width) {
	const scale = width / (focus.x1 - focus.x0);
	const todo = [root], shown = [];

	while (todo.length) {
		const node = todo.pop();
		const left = Math.max(node.x0, focus.x0);

		node.left = (left - focus.x0) * scale;
		node.width = (Math.min(node.x1, focus.x1) - left) * scale;
		if (node.width < THINNEST || !node.value)
			continue;
		shown.push(node);
		for (const child of node.children || [])
			todo.push(child);
	}
	return shown;
}

function label(node) {
	if (node.width < LABEL)
		return "";
	return `${node.data.name} (${percent(node.value, root.value)})`;
}

function draw() {
	const shown = visible(graph.node().clientWidth);
	const rows = shown.reduce((most, node) => Math.max(most, node.depth + 1), 1);
	const down = by("down").checked;
	const before = height;

	height = rows * ROW;
	graph.style("height", height + "px")
		.selectAll("div").data(shown).join("div")
		.style("left", node => node.left + "px")
		.style("top", node => (down ? node.depth : rows - 1 - node.depth) * ROW + "px")
		.style("width", node => node.width + "px")
		.style("background", node => node.colour ??= colour(node.data.name))
		.classed("narrow", node => node.width < LABEL)
		.classed("thin", node => node.width < 2)
		.classed("above", node => node.depth < focus.depth)
		.classed("match", node => node.match)
		.text(label);
	by("reset").disabled = focus === root;
	/* The root stays where it is, at first at the bottom. */
	if (!down)
		by("view").scrollBy(0, height - before);
}

function describe(node) {
	const line = d3.select("#detail").text("");
	let text = ` ${count(node.value)}, ${percent(node.value, root.value)}`;

	if (node !== focus && focus !== root)
		text += ` of all, ${percent(node.value, focus.value)} of ${focus.data.name}`;
	if (node !== root)
		text += `; itself ${count(node.data.self)}, ${percent(node.data.self, root.value)}`;
	line.append("b").text(node.data.name);
	line.append("span").text(text);
}

function zoom(node) {
	focus = node;
	draw();
	describe(node);
}

/* Samples count once, however often a name stands in their stack. */
function search() {
	const wanted = by("search").value.toLowerCase();
	let sum = 0;

	root.each(node => {
		const above = node.parent && (node.parent.match || node.parent.inMatch);

		node.inMatch = above;
		node.match = wanted && node !== root &&
			node.data.name.toLowerCase().includes(wanted);
		if (node.match && !above)
			sum += node.value;
	});
	graph.classed("searching", wanted);
	by("found").textContent = !wanted ? "" : !sum ? "found nowhere" :
		`found in ${count(sum)}, ${percent(sum, root.value)}`;
	draw();
}

function tell_about() {
	const field = pattern => comments.map(line => line.match(pattern)).find(m => m);
	const command = field(/^command:\s*(.+)/);
	const lost = field(/^lost:\s*(~|at least )?(\d+) of (?:~|at least )?(\d+)/);
	const paused = field(/^paused:\s*(.+)/);
	const distinct = root.descendants().filter(node => node.data.self).length;
	const warnings = [];
	const title = data.title ?? (command ? command[1] : data.source);

	document.title = by("title").textContent = title;
	by("totals").textContent = `${count(root.value)}, ` +
		`${number(data.merged ? data.merged.of : distinct)} different stacks`;
	if (data.merged)
		by("totals").textContent += `; ${number(data.merged.stacks)} of them have frames ` +
			`with less than 1/${number(data.merged.part)} of all samples, which are ` +
			`merged into frames "${data.merged.name}": ` +
			`${count(data.merged.samples)}, ${percent(data.merged.samples, root.value)}`;
	if (lost && Number(lost[2])) {
		const mark = lost[1] ?? "";

		warnings.push(`${mark}${number(Number(lost[2]))} of ` +
			`${mark}${count(Number(lost[3]))} were lost ` +
			`(${mark}${percent(lost[2], lost[3])}) and are missing here.`);
	}
	if (paused)
		warnings.push("Counting was paused, so samples are missing here: " +
			`${paused[1]}.`);
	if (warnings.length) {
		by("lost").hidden = false;
		by("lost").textContent = "Warning: " + warnings.join(" ");
	}
	if (comments.length) {
		by("about").hidden = false;
		d3.select("#about pre").text(comments.join("\n"));
	}
}

/* One listener for all frames: elements change what they show. */
function listen(type, action) {
	graph.on(type, event => {
		const node = d3.select(event.target).datum();

		if (event.target !== graph.node() && node)
			action(node);
	});
}

tell_about();
if (!root.value)
	by("graph").textContent = "There are no samples in this profile.";
else
	zoom(root);
listen("click", zoom);
listen("mouseover", describe);
graph.on("mouseleave", () => describe(focus));
by("search").addEventListener("input", search);
by("down").addEventListener("change", () => {
	draw();
	by("view").scrollTop = by("down").checked ? 0 : height;
});
by("reset").addEventListener("click", () => zoom(root));
addEventListener("resize", draw);
addEventListener("keydown", event => {
	/* There Escape empties the field. */
	if (event.target === by("search"))
		return;
	if (event.key === "Escape") {
		zoom(root);
	} else if (event.key === "/") {
		event.preventDefault();
		by("search").focus();
	}
});
})();
