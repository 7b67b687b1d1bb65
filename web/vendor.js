/* Packages of others that are classic scripts, loaded when a page first wants them. */

const once = new Map();

function script(name) {
	if (!once.has(name))
		once.set(name, new Promise((resolve, reject) => {
			const e = document.createElement("script");
			e.src = `/web/vendor/${name}`;
			e.onload = resolve;
			e.onerror = () => {
				once.delete(name);
				reject(Object.assign(new Error("This build of profdepot has no flame graphs."),
					{ hint: "It was built without npm. The export as a picture shows the same." }));
			};
			document.head.append(e);
		}));
	return once.get(name);
}

/* d3-flame-graph adds a style element, which the pages' policy refuses with an error in the console;
 * its rules are linked by index.html, so it is given an element that is no style. */
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
