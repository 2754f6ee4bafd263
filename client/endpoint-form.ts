import {
  type Endpoint,
  type EndpointPatch,
  EndpointSettings,
  type NewEndpoint,
  NewEndpoint as NewEndpointSchema,
} from "#contracts/endpoints.ts";
import type { RetryPolicy } from "#contracts/retry-policy.ts";
import { hasNullMember, mergePatchOf } from "./merge-patch.ts";

/** A request header as it is typed. `isKept`: it is there already, and keeps its value while none is typed. */
export interface HeaderField {
  key: number;
  name: string;
  value: string;
  isKept: boolean;
}

/** An endpoint as the form holds it: what people type, not yet checked. */
export interface EndpointForm {
  url: string;
  description: string;
  eventTypes: string[];
  filter: string;
  format: EndpointSettings["signature_format"];
  isAsymmetric: boolean;
  headers: HeaderField[];
  isOrdered: boolean;
  rateLimit: string;
  maxInFlight: string;
  timeoutSeconds: string;
  maxAttempts: string;
  schedule: string;
}

/** The fields that can be wrong, named as the API names them. */
export type FieldErrors = Readonly<Record<string, string>>;

export const EMPTY_FORM: EndpointForm = {
  url: "",
  description: "",
  eventTypes: ["*"],
  filter: "",
  format: "hex",
  isAsymmetric: false,
  headers: [],
  isOrdered: false,
  rateLimit: "",
  maxInFlight: "10",
  timeoutSeconds: "15",
  maxAttempts: "",
  schedule: "",
};

export function formOf(endpoint: Endpoint): EndpointForm {
  const { filter, retry_policy: policy } = endpoint;
  return {
    url: endpoint.url,
    description: endpoint.description ?? "",
    eventTypes: endpoint.event_types,
    filter: filter === null ? "" : JSON.stringify(filter, null, 2),
    format: endpoint.signature_format,
    isAsymmetric: endpoint.asymmetric,
    headers: Object.keys(endpoint.headers).map((name, key) => ({ key, name, value: "", isKept: true })),
    isOrdered: endpoint.ordered,
    rateLimit: endpoint.rate_limit === null ? "" : String(endpoint.rate_limit),
    maxInFlight: String(endpoint.max_in_flight),
    timeoutSeconds: String(endpoint.timeout_ms / 1000),
    maxAttempts: policy?.max_attempts == null ? "" : String(policy.max_attempts),
    schedule: policy?.schedule_seconds?.join(", ") ?? "",
  };
}

type Read<T> = { value: T } | { errors: FieldErrors };

/** The body of a registration, or what is wrong with which field. */
export function newEndpointOf(form: EndpointForm): Read<NewEndpoint> {
  const typed = settingsOf(form);
  if ("errors" in typed) return typed;
  const checked = NewEndpointSchema.safeParse(typed.value);
  return checked.success ? { value: checked.data } : { errors: issuesOf(checked.error.issues) };
}

/** What of `endpoint` the form changes, as a merge patch, or what is wrong with which field. */
export function patchOf(form: EndpointForm, endpoint: Endpoint): Read<EndpointPatch> {
  const typed = settingsOf(form);
  if ("errors" in typed) return typed;
  const { headers, ...settings } = typed.value;
  const checked = EndpointSettings.safeParse({ ...settings, metadata: endpoint.metadata });
  if (!checked.success) return { errors: issuesOf(checked.error.issues) };
  const before = settingsOf(formOf(endpoint));
  if ("errors" in before) return before;
  const { headers: _, ...old } = before.value;
  const patch = mergePatchOf(old, settings) as EndpointPatch;
  if ("filter" in patch && hasNullMember(typed.value.filter))
    return { errors: { filter: 'To compare with null here, write { "$in": [null] }.' } };
  const headerPatch = headerChanges(form.headers, Object.keys(endpoint.headers));
  return { value: Object.keys(headerPatch).length > 0 ? { ...patch, headers: headerPatch } : patch };
}

