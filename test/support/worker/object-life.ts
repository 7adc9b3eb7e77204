/**
 * The Durable Object behind a test's workspace: its store, its crash and its test data.
 *
 * @module
 */

import { parsePath } from '#core/path.ts'
import { createR2Objects } from '#worker/store/content/objects.ts'
import { createSqliteStore } from '#worker/store/open/sqlite.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { act } from './store-contract.ts'

/** The object of a workspace that was made by `freshWorkspace`. */
export function stubOf({ base }: { readonly base: string }) {
  return env.WORKSPACE.get(env.WORKSPACE.idFromName(base.slice(base.lastIndexOf('/') + 1)))
}

export const newStub = () => env.WORKSPACE.get(env.WORKSPACE.newUniqueId())

/** A new stub of the same object, because a stub does not survive a crash. */
export const reconnect = ({ id }: DurableObjectStub) => env.WORKSPACE.get(id)

/**
 * Aborts an object at once, also during an operation: pending requests get an error, and data that
 * is not on disk is lost. An eviction, on the other hand, waits for pending requests.
 */
export async function crash(stub: DurableObjectStub): Promise<void> {
  let isAborted = false
  const abort = (state: DurableObjectState) => {
    isAborted = true
    state.abort('crash')
  }
  await runInDurableObject(reconnect(stub), (_, state) => void setTimeout(abort, 0, state))
  // On a busy machine the timer may be late.
  while (!isAborted) await scheduler.wait(1)
  await scheduler.wait(1)
}

/** Runs what the alarm does, also if it is not set: little content waits for the index until there is more. */
export const runAlarm = (stub: DurableObjectStub): Promise<void> =>
  runInDurableObject(stub, (instance) => instance.alarm?.())

const HELD_MS = 10 * 365 * 24 * 60 * 60 * 1000

/**
 * Keeps the alarm of an object from ringing by itself, until an eviction: only `runDurableObjectAlarm` runs it. Call it
 * before the first change. An alarm that is due in a second would otherwise ring in the middle of a test on a slow
 * machine, and one that is running cannot be run.
 */
export function holdAlarm(stub: DurableObjectStub): Promise<void> {
  return runInDurableObject(stub, (_, { storage }) => {
    const [set, get] = [storage.setAlarm.bind(storage), storage.getAlarm.bind(storage)]
    storage.setAlarm = (time, options) => set(Number(time) + HELD_MS, options)
    storage.getAlarm = async (options) => {
      const time = await get(options)
      return time === null ? null : time - HELD_MS
    }
  })
}

/** Opens the store of an object, as the object itself does. */
export const storeOf = (state: DurableObjectState) =>
  createSqliteStore(state.storage, createR2Objects(env.FILES, state.id.toString()))

const SEED_STEPS = 1_000

/** Puts the same small text at many paths. The object is evicted, so that it knows of them. */
export async function seed(stub: DurableObjectStub, paths: readonly string[], text = 'x') {
  await runInDurableObject(stub, async (_, state) => {
    const store = storeOf(state)
    const content = await store.hold(new TextEncoder().encode(text))
    for (let at = 0; at < paths.length; at += SEED_STEPS) {
      const some = paths.slice(at, at + SEED_STEPS)
      const steps = some.map((path) => ({ type: 'put', path: parsePath(path), content }) as const)
      const applied = act(store, ...steps)
      if (!applied.ok) throw new Error(`Cannot seed: ${applied.error.reason}`)
    }
  })
  await evictDurableObject(stub)
}
