/**
 * The e-mail channel: a message in plain text through the binding `EMAIL` of Cloudflare
 * (https://developers.cloudflare.com/email-service/api/send-emails/workers-api/).
 *
 * The addresses are those of the operator. Nothing of a summary is in a header but the subject, which is one line without
 * control characters. `test/worker/notifier/email.test.ts` and `test/e2e/channels.slow.test.ts` test it.
 *
 * @module
 */

import { err, ok, type Result } from '#core/result.ts'
import type { Env } from '../env.ts'
import { succeeds } from '../outbox/attempt.ts'
import type { Channel, Delivery } from './delivery.ts'
import { writeText } from './text-only.ts'

/** From whom, to whom and through what e-mail is sent. */
export interface EmailSettings {
  readonly to: string
  readonly from: string
  readonly binding: EmailBinding
}

/** What is used of the binding. */
export interface EmailBinding {
  readonly send: (message: EmailMessageBuilder) => Promise<EmailSendResult>
}

/** Reads `EDGEWISE_EMAIL`, two addresses; null without it. The error repeats no value. */
export function emailSettings({
  EDGEWISE_EMAIL,
  EMAIL,
}: Env): Result<EmailSettings | null, string> {
  if (!EDGEWISE_EMAIL) return ok(null)
  const [to = '', from = '', ...more] = EDGEWISE_EMAIL.trim().split(/\s+/)
  if (!isAddress(to) || !isAddress(from) || more.length > 0) return err(INVALID)
  return EMAIL ? ok({ to, from, binding: EMAIL }) : err(NO_BINDING)
}

const INVALID =
  'Cannot use EDGEWISE_EMAIL: it is not two addresses. ' +
  'Set it to that of the receiver and that of the sender with a space between, or remove it.'

const NO_BINDING =
  'Cannot use EDGEWISE_EMAIL: there is no binding EMAIL. Add send_email to wrangler.toml, or remove it.'

/** Maximum number of characters of an address, by RFC 5321, 4.5.3.1.3. */
const MAX_ADDRESS_LENGTH = 254

/** A plain address, without comments, quotes and names. */
const isAddress = (text: string) =>
  text.length <= MAX_ADDRESS_LENGTH &&
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/i.test(text)

/** Creates the channel. */
export const createEmail = ({ to, from, binding }: EmailSettings): Channel => ({
  name: 'email',
  send: async (summary): Promise<Delivery> => {
    const { lines, link } = writeText(summary)
    const [subject = '', ...rest] = lines
    const text = [...rest, ...(link === null ? [] : ['', link]), ''].join('\n')
    const isSent = await succeeds(() => binding.send({ from, to, subject, text }))
    // The platform says no status.
    return { outcome: isSent ? 'delivered' : 'failed', status: null }
  },
})
