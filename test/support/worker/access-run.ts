/**
 * Runs all requests of the access matrix for one caller.
 *
 * @module
 */

import { PREVIEW_META } from '#core/wire.ts'
import { recordOf } from '#core/json.ts'
import { expect } from 'vitest'
import fc from '../core/random.ts'
import { succeeded, type Answer, type AccessClient } from './access-client.ts'
import { combined, type Caller, type Can, type Extra } from './access-callers.ts'
import { CELLS, type Cell } from './access-routes.ts'
import { FILES, ownersView, createTree, type Workspace } from './access-tree.ts'
import { faultOf, isForbidden } from './access-verdict.ts'

type Twins<T> = readonly [T, T]

/** The same caller in a workspace with the files that are forbidden to it, and in one without. */
export interface Pair {
  readonly workspaces: Twins<Workspace>
  readonly clients: Twins<AccessClient>
  readonly can: Can
  readonly extra: Extra
}

/** Whether the slow or the nightly set runs, which cover all combinations. */
export const IS_THOROUGH = fc.readConfigureGlobal().numRuns !== undefined

export async function pairOf(caller: Caller, extra: Extra): Promise<Pair> {
  const can = combined(caller, extra)
  const workspaces = [await createTree(() => true), await createTree(can.read)] as const
  const enter = (workspace: Workspace) => caller.enter(workspace, extra.configuration)
  const clients = [await enter(workspaces[0]), await enter(workspaces[1])] as const
  return { workspaces, clients, can, extra }
}

/** A status repeats what its caller has asked for before, so it is read before everything else. */
const isStatus = ({ route }: Cell) => route === 'draft_status'
const STATUS = CELLS.filter(isStatus)
const READS = CELLS.filter((cell) => cell.writes !== true && !isStatus(cell))
const WRITES = CELLS.filter((cell) => cell.writes === true)
/** Tools that make links, and leases, have no preview. */
const isChange = ({ route }: Cell) => !['delegate', 'transfer_link', 'lease'].includes(route)
const CHANGES = WRITES.filter(isChange)

/** Sends every request: the status, then those that change nothing, then the changes. */
export async function tryEverything(pair: Pair): Promise<void> {
  const [workspace] = pair.workspaces
  const forbidden = WRITES.filter((cell) => isForbidden(cell, pair.can))
  const permitted = WRITES.filter((cell) => !forbidden.includes(cell))
  const previewed = IS_THOROUGH ? CHANGES : permitted.filter(isChange)
  const faults = await faultsOf(pair, STATUS)
  faults.push(...(await faultsOf(pair, READS)), ...(await faultsOfPreviews(pair, previewed)))
  const before = await ownersView(workspace)
  faults.push(...(await faultsOf(pair, forbidden)))
  expect(faults).toEqual([])
  expect(await ownersView(workspace)).toBe(before)
  // A change that depends on hidden files would make the twins differ from here on.
  for (const cell of permitted.filter(({ depends }) => !depends))
    expect(await faultsOfBound(pair, cell)).toEqual([])
  for (const { path, size } of FILES.filter((file) => !pair.can.write(file.path)))
    expect(await workspace.raw(path), path).toHaveLength(size)
}

const askBoth = (
  { clients, extra }: Pair,
  { method, params }: Pick<Cell, 'method' | 'params'>,
  more: Twins<object>,
): Promise<Twins<Answer>> => {
  const ask = (index: 0 | 1) =>
    clients[index].ask(method, params, { ...extra.meta, ...more[index] })
  return Promise.all([ask(0), ask(1)])
}

async function faultsOf(pair: Pair, cells: readonly Cell[], more: object = {}): Promise<string[]> {
  const faults = cells.map(async (cell) => {
    const answers = await askBoth(pair, cell, [more, more])
    return named(pair, cell, answers)
  })
  return (await Promise.all(faults)).flat()
}

/** The failure of one cell, with the details to diagnose it. */
function named(pair: Pair, cell: Cell, answers: Twins<Answer>): string[] {
  const { can, extra } = pair
  const fault = faultOf(cell, [cell.params, extra], answers, can)
  return fault ? [`${JSON.stringify(cell.params)} ${fault}: ${JSON.stringify(answers)}`] : []
}

const FORMS = ['', '.diff', '.json']

/** Previews calls, and reads each preview in one of its forms. */
async function faultsOfPreviews(pair: Pair, cells: readonly Cell[]): Promise<string[]> {
  // The number of previews per principal is limited, and dropped ones would differ between the twins.
  const faults: string[] = []
  for (let at = 0; at < cells.length; at += AT_ONCE)
    faults.push(...(await faultsOfSome(pair, cells.slice(at, at + AT_ONCE))))
  return faults
}

const AT_ONCE = 40

async function faultsOfSome(pair: Pair, cells: readonly Cell[]): Promise<string[]> {
  const faults = cells.map(async (cell, index) => {
    const shown = await askBoth(pair, cell, [{ preview: true }, { preview: true }])
    const found = named(pair, cell, shown)
    if (!shown.every(succeeded)) return found
    const form = FORMS[index % FORMS.length] ?? ''
    const [one, other] = shown.map((answer) => `ui://${cell.route}/${idOf(answer)}${form}`)
    const { clients, extra } = pair
    const read = (client: AccessClient, uri = '') =>
      client.ask('resources/read', { uri }, extra.meta)
    const answers = [await read(clients[0], one), await read(clients[1], other)] as const
    return [...found, ...named(pair, { ...cell, mayFail: true }, answers)]
  })
  return (await Promise.all(faults)).flat()
}

/** Previews a call and then applies it, bound to the preview. Earlier calls may have changed the needed paths. */
async function faultsOfBound(pair: Pair, cell: Cell): Promise<string[]> {
  const after = { ...cell, mayFail: true }
  const shown = await askBoth(pair, cell, [{ preview: true }, { preview: true }])
  const bound = (answer: Answer) => (succeeded(answer) ? { [PREVIEW_META]: idOf(answer) } : {})
  const done = await askBoth(pair, cell, [bound(shown[0]), bound(shown[1])])
  return [...named(pair, after, shown), ...named(pair, after, done)]
}

function idOf({ body }: Answer): string {
  const change = recordOf(recordOf(recordOf(body['result'])['_meta'])['dev.edgewise/change'])
  return String(change['id'])
}
