/** That of an answer which is kept for repeats of its request. */
export const answerIdentity = (request: {
  tenantId: string;
  principalId: string;
  method: string;
  path: string;
  key: string;
}) => {
  const { tenantId, principalId, method, path, key } = request;
  return `idempotency_records/${JSON.stringify([tenantId, principalId, method, path, key])}`;
};

/** The identity that a signing secret is sealed under: it opens in this row and in no other. */
export const secretIdentity = (tenantId: string, endpointId: string, kid: string) =>
  `endpoint_secrets/${tenantId}/${endpointId}/${kid}`;

/** That of an endpoint's further request headers. */
export const headersIdentity = (tenantId: string, endpointId: string) =>
  `webhook_endpoints/${tenantId}/${endpointId}/headers`;

/** That of an endpoint's ed25519 key. */
export const signingKeyIdentity = (tenantId: string, endpointId: string) =>
  `webhook_endpoints/${tenantId}/${endpointId}/signing_key`;

/** That of what somebody's authenticator app knows. */
export const twoFactorIdentity = (userId: string) => `staff_two_factors/${userId}`;

/** That of any value that is sealed for as long as there is its row. */
export function sealedIdentity(value: {
  part: "secret" | "headers" | "signing_key" | "two_factor";
  tenantId: string;
  endpointId: string;
  kid: string;
}): string {
  const { part, tenantId, endpointId, kid } = value;
  if (part === "secret") return secretIdentity(tenantId, endpointId, kid);
  if (part === "two_factor") return twoFactorIdentity(endpointId);
  return part === "headers"
    ? headersIdentity(tenantId, endpointId)
    : signingKeyIdentity(tenantId, endpointId);
}
