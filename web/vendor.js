/* Loads third-party packages, which are classic scripts, when they are first needed. */

const once = new Map();

function script(name) {
	if (!once.has(name))
		once.set(name, new Promise((resolve, reject) => {
			const e = document.createElement("script");
			e.src = `/web/vendor/${name}`;
			e.onload = resolve;
			e.onerror = () => {
				once.delete(name);
				reject(Object.assign(new Error("This server does not include flame graphs."),
					{ hint: "Export the flame graph as an image instead." }));
			};
			document.head.append(e);
		}));
	return once.get(name);
}

/* While `load` runs, a template element takes the place of each new style element. d3-flame-graph adds a style element,
 * and the security policy of the pages would reject it with an error. index.html already loads the same styles. */
async function withoutStyles(load) {
	const create = document.createElement;
	document.createElement = function (name, ...more) {
		return create.call(this, name === "style" ? "template" : name, ...more);
	};
	try {
		return await load();
	} finally {
		document.createElement = create;
	}
}

export async function flamegraph() {
	await script("d3.min.js");
	await withoutStyles(() => script("d3-flamegraph.umd.min.js"));
	return { d3: window.d3, make: window.flamegraph.default || window.flamegraph };
}
