/**
 * Every tool with valid arguments, and the scopes that they require.
 *
 * @module
 */

export interface Use {
  readonly args: Readonly<Record<string, unknown>>
  /** The scopes that the challenge names for a caller without any, before the call is planned. */
  readonly needs: readonly string[]
}

const path = '/docs/a.txt'
const READ = ['read:file:/docs']
const WRITE = ['write:file:/docs']

/** `change` is the id of a change that there may be. */
export const usesOf = (change: string): Readonly<Record<string, Use>> => ({
  list_roots: { args: {}, needs: [] },
  draft_status: { args: {}, needs: [] },
  find_files: { args: { root: '/docs' }, needs: READ },
  search_files: { args: { pattern: '.', root: '/docs' }, needs: READ },
  read_file: { args: { path }, needs: READ },
  read_multiple_files: { args: { paths: [path, '/docs/none'] }, needs: READ },
  write_file: { args: { path, content: 'written' }, needs: WRITE },
  edit_file: { args: { path, edits: [{ find: 'C', replace: 'D' }] }, needs: [...READ, ...WRITE] },
  move_file: {
    args: { from: path, to: '/moved/b.txt' },
    needs: [...READ, ...WRITE, 'write:file:/moved'],
  },
  copy_file: {
    args: { from: path, to: '/copied/b.txt' },
    needs: ['read:file:/docs/a.txt', 'write:file:/copied'],
  },
  delete_file: { args: { path }, needs: WRITE },
  // A delegated session has at most the access of its caller, so no scope is required.
  delegate: { args: { label: 'helper' }, needs: [] },
  list_folder: { args: { path: '/docs' }, needs: READ },
  file_history: { args: { path }, needs: READ },
  list_changes: { args: { path: '/docs' }, needs: READ },
  restore_file: { args: { path, version: 1 }, needs: [...READ, ...WRITE] },
  // Which files it concerns is not known before; it is refused when that is.
  undo_change: { args: { id: change }, needs: [] },
  transfer_link: { args: { path, direction: 'download' }, needs: READ },
  // Checkpoints name no path; a restore is refused when the paths are known, and a session sees its own.
  create_checkpoint: { args: { name: 'here' }, needs: [] },
  list_checkpoints: { args: {}, needs: [] },
  compare_checkpoints: { args: { from: 'here', folder: '/docs' }, needs: READ },
  restore_checkpoint: {
    args: { checkpoint: 'here', folder: '/docs' },
    needs: [...READ, ...WRITE],
  },
  create_folder: { args: { path: '/docs/new' }, needs: WRITE },
})
