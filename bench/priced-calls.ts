/**
 * The calls whose costs are compared, and the files that they find.
 *
 * @module
 */

import type { Params } from './wire.ts'

/** A call that can be made any number of times. */
export interface PricedCall {
  /** The name in `scripts/tool-costs.ts`. */
  readonly name: string
  readonly tool: string
  readonly next: () => Params
  /** Text of every correct response of the product, and of a peer. */
  readonly markers: readonly [product: string, peer?: string]
  /** Whether it changes something, so that the baseline writes a row. */
  readonly writes?: boolean
  /** Whether each call needs what the one before has written. */
  readonly inTurn?: boolean
}

const LINE = 'const answer = compute(question) // 64 characters with a newline\n'
const KIB_4 = LINE.repeat(63)
const FILES = 250
const EDITED = '/new/edited.ts'

/** A text of 4 KiB. */
export const TEXT = KIB_4

/** A part of every file. */
export const MARKER = LINE.trim()

/** What every contender has, as pairs of path and content. */
export const filesToRead: readonly (readonly [path: string, text: string])[] = [
  ...Array.from({ length: FILES }, (_, file) => [`/cost/file-${file}.ts`, textOf(file)] as const),
  [EDITED, `${KIB_4}${token(0)}\n`],
]

function textOf(file: number): string {
  return `${KIB_4}${file % (FILES / 5) === 0 ? 'needle' : 'file'} ${file}\n`
}

function token(count: number): string {
  return `token-${String(count).padStart(8, '0')}`
}

/** Creates the calls for one contender, as an edit needs the text of the one before. */
export function pricedCalls(): PricedCall[] {
  let [edits, writes] = [0, 0]
  return [
    {
      name: 'read_file',
      tool: 'read_file',
      next: () => ({ path: '/cost/file-1.ts' }),
      markers: [MARKER, MARKER],
    },
    {
      name: 'list_folder, 250 entries',
      tool: 'list_folder',
      next: () => ({ path: '/cost' }),
      markers: ['"entries"', 'file-1.ts'],
    },
    {
      name: 'find_files, a page of 200',
      tool: 'find_files',
      next: () => ({ pattern: '*.ts', root: '/cost', glob: true, limit: 200 }),
      markers: ['"count":200', '/cost/file-1.ts'],
    },
    {
      name: 'search_files, 5 of 250 files',
      tool: 'search_files',
      next: () => ({ pattern: 'needle' }),
      markers: ['"total_files":5,', '\\"total\\":5,'],
    },
    {
      name: 'edit_file',
      tool: 'edit_file',
      next: () => ({
        path: EDITED,
        edits: [{ find: token(edits), replace: token(++edits) }],
      }),
      markers: ['"match_count":1', 'edited '],
      writes: true,
      inTurn: true,
    },
    {
      name: 'write_file, a new file',
      tool: 'write_file',
      next: () => ({ path: `/new/file-${++writes}.ts`, content: `${KIB_4}${writes}\n` }),
      markers: ['"version":', 'wrote '],
      writes: true,
    },
    {
      name: 'write_file, an existing file',
      tool: 'write_file',
      next: () => ({ path: '/new/same.ts', content: `${KIB_4}${++writes}\n` }),
      markers: ['"version":', 'wrote '],
      writes: true,
    },
  ]
}

/** Creates calls that no peer has, of which CPU time is measured, too. */
export function ownCalls(): PricedCall[] {
  let count = 0
  const read = (tool: string, args: Params, marker: string): PricedCall => {
    return { name: tool, tool, next: () => args, markers: [marker] }
  }
  const write = (tool: string, marker: string, next: () => Params): PricedCall => {
    return { name: tool, tool, next, markers: [marker], writes: true }
  }
  return [
    read('list_roots', {}, '"roots":['),
    read('read_multiple_files', { paths: ['/cost/file-1.ts', '/gone.ts'] }, MARKER),
    read('find_files', { pattern: 'file-1.*', glob: true }, 'file-1.ts'),
    read('file_history', { path: '/cost/file-1.ts', limit: 1 }, '"versions":['),
    read('list_changes', { limit: 1 }, '"changes":['),
    read('draft_status', {}, 'No change waits'),
    write('write_file', 'Created ', () => {
      return { path: `/own/${++count}/file.ts`, content: `${count}\n` }
    }),
    write('create_folder', 'Created ', () => ({ path: `/own/folder-${++count}` })),
    write('copy_file', 'Copied ', () => {
      return { from: '/cost/file-1.ts', to: `/own/copy-${++count}.ts` }
    }),
  ]
}
