/**
 * Configuration: what a workspace's owner may set, and what holds when nobody has set anything.
 *
 * Names and meanings are those of the mcp4h configuration schema, so that its clients find what
 * they know. A number of 0 means "no limit" and ranks above every other number.
 *
 * @module
 */

import { ROOT, type StorePath } from './path.ts'

/** A folder that tools may use. */
export interface Root {
  readonly path: StorePath
  /** Relative paths count from here. */
  readonly default: boolean
}

export interface Config {
  readonly roots: readonly [Root, ...Root[]]
  /** Entries that `find_files` answers when the call names no limit. */
  readonly find_limit: number
  /** Bytes of output of `search_files`; above it context goes first, then lines. */
  readonly search_max_bytes: number
  /** Files that a search summary still names. */
  readonly search_summary_top: number
  /** Bytes of output of `read_file`. */
  readonly read_max_bytes: number
  /** Bytes of one line in any output. */
  readonly read_max_line_bytes: number
}

export const DEFAULT_CONFIG: Config = {
  roots: [{ path: ROOT, default: true }],
  find_limit: 200,
  search_max_bytes: 51_200,
  search_summary_top: 20,
  read_max_bytes: 51_200,
  read_max_line_bytes: 25_600,
}

/** The folder from which relative paths count. */
export function defaultRoot(config: Config): StorePath {
  return (config.roots.find((root) => root.default) ?? config.roots[0]).path
}
