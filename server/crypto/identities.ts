/** The identity that a signing secret is sealed under: it opens in this row and in no other. */
export const secretIdentity = (tenantId: string, endpointId: string, kid: string) =>
  `endpoint_secrets/${tenantId}/${endpointId}/${kid}`;
