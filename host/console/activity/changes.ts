/**
 * Reads the change history (`list_changes`) and parses it at the boundary. Tested by
 * `test/host/console/changes.test.tsx`.
 *
 * @module
 */

import { describeSession } from '#core/actor.ts'
import { recordOf, type JsonRecord } from '#core/json.ts'
import type { Connection } from '../../mcp/connection.ts'
import { callReadOnly } from '../tools/calls.ts'
import { textIn } from '../ui/storage.ts'

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
  /** The principal that approved it in a draft; null if it needed no approval. */
  readonly approvedBy: string | null
  /** The id that undoes all changes that were approved with it; null if it needed no approval. */
  readonly approval: string | null
  /** Whether it waits in the draft that the console shares, so that the workspace does not have it. */
  readonly waits: boolean
  /** Milliseconds since 1970: it passed by trust that holds until then. */
  readonly trust?: number
}

/** Who made a change: the principal, and the session if there was one. */
export interface Actor {
  /** As the server writes it. */
  readonly text: string
  readonly principal: string
  readonly session: string | null
  /** The name of the session, or of its link. */
  readonly label?: string | null
  /** What the client of the session calls itself, beside the name of its link. */
  readonly client?: string | null
  /** The address of the owner, as Cloudflare Access has proved it; only audit entries have it. */
  readonly email?: string | undefined
}

/** What a call that only reads needs of the connection. */
type Caller = Pick<Connection, 'call'>

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
  connection: Caller,
  query: JsonRecord,
  signal?: AbortSignal,
): Promise<ChangePage> {
  const { structuredContent } = await callReadOnly(connection, 'list_changes', query, signal)
  const { changes: list, next } = recordOf(structuredContent)
  return {
    changes: parseChanges(list),
    next: typeof next === 'number' ? next : null,
  }
}

/** Parses a list of changes. */
export const parseChanges = (list: unknown): readonly Change[] =>
  Array.isArray(list) ? list.flatMap(readChange) : []

/** Pages without a change that are passed over: a server lists none of many changes that its caller may not see. */
export const MAX_EMPTY_PAGES = 5

/**
 * Reads a page of the changes that the workspace has. The console and agents without a session share one draft, whose
 * changes the server would list among the others. The page can be empty and not the last.
 *
 * @throws {ToolError} If the tool reports an error.
 */
export async function listApplied(
  connection: Caller,
  query: JsonRecord,
  signal?: AbortSignal,
): Promise<ChangePage> {
  let page = await listChanges(connection, { ...query, applied: true }, signal)
  for (let read = 1; read < MAX_EMPTY_PAGES; read++) {
    if (page.changes.length > 0 || page.next === null) return page
    const older = { ...query, applied: true, before: page.next }
    page = await listChanges(connection, older, signal)
  }
  return page
}

/** Removes duplicates: the batches of an import share one id and are one change to the user. */
export function removeDuplicates(changes: readonly Change[]): readonly Change[] {
  const seen = new Set<string>()
  return changes.filter(({ id }) => !seen.has(id) && seen.add(id))
}

function readChange(value: unknown): Change[] {
  const [id, at, tool] = [textIn(value, 'id'), textIn(value, 'at'), textIn(value, 'tool')]
  const { version, waits, trust } = recordOf(value)
  if (id === null || at === null || tool === null || typeof version !== 'number') return []
  const intent = textIn(value, 'intent') ?? tool
  const approvedBy = textIn(value, 'approved_by')
  const made = { id, version, at: Date.parse(at), tool, intent, actor: readActor(value) }
  return [
    {
      ...made,
      approvedBy,
      approval: textIn(value, 'approval'),
      waits: waits === true,
      ...(typeof trust === 'number' && { trust }),
    },
  ]
}

/** Two or more changes that were approved together, newest first. */
export interface Approved {
  readonly approval: string
  readonly changes: readonly [Change, ...Change[]]
}

/** Groups changes that were approved together. Each group is where the newest of them was. */
export function groupApproved(changes: readonly Change[]): readonly (Change | Approved)[] {
  const groups = Map.groupBy(changes, ({ approval, id, version }) => approval ?? `${id} ${version}`)
  return [...groups.values()].flatMap<Change | Approved>(([first, ...rest]) => {
    if (!first) return []
    const { approval } = first
    return approval === null || rest.length === 0
      ? [first]
      : [{ approval, changes: [first, ...rest] }]
  })
}

function readActor(value: unknown): Actor {
  const text = textIn(value, 'actor') ?? 'unknown'
  return {
    text,
    principal: textIn(value, 'principal') ?? text,
    session: textIn(value, 'session'),
    label: textIn(value, 'label'),
  }
}

/** Names of callers without a session. If there is an owner, every other caller needs a session. */
const NAMES_WITHOUT_SESSION: Readonly<Record<string, string>> = {
  local: 'You or a local agent',
  owner: 'You',
}

/** A name in a few words, and whether another party than the console has chosen it. */
export interface NamedActor {
  readonly name: string
  readonly isClaimed: boolean
}

/** Names an actor. Without a session, the console and a local agent look the same. */
export function nameActor({ text, principal, session, label, email }: Actor): NamedActor {
  if (email !== undefined) return { name: email, isClaimed: false }
  const own = session === null ? NAMES_WITHOUT_SESSION[principal] : undefined
  return { name: own ?? label ?? text, isClaimed: own === undefined }
}

/** Names an actor in a sentence in plain text: a name that another party has chosen is quoted. */
export function actorInText(actor: Actor): string {
  const { name, isClaimed } = nameActor(actor)
  return isClaimed ? describeSession({ label: name, client: actor.client ?? undefined }) : name
}

/** Names who approved a change in a draft, only the owner can: by the principal, or by a proven address. */
export const nameApprover = (by: string): string =>
  Object.hasOwn(NAMES_WITHOUT_SESSION, by) ? 'you' : by

/** A change in the history or in the audit log. */
type Described = Pick<Change, 'id' | 'tool' | 'intent'>

const UNDO_INTENT = /^Undo the change ([0-9a-z-]{1,36})$/

/** Returns the change's sentence; an undo names the undone change's sentence, if that is in the list. */
export function describeChange({ tool, intent }: Described, among: readonly Described[]): string {
  const id = tool === 'undo_change' ? UNDO_INTENT.exec(intent)?.[1] : undefined
  const undone = id === undefined ? undefined : among.find((change) => change.id === id)
  return undone ? `Undo: ${undone.intent}` : intent
}

/** Tools whose calls are in the history although they change no file. */
const WITHOUT_FILES = new Set(['delegate', 'create_checkpoint', 'approve_draft', 'turn_down_draft'])

/** Whether a change touches files; creating a session does not, so it cannot be shown or undone. */
export const touchesFiles = ({ tool }: Pick<Change, 'tool'>) => !WITHOUT_FILES.has(tool)

/** Returns the URI of a change's review page. */
export const buildReviewUri = ({ tool, id }: Pick<Change, 'tool' | 'id'>) => `ui://${tool}/${id}`
