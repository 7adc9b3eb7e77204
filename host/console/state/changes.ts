/**
 * Changes, as `list_changes` tells of them, read at the door.
 *
 * @module
 */

import { recordOf, type JsonRecord } from '#core/json.ts'
import type { Connection } from '../../connection/types.ts'
import { readWith } from './calls.ts'
import { textIn } from './storage.ts'

export interface Change {
  readonly id: string
  readonly version: number
  readonly at: number
  readonly tool: string
  readonly intent: string
  readonly actor: Actor
}

/** Who it was: the principal, and the session they came with. */
export interface Actor {
  /** As the server says it. */
  readonly text: string
  readonly principal: string
  readonly session: string | null
}

export interface ChangePage {
  readonly changes: readonly Change[]
  /** The version before which the next page begins. */
  readonly next: number | null
}

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

/** An import is written in batches that share an id, and is one deed to a person. */
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

/** Those who come without a session. Where there is an owner, everybody else needs one. */
const LONE: Readonly<Record<string, string>> = { local: 'You or a local agent', owner: 'You' }

/** Who it was, in a few words. Without a session, nobody can tell the console from an agent. */
export function nameOf({ text, principal, session }: Actor): string {
  if (session === null) return LONE[principal] ?? text
  const whose = ` for ${principal}`
  return text.endsWith(whose) ? text.slice(0, -whose.length) : text
}

const UNDID = /^Undo the change ([0-9a-f-]{36})$/

/** What was undone is named by its own sentence, where that is in sight. */
export function sentenceOf({ tool, intent }: Change, among: readonly Change[]): string {
  const id = tool === 'undo_change' ? UNDID.exec(intent)?.[1] : undefined
  const undone = id === undefined ? undefined : among.find((change) => change.id === id)
  return undone ? `Undo: ${undone.intent}` : intent
}

/** Tools whose changes touch nothing that could be shown or undone. */
export const isDeed = ({ tool }: Pick<Change, 'tool'>) => tool !== 'delegate'

export const reviewOf = ({ tool, id }: Pick<Change, 'tool' | 'id'>) => `ui://${tool}/${id}`
