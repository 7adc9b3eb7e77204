/**
 * The line endings of a text that a person edited in a field, where every ending is `\n`.
 * `test/core/diff/keep-endings.test.ts` has the cases.
 *
 * @module
 */

import { diffLines } from './lines.ts'

interface Line {
  readonly text: string
  /** Empty on a last line that is not terminated. */
  readonly ending: string
}

/** Returns a text as a field shows it: every line ends with `\n`. */
export const plainEndings = (text: string): string => text.replace(/\r\n?/g, '\n')

/**
 * Gives an edited text the endings that its lines had. A line that takes the place of another one keeps its ending; any
 * other new line takes the ending of the line before.
 *
 * @param before The text with its endings.
 * @param edited The text that was made of it, with `\n` alone.
 */
export function keepEndings(before: string, edited: string): string {
  const [old, next] = [linesOf(before), linesOf(edited)]
  const partners = partnersOf(old, next)
  let last = old[0]?.ending || '\n'
  const parts = next.map(({ text, ending }, at) => {
    if (ending === '') return text
    last = old[partners[at] ?? -1]?.ending || last
    return text + last
  })
  return parts.join('')
}

function linesOf(text: string): readonly Line[] {
  const parts = text.split(/(\r\n|\r|\n)/)
  const lines: Line[] = []
  for (let at = 0; at < parts.length; at += 2)
    lines.push({ text: parts[at] ?? '', ending: parts[at + 1] ?? '' })
  // What follows the last ending is no line if it is empty.
  return lines.at(-1)?.text === '' ? lines.slice(0, -1) : lines
}

/** Returns for each new line the index of the line that it is, or that it takes the place of. */
function partnersOf(old: readonly Line[], next: readonly Line[]): readonly number[] {
  const partners: number[] = []
  let [oldAt, newAt] = [0, 0]
  const pair = (end: number) => {
    while (newAt < end) partners[newAt++] = oldAt++
  }
  for (const { oldStart, oldEnd, newStart, newEnd } of diffLines(textOf(old), textOf(next))
    .changes) {
    pair(newStart)
    pair(newStart + Math.min(oldEnd - oldStart, newEnd - newStart))
    oldAt = oldEnd
    newAt = newEnd
  }
  pair(next.length)
  return partners
}

const textOf = (lines: readonly Line[]) => lines.map(({ text }) => `${text}\n`).join('')
