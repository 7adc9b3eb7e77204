/**
 * Loads the SDK, a third of the Worker, when a request first needs it: plain requests are answered without it.
 *
 * @module
 */

import type * as sdk from './sdk.ts'

/** The loaded SDK. */
export type Sdk = typeof sdk

let loaded: Sdk | null = null

/** Returns the module `sdk.ts`, cached, because `import()` waits even for a module that is already loaded. */
export async function loadSdk(): Promise<Sdk> {
  return (loaded ??= await import('./sdk.ts'))
}
