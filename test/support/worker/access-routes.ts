/**
 * The routes of the access matrix: every tool and every method, with what each request needs.
 *
 * @module
 */

import { FILES, versionOf, type Planted } from './access-tree.ts'

export type Action = 'read' | 'write'

/** One request, with the access that it needs. */
export interface Cell {
  readonly route: string
  readonly method: string
  readonly params: Record<string, unknown>
  readonly needs: readonly (readonly [Action, string])[]
  /** It may fail although the caller has the needed access. */
  readonly mayFail?: boolean
  /** Whether it would change files. */
  readonly writes?: boolean
  /**
   * Why its result may depend on what the caller may not read:
   * - `write-only`: a caller that may write and not read learns whether its write succeeded
   * - `subtree`: a folder with something in it that may not be changed is neither moved nor deleted
   */
  readonly depends?: 'write-only' | 'subtree'
}

const FOLDERS = ['/', '/docs', '/docs/private-jade', '/vault-kelp']
const COME = ['/docs', '/docs/private-jade', '/vault-kelp', '/outside-lapis', '/drop-mint']

const call = (name: string, args: Record<string, unknown>): Omit<Cell, 'needs'> => ({
  route: name,
  method: 'tools/call',
  params: { name, arguments: args },
})
const reads = (path: string) => [['read', path]] as const
const rewrites = (path: string) =>
  [
    ['read', path],
    ['write', path],
  ] as const
const writes = (path: string) => [['write', path]] as const
const perFile = (cell: (file: Planted) => Cell) => FILES.map(cell)
const perFolder = (cell: (folder: string) => Omit<Cell, 'needs' | 'mayFail'>): Cell[] =>
  FOLDERS.map((folder) => ({ ...cell(folder), needs: [], mayFail: true }))
const anyway = (cell: Omit<Cell, 'needs'>): Cell => ({ ...cell, needs: [], mayFail: true })

