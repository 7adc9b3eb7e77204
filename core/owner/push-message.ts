/**
 * The message of a push notification: the server writes it, a push service carries it, and the service worker of the
 * console shows it. What cannot be read strictly is shown as a notification that says nothing, because browsers take the
 * permission from a page that is pushed to and stays silent.
 *
 * `test/core/owner/push-message.test.ts` has the cases.
 *
 * @module
 */

import { object, oneOf, type Decode, type Decoded } from '../decode.ts'

/** Longest texts that are shown; devices cut them far earlier. */
const MAX_TAG_LENGTH = 64
const MAX_TITLE_LENGTH = 200
const MAX_BODY_LENGTH = 1_000

/** Longest address that is opened. */
const MAX_URL_LENGTH = 2_048

/** Whether a text is an address of the console on its own origin: its page, with a query and a fragment or without. */
export const isConsoleUrl = (url: string): boolean =>
  url.length <= MAX_URL_LENGTH && /^\/(?:\?[!-~]*)?(?:#[!-~]*)?$/.test(url)

const textUpTo =
  (most: number): Decode<string> =>
  (value) =>
    typeof value === 'string' && value !== '' && value.length <= most ? value : undefined

const consoleUrl: Decode<string> = (value) =>
  typeof value === 'string' && isConsoleUrl(value) ? value : undefined

const count: Decode<number> = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined

const pushMessage = object({
  /** The name of the workspace, or `test`: the next notification with the same tag replaces this one. */
  tag: textUpTo(MAX_TAG_LENGTH),
  title: textUpTo(MAX_TITLE_LENGTH),
  body: (value) => (value === '' ? '' : textUpTo(MAX_BODY_LENGTH)(value)),
  /** The page of the console that shows what waits. */
  url: consoleUrl,
  /** How much waits in the workspace. */
  waiting: count,
  /** How much waits in all workspaces, for the icon. */
  badge: count,
})

/** The message of a push notification. */
export type PushMessage = Decoded<typeof pushMessage>

/** Reads a message; null if it is not one. */
export function readPushMessage(json: string): PushMessage | null {
  try {
    return pushMessage(JSON.parse(json)) ?? null
  } catch {
    return null
  }
}

/** What the service worker asks an open console to do, once its notification was pressed. */
export const openRequest = object({ type: oneOf('edgewise-open'), url: consoleUrl })

/** A request to open a page of the console. */
export type OpenRequest = Decoded<typeof openRequest>
