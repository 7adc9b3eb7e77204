/** Devices and quiet hours over HTTP: what is checked, what is answered, and what the audit log keeps. */

import { deviceId } from '#core/owner/device-id.ts'
import { Workspace } from '#worker/workspace.ts'
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { serveInternet } from '../../support/memory/internet.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import {
  addDevice,
  bodyOf,
  clearNotifier,
  devicesIn,
  readSettings,
  removeDevice,
  setQuiet,
  testDevice,
} from '../../support/worker/notifications.ts'
import { newStub } from '../../support/worker/object-life.ts'
import { auditOf, sendAsPage } from '../../support/worker/passkeys.ts'
import { createPushDevice } from '../../support/worker/push-device.ts'

const workspace = freshWorkspace()

beforeEach(() => clearNotifier(workspace))
afterEach(() => clearNotifier(workspace))

const QUIET = { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' }

describe('the settings', () => {
  it('have a key, devices, quiet hours and the channels of the operator', async () => {
    expect(await readSettings(workspace)).toEqual({
      status: 200,
      body: {
        key: expect.stringMatching(/^[\w-]{87}$/),
        devices: [],
        quiet: null,
        // Workspaces of other tests have the same notifier.
        elsewhere: expect.any(Number),
        webhook: false,
        chat: null,
        email: null,
      },
    })
  })

  it('are the same in every workspace', async () => {
    await addDevice(workspace)
    expect(devicesIn(await readSettings(freshWorkspace()))).toHaveLength(1)
  })

  it('are not served by a deployment without the object', async () => {
    const { NOTIFIER: _notifier, ...older } = env
    const answer = await runInDurableObject(newStub(), (_, state) =>
      new Workspace(state, older).fetch(new Request('http://localhost/notifications')),
    )
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ code: 'NO_NOTIFIER' })
  })
})

describe('adding a device', () => {
  it('answers the settings, and is in the audit log', async () => {
    const device = await createPushDevice()
    const asker = freshWorkspace()
    const added = await sendAsPage(asker, '/notifications/devices', { body: bodyOf(device) })
    expect(added.status).toBe(200)
    const id = await deviceId(device.endpoint)
    expect(devicesIn(added)).toMatchObject([{ id, label: 'Phone', failing: false }])
    expect(JSON.stringify(added.body)).not.toContain('push.example')
    expect(await auditOf(asker, 'add_device')).toMatchObject([
      { intent: 'Send notifications to the device "Phone"', outcome: 'applied' },
    ])
  })

  it('keeps the place of the one that it replaces', async () => {
    const old = await createPushDevice()
    await sendAsPage(workspace, '/notifications/devices', { body: bodyOf(old) })
    const added = await addDevice(workspace, { replaces: old.endpoint })
    expect(devicesIn(added)).toHaveLength(1)
    expect(devicesIn(added)).not.toMatchObject([{ id: await deviceId(old.endpoint) }])
  })

  it.each([
    [{ endpoint: undefined }, 'MISSING_ENDPOINT'],
    [{ endpoint: 'http://push.example/1' }, 'INVALID_ENDPOINT'],
    [{ keys: { p256dh: 'AAAA', auth: 'AAAA' } }, 'INVALID_P256DH'],
    [{ keys: { p256dh: 'A'.repeat(101), auth: 'AAAA' } }, 'INVALID_P256DH'],
    [{ keys: {} }, 'MISSING_P256DH'],
    [{ label: '' }, 'EMPTY_LABEL'],
    [{ label: '  ' }, 'EMPTY_LABEL'],
    [{ label: 'x'.repeat(61) }, 'INVALID_LABEL'],
    [{ label: 'Phone\u202e' }, 'INVALID_LABEL'],
    [{ label: 'Pho\nne' }, 'INVALID_LABEL'],
    [{ replaces: 1 }, 'INVALID_REPLACES'],
    [{ owner: true }, 'INVALID_ARGUMENTS'],
  ])('refuses %j', async (more, code) => {
    expect(await addDevice(workspace, more)).toMatchObject({ status: 400, body: { code } })
    expect(devicesIn(await readSettings(workspace))).toEqual([])
  })

  it('refuses a secret of another length', async () => {
    const { endpoint, keys } = await createPushDevice()
    const body = { endpoint, keys: { ...keys, auth: 'AAAA' }, label: 'Phone' }
    expect(await sendAsPage(workspace, '/notifications/devices', { body })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_AUTH' },
    })
  })

  it('refuses one more than there can be', async () => {
    for (let count = 0; count < 20; count++) await addDevice(workspace)
    expect(await addDevice(workspace)).toMatchObject({
      status: 409,
      body: { code: 'DEVICES_FULL' },
    })
  })
})

