import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Endpoint, type EndpointPatch, getEndpoint } from "#contracts/endpoints.ts";
import { ApiProblem } from "#sdk/api-problem.ts";
import { call } from "./api.ts";
import { change, noteEndpoint } from "./endpoint.ts";
import { type EndpointForm, type FieldErrors, patchOf } from "./endpoint-form.ts";
import { mergePatchOf } from "./merge-patch.ts";

/** What somebody else has made of an endpoint while it was being edited. */
export interface Meanwhile {
  now: Endpoint;
  /** The members of the API that are different now. */
  members: string[];
}

const NOT_SETTINGS = new Set(["version", "updated_at"]);

/**
 * Saves what a form changes of `base`, the endpoint as it was when the form was opened. A 412 reads what is there now:
 * saving again puts the same changes, and nothing else, on top of that.
 */
export function useEndpointEdit(tenantId: string, base: Endpoint, onSaved: (endpoint: Endpoint) => void) {
  const client = useQueryClient();
  const [meanwhile, setMeanwhile] = useState<Meanwhile | null>(null);
  const saving = useMutation({
    mutationFn: (patch: EndpointPatch) =>
      change(tenantId, { id: base.id, version: meanwhile?.now.version ?? base.version, patch }),
    onSuccess: (endpoint) => {
      noteEndpoint(client, tenantId, endpoint);
      onSaved(endpoint);
    },
    onError: async (error) => {
      if (!(error instanceof ApiProblem && error.status === 412)) return;
      const now = await call(getEndpoint, { tenantId, params: { id: base.id } });
      const members = Object.keys(mergePatchOf(base, now)).filter((name) => !NOT_SETTINGS.has(name));
      setMeanwhile({ now, members });
    },
  });
  const save = (form: EndpointForm): FieldErrors | null => {
    const read = patchOf(form, base);
    if ("errors" in read) return read.errors;
    saving.mutate(read.value);
    return null;
  };
  const isStale = saving.error instanceof ApiProblem && saving.error.status === 412;
  return { save, isSaving: saving.isPending, meanwhile, error: isStale && meanwhile ? null : saving.error };
}
