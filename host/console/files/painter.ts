/**
 * The colours of a text that is edited: lines are split into tokens as they become visible, and what is above an edit is
 * not split again. `test/host/console/files/painter.test.ts` has the cases.
 *
 * @module
 */

import { findLanguage } from '#core/highlight/languages.ts'
import { createTokenizer, type State, type Token } from '#core/highlight/tokens.ts'

/** Splits lines of one text into tokens. */
export interface Painter {
  /** Replaces the text. */
  setLines(lines: readonly string[]): void
  /** Returns the tokens of a line, by its index. */
  tokensOf(line: number): readonly Token[]
}

/** Creates the painter of a file, by its name; one without a known language has plain text. */
export function createPainter(name: string): Painter {
  const language = findLanguage(name)
  const tokenize = language ? createTokenizer(language) : null
  let lines: readonly string[] = []
  /** The state before each line, as far as it is known. */
  let states: State[] = [0]
  return {
    setLines(next) {
      const same = countSame(lines, next)
      states = states.slice(0, same + 1)
      lines = next
    },
    tokensOf(line) {
      const text = lines[line] ?? ''
      if (!tokenize) return [[text, null]]
      for (let at = states.length - 1; at < line; at++)
        states.push(tokenize(lines[at] ?? '', states[at] ?? 0).state)
      return tokenize(text, states[line] ?? 0).tokens
    },
  }
}

/** Counts the lines at the start that are the same. */
function countSame(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length)
  let count = 0
  while (count < most && one[count] === other[count]) count++
  return count
}
