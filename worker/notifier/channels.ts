/**
 * The channels that the operator has configured beside devices: chat and e-mail.
 *
 * With invalid settings nothing is served, as with those of the webhook; deferred work goes on without the channel.
 * `test/worker/notifier/channels.test.ts` has the cases.
 *
 * @module
 */

import type { NotificationSettings } from '#core/owner/answers/notifications.ts'
import type { Env } from '../env.ts'
import { platformFetch } from '../outbox/post.ts'
import { chatSettings, createChat } from './chat.ts'
import type { Channel } from './delivery.ts'
import { createEmail, emailSettings } from './email.ts'

/** Creates the channels of a deployment. */
export function createChannels(env: Env, send: typeof fetch = platformFetch): readonly Channel[] {
  const { chat, email } = readChannels(env)
  return [...(chat ? [createChat(chat, send)] : []), ...(email ? [createEmail(email)] : [])]
}

/** Describes the channels to the owner: the service, and the address that gets e-mail. */
export function describeChannels(env: Env): Pick<NotificationSettings, 'chat' | 'email'> {
  const { chat, email } = readChannels(env)
  return { chat: chat?.kind ?? null, email: email?.to ?? null }
}

/** Describes what is invalid; null if nothing is. */
export function findInvalidChannel(env: Env): string | null {
  const invalid = [chatSettings(env), emailSettings(env)].find(({ ok: isValid }) => !isValid)
  return invalid && !invalid.ok ? invalid.error : null
}

function readChannels(env: Env) {
  const [chat, email] = [chatSettings(env), emailSettings(env)]
  return { chat: chat.ok ? chat.value : null, email: email.ok ? email.value : null }
}
