/**
 * Resolves what a call touches: the static scopes of its tool, scopeForPath to the paths that it names.
 *
 * A static scope such as `write:file` covers everything that a tool may touch. Where a call names a path,
 * only that path counts, so that a rule on one folder is narrower than a rule on everything.
 *
 * @module
 */

import { isRecord, type JsonRecord } from '#core/json.ts'
import { readScope } from '#core/scope.ts'

/** Arguments that hold paths, in the tools of this server and in common file servers. */
const PATHS =
  /^(paths?|from|to|roots?|files?|folder|directory|source|destination|file_?(path|name))$/i

/** Arguments that hold text, which may begin with a slash as well. */
const TEXTS = /^(content|text|edits|find|replace|pattern|query|glob|include|exclude|label|intent)$/i

/** `write:file` and `write:file:*` are the same scope. */
const STATIC_FILE = /^[^:]+:file(:\*)?$/

/** Returns the scopes that a call needs, as text. Scopes of other kinds than files are not changed. */
export function resolveCallScopes(scopes: readonly string[], args: JsonRecord): string[] {
  const paths = pathsIn(args)
  return scopes.flatMap((scope) =>
    STATIC_FILE.test(scope) && paths.length > 0
      ? paths.map((path) => scopeForPath(scope, path))
      : [scope],
  )
}

/**
 * Returns the scope for one path; the static scope if the path is relative, because only the server
 * knows its root, or invalid.
 */
function scopeForPath(scope: string, path: string): string {
  const one = `${scope.replace(/:\*$/, '')}:${path}`
  return path.startsWith('/') && readScope(one).ok ? one : scope
}

/** Collects the paths in arguments. Under any other name a string is a path if it begins with a slash. */
function pathsIn(args: JsonRecord): string[] {
  return Object.entries(args).flatMap(([name, value]) =>
    TEXTS.test(name)
      ? []
      : textsIn(value).filter((text) => PATHS.test(name) || text.startsWith('/')),
  )
}

/** Collects the strings in a value: itself, in a list, or in records such as `paths: [{ path }]`. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap((one: unknown) => textsIn(one))
  return isRecord(value) ? pathsIn(value) : []
}
