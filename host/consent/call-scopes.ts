/**
 * Resolves what a call touches: the static scopes of its tool, limited to the paths that it names.
 *
 * A static scope such as `write:file` covers everything that a tool may touch. Where a call names a path,
 * only that path counts, so that a decision on one folder is narrower than one on everything. Paths are resolved
 * as the server does, so that every spelling of a path is the same scope, and a text counts as each path that it may
 * mean. `test/host/consent/denials.test.ts`
 * has the table.
 *
 * @module
 */

import { isRecord, type JsonRecord } from '#core/json.ts'
import { candidatesOf } from '#core/path/candidates.ts'
import { resolvePath, type StorePath } from '#core/path.ts'

/** Arguments that hold paths, in the tools of this server and in common file servers. */
const PATHS =
  /^(paths?|from|to|roots?|files?|folder|directory|source|destination|file_?(path|name))$/i

/** Arguments that limit what a call reaches. In a tool that only reads, `from` and `to` may be checkpoints. */
const LIMITS = /^(paths?|root|folder)$/
const LIMITS_OF_CHANGES = /^(paths?|root|folder|from|to)$/

/** A text that is a path under any name: it begins with a slash, in a spelling that a server may understand. */
const ABSOLUTE = /^[\s"'`]*(?:file:\/|~?[\\/]|[a-z]:[\\/])/i

/** Arguments that hold text, which may begin with a slash as well. */
const TEXTS = /^(content|text|edits|find|replace|pattern|query|glob|include|exclude|label|intent)$/i

/** `write:file` and `write:file:*` are the same scope. */
const STATIC_FILE = /^[^:]+:file(:\*)?$/

/** What a call touches. */
export interface CallScopes {
  /** The scopes that it needs, as text. Scopes of other kinds than files are those of the tool. */
  readonly needed: readonly string[]
  /** Static scopes for which it names a path that cannot be resolved: it may be any path. */
  readonly unresolved: readonly string[]
  /** Whether it reaches nothing but the paths that it names. */
  readonly isLimited: boolean
}

/**
 * Resolves the scopes of a tool for one call.
 *
 * @param base The folder from which the server counts relative paths; null if it is unknown.
 */
export function resolveCallScopes(
  scopes: readonly string[],
  args: JsonRecord,
  base: StorePath | null,
): CallScopes {
  const named = pathsIn(args)
  // A tool for files that names no path starts at the default root, and may also be about all files.
  const paths = named.length > 0 ? named.flatMap((text) => resolveFrom(base, text)) : [base]
  const needed = scopes.flatMap((scope) =>
    STATIC_FILE.test(scope) ? paths.map((path) => scopeForPath(scope, path)) : [scope],
  )
  const isUnresolved = named.length > 0 && paths.includes(null)
  return {
    needed,
    unresolved: isUnresolved ? scopes.filter((scope) => STATIC_FILE.test(scope)) : [],
    isLimited: !isUnresolved && isLimited(scopes, args),
  }
}

function isLimited(scopes: readonly string[], args: JsonRecord): boolean {
  const limits = scopes.some((scope) => scope.startsWith('write')) ? LIMITS_OF_CHANGES : LIMITS
  return Object.entries(args).some(
    ([name, value]) => limits.test(name) && textsIn(value).length > 0,
  )
}

/** Whether what a call touches depends on the folder from which the server counts relative paths. */
export function dependsOnBase(scopes: readonly string[], args: JsonRecord): boolean {
  const paths = pathsIn(args)
  const isRelative = paths.length === 0 || paths.some((path) => !path.startsWith('/'))
  return isRelative && scopes.some((scope) => STATIC_FILE.test(scope))
}

/**
 * Lists the paths that a server may read in a text that a call names. One of them is null if the text is no path, or
 * relative to an unknown folder.
 */
function resolveFrom(base: StorePath | null, text: string): readonly (StorePath | null)[] {
  const isKnown = resolvePath(text).ok && (base !== null || text.startsWith('/'))
  const candidates = candidatesOf(text, base ?? undefined).map(({ path }) => path)
  return isKnown ? candidates : [null, ...candidates]
}

/** Narrows a static scope to a path. */
const scopeForPath = (scope: string, path: StorePath | null) =>
  path === null ? scope : `${scope.replace(/:\*$/, '')}:${path}`

/** Collects the paths in arguments. Under any other name a string is a path if it is an absolute one. */
function pathsIn(args: JsonRecord): string[] {
  return Object.entries(args).flatMap(([name, value]) =>
    TEXTS.test(name)
      ? []
      : textsIn(value).filter((text) => PATHS.test(name) || ABSOLUTE.test(text)),
  )
}

/** Collects the strings in a value: itself, in a list, or in records such as `paths: [{ path }]`. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap((one: unknown) => textsIn(one))
  return isRecord(value) ? pathsIn(value) : []
}
