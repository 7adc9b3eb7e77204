/** The e-mail channel: its settings, the message, and names that try to add a header or a link. */

import { createEmail, emailSettings } from '#worker/notifier/email.ts'
import type { Summary } from '#worker/notifier/summary.ts'
import { describe, expect, it, vi } from 'vitest'
import { MAX_NOTICE_ATTEMPT_MS } from '#worker/outbox/limits.ts'
import { testEnv } from '../../support/worker/notifying-env.ts'

const SUMMARY: Summary = {
  workspace: 'default',
  isNews: true,
  changes: 1,
  requests: 0,
  apps: 0,
  skills: 0,
  applied: 0,
  from: ['claude-code'],
  others: 0,
  url: 'https://files.example/#/waiting',
}

const RESULT = { messageId: '1' } as EmailSendResult

/** Sends a summary through a binding that ends as given. */
async function send(facts: Partial<Summary> = {}, end = () => Promise.resolve(RESULT)) {
  const messages: EmailMessageBuilder[] = []
  const binding = {
    send: (message: EmailMessageBuilder) => {
      messages.push(message)
      return end()
    },
  }
  const email = createEmail({ to: 'to@a.example', from: 'from@b.example', binding })
  const delivery = await email.send({ ...SUMMARY, ...facts })
  return { messages, delivery }
}

describe('the message', () => {
  it('has a subject and plain text, and nothing else', async () => {
    const { messages, delivery } = await send()
    expect(messages).toEqual([
      {
        from: 'from@b.example',
        to: 'to@a.example',
        subject: 'Edgewise: 1 change waits for you',
        text: 'From "claude-code".\n\nhttps://files.example/#/waiting\n',
      },
    ])
    expect(delivery).toEqual({ outcome: 'delivered', status: null })
  })

  it('says to open the console where its address is unknown', async () => {
    const { messages } = await send({ url: '/#/waiting' })
    expect(messages).toMatchObject([{ text: 'From "claude-code".\nOpen the console to decide.\n' }])
  })

  it.each([
    'x\r\nBcc: everyone@evil.example\r\n\r\nhttps://evil.example/',
    '=?utf-8?q?=0d=0aBcc:_x@evil.example?=',
    '\u2028Bcc: x@evil.example',
  ])('has no header and no link by a name: %j', async (name) => {
    const { messages } = await send({ from: [name], workspace: name })
    const [message] = JSON.parse(JSON.stringify(messages)) as { subject: string; text: string }[]
    expect(message?.subject).toMatch(
      /^Edgewise: 1 change waits for you in "[^\p{C}\p{Zl}\p{Zp}]*"$/u,
    )
    expect(message?.text.split('\n')).toHaveLength(4)
    for (const text of [message?.subject, message?.text])
      expect(text).not.toMatch(/@|:\/\/evil|evil\./)
  })
})

describe('an attempt', () => {
  it.each([
    ['rejects', () => Promise.reject(new Error('to@a.example is not verified'))],
    [
      'throws',
      () => {
        throw new Error('to@a.example is not verified')
      },
    ],
  ])('fails where the platform %s, and logs nothing', async (_, end) => {
    const warn = vi.spyOn(console, 'warn')
    const error = vi.spyOn(console, 'error')
    expect((await send({}, end)).delivery).toEqual({ outcome: 'failed', status: null })
    expect([warn, error].flatMap(({ mock }) => mock.calls)).toEqual([])
    vi.restoreAllMocks()
  })

  it('ends where the platform does not answer', async () => {
    vi.useFakeTimers()
    const sent = send({}, () => new Promise<never>(() => {}))
    await vi.advanceTimersByTimeAsync(MAX_NOTICE_ATTEMPT_MS)
    expect((await sent).delivery).toEqual({ outcome: 'failed', status: null })
    vi.useRealTimers()
  })
})

describe('EDGEWISE_EMAIL', () => {
  const binding = { send: () => Promise.resolve(RESULT) }
  const read = (value: string, EMAIL: SendEmail | undefined = binding) =>
    emailSettings(testEnv({ EDGEWISE_EMAIL: value, ...(EMAIL && { EMAIL }) }))

  it('is two addresses', () => {
    const value = { to: 'a.b+c@x.example', from: 'no-reply@y.example', binding }
    expect(read('a.b+c@x.example no-reply@y.example')).toEqual({ ok: true, value })
    expect(read('')).toEqual({ ok: true, value: null })
  })

  it('needs the binding', () => {
    expect(emailSettings(testEnv({ EDGEWISE_EMAIL: 'a@x.example b@y.example' }))).toMatchObject({
      ok: false,
      error: expect.stringContaining('no binding EMAIL'),
    })
  })

  it.each([
    'a@x.example',
    'a@x.example b@y.example c@z.example',
    'Name<a@x.example> b@y.example',
    'a@x.example,b@y.example c@z.example',
    'a@localhost b@y.example',
    '"a b"@x.example b@y.example',
    `${'a'.repeat(250)}@x.example b@y.example`,
  ])('is refused as %s, and not repeated', (value) => {
    const settings = read(value)
    expect(settings).toMatchObject({ ok: false, error: expect.stringContaining('EDGEWISE_EMAIL') })
    if (!settings.ok) expect(settings.error).not.toContain('@')
  })
})
