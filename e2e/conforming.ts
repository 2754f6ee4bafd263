import type { Page, Response } from "@playwright/test";
import { conformance, type Exchange, OpenApi } from "#tests/conformance.ts";

const checks = new Map<string, Promise<(exchange: Exchange) => string[]>>();

/** The check against the document that the deployment itself gives, which is read once. */
function checkOf(baseUrl: string): Promise<(exchange: Exchange) => string[]> {
  const made = checks.get(baseUrl) ?? readDocument(baseUrl);
  checks.set(baseUrl, made);
  return made;
}

async function readDocument(baseUrl: string): Promise<(exchange: Exchange) => string[]> {
  const answer = await fetch(`${baseUrl}/openapi.json`);
  return conformance(OpenApi.parse(await answer.json()));
}

/** Holds every answer that the page gets from the API to the OpenAPI document; gives what tells the defects. */
export function watchAnswers(page: Page, baseUrl: string): () => Promise<string[]> {
  const checking: Promise<string[]>[] = [];
  page.on("response", (response) => {
    if (response.url().startsWith(`${baseUrl}/`)) checking.push(defectsOf(response, baseUrl));
  });
  return async () => (await Promise.all(checking)).flat();
}

async function defectsOf(response: Response, baseUrl: string): Promise<string[]> {
  const request = response.request();
  const path = response.url().slice(baseUrl.length);
  const status = response.status();
  // A page that is left takes its answers with it, the body first and then the headers.
  const [text, sentHeaders] = await Promise.all([response.text(), response.allHeaders()]).catch(() => []);
  if (text === undefined) return [];
  const headers = new Headers(sentHeaders);
  const isJson = headers.get("content-type")?.includes("json") === true && text !== "";
  const sent = request.postData() === null ? undefined : request.postDataJSON();
  const exchange = { method: request.method(), path, sent, status, headers, text };
  const check = await checkOf(baseUrl);
  const defects = check({ ...exchange, json: isJson ? JSON.parse(text) : undefined });
  return defects.map((defect) => `${exchange.method} ${path} ${status}: ${defect}`);
}
