/**
 * Every tool with arguments that are in order, and what its caller has to hold for them.
 *
 * @module
 */

export interface Use {
  readonly args: Readonly<Record<string, unknown>>
  /** The scopes that a caller who holds none of them is told of, before anything is looked at. */
  readonly needs: readonly string[]
}

const path = '/docs/a.txt'
const READ = ['read:file:/docs']
const WRITE = ['write:file:/docs']

/** `change` is the id of a change that there may be. */
export const usesOf = (change: string): Readonly<Record<string, Use>> => ({
  list_roots: { args: {}, needs: [] },
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
  // What it hands on is never more than its caller holds, so it asks for nothing.
  delegate: { args: { label: 'helper' }, needs: [] },
  list_folder: { args: { path: '/docs' }, needs: READ },
  file_history: { args: { path }, needs: READ },
  list_changes: { args: { path: '/docs' }, needs: READ },
  restore_file: { args: { path, version: 1 }, needs: [...READ, ...WRITE] },
  // Which files it concerns is not known before; it is refused when that is.
  undo_change: { args: { id: change }, needs: [] },
  transfer_link: { args: { path, direction: 'download' }, needs: READ },
  create_folder: { args: { path: '/docs/new' }, needs: WRITE },
})