/** The requests for each tool. A tool without a row fails the test. */
export const TOOL_ROWS: Readonly<Record<string, readonly Cell[]>> = {
  list_roots: [anyway(call('list_roots', {}))],
  draft_status: [anyway(call('draft_status', {}))],
  find_files: perFolder((root) => call('find_files', { root })),
  search_files: [
    ...perFolder((root) => call('search_files', { root, pattern: 'canary' })),
    ...perFile(({ path }) => ({
      ...call('search_files', { root: path, pattern: 'canary' }),
      needs: reads(path),
    })),
  ],
  read_file: perFile(({ path }) => ({ ...call('read_file', { path }), needs: reads(path) })),
  read_multiple_files: perFile(({ path }) => ({
    ...call('read_multiple_files', { paths: [path, '/nowhere/nothing'] }),
    needs: reads(path),
    mayFail: true,
  })),
  write_file: [
    ...perFile(({ path }) => ({
      ...call('write_file', { path, content: 'new' }),
      needs: writes(path),
      writes: true,
    })),
    ...perFile(({ path }) => ({
      ...call('write_file', { path, content_base64: btoa('bytes') }),
      needs: writes(path),
      writes: true,
    })),
    ...perFile((file) => ({
      ...call('write_file', { path: file.path, content: 'x', mode: 'append' }),
      needs: rewrites(file.path),
      writes: true,
    })),
    ...perFile((file) => ({
      ...call('write_file', { path: file.path, content: 'x', if_version: versionOf(file) }),
      needs: rewrites(file.path),
      writes: true,
      mayFail: true,
    })),
    ...perFile(({ path }) => ({
      ...call('write_file', { path: `${path}/below`, content: 'x' }),
      needs: writes(`${path}/below`),
      writes: true,
      mayFail: true,
      depends: 'write-only',
    })),
  ],
  edit_file: perFile(({ path, word }) => ({
    ...call('edit_file', { path, edits: [{ find: `canary-${word}`, replace: 'edited' }] }),
    needs: rewrites(path),
    writes: true,
    mayFail: true,
  })),
  move_file: [
    ...perFile(({ path }) => ({
      ...call('move_file', { from: path, to: '/docs/moved' }),
      needs: [...rewrites(path), ...writes('/docs/moved')],
      writes: true,
    })),
    ...perFile(({ path }) => ({
      ...call('move_file', { from: '/docs/open-amber.md', to: path }),
      needs: [...writes('/docs/open-amber.md'), ...writes(path)],
      writes: true,
      mayFail: true,
      depends: 'write-only',
    })),
    ...COME.map((folder) => ({
      ...call('move_file', { from: '/docs/open-amber.md', to: `${folder}/come` }),
      needs: [...writes('/docs/open-amber.md'), ...writes(`${folder}/come`)],
      writes: true,
      mayFail: true,
    })),
    ...perFolder((from) => ({
      ...call('move_file', { from, to: '/docs/moved' }),
      writes: true,
      depends: 'subtree',
    })),
  ],
  copy_file: [
    ...perFile(({ path }) => ({
      ...call('copy_file', { from: path, to: '/docs/copied' }),
      needs: [...reads(path), ...writes('/docs/copied')],
      writes: true,
    })),
    ...COME.map((folder) => ({
      ...call('copy_file', { from: '/docs/open-amber.md', to: `${folder}/copied` }),
      needs: [...reads('/docs/open-amber.md'), ...writes(`${folder}/copied`)],
      writes: true,
      mayFail: true,
    })),
    ...perFolder((from) => ({
      ...call('copy_file', { from, to: '/docs/copied' }),
      writes: true,
    })),
  ],
  delete_file: [
    ...perFile(({ path }) => ({
      ...call('delete_file', { path }),
      needs: writes(path),
      writes: true,
      depends: 'write-only',
    })),
    ...perFolder((path) => ({
      ...call('delete_file', { path }),
      writes: true,
      depends: 'subtree',
    })),
  ],
  transfer_link: [
    ...perFile(({ path }) => ({
      ...call('transfer_link', { path, direction: 'download' }),
      needs: reads(path),
      writes: true,
    })),
    ...perFile(({ path }) => ({
      ...call('transfer_link', { path, direction: 'upload' }),
      needs: writes(path),
      writes: true,
    })),
  ],
  delegate: [anyway({ ...call('delegate', { label: 'next' }), writes: true })],
  list_folder: perFolder((path) => call('list_folder', { path })),
  file_history: perFile(({ path }) => ({ ...call('file_history', { path }), needs: reads(path) })),
  list_changes: [
    anyway(call('list_changes', {})),
    anyway(call('list_changes', { actor: 'gardener' })),
    ...perFolder((path) => call('list_changes', { path })),
  ],
  restore_file: perFile((file) => ({
    ...call('restore_file', { path: file.path, version: versionOf(file) }),
    needs: rewrites(file.path),
    writes: true,
  })),
  undo_change: perFile(({ path, change }) => ({
    ...call('undo_change', { id: change }),
    needs: rewrites(path),
    writes: true,
    mayFail: true,
  })),
  create_checkpoint: [anyway({ ...call('create_checkpoint', { name: 'here' }), writes: true })],
  list_checkpoints: [anyway(call('list_checkpoints', {}))],
  compare_checkpoints: [
    anyway(call('compare_checkpoints', { from: 'start' })),
    ...perFolder((folder) => call('compare_checkpoints', { from: 'start', folder })),
  ],
  restore_checkpoint: [
    anyway({ ...call('restore_checkpoint', { checkpoint: 'start' }), writes: true }),
    ...perFolder((folder) => ({
      ...call('restore_checkpoint', { checkpoint: 'start', folder }),
      writes: true,
      depends: 'subtree',
    })),
  ],
  create_folder: [
    ...COME.map((folder) => ({
      ...call('create_folder', { path: `${folder}/new` }),
      needs: writes(`${folder}/new`),
      writes: true,
    })),
    ...perFile(({ path }) => ({
      ...call('create_folder', { path }),
      needs: writes(path),
      writes: true,
      mayFail: true,
      depends: 'write-only',
    })),
  ],
}

const uriOf = (path: string) => `file://${path}`
const rpc = (method: string, params: Record<string, unknown>) => ({ route: method, method, params })
const template = { type: 'ref/resource', uri: 'file:///{+path}' }

/** The requests for each method. A method of the server without a row fails the test. */
export const METHOD_ROWS: Readonly<Record<string, readonly Cell[]>> = {
  'tools/list': [anyway(rpc('tools/list', {}))],
  'tools/call': [],
  'resources/list': [anyway(rpc('resources/list', {}))],
  'resources/templates/list': [anyway(rpc('resources/templates/list', {}))],
  'resources/read': [
    ...perFile(({ path }) => ({
      ...rpc('resources/read', { uri: uriOf(path) }),
      needs: reads(path),
    })),
    ...FILES.flatMap(({ path, change }) =>
      ['', '.diff', '.json'].map((form) => ({
        ...rpc('resources/read', { uri: `ui://write_file/${change}${form}` }),
        needs: reads(path),
        mayFail: true,
      })),
    ),
  ],
  'completion/complete': ['', 'docs/', 'docs/p', 'v', 'vault-kelp/', 'outside-lapis/o'].map(
    (value) =>
      anyway(rpc('completion/complete', { ref: template, argument: { name: 'path', value } })),
  ),
}

/** Methods without files, and those that `notifications.slow.test.ts` covers. */
export const OTHER_METHODS = [
  'initialize',
  'notifications/initialized',
  'ping',
  'server/discover',
  'subscriptions/listen',
  'resources/subscribe',
  'resources/unsubscribe',
]

export const CELLS: readonly Cell[] = [
  ...Object.values(TOOL_ROWS),
  ...Object.values(METHOD_ROWS),
].flat()