/** Headers that have gone are null; those that keep their value are not named. */
function headerChanges(fields: readonly HeaderField[], before: readonly string[]) {
  const changes: Record<string, string | null> = {};
  const kept = new Set(fields.filter(({ isKept, value }) => isKept && value === "").map(({ name }) => name));
  for (const name of before) if (!kept.has(name)) changes[name] = null;
  for (const { name, value } of fields) if (!kept.has(name)) changes[name] = value;
  return changes;
}

function settingsOf(form: EndpointForm): Read<Record<string, unknown>> {
  const errors: Record<string, string> = {};
  const filter = readFilter(form.filter, errors);
  const headers: Record<string, string> = {};
  for (const { name, value, isKept } of form.headers) {
    if (name.trim() === "") errors.headers = "Every header needs a name.";
    else if (Object.hasOwn(headers, name)) errors[`headers/${name}`] = "There are two headers of this name.";
    headers[name] = isKept && value === "" ? "kept" : value;
  }
  const settings = {
    url: form.url.trim(),
    event_types: form.eventTypes,
    description: form.description.trim() === "" ? null : form.description,
    filter,
    signature_format: form.format,
    asymmetric: form.isAsymmetric,
    headers,
    ordered: form.isOrdered,
    rate_limit: form.rateLimit.trim() === "" ? null : readNumber("rate_limit", form.rateLimit, errors),
    max_in_flight: readNumber("max_in_flight", form.maxInFlight, errors),
    timeout_ms: Math.round(readNumber("timeout_ms", form.timeoutSeconds, errors) * 1000),
    retry_policy: readPolicy(form, errors),
  };
  return Object.keys(errors).length > 0 ? { errors } : { value: settings };
}

function readFilter(text: string, errors: Record<string, string>): unknown {
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    errors.filter = `This is no JSON: ${error instanceof Error ? error.message : "it cannot be read"}`;
    return null;
  }
}

function readNumber(field: string, text: string, errors: Record<string, string>): number {
  const value = Number(text.trim());
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  errors[field] = "This must be a number.";
  return 0;
}

function readPolicy(form: EndpointForm, errors: Record<string, string>): RetryPolicy | null {
  const pauses = form.schedule.split(/[\s,;]+/).filter((part) => part !== "");
  const schedule = pauses.map((pause) => readNumber("retry_policy/schedule_seconds", pause, errors));
  const attempts =
    form.maxAttempts.trim() === "" ? null : readNumber("retry_policy/max_attempts", form.maxAttempts, errors);
  if (attempts === null && schedule.length === 0) return null;
  return { max_attempts: attempts, schedule_seconds: schedule.length > 0 ? schedule : null };
}

interface Issue {
  path: readonly PropertyKey[];
  message: string;
}

/** The faults that a schema of the contract finds, by field. */
export const issuesOf = (issues: readonly Issue[]): FieldErrors =>
  errorsOf(issues.map(({ path, message }) => ({ at: path.map(String), detail: message })));

/** The errors of a problem of the API by field: `#/headers/X-Team` is `headers/X-Team`. */
export const serverErrors = (errors: readonly { pointer: string; detail: string }[]): FieldErrors =>
  errorsOf(errors.map(({ pointer, detail }) => ({ at: partsOf(pointer), detail })));

function partsOf(pointer: string): string[] {
  const parts = pointer.replace(/^#\/?/, "").split("/");
  return parts.map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"));
}

// Fields that have parts of their own which can be wrong one by one.
const WITH_PARTS = new Set(["headers", "retry_policy", "theme"]);

function errorsOf(found: readonly { at: readonly string[]; detail: string }[]): FieldErrors {
  const errors: Record<string, string> = {};
  for (const { at, detail } of found) {
    const [field = "", part] = at;
    const name = part !== undefined && WITH_PARTS.has(field) ? `${field}/${part}` : field;
    const rest = at.slice(name.split("/").length);
    const sentence = rest.length > 0 ? `${rest.join(".")}: ${detail}` : detail;
    errors[name] = errors[name] ? `${errors[name]} ${sentence}` : sentence;
  }
  return errors;
}