describe('removing a device', () => {
  it('answers the settings, and is in the audit log', async () => {
    const asker = freshWorkspace()
    const [device] = devicesIn(await addDevice(workspace))
    const removed = await removeDevice(asker, device?.['id'])
    expect(removed.status).toBe(200)
    expect(devicesIn(removed)).toEqual([])
    expect(await auditOf(asker, 'remove_device')).toMatchObject([
      { intent: 'Send no more notifications to the device "Phone"' },
    ])
    expect(await removeDevice(workspace, device?.['id'])).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
  })
})

describe('testing a device', () => {
  it.each([
    [201, { outcome: 'delivered', status: 201 }],
    [403, { outcome: 'failed', status: 403 }],
    [410, { outcome: 'gone', status: 410 }],
  ])('answers how it ended: %i', async (status, body) => {
    serveInternet(() => new Response('text', { status }))
    const [device] = devicesIn(await addDevice(workspace))
    expect(await testDevice(workspace, device?.['id'])).toEqual({ status: 200, body })
  })

  it('leads to the console of its workspace', async () => {
    const device = await createPushDevice()
    const bodies: ArrayBuffer[] = []
    serveInternet(async (request) => {
      bodies.push(await request.arrayBuffer())
      return new Response(null, { status: 201 })
    })
    await sendAsPage(workspace, '/notifications/devices', { body: bodyOf(device) })
    await testDevice(workspace, await deviceId(device.endpoint))
    const name = workspace.base.slice(workspace.base.lastIndexOf('/') + 1)
    expect(await device.read(bodies[0] ?? new ArrayBuffer())).toMatchObject({
      tag: 'test',
      url: `/?at=/w/${name}/mcp`,
    })
  })

  it('says that a push service was not reached', async () => {
    const [device] = devicesIn(await addDevice(workspace))
    expect(await testDevice(workspace, device?.['id'])).toEqual({
      status: 200,
      body: { outcome: 'failed', status: null },
    })
    expect(devicesIn(await readSettings(workspace))).toMatchObject([{ failing: true }])
  })

  it('has to wait after another test', async () => {
    serveInternet(() => new Response(null, { status: 201 }))
    const [device] = devicesIn(await addDevice(workspace))
    await testDevice(workspace, device?.['id'])
    expect(await testDevice(workspace, device?.['id'])).toMatchObject({
      status: 429,
      body: { code: 'TEST_TOO_SOON' },
    })
  })

  it('of an unknown one is refused', async () => {
    expect(await testDevice(workspace, 'unknown')).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    })
  })
})

describe('quiet hours', () => {
  it('are set and ended, and both is in the audit log', async () => {
    const asker = freshWorkspace()
    expect(await setQuiet(asker, QUIET)).toMatchObject({ status: 200, body: { quiet: QUIET } })
    expect(await setQuiet(asker, null)).toMatchObject({ status: 200, body: { quiet: null } })
    expect(await auditOf(asker, 'set_quiet_hours')).toMatchObject([
      { intent: 'End the quiet hours of notifications' },
      { intent: 'Send no notifications from 22:00 to 07:00, in Europe/Berlin' },
    ])
  })

  it.each([
    [{ ...QUIET, from: '24:00' }, 'INVALID_QUIET'],
    [{ ...QUIET, to: QUIET.from }, 'INVALID_QUIET'],
    [{ ...QUIET, time_zone: 'Mars/Olympus' }, 'INVALID_QUIET'],
    [{}, 'INVALID_QUIET'],
    ['always', 'INVALID_QUIET'],
    [undefined, 'MISSING_QUIET'],
  ])('cannot be %j', async (quiet, code) => {
    expect(await setQuiet(workspace, quiet)).toMatchObject({ status: 400, body: { code } })
    expect(await readSettings(workspace)).toMatchObject({ body: { quiet: null } })
  })
})
