/**
 * The chat channel: a message to the incoming webhook of Slack, Teams or Discord, or as plain text to any other receiver.
 *
 * Each service makes links, mentions and styles of plain characters. The names in a message are claims of agents, so none of
 * these may come from them: what would become a link or a mention is written apart (`text-only.ts`), and what is left of the
 * markup of a service is escaped. Tests: `test/worker/notifier/chat.test.ts` and `test/e2e/channels.slow.test.ts`.
 *
 * @module
 */

import type { NotificationSettings } from '#core/owner/answers/notifications.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Env } from '../env.ts'
import { postOnce, readReceiver, type Post } from '../outbox/post.ts'
import { deliveryOf, type Channel } from './delivery.ts'
import { writeText, type Text } from './text-only.ts'

/** A service that takes messages; `plain` is any receiver of plain text. */
export type ChatKind = NonNullable<NotificationSettings['chat']>

/** Where chat messages are sent. The URL is a secret. */
export interface ChatSettings {
  readonly kind: ChatKind
  readonly url: string
}

const KINDS: readonly string[] = ['slack', 'teams', 'discord', 'plain'] satisfies ChatKind[]

const isKind = (text: string): text is ChatKind => KINDS.includes(text)

const ADVICE = `Set it to ${KINDS.join(', ')} and a URL with a space between, or remove it.`

/** Reads `EDGEWISE_CHAT`, a service and a URL; null without it. The error repeats no value. */
export function chatSettings({ EDGEWISE_CHAT: value }: Env): Result<ChatSettings | null, string> {
  if (!value) return ok(null)
  const [kind = '', address = '', ...more] = value.trim().split(/\s+/)
  if (!isKind(kind) || more.length > 0)
    return err(`Cannot use EDGEWISE_CHAT: it is no service and URL. ${ADVICE}`)
  const url = readReceiver(address)
  return url.ok
    ? ok({ kind, url: url.value })
    : err(`Cannot use EDGEWISE_CHAT: ${url.error}. ${ADVICE}`)
}

/** Creates the channel. */
export const createChat = ({ kind, url }: ChatSettings, send: typeof fetch): Channel => ({
  name: 'chat',
  send: async (summary) =>
    deliveryOf(await postOnce(url, MESSAGES[kind](writeText(summary)), send)),
})

const json = (value: unknown): Post => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

/** Builds the message for each service. */
const MESSAGES: Readonly<Record<ChatKind, (text: Text) => Post>> = {
  // https://docs.slack.dev/messaging/formatting-message-text: these three characters are all that is escaped.
  slack: ({ lines, link }) =>
    json({
      text: [...lines, ...linesOf(link)].map(escapeSlack).join('\n'),
      mrkdwn: false,
      unfurl_links: false,
    }),
  // https://discord.com/developers/docs/resources/webhook#execute-webhook
  discord: ({ lines, link }) =>
    json({
      content: [...lines.map(escapeMarkdown), ...linesOf(link && `<${link}>`)].join('\n'),
      allowed_mentions: { parse: [] },
    }),
  teams: (text) => json(teamsCard(text)),
  plain: ({ lines, link }) => ({
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: [...lines, ...linesOf(link)].join('\n'),
  }),
}

const linesOf = (link: string | null): string[] => (link === null ? [] : [link])

const escapeSlack = (line: string) =>
  line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A backslash before punctuation makes it plain. */
const escapeMarkdown = (line: string) => line.replace(/[!-/:-@[-`{-~]/g, String.raw`\$&`)

/** A message with an Adaptive Card, as Workflows takes it. Text runs have no markup, where a text block has Markdown. */
function teamsCard({ lines, link }: Text) {
  const content = {
    type: 'AdaptiveCard',
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    version: '1.2',
    body: lines.map((text) => ({ type: 'RichTextBlock', inlines: [{ type: 'TextRun', text }] })),
    actions: linesOf(link).map((url) => ({
      type: 'Action.OpenUrl',
      title: 'Open the console',
      url,
    })),
  }
  const contentType = 'application/vnd.microsoft.card.adaptive'
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] }
}
