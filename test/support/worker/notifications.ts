/** The acts of notifications over HTTP, as the console sends them, and push services that a test serves. @module */

import { listOf } from './held-draft.ts'
import { serveInternet } from '../memory/internet.ts'
import type { freshWorkspace } from './client.ts'
import { sendAsPage, type Answer } from './passkeys.ts'
import { createPushDevice, type PushDevice } from './push-device.ts'

type Workspace = Pick<ReturnType<typeof freshWorkspace>, 'fetch'>

/** The body with which a page adds a device. */
export const bodyOf = (
  { endpoint, keys }: PushDevice,
  more: Readonly<Record<string, unknown>> = {},
) => ({
  endpoint,
  keys,
  label: 'Phone',
  ...more,
})

/** Adds a new device, with some members of the body in place of its own. */
export async function addDevice(
  workspace: Workspace,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Answer> {
  const body = bodyOf(await createPushDevice(), more)
  return sendAsPage(workspace, '/notifications/devices', { body })
}

/** Reads what is set. */
export const readSettings = (workspace: Workspace) =>
  sendAsPage(workspace, '/notifications', { method: 'GET' })

/** The devices of an answer. */
export const devicesIn = ({ body }: Answer) => listOf(body['devices'])

/** Removes a device. */
export const removeDevice = (workspace: Workspace, id: unknown) =>
  sendAsPage(workspace, `/notifications/devices/${String(id)}`, { method: 'DELETE' })

/** Tests a device. */
export const testDevice = (workspace: Workspace, id: unknown) =>
  sendAsPage(workspace, `/notifications/devices/${String(id)}/test`, { body: {} })

/** Sets quiet hours, or ends them. */
export const setQuiet = (workspace: Workspace, quiet: unknown) =>
  sendAsPage(workspace, '/notifications/quiet-hours', { method: 'PUT', body: { quiet } })

/** Removes all devices and quiet hours: the notifier is one for all tests of a run. */
export async function clearNotifier(workspace: Workspace): Promise<void> {
  serveInternet(null)
  for (const { id } of devicesIn(await readSettings(workspace))) await removeDevice(workspace, id)
  await setQuiet(workspace, null)
}
