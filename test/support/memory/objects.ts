/**
 * A namespace of Durable Objects in memory: stubs, instances, eviction and alarms.
 *
 * An instance is created on first use. It may be evicted at any time, and its storage stays.
 * `test/worker/memory/platform.test.ts` holds it to workerd.
 *
 * @module
 */

import { hash } from 'node:crypto'
import type { Workspace } from '#worker/workspace.ts'
import { receivedRequest } from './received-request.ts'
import { createMemoryStorage } from './storage.ts'

/** The timers of the platform, also while a test fakes those of its file. */
const { setTimeout, clearTimeout } = globalThis

/** Makes the instance of an object. */
type CreateInstance = (state: DurableObjectState) => Promise<Workspace>

/** An instance of an object, with what the platform gives it. */
interface Opened {
  readonly state: DurableObjectState
  readonly instance: Promise<Workspace>
}

/** One object: its storage, and its instance while it has one. */
export interface MemoryObject {
  /** The instance, which is created if there is none. */
  readonly open: () => Opened
  readonly evict: () => void
  /** Runs the alarm now, if it is set. Resolves to whether it was. */
  readonly runAlarm: () => Promise<boolean>
}

/** A namespace, and the objects behind its stubs. */
export interface MemoryNamespace {
  readonly namespace: DurableObjectNamespace<Workspace>
  readonly objectOf: (stub: { readonly id: DurableObjectId }) => MemoryObject
}

/** Creates an empty namespace. */
export function createMemoryNamespace(create: CreateInstance): MemoryNamespace {
  const objects = new Map<string, MemoryObject>()
  const objectOf = ({ id }: { readonly id: DurableObjectId }): MemoryObject => {
    const known = objects.get(id.toString()) ?? createObject(id, create)
    objects.set(id.toString(), known)
    return known
  }
  const get = (id: DurableObjectId) => {
    const fetch = async (input: RequestInfo | URL, init?: RequestInit) =>
      (await objectOf({ id }).open().instance).fetch(receivedRequest(input, init))
    return { id, name: id.name, fetch }
  }
  const idFromName = (name: string) => createId(hexOf(name), { name })
  const newUniqueId = () => createId(hexOf(crypto.randomUUID()))
  const namespace = {
    get,
    idFromName,
    newUniqueId,
    getByName: (name: string) => get(idFromName(name)),
  }
  // A stub here has what the Worker and the tests use of one.
  return { namespace: namespace as unknown as DurableObjectNamespace<Workspace>, objectOf }
}

function createObject(id: DurableObjectId, create: CreateInstance): MemoryObject {
  let opened: Opened | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  const storage = createMemoryStorage((time) => {
    clearTimeout(timer)
    if (time !== null) timer = setTimeout(ring, Math.min(time - Date.now(), MAX_TIMEOUT_MS))
  })
  const open = () => (opened ??= openObject({ id, storage, create }))
  const runAlarm = async () => {
    if ((await storage.getAlarm()) === null) return false
    await storage.deleteAlarm()
    await (await open().instance).alarm()
    return true
  }
  // The platform repeats an alarm that fails. Here the next change sets it again.
  const ring = () => void runAlarm().catch(() => undefined)
  return { open, runAlarm, evict: () => void (opened = null) }
}

/** The largest delay of a timer. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

interface ObjectParts {
  readonly id: DurableObjectId
  readonly storage: DurableObjectStorage
  readonly create: CreateInstance
}

/** Each instance has a storage object of its own, as in workerd: what a test replaces in it ends with an eviction. */
function openObject({ id, storage, create }: ObjectParts): Opened {
  const parts = {
    id,
    storage: { ...storage },
    waitUntil: (work: Promise<unknown>) => void work.catch(() => undefined),
    getWebSockets: () => [],
    blockConcurrencyWhile: <T>(work: () => Promise<T>) => work(),
  }
  // The members that the Worker uses. Streams need workerd.
  const state = parts as unknown as DurableObjectState
  return { state, instance: create(state) }
}

function createId(hex: string, named: { readonly name?: string } = {}): DurableObjectId {
  return {
    ...named,
    toString: () => hex,
    equals: (other) => other.toString() === hex,
  }
}

/** Returns 64 hexadecimal digits, the same for the same name. */
const hexOf = (name: string) => hash('sha256', name, 'hex')
