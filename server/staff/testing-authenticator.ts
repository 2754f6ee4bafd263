import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** What a device does with passkeys, in software (WebAuthn level 3, ES256, no attestation). */
export interface Authenticator {
  /** The answer to the options of a registration, as `PublicKeyCredential.toJSON()` gives it. */
  create(options: { challenge: string; rp: { id: string } }): object;
  /** The answer to the options of a sign-in. */
  get(options: { challenge: string; rpId: string }): object;
  /** Whether it checks who uses it, from now on. */
  verifiesUser: boolean;
}

const UP = 0x01;
const UV = 0x04;
const AT = 0x40;

/** A device on a page of `origin`, which checks who uses it. */
export function testAuthenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const credentialId = randomBytes(16);
  let counter = 0;
  const data = (rpId: string, more: number, rest: Buffer = Buffer.alloc(0)) => {
    const head = Buffer.alloc(5);
    head.writeUInt8(UP | (device.verifiesUser ? UV : 0) | more);
    head.writeUInt32BE(++counter, 1);
    return Buffer.concat([createHash("sha256").update(rpId).digest(), head, rest]);
  };
  const client = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin: false }));
  const credential = (response: object) => ({
    ...{ id: credentialId.toString("base64url"), rawId: credentialId.toString("base64url") },
    ...{ type: "public-key", clientExtensionResults: {}, authenticatorAttachment: "platform" },
    response,
  });
  const device: Authenticator = {
    verifiesUser: true,
    create({ challenge, rp }) {
      const attested = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([0, credentialId.length]),
        credentialId,
        coseKey(Buffer.from(x, "base64url"), Buffer.from(y, "base64url")),
      ]);
      return credential({
        clientDataJSON: client("create", challenge).toString("base64url"),
        attestationObject: attestationObject(data(rp.id, AT, attested)).toString("base64url"),
        transports: ["internal"],
      });
    },
    get({ challenge, rpId }) {
      const [authenticatorData, clientData] = [data(rpId, 0), client("get", challenge)];
      const signed = Buffer.concat([authenticatorData, createHash("sha256").update(clientData).digest()]);
      return credential({
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: authenticatorData.toString("base64url"),
        signature: sign("sha256", signed, privateKey).toString("base64url"),
      });
    },
  };
  return device;
}

// CBOR as it is written out (RFC 8949): maps and byte strings of known sizes.

/** `{1: 2, 3: -7, -1: 1, -2: x, -3: y}` (RFC 9053 §7.1.1). */
function coseKey(x: Buffer, y: Buffer): Buffer {
  return Buffer.concat([Buffer.from("a5010203262001215820", "hex"), x, Buffer.from("225820", "hex"), y]);
}

/** `{"fmt": "none", "attStmt": {}, "authData": data}`. */
function attestationObject(data: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from([0xa3, 0x63]),
    Buffer.from("fmt"),
    Buffer.from([0x64]),
    Buffer.from("none"),
    Buffer.from([0x67]),
    Buffer.from("attStmt"),
    Buffer.from([0xa0, 0x68]),
    Buffer.from("authData"),
    Buffer.from([0x58, data.length]),
    data,
  ]);
}
