/**
 * Scopes: what a call may touch, written as text such as `write:file:/notes`.
 *
 * A scope names an action, then optionally a kind, then optionally a resource of that kind. A scope that
 * ends early covers everything beneath it, and a final `*` makes that explicit: `write` and `write:*` are
 * the same scope. {@link covers} is a partial order; `test/core/scope.laws.test.ts` checks its laws.
 *
 * @module
 */

import { resolvePlainPath } from './path/candidates.ts'
import { isWithin, ROOT, type StorePath } from './path.ts'
import { err, ok, type Result } from './result.ts'

declare const brand: unique symbol

/** A permission that can be granted or requested. Only {@link readScope} makes one. */
export interface Scope {
  readonly [brand]: 'Scope'
  /** The action, the kind, and for kinds other than `file` all further segments. Never empty. */
  readonly words: readonly string[]
  /** The file or folder that a scope of the kind `file` is limited to. */
  readonly path: StorePath | null
}

/** Maximum length of the text of a scope, in UTF-16 code units. */
export const MAX_SCOPE_LENGTH = 4096

/**
 * Parses untrusted text as a scope. The path of a file is everything after the second colon; it is
 * resolved against `base` and normalised, so `/notes/../etc` is not in `/notes`.
 */
export function readScope(text: string, base: StorePath = ROOT): Result<Scope, string> {
  if (text.length > MAX_SCOPE_LENGTH) return err(`it is longer than ${MAX_SCOPE_LENGTH} characters`)
  const segments = text.normalize('NFC').split(':')
  const [action = '', kind, ...rest] = segments
  if (kind !== 'file' || rest.length === 0) return scopeOf(segments, null)

  const resource = rest.join(':')
  if (resource === '*') return scopeOf([action, kind], null)
  const path = resolvePlainPath(resource, base)
  return path.ok ? scopeOf([action, kind], path.value) : err(`its path is invalid: ${path.error}`)
}

/**
 * Parses a scope.
 *
 * @throws SyntaxError if the text is not a scope.
 */
export function parseScope(text: string, base: StorePath = ROOT): Scope {
  const scope = readScope(text, base)
  if (scope.ok) return scope.value
  throw new SyntaxError(`Cannot read ${JSON.stringify(text)} as a scope: ${scope.error}`)
}

/** Formats a scope in its canonical form: two scopes are equal if their texts are. */
export function formatScope(scope: Scope): string {
  return [...scope.words, ...(scope.path === null ? [] : [scope.path])].join(':')
}

/** Whether `held` permits everything that `wanted` names. */
export function covers(held: Scope, wanted: Scope): boolean {
  if (!held.words.every((word, index) => word === wanted.words[index])) return false
  if (held.path === null) return true
  return wanted.path !== null && isWithin(wanted.path, held.path)
}

function scopeOf(segments: string[], path: StorePath | null): Result<Scope, string> {
  const words = segments.length > 1 && segments.at(-1) === '*' ? segments.slice(0, -1) : segments
  for (const word of words) {
    // As a wildcard it would widen the scope, and as a literal word it would not match as intended.
    if (word === '*') return err('a * is allowed only at the end, after an action')
    if (word === '') return err('a part of it is empty')
    if (!WORD.test(word)) return err(`${JSON.stringify(word)} cannot be a part of a scope`)
  }
  const checked: Omit<Scope, typeof brand> = { words, path }
  return ok(checked as Scope)
}

/** Allows no control or other invisible characters, and no white space at either end. */
const WORD = /^(?!\s)[^\p{Cc}\p{Cf}\p{Cs}]+(?<!\s)$/u
