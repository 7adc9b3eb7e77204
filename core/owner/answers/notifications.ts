/** Answers about notifications: the devices that get them, quiet hours, and other channels. Times are in ms since 1970. @module */

import { flag, listOf, number, object, oneOf, orNull, text, type Decoded } from '../../decode.ts'

const device = object({
  /** `deviceId` of its endpoint, so that a page finds its own. */
  id: text,
  /** The name that its page gave it. */
  label: text,
  added: number,
  /** When a push service last accepted a notification for it. */
  delivered: orNull(number),
  /** Whether the push service has refused the last one, or was not reached. */
  failing: flag,
})

/** A device that gets notifications. */
export type ShownDevice = Decoded<typeof device>

const quietHours = object({
  /** Times of day as `HH:MM`. Where `to` is not after `from`, they end on the next day. */
  from: text,
  to: text,
  /** A name of the IANA time zone database. */
  time_zone: text,
})

/** When nothing is sent to a person. */
export type QuietHours = Decoded<typeof quietHours>

/** How the owner of a deployment is notified. */
export const notificationSettings = object({
  /** The public key of VAPID (RFC 8292) as base64url, with which a browser subscribes. */
  key: text,
  devices: listOf(device),
  quiet: orNull(quietHours),
  /** Number of what waits in other workspaces of this deployment, as far as it is known. */
  elsewhere: number,
  /** Channels that the operator has configured, beside devices. */
  webhook: flag,
  chat: orNull(oneOf('slack', 'teams', 'discord', 'plain')),
  email: orNull(text),
})

/** What the server says of notifications. */
export type NotificationSettings = Decoded<typeof notificationSettings>

/** What became of a test: whether the push service has accepted it, and its status if it has answered. */
export const deviceTest = object({
  outcome: oneOf('delivered', 'failed', 'gone'),
  status: orNull(number),
})
