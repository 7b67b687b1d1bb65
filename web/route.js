/* Links within the pages. A link such as "#/sets/7/report/leaks?by=class" consists of a path and a query. */

function decoded(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

export function current() {
	const [path, query] = (location.hash.slice(1) || "/").split("?", 2);
	return { path: path.split("/").filter(Boolean).map(decoded),
		query: new URLSearchParams(query || "") };
}

/* Builds a link from parts and a query object; omits empty values. */
export function to(parts, query) {
	const q = new URLSearchParams();
	for (const [k, v] of query instanceof URLSearchParams ? query : Object.entries(query || {}))
		for (const one of Array.isArray(v) ? v : [v])
			if (one !== null && one !== undefined && one !== "" && one !== false)
				q.append(k, one === true ? "1" : one);
	const text = q.toString();
	return `#/${parts.map(encodeURIComponent).join("/")}${text ? `?${text}` : ""}`;
}

/* Changes the query of the current page without adding an entry to the history. */
export function change(query) {
	const now = current();
	for (const [k, v] of Object.entries(query)) {
		now.query.delete(k);
		for (const one of Array.isArray(v) ? v : [v])
			if (one !== null && one !== undefined && one !== "" && one !== false)
				now.query.append(k, one === true ? "1" : one);
	}
	history.replaceState(history.state, "", to(now.path, now.query));
	return now.query;
}

export function go(href) {
	location.hash = href.slice(1);
}
