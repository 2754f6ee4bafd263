/** Published vectors of Standard Webhooks 1.0: the specification's JavaScript and Rust libraries. */
export const STANDARD_WEBHOOKS_VECTORS = [
  {
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
    signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  },
  {
    secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
    id: "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk",
    timestamp: 1649367553,
    body: '{"email":"test@example.com","username":"test_user"}',
    signature: "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=",
  },
] as const;

/** The ed25519 signature of the first vector's content: a version that the receiver skips. */
export const V1A_SIGNATURE =
  "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==";

/** GitHub's published vector of `X-Hub-Signature-256`: the scheme of the `hex` and `sha256` formats. */
export const GITHUB_VECTOR = {
  secret: "It's a Secret to Everybody",
  body: "Hello, World!",
  hex: "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
};

/** The HMAC of the first vector's raw body under its secret as displayed, and under the decoded key. */
export const RAW_BODY_HEX = {
  secretAsDisplayed: "80ec8a89ce3cd22133a1066caecb4d04fea7467657c8514d717ec42c38a5c94c",
  decodedKey: "e2cb4f5251572539d458bfb8a7adb533b08801e6a794467e06f771debbb0818b",
};
