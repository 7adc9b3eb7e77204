/**
 * Every limit of `worker/limits.ts` has a test, in a file that exists. Every limit of the product says who it is for, and
 * where it is for several principals, a test fills it for one of them.
 */

import { existsSync, globSync, readFileSync } from 'node:fs'
import * as limits from '#worker/limits.ts'
import { describe, expect, it } from 'vitest'
import { LIMIT_SCOPES, NO_ROWS, SHARED_IN } from './support/house/limit-scopes.ts'

/** The file with the edge test of each limit. */
const TESTS: Readonly<Record<keyof typeof limits, string>> = {
  MAX_COUNTED_OWNERS: 'test/worker/drafts/limits.test.ts',
  MAX_WAITING_CALLS: 'test/worker/drafts/limits.test.ts',
  INLINE_BYTES: 'test/platform/limits.slow.test.ts',
  MAX_FILE_BYTES: 'test/platform/limits.slow.test.ts',
  MAX_WORKSPACE_BYTES: 'test/platform/limits.slow.test.ts',
  MAX_AUDIT: 'test/worker/store/quotas.test.ts',
  MAX_AUDIT_NOTES: 'test/worker/store/quotas.test.ts',
  MAX_LINK_REFUSALS: 'test/worker/api/transfer-link.test.ts',
  MAX_AUDIT_NOTES_ALL: 'test/worker/store/quotas.test.ts',
  AUDIT_BATCH: 'test/worker/store/quotas.test.ts',
  AUDIT_BATCH_ALL: 'test/worker/store/quotas.test.ts',
  MAX_AUDIT_ENTRY: 'test/worker/store/quotas.test.ts',
  MAX_AUDIT_SCOPES: 'test/worker/store/quotas.test.ts',
  MAX_AUDIT_PATHS: 'test/worker/store/quotas.test.ts',
  CHANGES_WITH_ENTRIES: 'test/worker/store/change-row.test.ts',
  MAX_CHANGES: 'test/worker/changes/old-changes.test.ts',
  MAX_FILES: 'test/platform/limits.slow.test.ts',
  MAX_FOLDERS: 'test/worker/store/quotas.test.ts',
  MAX_EDIT_BYTES: 'test/platform/limits.slow.test.ts',
  MAX_SEARCH_FILE_BYTES: 'test/platform/limits.slow.test.ts',
  MAX_SEARCH_SCAN_BYTES: 'test/platform/limits.slow.test.ts',
  MAX_IMAGE_BYTES: 'test/platform/limits.slow.test.ts',
  MAX_RESOURCE_BYTES: 'test/platform/limits.slow.test.ts',
  MAX_MESSAGE_BYTES: 'test/platform/limits.slow.test.ts',
  MAX_ERROR_BYTES: 'test/worker/errors/size.slow.test.ts',
  MAX_JSON_DEPTH: 'test/platform/limits.slow.test.ts',
  MAX_HISTORY_VERSIONS: 'test/platform/limits.slow.test.ts',
  MAX_CHECKPOINTS: 'test/worker/changes/checkpoints.test.ts',
  MAX_SESSION_CHECKPOINTS: 'test/worker/changes/checkpoints.test.ts',
  MAX_CHECKPOINT_NAME_LENGTH: 'test/worker/changes/checkpoints.test.ts',
  MAX_DIFFERING_PATHS: 'test/worker/changes/checkpoints.test.ts',
  MAX_DIFF_BYTES: 'test/platform/limits.slow.test.ts',
  MAX_SHOWN_DIFF_BYTES: 'test/worker/drafts/long-diff.test.ts',
  MAX_AMENDMENT_BYTES: 'test/worker/drafts/amend.test.ts',
  MAX_COMPARED_BYTES: 'test/worker/drafts/compared-room.test.ts',
  MAX_COUNTED_BYTES: 'test/worker/drafts/changed-files.test.ts',
  MAX_DIFF_FILES: 'test/platform/limits.slow.test.ts',
  MAX_DIFF_LINES: 'test/platform/limits.slow.test.ts',
  MAX_RESULT_HUNKS_BYTES: 'test/worker/mcp/results.test.ts',
  MAX_PREVIEW_BYTES: 'test/worker/store/large-rows.test.ts',
  MAX_INTENT_LENGTH: 'test/worker/store/large-rows.test.ts',
  MAX_INTENT_VALUE_LENGTH: 'test/worker/changes/changes.test.ts',
  MAX_CLIENT_LENGTH: 'test/worker/audit/audit.test.ts',
  MAX_LISTED_PATHS: 'test/platform/limits.slow.test.ts',
  MAX_NEWS_BYTES: 'test/worker/call/news.test.ts',
  MAX_PREVIEW_TTL_SECONDS: 'test/worker/store/limits.test.ts',
  MAX_PREVIEWS: 'test/platform/limits.slow.test.ts',
  MAX_WORKSPACE_PREVIEWS: 'test/platform/call/budgets.test.ts',
  MAX_DRAFT_TTL_SECONDS: 'test/worker/store/limits.test.ts',
  MAX_EDITS: 'test/platform/limits.slow.test.ts',
  MAX_COPY_ENTRIES: 'test/worker/tools/copy-file.test.ts',
  MAX_EDIT_STEPS: 'test/worker/search/hostile-text.slow.test.ts',
  MAX_READ_FILES: 'test/platform/limits.slow.test.ts',
  MAX_DRAFT_PLACES: 'test/worker/leases/results.test.ts',
  MAX_FIND_LIMIT: 'test/platform/limits.slow.test.ts',
  MAX_CURSOR_LENGTH: 'test/worker/tools/find-cursor.test.ts',
  MAX_FIND_STEPS: 'test/platform/limits.slow.test.ts',
  MAX_SEARCH_MS: 'test/platform/limits.slow.test.ts',
  MAX_SEARCH_STEPS: 'test/worker/search/hostile-text.slow.test.ts',
  MAX_INDEXED_TEXTS: 'test/worker/tools/large-text.test.ts',
  MAX_GLOBS: 'test/platform/limits.slow.test.ts',
  MAX_CONTEXT_LINES: 'test/platform/limits.slow.test.ts',
  RESOURCE_PAGE: 'test/platform/limits.slow.test.ts',
  FOLDER_PAGE: 'test/platform/limits.slow.test.ts',
  MAX_EXPORT_CHANGES: 'test/worker/archive/export.test.ts',
  MAX_SESSIONS: 'test/platform/limits.slow.test.ts',
  MAX_WORKSPACE_SESSIONS: 'test/platform/call/budgets.test.ts',
  MAX_INITIALIZE_BYTES: 'test/platform/call/budgets.test.ts',
  MAX_STORED_METADATA_BYTES: 'test/platform/call/budgets.test.ts',
  MAX_NAME_LENGTH: 'test/platform/call/budgets.test.ts',
  MAX_BATCH: 'test/worker/call/batches.test.ts',
  MAX_DELEGATION_DEPTH: 'test/platform/limits.slow.test.ts',
  MAX_DELEGATION_SECONDS: 'test/platform/limits.slow.test.ts',
  MAX_REFRESH_RETRY_SECONDS: 'test/platform/auth/revocation.test.ts',
  MAX_REFRESH_USES: 'test/platform/auth/revocation.test.ts',
  SESSION_IDLE_HOURS: 'test/platform/limits.slow.test.ts',
  CALLS_PER_SECOND: 'test/worker/sessions/rate-limit.test.ts',
  CALLS_AT_ONCE: 'test/worker/sessions/rate-limit.test.ts',
  MAX_STREAMS: 'test/platform/call/budgets.test.ts',
  MAX_WORKSPACE_STREAMS: 'test/platform/call/budgets.test.ts',
  MAX_STREAM_WAITING_BYTES: 'test/load/connections.nightly.test.ts',
  MAX_SUBSCRIPTIONS: 'test/platform/limits.slow.test.ts',
  MAX_PRINCIPAL_SUBSCRIPTIONS: 'test/platform/call/budgets.test.ts',
  MAX_TAR_NOTE_BYTES: 'test/worker/archive/archives.slow.test.ts',
  MAX_UNPACKED_BYTES: 'test/worker/archive/archives.slow.test.ts',
  MAX_UNPACK_RATIO: 'test/worker/archive/archives.slow.test.ts',
  MAX_TRANSFER_SECONDS: 'test/worker/api/transfer-link.test.ts',
  MAX_ZIP_ENTRIES: 'test/worker/archive/zip-bombs.slow.test.ts',
  MAX_ZIP_DIRECTORY_BYTES: 'test/worker/archive/zip-bombs.slow.test.ts',
  MAX_ZIP_UNSIZED_BYTES: 'test/worker/archive/zip-bombs.slow.test.ts',
  MAX_FETCH_MS: 'test/worker/tools/import-file.test.ts',
  MAX_FETCH_REDIRECTS: 'test/worker/tools/import-file.test.ts',
  MAX_FETCHES: 'test/worker/tools/import-file.test.ts',
  MAX_FETCHES_OF_ONE: 'test/worker/tools/import-file.test.ts',
  MAX_UNSIZED_FETCH_BYTES: 'test/worker/tools/import-file.test.ts',
  MAX_IMPORT_CONFLICTS: 'test/worker/archive/import-after.test.ts',
  SWEEP_GRACE_MS: 'test/platform/archive/slow-import.test.ts',
}

