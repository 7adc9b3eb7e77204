/**
 * The risky kinds that a change has, by its paths and by the content that it writes. `test/worker/trust/effect.test.ts`
 * has the cases.
 *
 * A change waits or passes in the turn in which it is written, so only content that is at hand is compared. What cannot
 * be compared, or what the caller may not read, counts as risky: the answer must tell nothing of it. So does each file
 * of which the owner left something out, whether it is back or not.
 *
 * @module
 */

import { RISKS, type Risk } from '#core/owner/answers/drafts.ts'
import { isWithin, rebase, type StorePath } from '#core/path.ts'
import type { TrustQuestion } from '../access/trust.ts'
import { factsBetween, type LineFacts } from '../changes/line-facts.ts'
import { risksOf } from '../drafts/risks.ts'
import type { Content, Entry, FileEntry, Step } from '../store/store.ts'
import { placesOf } from '../store/write/steps.ts'
import { comparedText } from '../texts/text.ts'
import { MAX_TRUSTED_BYTES, MAX_TRUSTED_ENTRIES, MAX_TRUSTED_STEPS } from './limits.ts'

/** Kinds that only content shows. */
const BY_CONTENT: readonly Risk[] = ['hidden', 'rewrite']

/** What is left to look at. */
interface Room {
  entries: number
  bytes: number
}

/**
 * Names the risky kinds of a change. Content is read only where one of the kinds that it can show is not in `ticked`.
 * A change with too many steps or files has all kinds, and so has a step on what another step of it has written.
 */
export function kindsOf(question: TrustQuestion, ticked: readonly Risk[]): ReadonlySet<Risk> {
  if (question.steps.length > MAX_TRUSTED_STEPS) return ALL
  const room: Room = { entries: MAX_TRUSTED_ENTRIES, bytes: MAX_TRUSTED_BYTES }
  const readsContent = !BY_CONTENT.every((kind) => ticked.includes(kind))
  const found = new Set<Risk>()
  for (const step of question.steps) {
    if (!isAlone(question.steps, step)) return ALL
    for (const kind of kindsOfStep(question, step, { room, readsContent })) found.add(kind)
    if (room.entries < 0) return ALL
  }
  return found
}

const ALL: ReadonlySet<Risk> = new Set(RISKS)

/** Whether no other step concerns the paths of a step, so that what is there is what the workspace has. */
function isAlone(steps: readonly Step[], step: Step): boolean {
  const places = placesOf(step)
  return steps.every(
    (other) =>
      other === step ||
      other.type === 'folder' ||
      placesOf(other).every((place) =>
        places.every((path) => !isWithin(path, place) && !isWithin(place, path)),
      ),
  )
}

/** How far a change is looked at. */
interface Look {
  readonly room: Room
  readonly readsContent: boolean
}

function kindsOfStep(question: TrustQuestion, step: Step, look: Look): readonly Risk[] {
  const { room } = look
  switch (step.type) {
    case 'put':
      return kindsOfPut(question, step, look)
    case 'folder':
      return risksOf({ path: step.path, change: 'added', lines: null })
    case 'remove':
      return treeOf(question, step.path, room).flatMap((entry) => kindsOfRemoval(question, entry))
    case 'move':
      return treeOf(question, step.from, room).flatMap((entry) =>
        kindsOfMove(question, step, entry),
      )
    // A folder can be gone after it.
    case 'prune':
      return ['deletion']
  }
}

/** Lists what is at a path and below it, as far as there is room. */
function treeOf({ store }: TrustQuestion, path: StorePath, room: Room): Entry[] {
  const top = store.stat(path)
  const entries = top ? [top] : []
  room.entries -= entries.length
  if (top?.type !== 'folder') return entries
  for (const entry of store.walk(path)) {
    if (--room.entries < 0) break
    entries.push(entry)
  }
  return entries
}

const kindsOfRemoval = ({ access }: TrustQuestion, { path }: Entry): readonly Risk[] =>
  access.canRead(path) ? risksOf({ path, change: 'deleted', lines: null }) : RISKS

function kindsOfMove(
  { access, hasLeftOut }: TrustQuestion,
  { from, to }: Extract<Step, { type: 'move' }>,
  entry: Entry,
): readonly Risk[] {
  if (!access.canRead(entry.path)) return RISKS
  const runs = entry.type === 'file' && entry.executable === true
  const path = rebase(entry.path, from, to)
  const bringsBack = hasLeftOut(path) || hasLeftOut(entry.path)
  return risksOf({ path, from: entry.path, change: 'changed', runs, bringsBack, lines: null })
}

function kindsOfPut(
  question: TrustQuestion,
  step: Extract<Step, { type: 'put' }>,
  { room, readsContent }: Look,
): readonly Risk[] {
  const { path, content } = step
  room.entries--
  const entry = question.store.stat(path)
  if (entry && !question.access.canRead(path)) return RISKS
  const before = entry?.type === 'file' ? entry : null
  const lines = readsContent ? compare(question, before, content, room) : null
  const runs = step.executable ?? before?.executable === true
  const change = before ? 'changed' : 'added'
  const sizes = [before?.size ?? null, content.size] as const
  const bringsBack = question.hasLeftOut(path)
  const shown = risksOf({ path, change, sizes, runs, bringsBack, lines })
  return readsContent && !lines ? [...shown, ...BY_CONTENT] : shown
}

/** Compares two texts that are at hand; null if one of them is not, or is no text. */
function compare(
  { store }: TrustQuestion,
  before: FileEntry | null,
  after: Content,
  room: Room,
): LineFacts | null {
  room.bytes -= (before?.size ?? 0) + after.size
  if (room.bytes < 0) return null
  const was = before ? textOf(store, store.contentOf(before)) : ''
  const is = textOf(store, after)
  return was === null || is === null ? null : factsBetween(was, is)
}

function textOf(store: TrustQuestion['store'], content: Content | null): string | null {
  const bytes = content && store.heldNow(content)
  return bytes && (comparedText(bytes)?.text ?? null)
}
