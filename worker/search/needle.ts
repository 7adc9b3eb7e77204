/**
 * Needles: texts that every match of a pattern contains. The platform finds them many times faster than the engine tests
 * a pattern, so they decide where the engine has to run.
 *
 * `test/worker/search/needle.test.ts` compares them with a plain search.
 *
 * @module
 */

import { runsOf, type Part } from './trigrams.ts'

/** Returns the index of the last character of the first needle that begins at or after `from`, or -1. */
export type Needle = (text: string, from: number) => number

// Needles are few and short, because a native search takes the product of text and needles.
const MAX_NEEDLES = 8

/** Maximum length of a needle, in UTF-16 code units; a longer text is found by its beginning. */
export const MAX_NEEDLE = 12

/** Finds one of the texts of which every match contains one, in any case. Null if no text is certain. */
export function needleOf(parts: readonly Part[]): Needle | null {
  const needles = needlesOf(parts)
  return needles.length === 0 ? null : find(new RegExp(needles.map(escape).join('|'), 'giu'))
}

/** A character that is rare in most texts, or else a digit. */
const RARE = [/[^\s\w'"().,;:=/{}<>-]|[A-Zjqxz]/, /\d/]

/**
 * Finds the beginning of a text, whose case counts.
 *
 * A rare character is looked for first, as the platform finds one character several times faster than a text.
 */
export function exactNeedle(text: string): Needle {
  const needle = text.slice(0, MAX_NEEDLE)
  const findNeedle = find(new RegExp(escape(needle), 'g'))
  const offset = RARE.map((rare) => needle.search(rare)).find((at) => at >= 0)
  return offset === undefined ? findNeedle : findByCharacter(needle, offset, findNeedle)
}

/** Characters of a text for each that may be found in vain: comparing there takes as long as looking for a text. */
const PER_COMPARISON = 64

function findByCharacter(needle: string, offset: number, findNeedle: Needle): Needle {
  const character = needle.charAt(offset)
  return (text, from) => {
    let comparisons = (text.length - from) / PER_COMPARISON
    let at = text.indexOf(character, from + offset)
    for (; at !== -1; at = text.indexOf(character, at + 1)) {
      if (text.startsWith(needle, at - offset)) return at - offset + needle.length - 1
      if (--comparisons < 0) return findNeedle(text, at - offset + 1)
    }
    return -1
  }
}

function find(expression: RegExp): Needle {
  return (text, from) => {
    expression.lastIndex = from
    return expression.test(text) ? expression.lastIndex - 1 : -1
  }
}

const escape = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Among the sets of texts of which every match contains one, picks that with the longest shortest text. */
function needlesOf(parts: readonly Part[]): string[] {
  let best: string[] = []
  for (const set of [
    ...runsOf(parts).map((run) => [run.slice(0, MAX_NEEDLE)]),
    ...eithersOf(parts),
  ]) {
    if (set.length <= MAX_NEEDLES && shortest(set) > shortest(best)) best = set
  }
  return best
}

function eithersOf(parts: readonly Part[]): string[][] {
  return parts.flatMap((part) => {
    if (part === null || typeof part === 'string') return []
    const sets = part.either.map(needlesOf)
    return sets.some((set) => set.length === 0) ? [] : [[...new Set(sets.flat())]]
  })
}

function shortest(texts: readonly string[]): number {
  return texts.length === 0 ? 0 : Math.min(...texts.map((text) => text.length))
}
