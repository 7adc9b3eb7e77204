/**
 * The name of an app: that of its folder, the last part of its URI, and the end of its tool's name.
 *
 * The server serves only folders with such a name, and a new app is made only with one.
 * `test/worker/apps/manifest.test.ts` has the table.
 *
 * @module
 */

const NAME = /^[a-z0-9](?:[a-z0-9_-]{0,38}[a-z0-9])?$/

/** Whether a folder can be an app. Names end up in URIs and in names of tools. */
export const isAppName = (name: string): boolean => NAME.test(name)
