/**
 * Dollars of a million calls at Cloudflare's list prices, beside the least that such a call costs: a request to an object
 * that answers, or one that writes a row.
 *
 * Rows, requests and R2 operations are those that `test/worker/observe/cost.test.ts` counts; CPU time is measured here.
 * A peer is one more {@link Contender} of the same call.
 *
 * @module
 */

import { cpuPerCall } from '../cpu-time.ts'
import type { Figure } from '../figure.ts'
import { encodeRequest } from '../http.ts'
import type { Target } from '../load.ts'
import { interleave } from '../median.ts'
import { pricePerMillion, type CallUsage } from '../../scripts/prices.ts'
import type { Context, Row } from '../row.ts'
import { TOOL_COSTS } from '../../scripts/tool-costs.ts'
import { put, waitForIndex } from '../upload.ts'
import { modern, toolCall, type Params } from '../wire.ts'
import type { Server } from '../workerd.ts'

/** A product whose call is priced. */
interface Contender {
  readonly name: string
  readonly server: Server
  readonly usage: CallUsage
  readonly target: Target
  /** Waits for the work that calls leave behind. */
  readonly settle?: () => Promise<unknown>
}

interface Call {
  /** The name in `scripts/tool-costs.ts`. */
  readonly name: string
  readonly tool: string
  readonly next: () => Params
  readonly marker: string
  /** Whether it changes something, so that the baseline writes a row. */
  readonly writes?: boolean
}

const LINE = 'const answer = compute(question) // 64 characters with a newline\n'
const KIB_4 = LINE.repeat(63)
const FILES = 250
const NOTHING: CallUsage = { requests: 1, rowsRead: 0, rowsWritten: 0, classA: 0, classB: 0 }
let count = 0

const CALLS: readonly Call[] = [
  {
    name: 'read_file',
    tool: 'read_file',
    next: () => ({ path: 'cost/file-1.ts' }),
    marker: LINE.trim(),
  },
  {
    name: 'find_files, a page of 200',
    tool: 'find_files',
    next: () => ({ pattern: '*.ts', root: 'cost', glob: true, limit: 200 }),
    marker: '"count":200',
  },
  {
    name: 'search_files, 5 of 250 files',
    tool: 'search_files',
    next: () => ({ pattern: 'needle', root: 'cost' }),
    marker: '"total_files":5,',
  },
  {
    name: 'list_folder, 250 entries',
    tool: 'list_folder',
    next: () => ({ path: 'cost' }),
    marker: '"entries"',
  },
  {
    name: 'write_file, a new file',
    tool: 'write_file',
    next: () => ({ path: `new/file-${++count}.ts`, content: `${KIB_4}${count}\n` }),
    marker: '"version":',
    writes: true,
  },
  {
    name: 'write_file, an existing file',
    tool: 'write_file',
    next: () => ({ path: 'new/same.ts', content: `${KIB_4}${++count}\n` }),
    marker: '"version":',
    writes: true,
  },
]

/** The rows of costs. */
export const rows: Row[] = CALLS.map((call) => ({
  name: `cost-${call.name.replaceAll(/[ ,]+/g, '-')}`,
  goal: 'reported',
  run: (context: Context) => compare(context, call),
}))

async function compare(context: Context, call: Call): Promise<Figure[]> {
  const ours = await product(context, call)
  const least = call.writes ? await writtenRow(context) : await bareHop(context, call)
  const { rounds, seconds } = context.scale
  const cpu = await interleave(rounds, {
    ours: () => cpuOf(ours, seconds),
    least: () => cpuOf(least, seconds),
  })
  return [
    {
      work: `a million calls of ${call.name}`,
      unit: '$',
      edgewise: pricePerMillion(ours.usage, cpu.ours),
      baseline: { name: least.name, value: pricePerMillion(least.usage, cpu.least) },
      cost: { call: call.name, cpuMs: cpu.ours },
    },
  ]
}

const cpuOf = ({ server, target, settle }: Contender, seconds: number) =>
  cpuPerCall(server, target, seconds, settle)

const filled = new WeakMap<Server, Promise<void>>()

async function product(context: Context, call: Call): Promise<Contender> {
  const server = await context.product('cost')
  const filling = filled.get(server) ?? fill(server)
  filled.set(server, filling)
  await filling
  const usage = TOOL_COSTS[call.name]
  if (!usage) throw new Error(`${call.name} is not counted`)
  const request = () => toolCall(modern, call.tool, call.next())
  const target = { name: 'Edgewise', port: server.port, request, marker: call.marker }
  return { name: 'Edgewise', server, usage, target, settle: () => waitForIndex(server) }
}

async function fill(server: Server): Promise<void> {
  for (let file = 0; file < FILES; file++)
    await put(server, `/files/cost/file-${file}.ts`, textOf(file))
  await waitForIndex(server)
}

const textOf = (file: number) => `${KIB_4}${file % (FILES / 5) === 0 ? 'needle' : 'file'} ${file}\n`

async function bareHop(context: Context, call: Call): Promise<Contender> {
  const server = await context.baseline('hop')
  await put(server, '/', `{"text":"${KIB_4.replaceAll('\n', ' ')}"}`)
  const request = () => toolCall(modern, call.tool, call.next())
  const target = { name: 'hop', port: server.port, request, marker: LINE.trim() }
  return { name: 'bare hop to an object', server, usage: NOTHING, target }
}

async function writtenRow(context: Context): Promise<Contender> {
  const server = await context.baseline('write')
  const request = encodeRequest({ method: 'POST', path: `/${KIB_4.length}`, headers: {} })
  const target = { name: 'write', port: server.port, request: () => request, marker: 'written' }
  return { name: 'hop that writes one row', server, usage: { ...NOTHING, rowsWritten: 1 }, target }
}