it.each(Object.entries(TESTS))('%s is tested in %s', (_, file) => {
  expect(existsSync(file)).toBe(true)
})

it('names a test for every limit', () => {
  expect(Object.keys(TESTS).toSorted()).toEqual(Object.keys(limits).toSorted())
})

/** The names of limits: a maximum, or a number with its unit. */
const LIMIT =
  /^export const (MAX_\w+|MIN_\w+|\w+_(?:LIMIT|PAGE|BURST|AT_ONCE|PER_SECOND|BATCH|BATCH_ALL|SECONDS|HOURS|MS|BYTES))\b/gm

const limitsIn = (file: string) =>
  Array.from(readFileSync(file, 'utf8').matchAll(LIMIT), ([, name = '']) => name)

describe('the scopes of limits', () => {
  it('are those of all limits in the sources', () => {
    const files = globSync('{core,host,polyfill,views,worker}/**/*.{ts,tsx}')
    const found = files.map((file) => [file, limitsIn(file).toSorted()] as const)
    const listed = Object.entries(LIMIT_SCOPES).map(
      ([file, scopes]) => [file, Object.keys(scopes).toSorted()] as const,
    )
    const advice = 'Add the scope of each limit to test/support/house/limit-scopes.ts'
    expect(Object.fromEntries(listed), advice).toEqual(
      Object.fromEntries(found.filter(([, names]) => names.length > 0)),
    )
  })

  it('name for each limit of several principals the test that fills it for one of them', () => {
    const shared = Object.entries(LIMIT_SCOPES).flatMap(([file, scopes]) =>
      Object.entries(scopes)
        .filter(([, scope]) => file.startsWith('worker/') && scope !== 'principal')
        .filter(([, scope]) => scope !== 'request')
        .map(([name]) => name),
    )
    const explained = [...Object.keys(SHARED_IN), ...Object.keys(NO_ROWS)]
    expect(explained.toSorted()).toEqual(shared.toSorted())
  })

  it.each(Object.entries(SHARED_IN))('%s is filled in %s', (name, file) => {
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`\\b${name}\\b`))
  })
})
