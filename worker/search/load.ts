/**
 * Loads the regular expression engine, a quarter of the Worker, when a call first needs it.
 *
 * @module
 */

import type { compilePattern } from './pattern.ts'

let loaded: typeof compilePattern | null = null

/** Returns `compilePattern`, cached, because `import()` waits even for a module that is already loaded. */
export async function loadCompilePattern(): Promise<typeof compilePattern> {
  return (loaded ??= (await import('./pattern.ts')).compilePattern)
}
