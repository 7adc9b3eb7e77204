/**
 * The notifier over the storage of an object, with push services and channels of the test.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import type { Channel } from '#worker/notifier/delivery.ts'
import { createNotifier, type Notifier } from '#worker/notifier/notifier.ts'
import type { Summary } from '#worker/notifier/summary.ts'
import { runInDurableObject } from 'cloudflare:test'
import { vi } from 'vitest'
import { newStub } from './object-life.ts'
import { createPushDevice, type PushDevice } from './push-device.ts'

/** A workspace in which three changes wait. */
export const NEWS: Summary = {
  workspace: 'default',
  isNews: true,
  changes: 3,
  requests: 0,
  apps: 0,
  skills: 0,
  applied: 0,
  from: ['helper'],
  others: 0,
  url: 'https://files.example/#/waiting',
}

/** News of a workspace. */
export const newsOf = (workspace: string, more: Partial<Summary> = {}): Summary => ({
  ...NEWS,
  workspace,
  ...more,
})

/** A workspace in which nothing waits any more. */
export const NOTHING: Summary = { ...NEWS, isNews: false, changes: 0, from: [] }

/** A message that reached a push service. */
export interface Pushed {
  readonly url: string
  readonly headers: Headers
  readonly init: RequestInit
  readonly body: ArrayBuffer
}

type Answer = (pushed: Pushed) => Response | Promise<Response>

/** What a test opens a notifier with. */
export interface Opening {
  readonly owner?: string
  readonly channels?: readonly Channel[]
  /** How push services answer; by default they accept everything. */
  readonly answer?: Answer
}

/** A notifier, with what has left it. */
export interface TestNotifier extends Notifier {
  readonly pushed: Pushed[]
  /** The times for which the alarm was set. */
  readonly wakes: number[]
  /** Sends what is due after a time (ms), which passes. The clock of the test must be a fake one. */
  readonly deliverIn: (ms: number) => Promise<void>
  /** Adds a device. */
  readonly enrol: (label?: string, device?: PushDevice) => Promise<PushDevice>
  /** What a device was sent, decrypted. */
  readonly sentTo: (device: PushDevice) => Promise<JsonRecord[]>
}

/** Opens a notifier on a database. */
export async function openOn(
  sql: SqlStorage,
  { owner = 'owner', channels = [], answer = accept }: Opening = {},
): Promise<TestNotifier> {
  const pushed: Pushed[] = []
  const wakes: number[] = []
  const send: typeof fetch = async (input, init = {}) => {
    const body = await new Response(init.body).arrayBuffer()
    const one = { url: new Request(input).url, headers: new Headers(init.headers), init, body }
    pushed.push(one)
    return answer(one)
  }
  const wakeAt = (time: number) => void wakes.push(time)
  const notifier = await createNotifier({ sql, owner, channels, send, wakeAt })
  return {
    ...notifier,
    pushed,
    wakes,
    deliverIn: (ms) => {
      vi.setSystemTime(Date.now() + ms)
      return notifier.deliver(Date.now())
    },
    enrol: async (label = 'Phone', device) => enrol(notifier, label, device),
    sentTo: ({ endpoint, read }) =>
      Promise.all(pushed.filter(({ url }) => url === endpoint).map(({ body }) => read(body))),
  }
}

export const accept: Answer = () =>
  new Response(null, { status: 201, headers: { location: 'https://push.example/message/1' } })

/** Answers with a status. */
export const refuseWith =
  (status: number, headers: Record<string, string> = {}): Answer =>
  () =>
    new Response(null, { status, headers })

async function enrol(notifier: Notifier, label: string, given?: PushDevice): Promise<PushDevice> {
  const device = given ?? (await createPushDevice())
  const { endpoint, keys } = device
  const added = await notifier.addDevice(
    { endpoint, ...keys, label, replaces: null },
    'https://files.example',
  )
  if (!added.ok) throw new Error(added.error)
  return device
}

/** Runs work with the database of a new object. */
export const withSql = <T>(work: (sql: SqlStorage) => Promise<T>): Promise<T> =>
  runInDurableObject(newStub(), (_, { storage }) => work(storage.sql))

/** Runs work with a notifier on a new database. */
export const withNotifier = <T>(
  opening: Opening,
  work: (notifier: TestNotifier, sql: SqlStorage) => Promise<T>,
): Promise<T> => withSql(async (sql) => work(await openOn(sql, opening), sql))
