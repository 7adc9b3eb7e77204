/** The chat channel: its settings, the message of each service, and names that try to become links, mentions or markup. */

import { chatSettings, createChat, type ChatKind } from '#worker/notifier/chat.ts'
import type { Summary } from '#worker/notifier/summary.ts'
import { describe, expect, it } from 'vitest'
import { testEnv } from '../../support/worker/notifying-env.ts'

const SUMMARY: Summary = {
  workspace: 'team',
  isNews: true,
  changes: 2,
  requests: 0,
  apps: 0,
  skills: 0,
  applied: 0,
  from: ['claude-code'],
  others: 0,
  url: 'https://files.example/?at=/w/team/mcp#/waiting',
}

const ADDRESS = 'https://receiver.example/hook/secret'

interface Sent {
  readonly url: string
  readonly init: RequestInit
  readonly body: string
}

/** Sends a summary to a receiver that answers as given. */
async function send(
  kind: ChatKind,
  facts: Partial<Summary> = {},
  answer: () => Response = () => new Response('ok'),
) {
  const sent: Sent[] = []
  const receive: typeof fetch = async (input, init = {}) => {
    sent.push({ url: new Request(input).url, init, body: await new Response(init.body).text() })
    return answer()
  }
  const delivery = await createChat({ kind, url: ADDRESS }, receive).send({ ...SUMMARY, ...facts })
  const [one] = sent
  if (!one) throw new Error('nothing was sent')
  return { ...one, delivery }
}

const bodyOf = async (kind: ChatKind, facts: Partial<Summary> = {}) =>
  JSON.parse((await send(kind, facts)).body) as unknown

describe('the message', () => {
  it('is text for Slack, without styles and previews of links', async () => {
    expect(await bodyOf('slack')).toEqual({
      text: [
        'Edgewise: 2 changes wait for you in "team"',
        'From "claude-code".',
        'https://files.example/?at=/w/team/mcp#/waiting',
      ].join('\n'),
      mrkdwn: false,
      unfurl_links: false,
    })
  })

  it('is Markdown for Discord that mentions no one', async () => {
    expect(await bodyOf('discord')).toEqual({
      content: [
        String.raw`Edgewise\: 2 changes wait for you in \"team\"`,
        String.raw`From \"claude\-code\"\.`,
        '<https://files.example/?at=/w/team/mcp#/waiting>',
      ].join('\n'),
      allowed_mentions: { parse: [] },
    })
  })

  it('is a card with plain text and a button for Teams', async () => {
    const line = (text: string) => ({
      type: 'RichTextBlock',
      inlines: [{ type: 'TextRun', text }],
    })
    expect(await bodyOf('teams')).toEqual({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            type: 'AdaptiveCard',
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            version: '1.2',
            body: [line('Edgewise: 2 changes wait for you in "team"'), line('From "claude-code".')],
            actions: [{ type: 'Action.OpenUrl', title: 'Open the console', url: SUMMARY.url }],
          },
        },
      ],
    })
  })

  it('is plain text for any other receiver', async () => {
    const { body, init } = await send('plain')
    expect(new Headers(init.headers).get('content-type')).toBe('text/plain; charset=utf-8')
    expect(body).toBe(
      'Edgewise: 2 changes wait for you in "team"\nFrom "claude-code".\n' +
        'https://files.example/?at=/w/team/mcp#/waiting',
    )
  })

  it.each(['slack', 'discord', 'teams', 'plain'] as const)(
    'has no link for %s where the address of the console is unknown',
    async (kind) => {
      const { body } = await send(kind, { url: '/#/waiting' })
      expect(body).not.toMatch(/https:\/\/files|#\/waiting|OpenUrl/)
      expect(body.replaceAll('\\', '')).toContain('Open the console to decide')
    },
  )
})

