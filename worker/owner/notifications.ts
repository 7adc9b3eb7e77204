/**
 * `/notifications`: the devices of the owner that get notifications, and quiet hours. They are those of the deployment,
 * whatever workspace they are set in, and each act is in the audit log of the workspace whose console sent it.
 *
 * `test/worker/owner/notifications.test.ts` has the cases, `test/worker/notifier/attacks.test.ts` the attacks.
 *
 * @module
 */

import type { QuietHours } from '#core/owner/answers/notifications.ts'
import { quoteName } from '#core/quote.ts'
import { hasHidden } from '#core/visible.ts'
import * as z from 'zod/mini'
import { problem, refuse } from '../errors/respond.ts'
import { describeChannels } from '../notifier/channels.ts'
import { isEndpoint, readAuth, readPoint } from '../notifier/device.ts'
import {
  DEVICE_TEST_PAUSE_MS,
  MAX_DEVICE_LABEL_LENGTH,
  MAX_DEVICES,
  MAX_ENDPOINT_LENGTH,
} from '../notifier/limits.ts'
import type { NotifierService } from '../notifier/notifier.ts'
import { parseQuietHours } from '../notifier/quiet-hours.ts'
import { notifierOf } from '../notifier/stub.ts'
import {
  defineOwnerAct,
  defineOwnerActWith,
  type Asked,
  type OwnerAct,
  type OwnerServices,
} from './act.ts'
import { ownAddress } from './own-page.ts'
import { ownerUrl } from '../waiting-url.ts'

const ENDPOINT = 'it must be the https address of a push service with a public host name'
const POINT = 'it must be a point of the curve P-256 in base64url'
const AUTH = 'it must be 16 bytes in base64url'
const LABEL = 'it must have no hidden characters'

/** Maximum number of characters of a key in base64, with room for padding. */
const MAX_KEY_LENGTH = 100

const key = z.string().check(z.maxLength(MAX_KEY_LENGTH))
const shown = z.refine<string>((text) => !hasHidden(text), LABEL)
const label = z
  .string()
  .check(z.trim(), z.minLength(1), z.maxLength(MAX_DEVICE_LABEL_LENGTH), shown)

const Added = z.strictObject({
  endpoint: z.string().check(z.refine(isEndpoint, ENDPOINT)),
  keys: z.strictObject({ p256dh: key, auth: key }),
  label,
  replaces: z.optional(z.string().check(z.maxLength(MAX_ENDPOINT_LENGTH))),
})

const Quiet = z.strictObject({ quiet: z.nullable(z.record(z.string(), z.unknown())) })

/** What is set about notifications, and every change of it, which answers with it. */
export const NOTIFICATION_ACTS: readonly OwnerAct[] = [
  defineOwnerAct('read_notifications', (asked, services) =>
    withNotifier(services, (notifier) => answerSettings(asked, services, notifier)),
  ),
  defineOwnerActWith('set_quiet_hours', {
    input: Quiet,
    run: (asked, services) =>
      withNotifier(services, (notifier) => setQuietHours(asked, services, notifier)),
  }),
  defineOwnerActWith('add_device', {
    input: Added,
    run: (asked, services) =>
      withNotifier(services, (notifier) => addDevice(asked, services, notifier)),
  }),
  defineOwnerAct('remove_device', (asked, services) =>
    withNotifier(services, (notifier) => removeDevice(asked, services, notifier)),
  ),
  defineOwnerAct('test_device', (asked, services) =>
    withNotifier(services, (notifier) => testDevice(asked, services, notifier)),
  ),
]

type Setting = 'read_notifications' | 'set_quiet_hours' | 'add_device' | 'remove_device'

function withNotifier(
  { env }: OwnerServices,
  run: (notifier: NotifierService) => Promise<Response>,
): Promise<Response> | Response {
  const notifier = notifierOf(env)
  return notifier
    ? run(notifier)
    : refuse(
        503,
        'NO_NOTIFIER',
        'Cannot notify: the deployment has no binding NOTIFIER. Add it to wrangler.toml, as docs/deploy.md says.',
      )
}

