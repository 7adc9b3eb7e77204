/**
 * Loads the verification of passkeys, when one is first used.
 *
 * @module
 */

import type * as verify from './verify.ts'

let loaded: typeof verify | null = null

/** Returns the module `verify.ts`, cached, because `import()` waits even for a module that is already loaded. */
export async function loadVerify(): Promise<typeof verify> {
  return (loaded ??= await import('./verify.ts'))
}
