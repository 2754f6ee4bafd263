import type { EndpointSettings } from "#contracts/endpoints.ts";

type Format = EndpointSettings["signature_format"];

const LIBRARY = `import { verify } from "posthorn/receiver";

// By key id: the old and the new one, for as long as both are valid.
const secrets = { OLD: process.env.WEBHOOK_SECRET_OLD, NEW: process.env.WEBHOOK_SECRET_NEW };

// \`body\`: the raw bytes, before any parse. Throws when the signature is not right.
verify({ secrets, headers: request.headers, body });`;

const PYTHON_BODY: Record<Format, string> = {
  hex: `    made = hmac.new(secret, body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(made, headers["X-Signature"])`,
  sha256: `    made = "sha256=" + hmac.new(secret, body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(made, headers["X-Signature"])`,
  timestamped: `    parts = dict(part.split("=", 1) for part in headers["X-Signature"].split(","))
    made = hmac.new(secret, parts["t"].encode() + b"." + body, hashlib.sha256).hexdigest()
    fresh = abs(time.time() - int(parts["t"])) < 300
    return fresh and hmac.compare_digest(made, parts["v1"])`,
};

const python = (format: Format) => `import hashlib, hmac, os${format === "timestamped" ? ", time" : ""}

SECRETS = {"OLD": os.environ["WEBHOOK_SECRET_OLD"], "NEW": os.environ["WEBHOOK_SECRET_NEW"]}

def is_genuine(headers, body: bytes) -> bool:
    secret = SECRETS.get(headers["X-Signature-Key-Id"], "").encode()
    if not secret:
        return False
${PYTHON_BODY[format]}`;

const SHELL_INPUT: Record<Format, string> = {
  hex: "cat body.json",
  sha256: "cat body.json",
  timestamped: '{ printf "%s." "$T"; cat body.json; }',
};

const shell = (format: Format) => `# WEBHOOK_SECRET: the secret as it was shown; body.json: the raw body.${
  format === "timestamped" ? "\n# T: the time after t= in X-Signature." : ""
}
${SHELL_INPUT[format]} | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET"`;

/** How a receiver verifies X-Signature with two keys, by language. Nothing in it is a secret. */
export function verifySnippets(format: Format, keys: { old: string; current: string }) {
  const named = (code: string) =>
    code.replaceAll(/\bOLD\b(?=[:"])/g, keys.old).replaceAll(/\bNEW\b(?=[:"])/g, keys.current);
  return [
    { language: "Node.js", code: named(LIBRARY) },
    { language: "Python", code: named(python(format)) },
    { language: "Shell", code: shell(format) },
  ];
}
