/**
 * What a notice says of a workspace, in words: the same for a device, for chat and for e-mail.
 *
 * It has numbers and names only. A name is the claim of an agent, so it is quoted and cut, and its hidden characters are
 * written by their names: it cannot pass for words of the product, nor reverse the rest of a line.
 * `test/worker/notifier/sentence.test.ts` has the cases.
 *
 * @module
 */

import { joinWords } from '#core/join-words.ts'
import { quoteName } from '#core/quote.ts'
import { isDefaultWorkspace } from '../workspace-name.ts'
import { MAX_NAME_LENGTH, MAX_NAMES, type Summary } from './summary.ts'

/** A notice in words, of one line each. */
export interface Sentence {
  readonly title: string
  readonly body: string
}

/** What a sentence says. */
type Facts = Pick<
  Summary,
  'workspace' | 'changes' | 'requests' | 'apps' | 'skills' | 'applied' | 'from' | 'others'
>

/** Says how much waits for the owner, and from whom. */
export function describeSummary(summary: Facts): Sentence {
  const { workspace } = summary
  const place = isDefaultWorkspace(workspace) ? '' : ` in ${quoteCut(workspace)}`
  const [first = NOTHING, ...rest] = clausesOf(summary)
  const sentences = [...rest.map((clause) => `${clause}.`), ...namesIn(summary)]
  return {
    title: `${first}${place}`,
    body: sentences.length > 0 ? sentences.join(' ') : 'Open the console to see it.',
  }
}

const NOTHING = 'Nothing waits for you'

/** Says what waits, then what was applied. */
function clausesOf({ changes, requests, apps, skills, applied }: Facts): string[] {
  const kinds = [
    ...countOf(changes, 'change'),
    ...countOf(requests, 'access request'),
    ...countOf(apps, 'app'),
    ...countOf(skills, 'skill'),
  ]
  const verb = changes + requests + apps + skills === 1 ? 'waits' : 'wait'
  return [
    ...(kinds.length > 0 ? [`${joinWords(kinds)} ${verb} for you`] : []),
    ...countOf(applied, 'change').map(
      (count) => `${count} ${applied === 1 ? 'was' : 'were'} applied`,
    ),
  ]
}

const countOf = (count: number, noun: string): string[] =>
  count > 0 ? [`${count} ${count === 1 ? noun : `${noun}s`}`] : []

/** Names those whose changes wait. */
function namesIn({ from, others }: Facts): string[] {
  const names = from.slice(0, MAX_NAMES).map(quoteCut)
  const more = others + from.length - names.length
  const rest = more > 0 ? [`${more} ${more === 1 ? 'other' : 'others'}`] : []
  return names.length > 0 ? [`From ${joinWords([...names, ...rest])}.`] : []
}

/**
 * Quotes a name of at most {@link MAX_NAME_LENGTH} characters, as they are written: the name of a hidden character counts
 * as what it is, so that none is cut in two.
 */
function quoteCut(name: string): string {
  let written = ''
  for (const char of name.slice(0, 2 * MAX_NAME_LENGTH + 2).toWellFormed()) {
    if (lengthOf(written + char) > MAX_NAME_LENGTH) return quoteName(`${written.trimEnd()}…`)
    written += char
  }
  return quoteName(written)
}

const lengthOf = (name: string) => Array.from(quoteName(name)).length - '""'.length
