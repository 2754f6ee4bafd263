// The types of CSS modules, before the first build has written next-env.d.ts.
/// <reference types="next" />
