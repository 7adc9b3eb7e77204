/**
 * Grounds: what took part in a decision of the audit log, as data.
 *
 * The server stores the grounds of each entry in the order in which they were weighed, and the console
 * reads them. Labels, scopes and ids in them are untrusted input. Entries of earlier releases have one
 * text instead. `test/core/grounds.test.ts` has the table.
 *
 * @module
 */

import { isRecord } from './json.ts'

/** One thing that took part in a decision. An entry has each kind at most once. */
export type Ground =
  /** It was refused with this error code. */
  | { readonly kind: 'refused'; readonly code: string }
  /** The configuration of the workspace. */
  | { readonly kind: 'configuration' }
  | { readonly kind: 'session'; readonly label: string }
  /** Scopes that a person granted for the call; `left_out` counts those that are not listed. */
  | { readonly kind: 'grant'; readonly scopes: readonly string[]; readonly left_out?: number }
  /** A policy that came with the call. */
  | { readonly kind: 'policy' }
  /** The preview that the call had to match. */
  | { readonly kind: 'preview'; readonly id: string }
  | { readonly kind: 'transfer_link'; readonly session: string }
  /** A person approved it in a draft: the proven address of the owner, or the principal. */
  | { readonly kind: 'approval'; readonly by: string; readonly draft: string }
  /** The owner amended so many of its files with the approval. */
  | { readonly kind: 'amended'; readonly files: number }
  /** The owner lets similar changes pass until a time, in milliseconds since 1970. */
  | { readonly kind: 'trust'; readonly id: string; readonly until: number }
  /** The owner proved it with a passkey. */
  | { readonly kind: 'passkey'; readonly id: string; readonly label: string }
  /** The owner acted by hand, without a tool. */
  | { readonly kind: 'owner' }
  /** The owner proved it with the secret of the deployment. */
  | { readonly kind: 'secret' }
  /** The tokens of a grant were revoked, or used twice. */
  | { readonly kind: 'revoked' }

/** A ground as read: one of another release is a text. */
export type ReadGround = Ground | { readonly kind: 'text'; readonly text: string }

/** Parses the `decision` of an audit entry. What is invalid is left out. */
export function readGrounds(value: unknown): ReadGround[] {
  if (typeof value === 'string') return value === '' ? [] : [{ kind: 'text', text: value }]
  return Array.isArray(value) ? value.flatMap(readGround) : []
}

function readGround(value: unknown): ReadGround[] {
  if (!isRecord(value)) return []
  const { kind, scopes, left_out, files } = value
  const textIn = (name: string) => (typeof value[name] === 'string' ? value[name] : '')
  switch (kind) {
    case 'configuration':
    case 'policy':
    case 'owner':
    case 'secret':
    case 'revoked':
      return [{ kind }]
    case 'refused':
      return [{ kind, code: textIn('code') }]
    case 'session':
      return [{ kind, label: textIn('label') }]
    case 'preview':
      return [{ kind, id: textIn('id') }]
    case 'transfer_link':
      return [{ kind, session: textIn('session') }]
    case 'approval':
      return [{ kind, by: textIn('by'), draft: textIn('draft') }]
    case 'amended':
      return [{ kind, files: typeof files === 'number' ? files : 0 }]
    case 'trust':
      return [{ kind, id: textIn('id'), until: Number(value['until']) || 0 }]
    case 'passkey':
      return [{ kind, id: textIn('id'), label: textIn('label') }]
    case 'grant': {
      const named = Array.isArray(scopes) ? scopes.filter((one) => typeof one === 'string') : []
      return [{ kind, scopes: named, ...(typeof left_out === 'number' && { left_out }) }]
    }
    default:
      return typeof kind === 'string' ? [{ kind: 'text', text: kind }] : []
  }
}
