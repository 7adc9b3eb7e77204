/**
 * Merges what a person typed with what was changed in the workspace since: changes of different lines are both taken,
 * and where both changed the same lines, both stand between marks, as git writes them.
 * `test/host/console/files/merge.test.ts` has the cases.
 *
 * @module
 */

import { editsBetween, type LineEdit } from '#core/diff/line-edits.ts'

/** A merged text. */
export interface Merged {
  readonly text: string
  /** Number of places where both changed the same lines. */
  readonly conflicts: number
}

/** The marks of a place where both changed the same lines. */
export const MARKS = {
  mine: '<<<<<<< your text',
  middle: '=======',
  theirs: '>>>>>>> the workspace',
} as const

interface Side {
  readonly edits: readonly LineEdit[]
  next: number
}

/** Merges two texts that were made of one; every line of them ends with `\n`. */
export function mergeTexts(base: string, mine: string, theirs: string): Merged {
  const lines = linesOf(base)
  const sides: readonly [Side, Side] = [
    { edits: editsBetween(base, mine), next: 0 },
    { edits: editsBetween(base, theirs), next: 0 },
  ]
  const parts: string[] = []
  let [at, conflicts] = [0, 0]
  for (let place = nextPlace(sides); place !== null; place = nextPlace(sides)) {
    const { start, end, taken } = place
    parts.push(...lines.slice(at, start))
    const [own, other] = taken.map((edits) => applyWithin(lines, edits, start, end))
    at = end
    if (own === undefined || other === undefined) break
    if (taken[0].length > 0 && taken[1].length > 0 && own !== other) {
      conflicts++
      parts.push(withMarks(own, other))
    } else parts.push(taken[0].length > 0 ? own : other)
  }
  return { text: [...parts, ...lines.slice(at)].join(''), conflicts }
}

const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** Lines of the base that one side or both replace, counted from 0, and their edits. */
interface Place {
  readonly start: number
  readonly end: number
  readonly taken: readonly [readonly LineEdit[], readonly LineEdit[]]
}

/** Takes the next edits, with all that touch the same lines; null after the last one. */
function nextPlace(sides: readonly [Side, Side]): Place | null {
  const heads = sides.flatMap(({ edits, next }) => edits[next] ?? [])
  if (heads.length === 0) return null
  const start = Math.min(...heads.map(({ at }) => at - 1))
  const taken: [LineEdit[], LineEdit[]] = [[], []]
  let end = start
  for (let isMore = true; isMore;) {
    isMore = false
    for (const [index, side] of sides.entries()) {
      const edit = side.edits[side.next]
      if (!edit || edit.at - 1 > end) continue
      taken[index === 0 ? 0 : 1].push(edit)
      end = Math.max(end, edit.at - 1 + edit.remove)
      side.next++
      isMore = true
    }
  }
  return { start, end, taken }
}

function applyWithin(
  lines: readonly string[],
  edits: readonly LineEdit[],
  start: number,
  end: number,
): string {
  const parts: string[] = []
  let at = start
  for (const edit of edits) {
    parts.push(...lines.slice(at, edit.at - 1), edit.insert)
    at = edit.at - 1 + edit.remove
  }
  return [...parts, ...lines.slice(at, end)].join('')
}

function withMarks(mine: string, theirs: string): string {
  const ended = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)
  return `${MARKS.mine}\n${ended(mine)}${MARKS.middle}\n${ended(theirs)}${MARKS.theirs}\n`
}
