/**
 * The notifier: tells the person, on devices and in channels, that something waits in a workspace.
 *
 * There is one for a deployment, because a browser has one subscription for it, and because the icon of the console counts
 * what waits everywhere. Workspaces tell it their counts; news become one notification of each workspace at most every
 * minute, outside of quiet hours. Tests: `test/worker/notifier/`, `test/platform/notifier/`.
 *
 * @module
 */

import type { QuietHours, ShownDevice } from '#core/owner/answers/notifications.ts'
import { deviceId } from '#core/owner/device-id.ts'
import { err, ok, type Result } from '#core/result.ts'
import { toBase64Url } from '../encoding/base64.ts'
import { createDeliveries } from './deliveries.ts'
import type { Channel, Delivery } from './delivery.ts'
import type { NewDevice } from './device.ts'
import { createDevices, showDevice } from './devices.ts'
import { openIdentity } from './identity.ts'
import { DEVICE_TEST_PAUSE_MS, MAX_DEVICES, NEWS_DELAY_MS, NEWS_PAUSE_MS } from './limits.ts'
import { testMessage } from './message.ts'
import { contactAt, push } from './push.ts'
import {
  deliverDue,
  readQuietHours,
  schedule,
  settleDevice,
  type NotifierContext,
} from './rounds.ts'
import { createSummaries, isWaiting } from './summaries.ts'
import type { Summary } from './summary.ts'
import { createTables, readValue, writeValue } from './tables.ts'

/** What the person has set, as a workspace may know it. */
export interface NotifierSettings {
  /** The public key with which a browser subscribes. */
  readonly key: string
  readonly devices: readonly ShownDevice[]
  readonly quiet: QuietHours | null
  /** How much waits in all other workspaces. */
  readonly elsewhere: number
}

/** The notifier, as a workspace calls it. */
export interface NotifierService {
  /** Keeps what waits in a workspace. News lead to a notification. */
  readonly tell: (summary: Summary) => Promise<void>
  readonly settings: (workspace: string) => Promise<NotifierSettings>
  /** Adds a device that the person has chosen in a console at `origin`, or renews it. */
  readonly addDevice: (device: NewDevice, origin: string) => Promise<Result<null, 'full'>>
  /** Removes a device with all that waits for it. Returns what it was; null if there is none. */
  readonly removeDevice: (id: string) => Promise<ShownDevice | null>
  /** Sends a device a notification at once, which leads to `url`. */
  readonly testDevice: (
    id: string,
    url: string,
  ) => Promise<Result<Delivery, 'unknown' | 'too_soon'>>
  readonly setQuietHours: (quiet: QuietHours | null) => Promise<void>
}

/** The notifier within its object. */
export interface Notifier extends NotifierService {
  /** Sends what is due. Never rejects; resolves when all attempts have ended, which nothing needs to wait for. */
  readonly deliver: (now: number) => Promise<void>
}

/** What a notifier is opened on. */
export interface NotifierParts {
  readonly sql: SqlStorage
  /** What proves the owner of the deployment: devices of another owner are removed. */
  readonly owner: string
  readonly channels: readonly Channel[]
  readonly send: typeof fetch
  /** Sets the alarm that calls `deliver`. */
  readonly wakeAt: (time: number) => void
}

/** Opens the notifier, and sets the alarm if notifications wait. */
export async function createNotifier({ owner, ...parts }: NotifierParts): Promise<Notifier> {
  const { sql } = parts
  createTables(sql)
  const context: NotifierContext = {
    ...parts,
    identity: await openIdentity(sql),
    devices: createDevices(sql),
    summaries: createSummaries(sql),
    deliveries: createDeliveries(sql),
    busy: new Set(),
  }
  await keepOwner(context, owner)
  schedule(context)
  return {
    tell: async (summary) => tell(context, summary),
    settings: async (workspace) => readSettings(context, workspace),
    addDevice: (device, origin) => addDevice(context, device, origin),
    removeDevice: async (id) => removeDevice(context, id),
    testDevice: (id, url) => testDevice(context, id, url),
    setQuietHours: async (quiet) => setQuietHours(context, quiet),
    deliver: (now) => deliverDue(context, now),
  }
}

/** Removes all devices if the owner is another one than when they were added. */
async function keepOwner({ sql, identity, ...context }: NotifierContext, owner: string) {
  const fingerprint = toBase64Url(await identity.digest(`owner ${owner}`))
  if (readValue(sql, 'owner') === fingerprint) return
  for (const { id } of context.devices.all()) forget(context, id)
  writeValue(sql, 'owner', fingerprint)
}

function forget(
  { devices, deliveries }: Pick<NotifierContext, 'devices' | 'deliveries'>,
  id: string,
) {
  devices.remove(id)
  deliveries.dropReceiver(id)
}

function tell(context: NotifierContext, summary: Summary): void {
  const { summaries, deliveries } = context
  const { workspace, isNews } = summary
  const { due, notified } = summaries.timesOf(workspace)
  if (!isWaiting(summary)) {
    summaries.save(summary, null)
    deliveries.dropWorkspace(workspace)
    return
  }
  const isNew = isNews && due === null && hasReceivers(context)
  const earliest = Math.max(Date.now() + NEWS_DELAY_MS, (notified ?? 0) + NEWS_PAUSE_MS)
  summaries.save(summary, isNew ? earliest : due)
  schedule(context)
}

const hasReceivers = ({ devices, channels }: NotifierContext) =>
  channels.length > 0 || devices.count() > 0

function readSettings(context: NotifierContext, workspace: string): NotifierSettings {
  const { sql, identity, devices, summaries } = context
  return {
    key: identity.publicKey,
    devices: devices.all().map(showDevice),
    quiet: readQuietHours(sql),
    elsewhere: summaries.countElsewhere(workspace),
  }
}

async function addDevice(
  { sql, devices, deliveries }: NotifierContext,
  { replaces, ...device }: NewDevice,
  origin: string,
): Promise<Result<null, 'full'>> {
  const id = await deviceId(device.endpoint)
  const old = replaces === null ? null : devices.find(await deviceId(replaces))
  const place = devices.find(id) ?? old
  if (!place && devices.count() >= MAX_DEVICES) return err('full')
  if (old && old.id !== id) {
    devices.remove(old.id)
    deliveries.move(old.id, id)
  }
  const { added = Date.now(), delivered = null } = place ?? {}
  devices.save({ ...device, id, added, delivered, failing: false, tested: null })
  writeValue(sql, 'origin', origin)
  return ok(null)
}

function removeDevice(context: NotifierContext, id: string): ShownDevice | null {
  const device = context.devices.find(id)
  if (!device) return null
  forget(context, id)
  return showDevice(device)
}

async function testDevice(
  context: NotifierContext,
  id: string,
  url: string,
): Promise<Result<Delivery, 'unknown' | 'too_soon'>> {
  const device = context.devices.find(id)
  if (!device) return err('unknown')
  const now = Date.now()
  if (device.tested !== null && now < device.tested + DEVICE_TEST_PAUSE_MS) return err('too_soon')
  context.devices.noteTest(id, now)
  const message = testMessage(url, context.summaries.countElsewhere(null))
  const contact = contactAt(readValue(context.sql, 'origin'))
  const delivery = await push(device, message, { ...context, contact })
  settleDevice(context, id, delivery)
  return ok(delivery)
}

function setQuietHours(context: NotifierContext, quiet: QuietHours | null): void {
  writeValue(context.sql, 'quiet', JSON.stringify(quiet))
  schedule(context)
}
