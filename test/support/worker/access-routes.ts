/**
 * The routes of the access matrix: every tool and every method, with what each request needs.
 *
 * @module
 */

import { TOOLS } from '#worker/tools/index.ts'
import type { AccessRow, MatrixTree } from '#worker/tools/lib/checked-facts.ts'
import { FILES } from './access-tree.ts'
import { factsOf } from './tool-facts.ts'

/** One request, with the access that it needs. */
export interface Cell extends Omit<AccessRow, 'arguments'> {
  readonly route: string
  readonly method: string
  readonly params: Record<string, unknown>
  /** Whether it would change something. */
  readonly writes?: boolean
}

const TREE: MatrixTree = {
  files: FILES,
  folders: ['/', '/docs', '/docs/private-jade', '/vault-kelp'],
  targets: ['/docs', '/docs/private-jade', '/vault-kelp', '/outside-lapis', '/drop-mint'],
}

const toolCells: readonly Cell[] = [...TOOLS.values()].flatMap(({ name, kind }) =>
  factsOf(name)
    .access(TREE)
    .map(({ arguments: args, ...needs }) => ({
      ...needs,
      route: name,
      method: 'tools/call',
      params: { name, arguments: args },
      writes: kind !== 'read',
    })),
)

const uriOf = (path: string) => `file://${path}`
const reads = (path: string) => [['read', path]] as const
const withoutNeeds = (cell: Omit<Cell, 'needs'>): Cell => ({ ...cell, needs: [], mayFail: true })
const rpc = (method: string, params: Record<string, unknown>) => ({ route: method, method, params })
const template = { type: 'ref/resource', uri: 'file:///{+path}' }

/** The requests for each method. A method of the server without a row fails the test. */
export const METHOD_ROWS: Readonly<Record<string, readonly Cell[]>> = {
  'tools/list': [withoutNeeds(rpc('tools/list', {}))],
  'tools/call': [],
  'resources/list': [withoutNeeds(rpc('resources/list', {}))],
  'resources/templates/list': [withoutNeeds(rpc('resources/templates/list', {}))],
  'resources/read': [
    ...FILES.map(({ path }) => ({
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
  'resources/directory/read': TREE.folders.flatMap((folder) =>
    [folder, `${folder}/`, `${folder}/none`].map((path) =>
      withoutNeeds(rpc('resources/directory/read', { uri: uriOf(path) })),
    ),
  ),
  'skills/list': [withoutNeeds(rpc('skills/list', {}))],
  'skills/get': [withoutNeeds(rpc('skills/get', { uri: 'skill://key-cobalt/SKILL.md' }))],
  'prompts/list': [withoutNeeds(rpc('prompts/list', {}))],
  'prompts/get': [withoutNeeds(rpc('prompts/get', { name: 'key-cobalt' }))],
  'completion/complete': ['', 'docs/', 'docs/p', 'v', 'vault-kelp/', 'outside-lapis/o'].map(
    (value) =>
      withoutNeeds(
        rpc('completion/complete', { ref: template, argument: { name: 'path', value } }),
      ),
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

export const CELLS: readonly Cell[] = [...toolCells, ...Object.values(METHOD_ROWS).flat()]
