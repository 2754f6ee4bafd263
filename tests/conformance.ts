/** Whether calls and their answers are as the OpenAPI document says; for tests that see the API from outside. */
export { conformance, type Exchange } from "#server/http/openapi/testing-conformance.ts";
export { OpenApi } from "#server/http/openapi/testing-structure.ts";
