/** Every limit of `worker/limits.ts` has a test, in a file that exists. */

import { existsSync } from 'node:fs'
import * as limits from '#worker/limits.ts'
import { expect, it } from 'vitest'

/** The file with the edge test of each limit. */
const TESTS: Readonly<Record<keyof typeof limits, string>> = {
  INLINE_BYTES: 'test/worker/limits.test.ts',
  MAX_FILE_BYTES: 'test/worker/limits.test.ts',
  MAX_WORKSPACE_BYTES: 'test/worker/limits.test.ts',
  MAX_AUDIT: 'test/worker/store/quotas.test.ts',
  MAX_AUDIT_NOTES: 'test/worker/store/quotas.test.ts',
  MAX_AUDIT_NOTES_ALL: 'test/worker/store/quotas.test.ts',
  AUDIT_BATCH: 'test/worker/store/quotas.test.ts',
  AUDIT_BATCH_ALL: 'test/worker/store/quotas.test.ts',
  MAX_AUDIT_ENTRY: 'test/worker/store/quotas.test.ts',
  MAX_AUDIT_SCOPES: 'test/worker/store/quotas.test.ts',
  MAX_AUDIT_PATHS: 'test/worker/store/quotas.test.ts',
  MAX_CHANGES: 'test/worker/changes/old-changes.test.ts',
  MAX_FILES: 'test/worker/limits.test.ts',
  MAX_FOLDERS: 'test/worker/store/quotas.test.ts',
  MAX_EDIT_BYTES: 'test/worker/limits.test.ts',
  MAX_SEARCH_FILE_BYTES: 'test/worker/limits.test.ts',
  MAX_SEARCH_SCAN_BYTES: 'test/worker/limits.test.ts',
  MAX_IMAGE_BYTES: 'test/worker/limits.test.ts',
  MAX_RESOURCE_BYTES: 'test/worker/limits.test.ts',
  MAX_MESSAGE_BYTES: 'test/worker/limits.test.ts',
  MAX_JSON_DEPTH: 'test/worker/limits.test.ts',
  MAX_HISTORY_VERSIONS: 'test/worker/limits.test.ts',
  MAX_CHECKPOINTS: 'test/worker/changes/checkpoints.test.ts',
  MAX_SESSION_CHECKPOINTS: 'test/worker/changes/checkpoints.test.ts',
  MAX_CHECKPOINT_NAME_LENGTH: 'test/worker/changes/checkpoints.test.ts',
  MAX_DIFFERING_PATHS: 'test/worker/changes/checkpoints.test.ts',
  MAX_DIFF_BYTES: 'test/worker/limits.test.ts',
  MAX_DIFF_FILES: 'test/worker/limits.test.ts',
  MAX_DIFF_LINES: 'test/worker/limits.test.ts',
  MAX_RESULT_HUNKS_LENGTH: 'test/worker/mcp/results.test.ts',
  MAX_PREVIEW_BYTES: 'test/worker/store/large-rows.test.ts',
  MAX_INTENT_LENGTH: 'test/worker/store/large-rows.test.ts',
  MAX_LISTED_PATHS: 'test/worker/limits.test.ts',
  MAX_PREVIEWS: 'test/worker/limits.test.ts',
  MAX_WORKSPACE_PREVIEWS: 'test/worker/call/budgets.test.ts',
  MAX_DRAFT_TTL_SECONDS: 'test/worker/store/limits.test.ts',
  MAX_EDITS: 'test/worker/limits.test.ts',
  MAX_COPY_ENTRIES: 'test/worker/tools/copy-file.test.ts',
  MAX_EDIT_STEPS: 'test/worker/search/hostile-text.test.ts',
  MAX_READ_FILES: 'test/worker/limits.test.ts',
  MAX_FIND_LIMIT: 'test/worker/limits.test.ts',
  MAX_CURSOR_LENGTH: 'test/worker/tools/find-cursor.test.ts',
  MAX_FIND_STEPS: 'test/worker/limits.test.ts',
  MAX_SEARCH_MS: 'test/worker/limits.test.ts',
  MAX_SEARCH_STEPS: 'test/worker/search/hostile-text.test.ts',
  MAX_GLOBS: 'test/worker/limits.test.ts',
  MAX_CONTEXT_LINES: 'test/worker/limits.test.ts',
  RESOURCE_PAGE: 'test/worker/limits.test.ts',
  FOLDER_PAGE: 'test/worker/limits.test.ts',
  MAX_SESSIONS: 'test/worker/limits.test.ts',
  MAX_WORKSPACE_SESSIONS: 'test/worker/call/budgets.test.ts',
  MAX_INITIALIZE_BYTES: 'test/worker/call/budgets.test.ts',
  MAX_STORED_METADATA_BYTES: 'test/worker/call/budgets.test.ts',
  MAX_NAME_LENGTH: 'test/worker/call/budgets.test.ts',
  MAX_BATCH: 'test/worker/call/batches.test.ts',
  MAX_DELEGATION_DEPTH: 'test/worker/limits.test.ts',
  MAX_DELEGATION_SECONDS: 'test/worker/limits.test.ts',
  MAX_REFRESH_RETRY_SECONDS: 'test/worker/auth/revocation.test.ts',
  MAX_REFRESH_USES: 'test/worker/auth/revocation.test.ts',
  SESSION_IDLE_HOURS: 'test/worker/limits.test.ts',
  CALLS_PER_SECOND: 'test/worker/sessions/rate-limit.test.ts',
  CALLS_AT_ONCE: 'test/worker/sessions/rate-limit.test.ts',
  MAX_STREAMS: 'test/worker/call/budgets.test.ts',
  MAX_WORKSPACE_STREAMS: 'test/worker/call/budgets.test.ts',
  MAX_STREAM_WAITING_BYTES: 'test/load/connections.slow.test.ts',
  MAX_SUBSCRIPTIONS: 'test/worker/limits.test.ts',
  MAX_PRINCIPAL_SUBSCRIPTIONS: 'test/worker/call/budgets.test.ts',
  MAX_TAR_NOTE_BYTES: 'test/worker/archive/archives.slow.test.ts',
  MAX_UNPACKED_BYTES: 'test/worker/archive/archives.slow.test.ts',
  MAX_UNPACK_RATIO: 'test/worker/archive/archives.slow.test.ts',
  MAX_TRANSFER_SECONDS: 'test/worker/api/transfer-link.test.ts',
  SWEEP_GRACE_MS: 'test/worker/archive/slow-import.test.ts',
}

it.each(Object.entries(TESTS))('%s is tested in %s', (_, file) => {
  expect(existsSync(file)).toBe(true)
})

it('names a test for every limit', () => {
  expect(Object.keys(TESTS).toSorted()).toEqual(Object.keys(limits).toSorted())
})
