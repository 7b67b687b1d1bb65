/* Uses the generated TypeScript client. Arguments: the server's address, the number of a result set with leaks. */
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

declare const process: { argv: string[] };
const [, , baseUrl = "", inst_id = ""] = process.argv;
const client = createClient<paths, "application/json" | "application/problem+json">({ baseUrl });

/* Objects end with "complete": true, except in formats of other programs. */
const whole = { async onResponse({ response, schemaPath }: { response: Response; schemaPath: string }) {
	if (!response.ok || schemaPath.includes("/export/") || response.headers.get("Content-Type") !== "application/json")
		return;
	const answer = await response.clone().json();
	if (!Array.isArray(answer) && answer.complete !== true)
		throw new Error("a part of the answer is missing");
} };
client.use(whole);

const list = await client.GET("/v1/result-sets", { params: { query: { limit: 1, label: ["kind=leaks"] } } });
const row = list.data?.result_sets[0]?.rows[0];
const labels: { [key: string]: string } | undefined = row?.labels;
const number: number | null | undefined = row?.inst_id;

const leaks = await client.GET("/v1/result-sets/{inst_id}/reports/leaks",
	{ params: { path: { inst_id }, query: { by: "class", top: 1 } } });
const changed = await client.PATCH("/v1/result-sets/{inst_id}",
	{ params: { path: { inst_id: Number(inst_id) } }, body: { labels: { client: "typescript" } } });
const missing = await client.GET("/v1/result-sets/{inst_id}", { params: { path: { inst_id: "999999" } } });

const checked = await client.POST("/v1/check", { params: { query: { set: inst_id } },
	body: { budgets: [{ of: "leaks", max_count: 0 }] } });
const verdict: string | undefined = checked.data?.budgets[0]?.verdict;

/* Loses the last member of each answer, like a proxy that repairs a part of a document. */
const losing = createClient<paths, "application/json">({ baseUrl, fetch: async request => {
	const answer = await fetch(request);
	return new Response((await answer.text()).replace(',"complete":true', ""), answer);
} });
losing.use(whole);
const cut = await losing.GET("/v1/health").then(() => "accepted", () => "refused");

console.log(number, labels?.kind, leaks.data?.report, leaks.data?.result_sets[0]?.rows.length,
	changed.data?.labels.client, missing.error?.code, verdict, cut);

/* The compiler refuses what the server refuses. */
export const wrong = [
	() => client.GET("/v1/result-sets/{inst_id}/reports/leaks", { params: { path: { inst_id },
		// @ts-expect-error: leaks cannot be grouped in this way
		query: { by: "stamps" } } }),
	() => client.GET("/v1/result-sets/{inst_id}/reports/issues", { params: { path: { inst_id },
		// @ts-expect-error: this is a parameter of another report
		query: { focus: ["x"] } } }),
	() => client.POST("/v1/check", { body: { budgets: [
		// @ts-expect-error: a budget of what?
		{ max_count: 0 }] } }),
	() => client.POST("/v1/categories/{category}/query", { params: { path: { category: "files" } },
		// @ts-expect-error: this is not a format
		body: { format: "pie" } }),
	// @ts-expect-error: there is no such report
	() => client.GET("/v1/result-sets/{inst_id}/reports/leeks", { params: { path: { inst_id } } }),
];