describe('a name cannot', () => {
  const NAMES = [
    '<!channel> <@U1|x> <https://evil.example|Approve>',
    '@everyone @here <@123> <@&1> <t:0:F>',
    '[Approve](https://evil.example/x) **bold** ||spoiler|| `code`',
    'https://evil.example/approve www.evil.example evil\u3002example',
    '\n# Heading\n> quote\r\n- list',
    '{{DATE(2026-01-01T00:00:00Z)}} <at>All</at>',
  ]

  it.each(NAMES)('make markup, a mention or a link in Slack: %j', async (name) => {
    const { text } = (await bodyOf('slack', { from: [name] })) as { text: string }
    const [, body = ''] = text.split('\n')
    expect(text.split('\n')).toHaveLength(3)
    expect(body).not.toMatch(/[<>@]|https?:\/\/|\w[.\u3002]\w/)
    expect(body).not.toMatch(/&(?!amp;|lt;|gt;)/)
  })

  it.each(NAMES)('make markup, a mention or a link in Discord: %j', async (name) => {
    const { content } = (await bodyOf('discord', { from: [name] })) as { content: string }
    const [, body = ''] = content.split('\n')
    expect(content.split('\n')).toHaveLength(3)
    // Every sign is escaped, once the pairs are taken out.
    expect(body.replace(/\\[!-/:-@[-`{-~]/g, '')).toMatch(/^[^!-/:-@[-`{-~]*$/)
    expect(body).not.toMatch(/@|https?:\/\/|\w[.\u3002]\w/)
  })

  it.each(NAMES)('make a link, or another part of the card, in Teams: %j', async (name) => {
    const { body } = await send('teams', { from: [name] })
    expect(body.match(/TextRun/g)).toHaveLength(2)
    expect(body).not.toContain('"TextBlock"')
    expect(body).not.toMatch(/@|:\/\/evil|evil[.\u3002]/)
  })

  it.each(NAMES)('make a link or a further line in plain text: %j', async (name) => {
    const { body } = await send('plain', { from: [name] })
    expect(body.split('\n')).toHaveLength(3)
    expect(body).not.toMatch(/@|:\/\/evil|evil[.\u3002]/)
  })

  it('of a workspace, either', async () => {
    const { body } = await send('plain', { workspace: 'x\nhttps://evil.example @all' })
    expect(body.split('\n')).toHaveLength(3)
    expect(body).not.toMatch(/@|:\/\/evil|evil\./)
  })
})

describe('an attempt', () => {
  it('follows no redirect', async () => {
    const headers = { location: 'https://elsewhere.example/' }
    const { url, init, delivery } = await send(
      'slack',
      {},
      () => new Response(null, { status: 307, headers }),
    )
    expect(url).toBe(ADDRESS)
    expect(init.redirect).toBe('manual')
    expect(delivery).toEqual({ outcome: 'failed', status: 307 })
  })

  it.each([
    [200, {}, { outcome: 'delivered', status: 200 }],
    [204, {}, { outcome: 'delivered', status: 204 }],
    [404, {}, { outcome: 'gone', status: 404 }],
    [410, {}, { outcome: 'gone', status: 410 }],
    [500, {}, { outcome: 'failed', status: 500 }],
    [429, { 'retry-after': '30' }, { outcome: 'failed', status: 429, retryAfter: 30 }],
    [429, { 'retry-after': 'soon' }, { outcome: 'failed', status: 429 }],
    [429, { 'retry-after': '-1' }, { outcome: 'failed', status: 429 }],
  ])('that is answered with %d %j ends so', async (status, headers, expected) => {
    const answer = () => new Response(null, { status, headers })
    expect((await send('slack', {}, answer)).delivery).toEqual(expected)
  })

  it('reads a date in Retry-After', async () => {
    const headers = { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }
    const { delivery } = await send('slack', {}, () => new Response(null, { status: 503, headers }))
    expect(delivery.retryAfter).toBeGreaterThan(55)
    expect(delivery.retryAfter).toBeLessThanOrEqual(61)
  })

  it('fails where the receiver is not reached', async () => {
    const chat = createChat({ kind: 'slack', url: ADDRESS }, () =>
      Promise.reject(new TypeError('connection refused')),
    )
    expect(await chat.send(SUMMARY)).toEqual({ outcome: 'failed', status: null })
  })
})

describe('EDGEWISE_CHAT', () => {
  const read = (value: string) => chatSettings(testEnv({ EDGEWISE_CHAT: value }))

  it.each(['slack', 'teams', 'discord', 'plain'] as const)('is %s and a URL', (kind) => {
    const value = { kind, url: ADDRESS }
    expect(read(`${kind} ${ADDRESS}`)).toEqual({ ok: true, value })
    expect(read(` ${kind}\t ${ADDRESS}\n`)).toEqual({ ok: true, value })
  })

  it('may name this machine without https, and be empty', () => {
    expect(read('plain http://127.0.0.1:8080/x').ok).toBe(true)
    expect(read('')).toEqual({ ok: true, value: null })
  })

  it.each([
    ADDRESS,
    'slack',
    `irc ${ADDRESS}`,
    `toString ${ADDRESS}`,
    `slack ${ADDRESS} more`,
    'slack http://receiver.example/secret',
    'slack https://name:secret@receiver.example/',
    'slack secret',
  ])('is refused as %s, and not repeated', (value) => {
    const settings = read(value)
    expect(settings).toMatchObject({ ok: false, error: expect.stringContaining('EDGEWISE_CHAT') })
    if (!settings.ok) expect(settings.error).not.toMatch(/secret|receiver|irc/)
  })
})
