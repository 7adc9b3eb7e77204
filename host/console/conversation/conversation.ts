/**
 * The conversation of this tab: the messages that apps add for the user, and the context that they
 * give the model. The console has no model, so it keeps what a host with one would hand over.
 *
 * An app's update of its context replaces the one before; a message takes along the updates since
 * the last message (MCP Apps 2026-01-26, `ui/update-model-context`). It lasts until the tab closes.
 * `test/host/console/conversation.test.ts` covers it.
 *
 * @module
 */

import { signal } from '@preact/signals'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { readStored, textIn, writeStored } from '../ui/storage.ts'

/** Messages that the conversation keeps; the oldest are dropped. */
export const MAX_MESSAGES = 100

/** Messages that the apps of one server may add within {@link RATE_MS}; further ones are refused. */
export const MAX_MESSAGES_AT_ONCE = 20
const RATE_MS = 10_000

/** Apps whose context the conversation keeps; the oldest is dropped. */
export const MAX_CONTEXTS = 20

/** Longest message or context of an app, in UTF-16 code units of JSON; a longer one is refused. */
export const MAX_UPDATE_LENGTH = 100_000

/** The app that speaks: the resource of one server. */
export interface Speaker {
  /** The URL of the server. */
  readonly server: string
  /** The app's name, as shown. */
  readonly app: string
}

/** What an app last gave the model. */
export interface ModelContext extends Speaker {
  readonly content: readonly JsonRecord[]
  readonly structuredContent?: JsonRecord
}

/** A message in the name of the user, with the context that goes before it. */
export interface Message extends Speaker {
  readonly id: number
  readonly at: number
  readonly content: readonly JsonRecord[]
  readonly context: readonly ModelContext[]
}

/** The conversation with the apps of all servers of this tab. */
export interface Conversation {
  /** Oldest first. */
  readonly messages: readonly Message[]
  /** Updates that the next message takes along; at most one for each app. */
  readonly pending: readonly ModelContext[]
}

const EMPTY: Conversation = { messages: [], pending: [] }

const STORED = 'conversation'

/** The conversation of this tab. */
export const conversation = signal<Conversation>(parseStored(readStored(STORED, sessionStorage)))

/** Whether an update is short enough to be kept. */
const fits = (value: unknown) => (JSON.stringify(value) ?? '').length <= MAX_UPDATE_LENGTH

function change(next: Conversation): void {
  conversation.value = next
  writeStored(STORED, next, sessionStorage)
}

/**
 * Adds a message of an app, with the updates of that server's apps since the last message.
 *
 * @param detail The `detail` of `mcp-message`.
 * @returns False if it is too long, or one of too many.
 */
export function addMessage({ server, app }: Speaker, detail: unknown): boolean {
  const { messages, pending } = conversation.value
  if (countRecent(messages, server) >= MAX_MESSAGES_AT_ONCE) return false
  const content = blocksIn(recordOf(detail)['content'])
  if (!fits(content)) return false
  const id = (messages.at(-1)?.id ?? 0) + 1
  const context = pending.filter((one) => one.server === server)
  const message = { id, at: Date.now(), server, app, content, context }
  change({
    messages: [...messages, message].slice(-MAX_MESSAGES),
    pending: pending.filter((one) => one.server !== server),
  })
  return true
}

/** An app needs no gesture for a message, and each one is stored and drawn. */
const countRecent = (messages: readonly Message[], server: string) =>
  messages.filter((one) => one.server === server && Date.now() - one.at < RATE_MS).length

/**
 * Replaces the context of an app.
 *
 * @param detail The `detail` of `mcp-model-context`; one without content removes the context.
 * @returns False if it is too long.
 */
export function setContext({ server, app }: Speaker, detail: unknown): boolean {
  const { content: given, structuredContent } = recordOf(detail)
  const content = blocksIn(given)
  const context = {
    server,
    app,
    content,
    ...(isRecord(structuredContent) && { structuredContent }),
  }
  if (!fits(context)) return false
  const { messages, pending } = conversation.value
  const others = pending.filter((one) => one.server !== server || one.app !== app)
  const isEmpty = content.length === 0 && !isRecord(structuredContent)
  change({ messages, pending: isEmpty ? others : [...others, context].slice(-MAX_CONTEXTS) })
  return true
}

/** Forgets the conversation with the apps of a server. */
export function clearConversation(server: string): void {
  const isKept = (one: Speaker) => one.server !== server
  const { messages, pending } = conversation.value
  change({ messages: messages.filter(isKept), pending: pending.filter(isKept) })
}

/** Returns the part of the conversation that concerns a server. */
export function conversationWith(server: string): Conversation {
  const isOf = (one: Speaker) => one.server === server
  const { messages, pending } = conversation.value
  return { messages: messages.filter(isOf), pending: pending.filter(isOf) }
}

/**
 * Builds what a model would receive: user messages of content blocks, as JSON. Context comes before
 * the message that took it along, and data is a text block of JSON, as models read no other.
 */
export function buildModelInput({ messages, pending }: Conversation): readonly JsonRecord[] {
  const turns = messages.map(({ context, content }) => toTurn(context, content))
  return pending.length > 0 ? [...turns, toTurn(pending, [])] : turns
}

const toTurn = (context: readonly ModelContext[], content: readonly JsonRecord[]): JsonRecord => ({
  role: 'user',
  content: [...context.flatMap(toBlocks), ...content],
})

function toBlocks({ app, content, structuredContent }: ModelContext): readonly JsonRecord[] {
  const data = structuredContent && {
    type: 'text',
    text: `Data of the app ${JSON.stringify(app)}: ${JSON.stringify(structuredContent)}`,
  }
  return data ? [...content, data] : content
}

/** Parses what this tab has stored, which is untrusted input. */
function parseStored(value: unknown): Conversation {
  const { messages, pending } = recordOf(value)
  if (!Array.isArray(messages) || !Array.isArray(pending)) return EMPTY
  return {
    messages: messages.flatMap(parseMessage).slice(-MAX_MESSAGES),
    pending: pending.flatMap(parseContext).slice(-MAX_CONTEXTS),
  }
}

function blocksIn(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter((block) => isRecord(block)) : []
}

function parseMessage(value: unknown): Message[] {
  const [server, app] = [textIn(value, 'server'), textIn(value, 'app')]
  const { id, at, content, context } = recordOf(value)
  if (server === null || app === null || typeof id !== 'number' || typeof at !== 'number') return []
  const before = Array.isArray(context) ? context.flatMap(parseContext) : []
  return [{ id, at, server, app, content: blocksIn(content), context: before }]
}

function parseContext(value: unknown): ModelContext[] {
  const [server, app] = [textIn(value, 'server'), textIn(value, 'app')]
  if (server === null || app === null) return []
  const { content, structuredContent } = recordOf(value)
  return [
    {
      server,
      app,
      content: blocksIn(content),
      ...(isRecord(structuredContent) && { structuredContent }),
    },
  ]
}