async function answerSettings(
  { answer }: Pick<Asked<Setting, unknown>, 'answer'>,
  { name, env }: OwnerServices,
  notifier: NotifierService,
): Promise<Response> {
  const settings = await notifier.settings(name)
  return answer({
    ...settings,
    webhook: Boolean(env.EDGEWISE_WEBHOOK),
    ...describeChannels(env),
  })
}

async function setQuietHours(
  asked: Asked<'set_quiet_hours', z.infer<typeof Quiet>>,
  services: OwnerServices,
  notifier: NotifierService,
): Promise<Response> {
  const { input, note } = asked
  const quiet = input.quiet && parseQuietHours(input.quiet)
  if (quiet && !quiet.ok) return refuseArgument('QUIET', `quiet: ${quiet.error}`)
  const hours = quiet ? quiet.value : null
  await notifier.setQuietHours(hours)
  note({ tool: 'set_quiet_hours', intent: describeQuietHours(hours), request: hours })
  return answerSettings(asked, services, notifier)
}

const describeQuietHours = (quiet: QuietHours | null) =>
  quiet
    ? `Send no notifications from ${quiet.from} to ${quiet.to}, in ${quiet.time_zone}`
    : 'End the quiet hours of notifications'

async function addDevice(
  asked: Asked<'add_device', z.infer<typeof Added>>,
  services: OwnerServices,
  notifier: NotifierService,
): Promise<Response> {
  const { input, request, note } = asked
  const p256dh = await readPoint(input.keys.p256dh)
  if (p256dh === null) return refuseArgument('P256DH', `keys.p256dh: ${POINT}`)
  const auth = readAuth(input.keys.auth)
  if (auth === null) return refuseArgument('AUTH', `keys.auth: ${AUTH}`)
  const { endpoint, label: called, replaces = null } = input
  const device = { endpoint, p256dh, auth, label: called, replaces }
  const added = await notifier.addDevice(device, ownAddress(request).origin)
  if (!added.ok) return refuseFull()
  note({
    tool: 'add_device',
    intent: `Send notifications to the device ${quoteName(called)}`,
    request: device,
  })
  return answerSettings(asked, services, notifier)
}

const refuseArgument = (field: string, detail: string) =>
  problem({
    reason: 'bad_argument',
    code: `INVALID_${field}`,
    detail: `Cannot use the argument ${detail}`,
  })

const refuseFull = () =>
  refuse(
    409,
    'DEVICES_FULL',
    `Cannot add the device: ${MAX_DEVICES} devices get notifications, and more are not possible. Remove one.`,
  )

async function removeDevice(
  asked: Asked<'remove_device'>,
  services: OwnerServices,
  notifier: NotifierService,
): Promise<Response> {
  const id = asked.segment('device')
  const removed = await notifier.removeDevice(id)
  if (!removed) return refuseUnknown('remove')
  asked.note({
    tool: 'remove_device',
    intent: `Send no more notifications to the device ${quoteName(removed.label)}`,
    request: id,
  })
  return answerSettings(asked, services, notifier)
}

const refuseUnknown = (verb: string) =>
  refuse(404, 'NOT_FOUND', `Cannot ${verb} the device: it gets no notifications.`)

async function testDevice(
  { segment, answer }: Asked<'test_device'>,
  { name }: OwnerServices,
  notifier: NotifierService,
): Promise<Response> {
  const tested = await notifier.testDevice(segment('device'), ownerUrl(null, name, []))
  if (tested.ok) {
    const { outcome, status } = tested.value
    return answer({ outcome, status })
  }
  return tested.error === 'unknown' ? refuseUnknown('test') : refuseTooSoon()
}

function refuseTooSoon(): Response {
  const seconds = String(DEVICE_TEST_PAUSE_MS / 1000)
  const message = `Cannot test the device: it was tested a moment ago. Try again in ${seconds} seconds.`
  return refuse(429, 'TEST_TOO_SOON', message, { 'retry-after': seconds })
}
