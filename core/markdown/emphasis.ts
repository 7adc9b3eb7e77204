/**
 * Emphasis: joins runs of `*`, `_` and `~` that belong together. Each run is taken off its stack once, and emphasis is
 * nested to a limit, so the time is linear. `test/core/markdown/inline.test.ts` tests it.
 *
 * @module
 */

import type { Inline } from './tree.ts'

/** Some equal characters that may open or close emphasis. `count` is the number of those that are left. */
export interface Run {
  readonly type: 'run'
  readonly char: string
  readonly opens: boolean
  readonly closes: boolean
  count: number
}

/** A piece of a text before its runs are joined. */
export type Piece = Inline | Run

/** Maximum depth of nested emphasis; deeper marks are text. */
const MAX_DEPTH = 12

/** An open run, and its place in the output. */
interface Opener {
  readonly run: Run
  readonly at: number
}

/** The open runs, how many there are of each character, and how deep pieces are nested. */
export interface Stacks {
  readonly openers: Opener[]
  readonly counts: Map<string, number>
  readonly depths: WeakMap<object, number>
}

/** Creates empty stacks. */
export const openStacks = (): Stacks => ({
  openers: [],
  counts: new Map(),
  depths: new WeakMap(),
})

function push({ openers, counts }: Stacks, opener: Opener): void {
  openers.push(opener)
  counts.set(opener.run.char, (counts.get(opener.run.char) ?? 0) + 1)
}

function pop({ openers, counts }: Stacks): void {
  const char = openers.pop()?.run.char ?? ''
  counts.set(char, (counts.get(char) ?? 0) - 1)
}

/** Closes the open runs that a run belongs to, as far as its characters reach, and opens what is left of it. */
export function closeRun(run: Run, out: Piece[], stacks: Stacks): void {
  while (run.closes && run.count > 0) {
    const opener = findOpener(run, stacks)
    if (!opener || !wrap(run, opener, out, stacks)) break
  }
  if (run.count === 0) return
  if (run.opens && isUsable(run)) push(stacks, { run, at: out.length })
  out.push(run)
}

/** A single `~` is text, and so are three. */
const isUsable = ({ char, count }: Run) => char !== '~' || count === 2

/** Takes the openers off that lie between a run and the last one of its character. */
function findOpener(run: Run, stacks: Stacks): Opener | null {
  if (!isUsable(run) || !stacks.counts.get(run.char)) return null
  while (stacks.openers.at(-1)?.run.char !== run.char) pop(stacks)
  return stacks.openers.at(-1) ?? null
}

function wrap(closer: Run, { run: opener, at }: Opener, out: Piece[], stacks: Stacks): boolean {
  const size = Math.min(opener.count, closer.count, 2)
  const children = out.slice(at + 1)
  const depth = 1 + Math.max(0, ...depthsOf(children, stacks))
  if (depth > MAX_DEPTH || children.length === 0) {
    // None of the runs before is closed any more, or each further one would look at all of this again.
    stacks.openers.length = 0
    stacks.counts.clear()
    return false
  }
  const type = opener.char === '~' ? 'del' : size === 2 ? 'strong' : 'em'
  const wrapped: Inline = { type, children: flattenRuns(children) }
  stacks.depths.set(wrapped, depth)
  opener.count -= size
  closer.count -= size
  if (opener.count === 0) pop(stacks)
  out.splice(opener.count === 0 ? at : at + 1, Infinity, wrapped)
  return true
}

function* depthsOf(pieces: readonly Piece[], { depths }: Stacks): Iterable<number> {
  for (const piece of pieces) yield depths.get(piece) ?? 0
}

/** Makes text of the runs that were not joined, and joins adjacent texts. */
export function flattenRuns(pieces: readonly Piece[]): readonly Inline[] {
  const flat: Inline[] = []
  let texts: string[] = []
  const flush = () => {
    if (texts.length > 0) flat.push({ type: 'text', text: texts.join('') })
    texts = []
  }
  for (const piece of pieces) {
    if (piece.type === 'run') texts.push(piece.char.repeat(piece.count))
    else if (piece.type === 'text') texts.push(piece.text)
    else {
      flush()
      flat.push(piece)
    }
  }
  flush()
  return flat
}
