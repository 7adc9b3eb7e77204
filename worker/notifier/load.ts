/**
 * Loads the notifier, when its object is first used.
 *
 * @module
 */

import type * as module from './open-notifier.ts'

let loaded: typeof module | null = null

/** Returns the module `open-notifier.ts`, cached, because `import()` waits even for a module that is already loaded. */
export async function loadNotifier(): Promise<typeof module> {
  return (loaded ??= await import('./open-notifier.ts'))
}
