/**
 * The module `cloudflare:test` in plain Node: the Worker behind its front, its objects, and their evictions.
 *
 * @module
 */

import type { Workspace } from '#worker/workspace.ts'
import { env, objectOf } from './environment.ts'
import { receivedRequest } from './received-request.ts'

type Stub = Parameters<typeof objectOf>[0]

const waited = new WeakMap<ExecutionContext, Promise<unknown>[]>()

/** Creates the context of a request. */
export function createExecutionContext(): ExecutionContext {
  const work: Promise<unknown>[] = []
  const context = {
    waitUntil: (promise: Promise<unknown>) => void work.push(promise.catch(() => undefined)),
    passThroughOnException: () => undefined,
    props: {},
  } as unknown as ExecutionContext
  waited.set(context, work)
  return context
}

/** Resolves when everything that the context of a request waits for has ended. */
export async function waitOnExecutionContext(context: ExecutionContext): Promise<void> {
  await Promise.all(waited.get(context) ?? [])
}

/** The Worker, as a client reaches it. */
export const SELF = {
  async fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const { front } = await import('#worker/index.ts')
    return front.fetch(receivedRequest(input, init), env, createExecutionContext())
  },
}

/** Runs work with the instance of an object and what the platform gives it. */
export async function runInDurableObject<T>(
  stub: Stub,
  work: (instance: Workspace, state: DurableObjectState) => T | Promise<T>,
): Promise<T> {
  const { instance, state } = objectOf(stub).open()
  return work(await instance, state)
}

/** Ends the instance of an object. */
export const evictDurableObject = async (stub: Stub): Promise<void> => objectOf(stub).evict()

/** Runs the alarm of an object now. Resolves to whether it was set. */
export const runDurableObjectAlarm = (stub: Stub): Promise<boolean> => objectOf(stub).runAlarm()

/** What a file has stored is in workspaces of its own. */
export const reset = async (): Promise<void> => undefined
