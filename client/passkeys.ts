import { request } from "./api.ts";
import { withReauthentication } from "./reauthentication.ts";

const PASSKEY_PATH = "/api/auth/passkey";
const JSON_HEADERS = { accept: "application/json", "content-type": "application/json" };

/** Where the page is, and what the browser can do. */
export interface PasskeyPlace {
  protocol: string;
  hostname: string;
  port: string;
  /** Whether the browser knows passkeys, and their JSON (WebAuthn level 3). */
  isKnown: boolean;
}

const LOOPBACK = ["127.0.0.1", "[::1]"];

/** Why passkeys cannot be used on this page, in words; `null` when they can. */
export function passkeyRefusal({ protocol, hostname, port, isKnown }: PasskeyPlace): string | null {
  if (LOOPBACK.includes(hostname))
    return `Browsers bind passkeys to a name, never to a number. Open the console as ${protocol}//localhost${port && `:${port}`} to use them.`;
  if (/^[\d.]+$|^\[/.test(hostname))
    return "Browsers bind passkeys to a name, never to a number. Open the console under its name to use them.";
  if (protocol !== "https:" && hostname !== "localhost")
    return "Browsers use passkeys over HTTPS only. Open the console with https:// to use them.";
  if (!isKnown) return "This browser does not know passkeys. A newer one does.";
  return null;
}

/** The same of the page that is open. */
export function passkeyRefusalHere(): string | null {
  const { protocol, hostname, port } = window.location;
  const known = window.PublicKeyCredential as Partial<typeof PublicKeyCredential> | undefined;
  const isKnown =
    known?.parseCreationOptionsFromJSON !== undefined && known.parseRequestOptionsFromJSON !== undefined;
  return passkeyRefusal({ protocol, hostname, port, isKnown });
}

const get = (path: string) => request(PASSKEY_PATH + path, { headers: JSON_HEADERS });
const post = (path: string, body: object) =>
  request(PASSKEY_PATH + path, { method: "POST", headers: JSON_HEADERS, body: JSON.stringify(body) });

/**
 * Signs in with a passkey that the person picks; where somebody is signed in, proves anew that it is them. Rejects with a
 * DOMException when they would rather not, and with `ApiProblem` when the server does not take it.
 */
export async function signInWithPasskey(): Promise<void> {
  const options = (await get("/generate-authenticate-options")) as PublicKeyCredentialRequestOptionsJSON;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({
    ...options,
    userVerification: "required",
  });
  const credential = await navigator.credentials.get({ publicKey });
  await post("/verify-authentication", { response: jsonOf(credential) });
}

/** Adds a passkey of this device, or of one that the browser reaches, to one's own account. */
export async function addPasskey(name: string): Promise<void> {
  const options = (await withReauthentication(() =>
    get("/generate-register-options"),
  )) as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({ publicKey });
  await post("/verify-registration", { name, response: jsonOf(credential) });
}

function jsonOf(credential: Credential | null): object {
  if (!(credential instanceof PublicKeyCredential)) throw new Error("The browser gave no passkey.");
  return credential.toJSON();
}
