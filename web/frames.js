/* Computes the costs of a call tree's routines, and the callers and calls of one routine. */

const number = value => Number(value ?? 0);
const children = node => node.children || [];
const selfOf = (node, key) => number(node[key]) - children(node).reduce((sum, c) => sum + number(c[key]), 0);

/* Calls visit(node, path, inside) for each node except the root, in preorder. `path` has the nodes above it, and
 * inside(name) returns whether one of them has this name. */
function walk(tree, visit) {
	const path = [], names = new Map(), inside = name => names.get(name) > 0;
	const enter = node => {
		visit(node, path, inside);
		path.push(node);
		names.set(node.name, (names.get(node.name) || 0) + 1);
		children(node).forEach(enter);
		names.set(node.name, names.get(node.name) - 1);
		path.pop();
	};
	children(tree).forEach(enter);
}

/* The name of a stack's frame in a call tree. */
export const frameName = f => [f.class, f.routine].filter(Boolean).join(".") || f.module || "unknown";

/* Makes a call tree from rows with a stack, innermost frame first, and a value. */
export function treeOf(rows, key) {
	const root = { name: "all", value: 0, children: [] };
	for (const row of rows) {
		root.value += number(row[key]);
		row.stack.reduceRight((at, f) => {
			const next = child(at, frameName(f), f.module);
			next.value += number(row[key]);
			return next;
		}, root);
	}
	return root;
}

/* Returns { name, module, self, total, delta } of each routine, the largest self value first. A total counts recursive
 * calls once. `delta` is the change of the total in a comparison. In an inverted tree, the value of a node directly
 * below the root is the self value of its routine. */
export function routinesOf(tree, inverted) {
	const found = new Map();
	walk(tree, (node, path, inside) => {
		if (!found.has(node.name))
			found.set(node.name, { name: node.name, module: node.module || "", self: 0, total: 0, ...tree.delta !== undefined && { delta: 0 } });
		const r = found.get(node.name);
		r.self += !inverted ? selfOf(node, "value") : path.length ? 0 : number(node.value);
		if (inside(node.name))
			return;
		r.total += number(node.value);
		if (tree.delta !== undefined)
			r.delta += number(node.delta);
	});
	return [...found.values()].sort((a, b) => b.self - a.self || b.total - a.total);
}

/* Adds `from` and the nodes below it to `into`. */
function merge(into, from) {
	into.value += number(from.value);
	for (const c of children(from))
		merge(child(into, c.name, c.module), c);
}

function child(node, name, module) {
	let found = node.children.find(c => c.name === name);
	if (!found)
		node.children.push(found = { name, module, value: 0, children: [] });
	return found;
}

/* Merges the outermost calls of a routine. Returns its total and self value; `above`, a tree of its callers; `below`, the tree
 * of its calls; `callers` and `called`, with the values of the routines directly above and below it; and the number of nodes
 * in the tree. In `callers` and `called`, the root has the key `undefined`. */
export function sandwichOf(tree, name, inverted) {
	const top = () => ({ name, value: 0, children: [] });
	const sums = { total: 0, self: 0, nodes: 0, outer: top(), inner: top() };
	const beside = { outer: new Map(), inner: new Map() };
	const add = (side, key, value) => beside[side].set(key, (beside[side].get(key) || 0) + value);
	walk(tree, (node, path, inside) => {
		const value = number(node.value), first = node.name === name && !inside(name), parent = path.at(-1);
		sums.nodes++;
		if (first) {
			sums.total += value;
			merge(sums.inner, node);
			sums.outer.value += value;
			path.reduceRight((at, p) => {
				const next = child(at, p.name, p.module);
				next.value += value;
				return next;
			}, sums.outer);
			add("outer", parent?.name, value);
		}
		if (node.name === name)
			sums.self += !inverted ? selfOf(node, "value") : path.length ? 0 : value;
		else if (parent?.name === name)
			add("inner", node.name, value);
	});
	const [up, down] = inverted ? ["inner", "outer"] : ["outer", "inner"];
	return { ...sums, above: sums[up], below: sums[down], callers: beside[up], called: beside[down] };
}
