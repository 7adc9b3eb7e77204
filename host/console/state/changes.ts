/**
 * Reads the change history (`list_changes`) and parses it at the boundary.
 *
 * @module
 */

import { recordOf, type JsonRecord } from '#core/json.ts'
import type { Connection } from '../../connection/types.ts'
import { readWith } from './calls.ts'
import { textIn } from './storage.ts'

/** A change in the history. */
export interface Change {
  readonly id: string
  /** The workspace version after it. */
  readonly version: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly tool: string
  readonly intent: string
  readonly actor: Actor
}

/** Who made a change: the principal, and the session if there was one. */
export interface Actor {
  /** As the server writes it. */
  readonly text: string
  readonly principal: string
  readonly session: string | null
}

/** A page of the history, newest first. */
export interface ChangePage {
  readonly changes: readonly Change[]
  /** The version before which the next page starts; null on the last one. */
  readonly next: number | null
}

/**
 * Reads a page of the history.
 *
 * @throws {ToolError} If the tool reports an error.
 */
export async function listChanges(
  connection: Connection,
  query: JsonRecord,
  signal?: AbortSignal,
): Promise<ChangePage> {
  const { structuredContent } = await readWith(connection, 'list_changes', query, signal)
  const { changes: list, next } = recordOf(structuredContent)
  return {
    changes: Array.isArray(list) ? list.flatMap(readChange) : [],
    next: typeof next === 'number' ? next : null,
  }
}

/** Removes duplicates: the batches of an import share one id and are one change to the user. */
export function once(changes: readonly Change[]): readonly Change[] {
  const seen = new Set<string>()
  return changes.filter(({ id }) => !seen.has(id) && seen.add(id))
}

function readChange(value: unknown): Change[] {
  const [id, at, tool] = [textIn(value, 'id'), textIn(value, 'at'), textIn(value, 'tool')]
  const { version } = recordOf(value)
  if (id === null || at === null || tool === null || typeof version !== 'number') return []
  const intent = textIn(value, 'intent') ?? tool
  return [{ id, version, at: Date.parse(at), tool, intent, actor: readActor(value) }]
}

function readActor(value: unknown): Actor {
  const text = textIn(value, 'actor') ?? 'somebody'
  return {
    text,
    principal: textIn(value, 'principal') ?? text,
    session: textIn(value, 'session'),
  }
}

/** Names of callers without a session. If there is an owner, every other caller needs a session. */
const LONE: Readonly<Record<string, string>> = { local: 'You or a local agent', owner: 'You' }

/** Names an actor in a few words. Without a session, the console and a local agent look the same. */
export function nameOf({ text, principal, session }: Actor): string {
  if (session === null) return LONE[principal] ?? text
  const whose = ` for ${principal}`
  return text.endsWith(whose) ? text.slice(0, -whose.length) : text
}

const UNDID = /^Undo the change ([0-9a-f-]{36})$/

/** Returns the change's sentence; an undo names the undone change's sentence, if that is in the list. */
export function sentenceOf({ tool, intent }: Change, among: readonly Change[]): string {
  const id = tool === 'undo_change' ? UNDID.exec(intent)?.[1] : undefined
  const undone = id === undefined ? undefined : among.find((change) => change.id === id)
  return undone ? `Undo: ${undone.intent}` : intent
}

/** Whether a change touches files; creating a session does not, so it cannot be shown or undone. */
export const isDeed = ({ tool }: Pick<Change, 'tool'>) => tool !== 'delegate'

/** Returns the URI of a change's review page. */
export const reviewOf = ({ tool, id }: Pick<Change, 'tool' | 'id'>) => `ui://${tool}/${id}`
