/**
 * Limits of a change: the configured ones, and at most those that this Worker is tested for.
 *
 * @module
 */

import type { Config } from '#core/config.ts'
import {
  MAX_DRAFT_TTL_SECONDS,
  MAX_HISTORY_VERSIONS,
  MAX_FILE_BYTES,
  MAX_PREVIEW_TTL_SECONDS,
  MAX_PREVIEWS,
  MAX_WORKSPACE_BYTES,
} from '../limits.ts'

/** The limits of one change. */
export interface StoreLimits {
  /** Bytes of one file. */
  readonly fileBytes: number
  /** Bytes of all files, current versions only. */
  readonly workspaceBytes: number
  /** Bytes of these that the drafts of others take; none if it is left out. */
  readonly heldBytes?: number
  /** Versions kept of each path that a change touches. */
  readonly versions: number
}

/** The largest value of a configuration field that takes effect; `docs/configuration.md` lists them. */
export const SERVER_MAXIMUM = {
  max_file_bytes: MAX_FILE_BYTES,
  max_workspace_bytes: MAX_WORKSPACE_BYTES,
  history_versions: MAX_HISTORY_VERSIONS,
  preview_cache_size: MAX_PREVIEWS,
  preview_ttl_seconds: MAX_PREVIEW_TTL_SECONDS,
  draft_ttl_seconds: MAX_DRAFT_TTL_SECONDS,
} satisfies Partial<Record<keyof Config, number>>

/** The largest limits, which this Worker is tested for. */
export const STORE_LIMITS: StoreLimits = {
  fileBytes: MAX_FILE_BYTES,
  workspaceBytes: MAX_WORKSPACE_BYTES,
  versions: MAX_HISTORY_VERSIONS,
}

/** Returns the limits of a configuration, at most {@link STORE_LIMITS}; 0 means "no limit" of its own. */
export function limitsOf(config: Config): StoreLimits {
  return {
    fileBytes: effective(config, 'max_file_bytes'),
    workspaceBytes: effective(config, 'max_workspace_bytes'),
    versions: effective(config, 'history_versions'),
  }
}

/** Returns the value of a field, at most {@link SERVER_MAXIMUM}. */
export function effective(config: Config, field: keyof typeof SERVER_MAXIMUM): number {
  return Math.min(config[field] || Infinity, SERVER_MAXIMUM[field])
}
