/**
 * What a change may add up to: what is configured, and never more than what this Worker is tested for.
 *
 * @module
 */

import type { Config } from '#core/config.ts'
import { HISTORY_VERSIONS, MAX_FILE_BYTES, MAX_WORKSPACE_BYTES } from '../limits.ts'

export interface StoreLimits {
  /** Bytes of one file. */
  readonly fileBytes: number
  /** Bytes of all files, current versions only. */
  readonly workspaceBytes: number
  /** Versions that are kept of each file that is touched. */
  readonly versions: number
}

export const STORE_LIMITS: StoreLimits = {
  fileBytes: MAX_FILE_BYTES,
  workspaceBytes: MAX_WORKSPACE_BYTES,
  versions: HISTORY_VERSIONS,
}

/** In a configuration 0 means that there is no limit but ours. */
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
