/**
 * Configuration: what the owner of a workspace may set, and the defaults.
 *
 * Names and meanings are those of the mcp4h proposals, so that their clients work unchanged. The number 0
 * means "no limit" and ranks above every other number. Untrusted input is parsed field by field on top of
 * another configuration; `test/core/config.test.ts` has the table.
 *
 * @module
 */

import type { Glob } from './glob.ts'
import { isRecord, own } from './json.ts'
import { resolvePath, ROOT, type StorePath } from './path.ts'
import {
  collect,
  readApproval,
  readBoolean,
  readCount,
  readEntries,
  readPatterns,
  type Approval,
  type Entry,
  type Limits,
  type Lists,
} from './policy/fields.ts'
import { err, ok, type Result } from './result.ts'

/** A folder that tools may use, and the patterns that restrict it. */
export interface Root extends Lists<Glob> {
  readonly path: StorePath
  /** Relative paths count from here. True for exactly one root. */
  readonly default: boolean
}

/** A complete configuration. In every number, 0 means "no limit". */
export interface Config extends Limits {
  readonly roots: readonly [Root, ...Root[]]
  /** Whether paths outside all roots may be used. */
  readonly allow_escape: boolean
  /** Whether tools may read and nothing else. */
  readonly read_only: boolean
  /** Entries that `find_files` returns when the call names no limit. */
  readonly find_limit: number
  /** Bytes of output of `search_files`; beyond it, context is dropped first, then matching lines. */
  readonly search_max_bytes: number
  /** Files that a search summary names. */
  readonly search_summary_top: number
  /** Bytes of output of `read_file`. */
  readonly read_max_bytes: number
  /** Bytes of one line in any output. */
  readonly read_max_line_bytes: number
  /** Previews that are kept; the least recently used one is dropped first. */
  readonly preview_cache_size: number
  /** Seconds for which a preview is kept. */
  readonly preview_ttl_seconds: number
  /** Versions that are kept of each file. */
  readonly history_versions: number
  /** The minimum approval level of a change. */
  readonly approval: Approval
  /** Bytes of one file. */
  readonly max_file_bytes: number
  /** Bytes of all files of a workspace, current versions only. */
  readonly max_workspace_bytes: number
}

/** What holds for a field that is not set. */
export const DEFAULT_CONFIG: Config = {
  roots: [{ path: ROOT, default: true, deny: [], allow: [], immutable: [] }],
  allow_escape: false,
  read_only: false,
  find_limit: 200,
  search_max_bytes: 34_000,
  search_summary_top: 20,
  read_max_bytes: 34_000,
  read_max_line_bytes: 25_600,
  preview_cache_size: 100,
  preview_ttl_seconds: 3_600,
  history_versions: 50,
  approval: 'none',
  max_file_bytes: 104_857_600,
  max_workspace_bytes: 10_737_418_240,
}

type Readers = {
  readonly [K in keyof Config]: (field: string, value: unknown) => Result<Config[K], string>
}

const READERS: Readers = {
  roots: (_field, value) => readRoots(value),
  allow_escape: readBoolean,
  read_only: readBoolean,
  find_limit: readCount,
  search_max_bytes: readCount,
  search_summary_top: readCount,
  read_max_bytes: readCount,
  read_max_line_bytes: readCount,
  preview_cache_size: readCount,
  preview_ttl_seconds: readCount,
  history_versions: readCount,
  approval: readApproval,
  max_file_bytes: readCount,
  max_workspace_bytes: readCount,
}

/** The folder from which relative paths count. */
export function defaultRoot(config: Config): StorePath {
  return (config.roots.find((root) => root.default) ?? config.roots[0]).path
}

/**
 * Parses a configuration on top of another one: each given field replaces the field of `base`.
 *
 * @returns The configuration, or a message that names the first invalid or unknown field.
 */
export function readConfig(value: unknown, base: Config): Result<Config, string> {
  if (!isRecord(value)) return err('config must be an object')
  const unknown = Object.keys(value).find((key) => !isField(key))
  if (unknown !== undefined) return err(`unknown config key: ${unknown}`)

  let config = base
  for (const [key, given] of Object.entries(value)) {
    if (!isField(key) || given === undefined) continue
    const next = withField(config, key, given)
    if (!next.ok) return next
    config = next.value
  }
  return ok(config)
}

/** Formats a configuration as JSON, which {@link readConfig} parses back. */
export function formatConfig(config: Config): Record<keyof Config, unknown> {
  const patterns = (globs: readonly Glob[]) => globs.map((glob) => glob.pattern)
  const roots = config.roots.map(({ path, default: first, deny, allow, immutable }) => ({
    path,
    default: first,
    deny: patterns(deny),
    allow: patterns(allow),
    immutable: patterns(immutable),
  }))
  return { ...config, roots }
}

function isField(key: string): key is keyof Config {
  return Object.hasOwn(READERS, key)
}

function withField<K extends keyof Config>(
  config: Config,
  key: K,
  given: unknown,
): Result<Config, string> {
  const value = READERS[key](key, given)
  return value.ok ? ok({ ...config, [key]: value.value }) : value
}

function readRoots(value: unknown): Result<Config['roots'], string> {
  const entries = readEntries(value, { faultOf, textsOf })
  if (!entries.ok) return entries
  const chosen = entries.value.findIndex(({ fields }) => own(fields, 'default') === true)
  const roots = collect([...entries.value.entries()], ([index, entry]) =>
    readRoot(entry, index === Math.max(chosen, 0)),
  )
  if (!roots.ok) return roots
  const [first, ...rest] = roots.value
  return first ? ok([first, ...rest]) : err('roots must not be empty')
}

function readRoot(entry: Entry, isDefault: boolean): Result<Root, string> {
  const path = resolvePath(entry.path)
  if (!path.ok) return err(`root.path ${JSON.stringify(entry.path)} is no path: ${path.error}`)
  const patterns = readPatterns(entry)
  return patterns.ok ? ok({ path: path.value, default: isDefault, ...patterns.value }) : patterns
}

/** Only a policy can block a folder. `false` is accepted, because a form may send the default. */
function faultOf(fields: Entry['fields']): string | null {
  const blocked = own(fields, 'blocked')
  if (blocked !== undefined && blocked !== false) return 'root.blocked may only be set by a policy'
  const given = own(fields, 'default')
  const flag = readBoolean('root.default', given === undefined ? false : given)
  return flag.ok ? null : flag.error
}

/** Leaves out items that are not strings, unless that would empty `allow` and so open the whole root. */
function textsOf(field: string, list: readonly unknown[]): Result<readonly string[], string> {
  const texts = list.filter((item) => typeof item === 'string')
  const opened = field === 'root.allow' && list.length > 0 && texts.length === 0
  return opened ? err(`${field} must hold a pattern or be empty`) : ok(texts)
}
