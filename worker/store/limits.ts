/**
 * Limits of a change: the configured ones, and at most those that this Worker is tested for.
 *
 * @module
 */

import type { Config } from '#core/config.ts'
import { HISTORY_VERSIONS, MAX_FILE_BYTES, MAX_WORKSPACE_BYTES } from '../limits.ts'

/** The limits of one change. */
export interface StoreLimits {
  /** Bytes of one file. */
  readonly fileBytes: number
  /** Bytes of all files, current versions only. */
  readonly workspaceBytes: number
  /** Versions kept of each path that a change touches. */
  readonly versions: number
}

/** The largest limits, which this Worker is tested for. */
export const STORE_LIMITS: StoreLimits = {
  fileBytes: MAX_FILE_BYTES,
  workspaceBytes: MAX_WORKSPACE_BYTES,
  versions: HISTORY_VERSIONS,
}

/** Returns the limits of a configuration, at most {@link STORE_LIMITS}; 0 means "no limit" of its own. */
export function limitsOf({
  max_file_bytes,
  max_workspace_bytes,
  history_versions,
}: Config): StoreLimits {
  return {
    fileBytes: Math.min(max_file_bytes || Infinity, MAX_FILE_BYTES),
    workspaceBytes: Math.min(max_workspace_bytes || Infinity, MAX_WORKSPACE_BYTES),
    versions: Math.min(history_versions || Infinity, HISTORY_VERSIONS),
  }
}
