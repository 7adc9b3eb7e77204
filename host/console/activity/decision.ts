/**
 * Describes decisions of the audit log: why a call was refused, and what took part in the decision.
 *
 * @module
 */

import { joinWords as listed } from '#core/join-words.ts'
import type { ReadGround } from '#core/grounds.ts'
import type { Entry } from './audit.ts'
import { formatUntil } from '../ui/format.ts'

const REASONS: Readonly<Record<string, string>> = {
  PATH_OUTSIDE_ROOT: 'The path is outside the folders that may be used.',
  PATH_BLOCKED: 'Access to the path is denied.',
  PATH_IMMUTABLE: 'The path is immutable.',
  READ_ONLY: 'Tools may only read.',
  ACCESS_CHANGED: 'The rules or the session changed during the call.',
  INSUFFICIENT_SCOPE: 'The session or the token lacks a scope that the call needs.',
  DENIED_BY_PERSON: 'A person denied the call when the console asked.',
}

/** Returns why a call was refused; empty if it was not, or if the entry is of an earlier release. */
export function reasonOf({ grounds }: Pick<Entry, 'grounds'>): string {
  const refusal = grounds.find(({ kind }) => kind === 'refused')
  if (refusal?.kind !== 'refused') return ''
  return REASONS[refusal.code] ?? `It was refused: ${refusal.code}.`
}

/** Lists what took part in the decision: "the rules of the workspace and the session “Docs agent”". */
export function groundsOf({ grounds, actor }: Pick<Entry, 'grounds' | 'actor'>): string {
  const others = grounds.filter(({ kind }) => kind !== 'refused')
  return listed(others.map((ground) => inWords(ground, actor.email ?? 'you')))
}

function inWords(ground: ReadGround, owner: string): string {
  switch (ground.kind) {
    case 'configuration':
      return 'the rules of the workspace'
    case 'session':
      return `the session “${ground.label}”`
    case 'grant':
      return `a grant of ${grantOf(ground)}`
    case 'policy':
      return 'a policy that came with the call'
    case 'preview':
      return 'the preview that was seen before'
    case 'transfer_link':
      return 'a transfer link'
    case 'approval':
      return `the approval of ${ground.by}`
    case 'amended':
      return `an amendment of ${ground.files === 1 ? '1 file' : `${ground.files} files`} by the owner`
    case 'trust':
      return `your trust until ${formatUntil(ground.until)}`
    case 'passkey':
      return `the passkey “${ground.label}”`
    case 'owner':
      return `${owner}, by hand`
    case 'secret':
      return 'the owner’s secret'
    case 'revoked':
      return 'its tokens, which were revoked or used twice'
    case 'text':
      return ground.text
    case 'refused':
      return ground.code
  }
}

function grantOf({ scopes, left_out = 0 }: ReadGround & { readonly kind: 'grant' }): string {
  return left_out === 0 ? scopes.join(', ') : `${scopes.join(', ')} and ${left_out} more`
}
