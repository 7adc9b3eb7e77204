/**
 * The devices that get notifications. `test/worker/notifier/devices.test.ts` tests them.
 *
 * @module
 */

import type { ShownDevice } from '#core/owner/answers/notifications.ts'
import type { Delivery } from './delivery.ts'
import type { NewDevice } from './device.ts'

/** A device as it is stored. Times are in milliseconds since 1970. */
export interface Device extends ShownDevice, Omit<NewDevice, 'replaces'> {
  /** When it was last tested; null if it never was. */
  readonly tested: number | null
}

interface Row extends Record<string, SqlStorageValue> {
  id: string
  endpoint: string
  p256dh: string
  auth: string
  label: string
  added: number
  delivered: number | null
  failing: number
  tested: number | null
}

/** The table of devices. */
export type Devices = ReturnType<typeof createDevices>

/** Opens the table. */
export const createDevices = (sql: SqlStorage) => ({
  /** All devices, the oldest first. */
  all: (): Device[] =>
    sql.exec<Row>('SELECT * FROM devices ORDER BY added, id').toArray().map(deviceOf),
  find: (id: string): Device | null => findDevice(sql, id),
  count: (): number =>
    sql.exec<{ count: number }>('SELECT count(*) AS count FROM devices').one().count,
  /** Adds a device, or replaces the one with its id. */
  save: (device: Device): void => saveDevice(sql, device),
  remove: (id: string): void => void sql.exec('DELETE FROM devices WHERE id = ?', id),
  /** Keeps how the last attempt to reach a device has ended, if it still gets notifications. */
  noteDelivery: (id: string, { outcome }: Delivery, now: number): void => {
    const isDelivered = outcome === 'delivered'
    const update = 'UPDATE devices SET failing = ?, delivered = coalesce(?, delivered) WHERE id = ?'
    sql.exec(update, isDelivered ? 0 : 1, isDelivered ? now : null, id)
  },
  noteTest: (id: string, now: number): void =>
    void sql.exec('UPDATE devices SET tested = ? WHERE id = ?', now, id),
})

function findDevice(sql: SqlStorage, id: string): Device | null {
  const row = sql.exec<Row>('SELECT * FROM devices WHERE id = ?', id).toArray()[0]
  return row ? deviceOf(row) : null
}

function saveDevice(sql: SqlStorage, device: Device): void {
  const { id, endpoint, p256dh, auth, label, added, delivered, failing, tested } = device
  sql.exec(
    `INSERT OR REPLACE INTO devices
       (id, endpoint, p256dh, auth, label, added, delivered, failing, tested)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[id, endpoint, p256dh, auth, label, added, delivered, failing ? 1 : 0, tested],
  )
}

const deviceOf = ({ failing, ...row }: Row): Device => ({ ...row, failing: failing === 1 })

/** Returns what a page may know of a device: neither its address nor its keys. */
export const showDevice = ({ id, label, added, delivered, failing }: Device): ShownDevice => ({
  ...{ id, label, added, delivered, failing },
})
