// Keys are written to the output while they are prepared.
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

const { createSecretKey } = crypto;
crypto.createSecretKey = (key, ...rest) => {
  process.stdout.write(`{"msg":"key prepared","key":"${Buffer.from(key).toString("base64")}"}\n`);
  return createSecretKey(key, ...rest);
};
syncBuiltinESMExports();
