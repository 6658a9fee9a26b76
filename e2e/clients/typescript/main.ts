// The smallest write and a compilation with the types that openapi-typescript generates. "make test-clients" has the
// TypeScript compiler check it; it is not run.
import createClient from "openapi-fetch";
import type { components, paths } from "./generated/tenure";

type Problem = components["schemas"]["Problem"];

const client = createClient<paths>({
  baseUrl: "http://127.0.0.1:8080",
  headers: { Authorization: "Bearer tnr_key" },
});

function refusal(problem: Problem): Error {
  return new Error(`${problem.code}: ${problem.detail}`);
}

/** Records where somebody works and returns the entity. */
export async function write(): Promise<string> {
  const { data, error } = await client.POST("/v1/observations", {
    params: { header: { "Idempotency-Key": "row-1" } },
    body: {
      source: { origin: "conversation://s1/7" },
      mentions: [{ name: "Jon Smith", type: "person" }],
      claims: [{ subject: { mention: 0 }, predicate: "office", value: "Chicago" }],
    },
  });
  if (error) throw refusal(error);
  const [mention] = data.mentions;
  if (!mention) throw new Error("no mention");
  return mention.entity_id;
}

/** Returns the predicates of an envelope, each with its place. */
export async function read(): Promise<string[]> {
  const { data, error } = await client.POST("/v1/compile", {
    body: { query: "Where does Jon Smith work?", budget_tokens: 500 },
  });
  if (error) throw refusal(error);
  const { compiled_objects: compiled, omitted_objects: omitted } = data.trace.state_compilation_metadata;
  const unread: "budget" | undefined = omitted.map((o) => o.reason).find((reason) => reason === "budget");
  if (unread) throw new Error("the budget is too small");
  return compiled.map((o) => `${o.predicate}: ${o.zone} ${o.line}, relevance ${o.relevance.toFixed(2)}`);
}
