import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from "@redocly/openapi-core";
import spectralCore, { type RulesetDefinition } from "@stoplight/spectral-core";
import spectralRulesets from "@stoplight/spectral-rulesets";
import { operations } from "#contracts/index.ts";
import { API_PREFIX } from "#server/http/api.ts";
import { openApiDocument } from "#server/http/openapi/document.ts";
import { VERSION } from "#server/runtime/version.ts";

/** What a linter says that is not so, each with the reason. Everything else that either says is a failure. */
const ACCEPTED: readonly { rule: string; at: RegExp; reason: string }[] = [
  {
    rule: "no-unused-components",
    at: /^#\/components\/(responses\/method-not-allowed|examples\/[a-z-]+)$/,
    reason:
      "405 is the answer of a path to a method that is none of its operations, and every problem has an example.",
  },
  {
    rule: "oas3-unused-component",
    at: /^#\/components\/(responses\/method-not-allowed|examples\/[a-z-]+)$/,
    reason: "The same.",
  },
  {
    rule: "info-contact",
    at: /^#\/info$/,
    reason: "Whom to ask is the deployment's business, and the document is the same everywhere.",
  },
  {
    rule: "oas3-operation-security-defined",
    at: /\/security\/\d+\/(apiKey|portalToken|staffSession)\/0$/,
    reason: "OpenAPI 3.1 §4.8.30 allows roles for every scheme; the rule knows scopes of OAuth alone.",
  },
];

/** One thing that a linter has found. */
interface Finding {
  linter: string;
  rule: string;
  /** JSON Pointer, fragment form. */
  at: string;
  message: string;
}

/** What Redocly (`recommended`) and Spectral (`spectral:oas`) have against an OpenAPI document; one line for each. */
export async function lintOpenApi(document: object = emitted()): Promise<string[]> {
  const text = JSON.stringify(document);
  const findings = [...(await redocly(text)), ...(await spectral(text))];
  return findings
    .filter(({ rule, at }) => !ACCEPTED.some((known) => known.rule === rule && known.at.test(at)))
    .map(({ linter, rule, at, message }) => `${linter} ${rule} ${at}: ${message}`);
}

function emitted(): object {
  const origin = "https://posthorn.example";
  return openApiDocument({ operations, origin, prefix: API_PREFIX, version: VERSION });
}

async function redocly(text: string): Promise<Finding[]> {
  const problems = await lintDocument({
    config: await createConfig({ extends: ["recommended"] }),
    document: makeDocumentFromString(text, "openapi.json"),
    externalRefResolver: new BaseResolver(),
  });
  return problems.map(({ ruleId, message, location: [place] }) => ({
    ...{ linter: "redocly", rule: ruleId, message },
    at: place?.pointer ?? "",
  }));
}

async function spectral(text: string): Promise<Finding[]> {
  const linter = new spectralCore.Spectral();
  // The two packages' types of the same thing differ.
  linter.setRuleset({ extends: [[spectralRulesets.oas as RulesetDefinition, "recommended"]] });
  const problems = await linter.run(JSON.parse(text));
  return problems.map(({ code, message, path }) => ({
    ...{ linter: "spectral", rule: String(code), message },
    at: `#/${path.map((part) => String(part).replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`,
  }));
}
