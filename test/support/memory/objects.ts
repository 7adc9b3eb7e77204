/**
 * A namespace of Durable Objects in memory: stubs, instances, eviction and alarms.
 *
 * An instance is created on first use. It may be evicted at any time, and its storage stays.
 * `test/worker/memory/platform.test.ts` holds it to workerd.
 *
 * @module
 */

import { hash } from 'node:crypto'
import { receivedRequest } from './received-request.ts'
import { createMemoryStorage } from './storage.ts'

/** The timers of the platform, also while a test fakes those of its file. */
const { setTimeout, clearTimeout } = globalThis

/** What the platform calls on an instance. */
interface Instance extends Rpc.DurableObjectBranded {
  readonly alarm: () => void | Promise<void>
  readonly fetch?: (request: Request) => Response | Promise<Response>
}

/** Makes the instance of an object. */
type CreateInstance<T> = (state: DurableObjectState) => Promise<T>

/** An instance of an object, with what the platform gives it. */
interface Opened<T> {
  readonly state: DurableObjectState
  readonly instance: Promise<T>
}

/** One object: its storage, and its instance while it has one. */
export interface MemoryObject<T> {
  /** The instance, which is created if there is none. */
  readonly open: () => Opened<T>
  readonly evict: () => void
  /** Runs the alarm now, if it is set. Resolves to whether it was. */
  readonly runAlarm: () => Promise<boolean>
}

/** A namespace, and the objects behind its stubs. */
export interface MemoryNamespace<T extends Instance> {
  readonly namespace: DurableObjectNamespace<T>
  readonly objectOf: (stub: { readonly id: DurableObjectId }) => MemoryObject<T>
}

/** Creates an empty namespace. `methods` are those that stubs call by RPC. */
export function createMemoryNamespace<T extends Instance>(
  create: CreateInstance<T>,
  methods: readonly string[] = [],
): MemoryNamespace<T> {
  const objects = new Map<string, MemoryObject<T>>()
  const objectOf = ({ id }: { readonly id: DurableObjectId }): MemoryObject<T> => {
    const known = objects.get(id.toString()) ?? createObject(id, create)
    objects.set(id.toString(), known)
    return known
  }
  const get = (id: DurableObjectId) => {
    const open = () => objectOf({ id }).open().instance
    const fetch = async (input: RequestInfo | URL, init?: RequestInit) =>
      (await open()).fetch?.(receivedRequest(input, init))
    const calls = methods.map((method) => [method, callOf(open, method)] as const)
    return { id, name: id.name, fetch, ...Object.fromEntries(calls) }
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
  return { namespace: namespace as unknown as DurableObjectNamespace<T>, objectOf }
}

/** A method of a stub: arguments and results are copied, as in workerd. */
const callOf =
  <T extends Instance>(open: () => Promise<T>, method: string) =>
  async (...given: unknown[]): Promise<unknown> => {
    const instance = await open()
    const run: unknown = Reflect.get(instance, method)
    if (typeof run !== 'function') throw new TypeError(`There is no method ${method}`)
    return structuredClone(await Reflect.apply(run, instance, structuredClone(given)))
  }

function createObject<T extends Instance>(
  id: DurableObjectId,
  create: CreateInstance<T>,
): MemoryObject<T> {
  let opened: Opened<T> | null = null
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

interface ObjectParts<T> {
  readonly id: DurableObjectId
  readonly storage: DurableObjectStorage
  readonly create: CreateInstance<T>
}

/** Each instance has a storage object of its own, as in workerd: what a test replaces in it ends with an eviction. */
function openObject<T>({ id, storage, create }: ObjectParts<T>): Opened<T> {
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
