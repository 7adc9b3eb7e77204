/**
 * The words of a query in natural language, how they count, and the query of the index for them.
 *
 * A longer word counts more: it is rarer, and says more of what is wanted than `the`. `test/worker/research/words.test.ts`
 * has the cases.
 *
 * @module
 */

import { requiredTrigrams, toMatchQuery } from '../search/trigrams.ts'
import { MAX_RESEARCH_WORDS } from './limits.ts'

/** Characters of a word beyond which it counts no more. */
const MAX_WORD_WEIGHT = 12

/** Occurrences of a word in a text beyond which it counts no more. */
const MAX_COUNTED_WORDS = 64

/** Returns the different words of a query in lower case, the longest first. */
export function wordsOf(query: string): string[] {
  const found = query.toLowerCase().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []
  return [...new Set(found)]
    .toSorted((one, other) => other.length - one.length)
    .slice(0, MAX_RESEARCH_WORDS)
}

/**
 * Returns the FTS5 query for the texts that have one of the words; null if the index cannot tell. Shorter words are left to
 * the score, because nearly every text has them.
 */
export function indexQueryOf(words: readonly string[]): string | null {
  const read = words.map((word) => ({ word, trigrams: trigramsOf(word) }))
  // In scripts of which the index has nothing, a short word may be all that is wanted.
  if (read.some(({ word, trigrams }) => trigrams === null && BEYOND_INDEX.test(word))) return null
  const queries = read.flatMap(({ trigrams }) => (trigrams ? [`(${toMatchQuery(trigrams)})`] : []))
  return queries.length === 0 ? null : queries.join(' OR ')
}

/** What the index has no trigrams of. */
const BEYOND_INDEX = /[^ -~]/

const trigramsOf = (word: string) =>
  requiredTrigrams({ parts: Array.from(word, (char) => (BEYOND_INDEX.test(char) ? null : char)) })

const weightOf = (word: string) => Math.min(word.length, MAX_WORD_WEIGHT)

/** Scores a path: a word in the name counts double, and one in the folder above once. */
export function scorePath(path: string, words: readonly string[]): number {
  const whole = path.toLowerCase()
  const name = whole.slice(whole.lastIndexOf('/') + 1)
  return sumOf(words, (word) => (name.includes(word) ? 2 : Number(whole.includes(word))))
}

/** Scores a text by its words; `phrase` is the whole query in lower case. */
export function scoreText(text: string, words: readonly string[], phrase: string): number {
  const folded = text.toLowerCase()
  const score = sumOf(words, (word) => {
    const count = countIn(folded, word)
    return count === 0 ? 0 : 1 + Math.log2(count) / 3
  })
  const isWhole = score > 0 && words.length > 1 && folded.includes(phrase)
  return isWhole ? score + sumOf(words, () => 1) : score
}

const sumOf = (words: readonly string[], factorOf: (word: string) => number): number =>
  words.reduce((sum, word) => sum + weightOf(word) * factorOf(word), 0)

function countIn(text: string, word: string): number {
  let count = 0
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length))
    if (++count === MAX_COUNTED_WORDS) break
  return count
}
