/**
 * Resolves what a call touches: the static scopes of its tool, narrowed to the paths that it names.
 *
 * A static scope such as `write:file` says what a tool may touch at all. Where a call names a path,
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

/** The scopes that a call needs, as text. Scopes of other kinds than files stay as they are. */
export function scopesOfCall(scopes: readonly string[], args: JsonRecord): string[] {
  const paths = pathsIn(args)
  return scopes.flatMap((scope) =>
    STATIC_FILE.test(scope) && paths.length > 0
      ? paths.map((path) => narrowed(scope, path))
      : [scope],
  )
}

/**
 * The scope for one path. A relative path counts from a root that only the server knows, so it could
 * be anywhere, and so could what cannot be read as a path.
 */
function narrowed(scope: string, path: string): string {
  const one = `${scope.replace(/:\*$/, '')}:${path}`
  return path.startsWith('/') && readScope(one).ok ? one : scope
}

/** A path under a name that is none of those above shows itself by its slash. */
function pathsIn(args: JsonRecord): string[] {
  return Object.entries(args).flatMap(([name, value]) =>
    TEXTS.test(name)
      ? []
      : textsIn(value).filter((text) => PATHS.test(name) || text.startsWith('/')),
  )
}

/** A string, a list of strings, or records that name paths, as in `paths: [{ path }]`. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap((one: unknown) => textsIn(one))
  return isRecord(value) ? pathsIn(value) : []
}
