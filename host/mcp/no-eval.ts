/**
 * Keeps the SDK's schemas from probing for `eval`. It is imported before the SDK.
 *
 * Zod compiles schemas where `new Function` works, and tries it once. Under our Content-Security-Policy the
 * attempt fails as intended, but the browser reports a violation for each load of the page. Zod reads this
 * member of the global object when its first schema is made. `test/pages/console/console.test.ts` covers it.
 *
 * @module
 */

Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
