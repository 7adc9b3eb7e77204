/**
 * What one call of each tool uses at most, with the alarm that it causes: requests to the object, rows and R2 operations.
 *
 * `test/platform/observe/cost.test.ts` makes these calls in workerd, counts with the cursors of SQLite, and fails where a
 * call uses more. A change that uses less lowers the number here; the prices in `docs/performance.md` follow.
 *
 * @module
 */

import type { CallUsage } from './prices.ts'

const uses = (
  requests: number,
  rowsRead: number,
  rowsWritten: number,
  [classA, classB]: readonly [number, number] = [0, 0],
): CallUsage => ({ requests, rowsRead, rowsWritten, classA, classB })

/** By the call: a tool in a workspace of a few files, or what the name says. */
export const TOOL_COSTS: Readonly<Record<string, CallUsage>> = {
  write_file: uses(2, 35, 16),
  'write_file, a new file': uses(2, 29, 13),
  'write_file, an existing file': uses(2, 30, 13),
  'write_file, 240 kB to R2': uses(2, 32, 16, [1, 1]),
  edit_file: uses(2, 34, 13),
  read_file: uses(1, 2, 0),
  'read_file, 240 kB from R2': uses(1, 2, 0, [0, 1]),
  read_multiple_files: uses(1, 2, 0),
  find_files: uses(1, 2, 0),
  'find_files, a page of 200': uses(1, 202, 0),
  search_files: uses(1, 19, 0),
  'search_files, 5 of 250 files': uses(1, 46, 0),
  list_folder: uses(1, 3, 0),
  'list_folder, 250 entries': uses(1, 201, 0),
  list_roots: uses(1, 0, 0),
  create_folder: uses(2, 20, 8),
  copy_file: uses(2, 28, 9),
  move_file: uses(2, 39, 14),
  delete_file: uses(2, 35, 11),
  undo_change: uses(2, 49, 12),
  restore_file: uses(2, 35, 9),
  file_history: uses(1, 2, 0),
  list_changes: uses(1, 9, 0),
  create_checkpoint: uses(1, 8, 4),
  list_checkpoints: uses(1, 2, 0),
  compare_checkpoints: uses(1, 16, 0),
  restore_checkpoint: uses(2, 46, 9),
  draft_status: uses(1, 0, 0),
  delegate: uses(1, 7, 7),
  transfer_link: uses(1, 8, 7),
}
