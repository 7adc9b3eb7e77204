/** The object of the notifier in workerd: calls of other objects, evictions and alarms. */

import { deviceId } from '#core/owner/device-id.ts'
import { createNotifier } from '#worker/notifier/notifier.ts'
import { notifierOf } from '#worker/notifier/stub.ts'
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { NEWS, NOTHING } from '../../support/worker/notifier.ts'
import { createPushDevice } from '../../support/worker/push-device.ts'

const newNotifier = () => env.NOTIFIER.get(env.NOTIFIER.newUniqueId())

const again = ({ id }: { readonly id: DurableObjectId }) => env.NOTIFIER.get(id)

async function newDevice() {
  const { endpoint, keys } = await createPushDevice()
  return { endpoint, ...keys, label: 'Phone', replaces: null }
}

it('keeps its key, its devices and its counts when it is evicted', async () => {
  const stub = newNotifier()
  const device = await newDevice()
  expect(await stub.addDevice(device, 'https://files.example')).toEqual({ ok: true, value: null })
  await stub.setQuietHours({ from: '22:00', to: '07:00', time_zone: 'UTC' })
  await stub.tell({ ...NEWS, isNews: false })
  const before = await stub.settings('notes')
  expect(before).toMatchObject({ devices: [{ label: 'Phone' }], elsewhere: 3 })
  await evictDurableObject(stub)
  expect(await again(stub).settings('notes')).toEqual(before)
})

it('sets its alarm for news, and not for counts', async () => {
  const stub = newNotifier()
  await stub.addDevice(await newDevice(), 'https://files.example')
  const alarmOf = () => runInDurableObject(stub, (_, { storage }) => storage.getAlarm())
  await stub.tell({ ...NEWS, isNews: false })
  expect(await alarmOf()).toBeNull()
  await stub.tell(NEWS)
  expect(await alarmOf()).toBeGreaterThan(Date.now())
  // Nothing is sent to another machine.
  await stub.tell(NOTHING)
  expect(await runDurableObjectAlarm(stub)).toBe(true)
})

const HOUR_MS = 60 * 60 * 1000

/** Quiet hours around now. */
function quietNow() {
  const clockAt = (time: number) => new Date(time).toISOString().slice(11, 16)
  const now = Date.now()
  return { from: clockAt(now - HOUR_MS), to: clockAt(now + HOUR_MS), time_zone: 'UTC' }
}

it('sends what waited before an eviction', async () => {
  const stub = newNotifier()
  const device = await newDevice()
  await stub.addDevice(device, 'https://files.example')
  await stub.setQuietHours(quietNow())
  await stub.tell(NEWS)
  await evictDurableObject(stub)
  await runInDurableObject(again(stub), async (_, { storage }) => {
    const sent: string[] = []
    const wakes: number[] = []
    const notifier = await createNotifier({
      sql: storage.sql,
      owner: JSON.stringify(['', '']),
      channels: [],
      send: async (input) => {
        sent.push(new Request(input).url)
        return new Response(null, { status: 201 })
      },
      wakeAt: (time) => void wakes.push(time),
    })
    expect(wakes).toHaveLength(1)
    await notifier.setQuietHours(null)
    await notifier.deliver(Date.now() + 60_000)
    expect(sent).toEqual([device.endpoint])
    const [kept] = (await notifier.settings('default')).devices
    expect(kept).toMatchObject({ id: await deviceId(device.endpoint), failing: false })
    expect(kept?.delivered).not.toBeNull()
  })
})

it('is one object for a deployment', async () => {
  const { key } = (await notifierOf(env)?.settings('default')) ?? { key: '' }
  expect(key).toMatch(/^[\w-]{87}$/)
  expect((await notifierOf(env)?.settings('notes'))?.key).toBe(key)
})

it('is none for a deployment without the binding', () => {
  expect(notifierOf({})).toBeNull()
})
