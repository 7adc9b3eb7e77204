/**
 * Describes decisions of the audit log: why a call was refused, and what took part in the decision.
 *
 * @module
 */

import type { Entry } from './audit.ts'
import { listed } from './format.ts'

const REASONS: Readonly<Record<string, string>> = {
  PATH_OUTSIDE_ROOT: 'It lies outside the folders that may be used.',
  PATH_BLOCKED: 'The place is blocked.',
  PATH_IMMUTABLE: 'What is there may not be changed.',
  INSUFFICIENT_SCOPE: 'It goes beyond what whoever asked may ever do.',
}

/** Returns why a call was refused; empty if it was not. */
export function reasonOf({ outcome, decision }: Entry): string {
  const [code = ''] = decision.split('; ', 1)
  if (outcome !== 'refused') return ''
  return REASONS[code] ?? `It was refused: ${code}.`
}

/** Lists what took part in the decision: "the rules of the workspace and the session “Docs agent”". */
export function groundsOf({ outcome, decision, label }: Entry): string {
  const named = label === null ? '' : `session ${label}`
  // A session's label is untrusted input and may contain the separator, so it is removed before the split.
  const [before = '', ...after] = named === '' ? [decision] : decision.split(`; ${named}`)
  const grounds = before.split('; ').slice(outcome === 'refused' ? 1 : 0)
  const others = after.join(`; ${named}`).split('; ')
  const own = after.length > 0 ? [`the session “${label ?? ''}”`] : []
  return listed([...grounds.flatMap(inWords), ...own, ...others.flatMap(inWords)])
}

function inWords(ground: string): string[] {
  if (ground === '') return []
  if (ground === 'configuration') return ['the rules of the workspace']
  if (ground === 'policy of the call') return ['a policy that came with the call']
  if (ground === 'the person') return ['you, by hand']
  if (ground.startsWith('preview ')) return ['the preview that was seen before']
  if (ground.startsWith('granted ')) return [`a grant of ${ground.slice('granted '.length)}`]
  return [ground]
}
