/**
 * What the instructions of the server say of skills, for hosts that do not know the extension: a sentence that names as
 * many as {@link MAX_SKILL_TOKENS} leaves room for.
 *
 * `test/worker/skills/instructions.test.ts` counts the tokens.
 *
 * @module
 */

import { SKILL_FILE, SKILLS_FOLDER } from '#core/skills/uri.ts'
import { MAX_SKILL_TOKENS } from './limits.ts'

/** Tokens of the sentence without its names, with room to spare. */
const SENTENCE_TOKENS = 34

/** Returns what is added to the instructions; empty without skills. */
export function instructionsOf(names: readonly string[]): string {
  if (names.length === 0) return ''
  const named: string[] = []
  let left = MAX_SKILL_TOKENS - SENTENCE_TOKENS
  for (const name of names) {
    left -= mostTokens(name)
    if (left < 0) break
    named.push(name)
  }
  const more = names.length - named.length
  const list = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ')
  return ` Skills of the user are in ${SKILLS_FOLDER}/{name}/${SKILL_FILE}; read one before work that it fits: ${list}.`
}

/** The most tokens that a name with its comma can have: one for two letters, and for each other character. */
const mostTokens = (name: string) => 2 + [...name.matchAll(/[a-z]{1,2}|[^a-z]/g)].length
