/**
 * A plain model of comments on drafts: which threads there are, who may read them, and what their readers have to learn.
 *
 * @module
 */

import { isWithin, type StorePath } from '#core/path.ts'
import type { CommentAnchor, ThreadHead } from '#worker/access/comment.ts'
import type { Comments } from '#worker/comments/comments.ts'
import type { Drafts } from '#worker/drafts/drafts.ts'
import type { Store } from '#worker/store/store.ts'
import { expect } from 'vitest'
import { agentOf, OWNER } from './comments.ts'

/** A thread of the model. */
export interface ModelThread {
  readonly id: string
  readonly anchor: CommentAnchor | null
  /** The draft that it was written on. */
  readonly begunIn: string
  hasReply: boolean
  /** Where it is. On an applied file, `reader` is the only agent that may read it; null for all. */
  place:
    | { readonly at: 'draft' }
    | { readonly at: 'file'; readonly reader: string | null }
    | { readonly at: 'closed' }
}

/** A new comment that the agent of a draft has not learned of. */
interface CommentNote {
  readonly thread: ModelThread
  readonly text: string
}

/** The comments of a model. */
export interface CommentModel {
  readonly threads: Map<string, ModelThread>
  /** What each connection has to learn, by its session. */
  readonly notes: Map<string, readonly CommentNote[]>
  /** Makes texts that differ. */
  count: number
}

/** Returns a model without comments. */
export const noComments = (): CommentModel => ({ threads: new Map(), notes: new Map(), count: 0 })

interface Parts {
  readonly model: CommentModel
  readonly comments: Comments
}

/** Writes a comment on a file of a draft, or on all of it. */
export function comment(
  { model, comments }: Parts,
  draft: { readonly name: string; readonly owner: { readonly key: string } },
  anchor: CommentAnchor | null,
): void {
  const { name, owner } = draft
  const text = `comment ${model.count++}`
  const thread = { draft: name, reader: owner.key, anchor, isRequest: false }
  const begun = comments.begin(thread, text, OWNER)
  if (!begun.ok) throw new Error(begun.error.reason)
  const made: ModelThread = {
    ...{ id: begun.value, anchor, begunIn: name, hasReply: false, place: { at: 'draft' } },
  }
  model.threads.set(begun.value, made)
  note(model, owner.key, { thread: made, text })
}

function note({ notes }: CommentModel, session: string, one: CommentNote): void {
  notes.set(session, [...(notes.get(session) ?? []), one])
}

/** Replies to the newest thread of a draft, as its agent or as the owner. */
export function reply(
  { model, comments }: Parts,
  draft: { readonly name: string; readonly owner: { readonly key: string } },
  isAgent: boolean,
): void {
  const head = comments.ofDraft(draft.name)[0]
  const thread = head && model.threads.get(head.id)
  if (!head || !thread) return
  const text = `reply ${model.count++}`
  const { key } = draft.owner
  const replied = comments.reply(head, text, isAgent ? agentOf('agent', key) : OWNER)
  if (!replied.ok) throw new Error(replied.error.reason)
  if (isAgent) thread.hasReply = true
  else note(model, key, { thread, text })
}

/** A connection learns of new comments, each once. */
export function learn({ model, comments }: Parts, session: string): void {
  const expected = model.notes.get(session) ?? []
  const texts = comments.takeNews(session).map(({ text }) => text)
  expect(texts).toEqual(expected.map(({ text }) => text))
  model.notes.delete(session)
}

/** The comments of a draft go to the connection that has it now. */
export function moveComments(
  { notes }: CommentModel,
  draft: string,
  from: string,
  to: string,
): void {
  const mine = notes.get(from) ?? []
  const goes = ({ thread }: CommentNote) => thread.begunIn === draft && thread.place.at !== 'file'
  notes.set(
    from,
    mine.filter((one) => !goes(one)),
  )
  for (const one of mine.filter(goes)) note({ threads: new Map(), notes, count: 0 }, to, one)
}

/** What was decided, and what of the draft waits still. */
interface Decided {
  readonly draft: string
  readonly isApproved: boolean
  readonly decided: readonly StorePath[]
  readonly waiting: readonly StorePath[]
}

/**
 * Holds what became of the threads of a draft to the law: a thread goes on on a file only if its path was approved and
 * nothing waits on it; other agents read it only if it quotes what was applied and its agent wrote nothing in it.
 */
export function settle(
  { model, comments, store }: Parts & { readonly store: Pick<Store, 'stat'> },
  { draft, isApproved, decided, waiting }: Decided,
): void {
  for (const thread of model.threads.values()) {
    if (thread.begunIn !== draft || thread.place.at !== 'draft') continue
    const head = comments.threadOf(thread.id)
    expect(head).not.toBeNull()
    if (!head) continue
    const { anchor } = thread
    const isOn = (paths: readonly StorePath[]) =>
      anchor !== null && paths.some((path) => isWithin(anchor.path, path))
    const goesOn = isApproved && isOn(decided) && !isOn(waiting)
    expect([anchor?.path, head.draft === null], JSON.stringify({ decided, waiting })).toEqual([
      anchor?.path,
      goesOn,
    ])
    expect(head.closed !== null).toBe(!goesOn && waiting.length === 0)
    thread.place = placeOf(head)
    if (thread.place.at === 'file' && thread.place.reader === null && anchor)
      expect([thread.hasReply, isQuoteApplied(store, anchor)]).toEqual([false, true])
  }
}

function isQuoteApplied(store: Pick<Store, 'stat'>, { path, side, blob }: CommentAnchor): boolean {
  const entry = store.stat(path)
  return side === 'before' || (entry?.type === 'file' && entry.blob === blob)
}

function placeOf({ draft, reader, closed }: ThreadHead): ModelThread['place'] {
  if (draft === null) return { at: 'file', reader }
  return closed === null ? { at: 'draft' } : { at: 'closed' }
}

/** Holds all threads to the model: none is lost, and those of an open draft are read by its agent alone. */
export function checkThreads({ model, comments }: Parts, drafts: Pick<Drafts, 'named'>): void {
  for (const { id, begunIn, place } of model.threads.values()) {
    const head = comments.threadOf(id)
    expect(head && placeOf(head)).toEqual(place)
    if (place.at === 'draft')
      expect(head?.reader).toBe(drafts.named(begunIn)?.owner.key ?? 'no draft')
  }
}
