/**
 * The object behind a test's workspace, and the two ways in which its life ends.
 *
 * @module
 */

import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

/** The object of a workspace that was made by `freshWorkspace`. */
export function stubOf({ base }: { readonly base: string }) {
  return env.WORKSPACE.get(env.WORKSPACE.idFromName(base.slice(base.lastIndexOf('/') + 1)))
}

export const newStub = () => env.WORKSPACE.get(env.WORKSPACE.newUniqueId())

/**
 * Ends an object at once, whatever it is in the middle of: who waits for it gets an error, and what
 * is not on disk by then is lost. An eviction, on the other hand, lets requests come to their end.
 */
export async function crash(stub: DurableObjectStub): Promise<void> {
  await runInDurableObject(stub, (_, state) => void setTimeout(() => state.abort('crash'), 0))
  await scheduler.wait(10)
}
