/* Schemas of bodies, and of answers that are not tables, in the notation of notation.c. */
#include "openapi_private.h"

#include "events/event_query.h"

#define OPERATOR(op, name, sql) name ","

/* The last member of an answer. Objects inside answers do not have it. */
#define COMPLETE " complete:true"

#define JOB \
	"id:string name:string owner:string " \
	"state:(queued,running,done,failed,cancelled) created:string " \
	"seconds:number#seconds bytes_read:integer#bytes bytes:integer#bytes " \
	"rows:integer#count error?:ErrorDetails result?:Load"

#define FLAME_NODE \
	"name:string value:number#metric delta?:number#metric base?:number#metric module?:string " \
	"children?:[FlameNode]"

static const struct {
	const char *name;
	const char *type;    /* a type, or NULL */
	const char *members; /* the members of an object */
} schemas[] = {
	/* The server. */
	{ "Health", NULL,
		"status:string depot_version:integer#id uptime_seconds:number#seconds" COMPLETE },
	{ "Live", NULL, "status:string" COMPLETE },
	{ "Caller", NULL, "scopes:[string] user:string session:boolean tokens:boolean" COMPLETE },
	{ "Session", NULL, "scopes:[string]" COMPLETE },
	{ "Token", NULL, "name:string scopes:[string] expires:string expired:boolean" },
	{ "Tokens", "[Token]", NULL },
	{ "NewToken", NULL, "name:string scopes:[string] expires:string token:string" COMPLETE },
	{ "QueryRow", "{string|number|boolean|null}", NULL },
	{ "QueryTotals", NULL, "rows:integer|null#count shown:integer#count" },
	{ "QueryRows", NULL,
		"columns:[AnswerColumn] rows:[QueryRow] incomplete?:[string] totals:QueryTotals" },
	{ "QueryAnswer", NULL, "report:(sql) result_sets:[QueryRows]" COMPLETE },
	{ "Description", NULL,
		"openapi:string info:{string} servers:[{string}] paths:{any} components:{any}" },
	{ "ErrorDetails", NULL, "status:integer#id code:string message:string hint?:string" },
	{ "Error", NULL,
		"type:string title:string status:integer#id detail:string code:string error:ErrorDetails" },

	/* Parts of tables. The unit "row" means that the member "unit" of each row contains it, and
	 * "row:KEY" that the member KEY contains it. */
	{ "AnswerColumn", NULL,
		"key:string title:string "
		"kind:(text,integer,decimal,bool,time,frames,stacks,labels) unit:string" },
	{ "Labels", "{string}", NULL },
	{ "Frame", NULL,
		"module:string class:string routine:string unit:string file:string line:integer|null#line" },
	{ "RelatedStack", NULL, "role:string heading:string stack:[Frame]" },
	{ "MetricName", NULL, "name:string unit:string|null kind:string" },
	{ "Suppressed", NULL, "records:integer#count blocks:integer#count bytes:integer#bytes" },

	/* Catalogues. */
	{ "Format", NULL,
		"name:string title:string load:boolean export:boolean extension:string|null "
		"known_by:string|null lost:[string]" },
	{ "Formats", "[Format]", NULL },
	{ "Parameter", NULL, "name:string type:string" },
	{ "Column", NULL, "key:string title:string kind:string unit:string summed:boolean" },
	{ "Report", NULL,
		"name:string by:string|null title:string note:string sortable:boolean "
		"parameters:[Parameter] columns:[Column]" },
	{ "Reports", "[Report]", NULL },

	/* Result sets. */
	{ "Coverage", NULL, "what:string degree:string source:string" },
	{ "Metric", NULL,
		"metric_no:integer#id name:string family:string unit:string|null title:string|null "
		"aggregate:string|null total:number|null#row" },
	{ "Issue", NULL,
		"severity:string code:string occurrences:integer#count message:string|null" },
	{ "ResultSet", NULL,
		"inst_id:integer#id caption:string|null state:string format:string application:string|null "
		"app_version:string|null host:string|null tool:string|null source_name:string|null "
		"source_inst_id:integer|null#id source_caption:string|null input_bytes:integer|null#bytes "
		"input_digest:string|null content_digest:string|null thread_key:string|null "
		"counter_name:string|null counter_description:string|null "
		"counter_frequency:integer|null#hertz loaded_at:string load_seconds:number|null#seconds "
		"loader_version:string|null run:string|null started_at:string|null "
		"ended_at:string|null commit:string|null parent_commit:string|null "
		"environment:string|null finished:boolean|null same_as:integer|null#id labels:Labels "
		"looked_for:[Coverage] rows:{integer}#count metrics:[Metric] budgets:[Verdict] issues:[Issue]" COMPLETE },
	{ "Verdict", NULL, "verdict:string budget:string reason:string|null" },
	{ "LoadedSet", NULL,
		"inst_id:integer|null#id caption:string|null format:string|null source:string "
		"source_inst_id:integer|null#id digest:string|null state:string rows:{integer}#count "
		"issues:{integer}#count issue_texts?:[string] seconds:number#seconds" },
	{ "Load", NULL,
		"format:string|null bytes:integer#bytes seconds:number#seconds warning?:string "
		"result_sets:[LoadedSet]" COMPLETE },
	{ "Job", NULL, JOB COMPLETE },
	{ "ListedJob", NULL, JOB },
	{ "Jobs", "[ListedJob]", NULL },
	{ "FlameNode", NULL, FLAME_NODE },
	{ "FlameGraph", NULL, FLAME_NODE " metric:MetricName columns:[AnswerColumn]" COMPLETE },

	/* Checks. */
	{ "Breach", NULL, "limit:string what:string text:string stacks:[integer]#id" },
	{ "BudgetVerdict", NULL,
		"name:string verdict:string reason:string|null breaches:[Breach]" },
	{ "CheckedStack", NULL,
		"fact:string rule:string|null class:string|null module:string|null "
		"description:string|null identity:string finding?:string owner?:string state:string "
		"count:number|null#count count_change:number|null#count value:number|null#row "
		"value_change:number|null#row unit:string|null breaks:boolean stack:[Frame]" },
	{ "Check", NULL,
		"inst_id:integer|null#id caption:string|null base_inst_id:integer|null#id "
		"base_caption:string|null passed:integer#count broken:integer#count skipped:integer#count unjudged:integer#count "
		"budgets:[BudgetVerdict] stacks:[CheckedStack]" COMPLETE },

	{ "KeptBudgets", NULL,
		"application:string version:integer#id author:string|null changed:string budgets:Budgets" },
	{ "KeptBudgetsList", "[KeptBudgets]", NULL },
	{ "StoredBudgets", NULL, "application:string version:integer#id" COMPLETE },

	/* History. */
	{ "Stream", NULL,
		"application:string|null labels:Labels parent:string|null runs:integer#count" },
	{ "Review", NULL,
		"ledger_no:integer#id status:string fixed_in:string|null author:string|null "
		"reason:string|null ticket:string|null until:string|null expired:boolean "
		"reviewed_at:string|null" },
	{ "Finding", NULL,
		"identity:string state:string was_fixed:boolean kind:string|null name:string|null "
		"class:string|null routine:string|null module:string|null source_file:string|null "
		"owner:string|null runs:integer#count first_inst_id:integer|null#id first_version:string|null "
		"last_inst_id:integer|null#id last_version:string|null" },
	{ "HistoryFrame", NULL,
		"module:string|null class:string|null routine:string|null file:string|null "
		"line:integer|null#line" },
	{ "NewestStack", NULL, "inst_id:integer#id frames:[HistoryFrame]" },
	{ "AddedReview", NULL, "finding:string ledger_no:integer#id" COMPLETE },
	{ "AddedSuppression", NULL, "id:integer#id state:string name:string|null" },
	{ "AddedSuppressions", "[AddedSuppression]", NULL },
	{ "AddedRetentionRule", NULL, "rule:integer#id" COMPLETE },

	/* Bodies of requests. */
	{ "SignIn", NULL, "token:string" },
	{ "TokenWanted", NULL, "name:string scopes:[string] expires?:string|null" },
	{ "SetChange", NULL,
		"caption?:string|null application?:string|null labels?:{string|null}" },
	{ "ReviewWanted", NULL,
		"status?:string|null same_as?:string|null reason?:string|null author?:string|null "
		"ticket?:string|null until?:string|null fixed_in?:string|null stream?:string|null" },
	{ "RetentionRuleWanted", NULL,
		"older_than?:string|null keep?:integer|null application?:string|null format?:string|null "
		"labels?:{string}|null" },
	{ "ColumnWanted", NULL, "name:string type:string pretty_name?:string|null" },
	{ "CategoryWanted", NULL, "name:string columns:[ColumnWanted]" },

	/* Bodies of events and of event queries. The members of EventFilter and EventQuery are in bodies.c. */
	{ "EventBatch", NULL, "hostname:string time:string|number *:[EventWanted]" },
	{ "EventWanted", "{string|integer}", NULL },
	{ "EventBatches", "EventBatch|[EventBatch]", NULL },
	{ "Condition", NULL, "expr:(" EVENT_OPERATOR_TABLE(OPERATOR) ") *:string|number" },
	{ "ConditionGroup", NULL, "conditions:[Condition|ConditionGroup] oper?:(and,or,AND,OR)" },
	{ "KernelscopeQuery", NULL, "elements:[string] *:any" },
	{ "KernelscopeQueries", "{KernelscopeQuery}", NULL },

	/* Files of other programs. Their formats have more members, which are not described here. */
	{ "Profile", NULL, "Id?:string Name?:string|null Root?:{any}|null *:any" },
	{ "ClientTiming", NULL, "Name?:string Start?:number Duration?:number *:any" },
	{ "ClientTimings", NULL,
		"Id?:string Performance?:[ClientTiming]|null Probes?:[ClientTiming]|null *:any" },
	{ "Profiles", "Profile|[Profile]|ClientTimings", NULL },
	{ "ChromeTrace", NULL, "traceEvents:[{any}] *:any" },
	{ "Speedscope", NULL, "$schema:string shared:{[{any}]} profiles:[{any}] *:any" },
	{ "Sarif", NULL, "$schema:string version:string runs:[{any}]" },

	/* Events. */
	{ "StoredEvents", NULL,
		"events:integer#count known:boolean result_sets:[integer]#id" COMPLETE },
	{ "StoredProfiles", NULL,
		"profiles?:integer#count client_timings?:integer#count known:boolean result_sets:[integer]#id" COMPLETE },
	{ "EventColumn", NULL, "name:string type:string prettyname:string|null" },
	{ "EventColumns", "{[EventColumn]}", NULL },
	{ "EventRow", "{string|integer|null}", NULL },
	{ "EventGroup", NULL,
		"bucket?:string|null count:integer#count sum:number|null#row *:string|integer|null" },
	{ "EventValues", NULL,
		"category:string values:[EventGroup] unit:string more:boolean" COMPLETE },
	{ "EventRows", NULL, "category:string rows:[EventRow] more:boolean next?:string" COMPLETE },
	{ "EventGroups", NULL,
		"category:string groups:[EventGroup] unit:string more:boolean" COMPLETE },
	{ "EventGraph", NULL,
		"category:string weight:string unit:string|null nodes:integer#count trimmed:integer#count "
		"tree:FlameNode" COMPLETE },
	{ "GrafanaField", NULL,
		"name:string type:(number,string) config?:{string} values:[number]|[string]" },
	{ "GrafanaFrame", NULL, "fields:[GrafanaField] nodes:integer trimmed:integer" },
	{ "EventAnswer", "EventRows|EventGroups|EventGraph|GrafanaFrame", NULL },
	{ "KernelscopeNode", NULL, "name:string value:number children?:[KernelscopeNode]" },
	{ "KernelscopeRows", "{[EventRow]|{EventRow}}", NULL },
	{ "KernelscopeAnswer", "KernelscopeNode|KernelscopeRows", NULL },
};

void
openapi_add_schemas(cJSON *all)
{
	for (size_t i = 0; i < sizeof(schemas) / sizeof(schemas[0]); i++)
		cJSON_AddItemToObject(all, schemas[i].name,
			schemas[i].type ? openapi_type(schemas[i].type)
					: openapi_object(schemas[i].members));
}
