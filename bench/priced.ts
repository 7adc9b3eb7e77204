/**
 * Products whose calls are priced: Edgewise, the peers, and the least that such a call costs.
 *
 * What Edgewise uses is counted by `test/platform/observe/cost.test.ts`. What a peer uses is counted here, in an object
 * of its own, because counting takes time.
 *
 * @module
 */

import { z } from 'zod'
import { cpuPerCall } from './cpu-time.ts'
import { encodeRequest } from './http.ts'
import { once, type Target } from './load.ts'
import { startPeers, type PeerServer } from './peers.ts'
import {
  filesToRead,
  MARKER,
  ownCalls,
  pricedCalls,
  TEXT,
  type PricedCall,
} from './priced-calls.ts'
import type { CallUsage } from '../worker/tools/lib/checked-facts.ts'
import type { Context } from './row.ts'
import { TOOL_COSTS } from '../scripts/tool-facts.ts'
import { put, waitForIndex } from './upload.ts'
import { modern, modernAt, toolCall, type Wire } from './wire.ts'
import type { Server } from './workerd.ts'

/** A product and its calls. */
export interface Contender {
  readonly title: string
  /** Counts what a call uses. */
  readonly count: (call: PricedCall) => Promise<CallUsage>
  /** Measures the CPU time of a call in milliseconds. */
  readonly cpu: (call: PricedCall, seconds: number) => Promise<number>
}

const NOTHING: CallUsage = { requests: 1, rowsRead: 0, rowsWritten: 0, classA: 0, classB: 0 }

/** Starts Edgewise with the files. */
export async function openProduct(context: Context): Promise<Contender> {
  const server = await context.product('cost')
  for (const [path, text] of filesToRead) await put(server, `/files${path}`, text)
  await waitForIndex(server)
  const target = createTargets(server, 0)
  return {
    title: 'Edgewise',
    async count({ name }) {
      const usage = TOOL_COSTS[name]
      if (!usage) throw new Error(`${name} is not counted`)
      return usage
    },
    cpu: (call, seconds) =>
      cpuPerCall(server, target(call), {
        seconds,
        settle: () => waitForIndex(server),
        inTurn: call.inTurn === true,
      }),
  }
}

/** Starts the peers with the files. */
export async function openPeers(context: Context): Promise<Contender[]> {
  const { shell, computer } = await startPeers(context, 'cost')
  return Promise.all([shell, computer].map(openPeer))
}

async function openPeer({ title, server }: PeerServer): Promise<Contender> {
  for (const object of ['default', 'counted'])
    await put(server, `/${object}`, JSON.stringify(filesToRead))
  const measured = createTargets(server, 1)
  const counted = createTargets(server, 1, modernAt('/mcp?counted'))
  return {
    title,
    count: (call) => countPeer(server, counted(call)),
    cpu: (call, seconds) =>
      cpuPerCall(server, measured(call), { seconds, inTurn: call.inTurn === true }),
  }
}

const Usage = z.object({
  rowsRead: z.number(),
  rowsWritten: z.number(),
  classA: z.number(),
  classB: z.number(),
})

/** Calls over which rows are averaged. */
const COUNTED_CALLS = 20

/** The first call may create tables, so it does not count. No peer sets an alarm, so a call is one request. */
async function countPeer(server: Server, target: Target): Promise<CallUsage> {
  const take = async () => Usage.parse(await (await fetch(server.url('/counted'))).json())
  await once(target)
  await take()
  for (let call = 0; call < COUNTED_CALLS; call++) await once(target)
  const used = await take()
  const average = (sum: number) => sum / COUNTED_CALLS
  return {
    requests: 1,
    rowsRead: average(used.rowsRead),
    rowsWritten: average(used.rowsWritten),
    classA: average(used.classA),
    classB: average(used.classB),
  }
}

/** Creates the requests of each call; `product` is 0 for Edgewise and 1 for a peer. */
function createTargets(server: Server, product: 0 | 1, wire: Wire = modern) {
  const calls = new Map([...pricedCalls(), ...ownCalls()].map((call) => [call.name, call]))
  return ({ name }: PricedCall): Target => {
    const call = calls.get(name)
    const marker = call?.markers[product]
    if (!call || marker === undefined) throw new Error(`${name} is no call of this product`)
    const request = () => toolCall(wire, call.tool, call.next())
    return { name, port: server.port, marker, request }
  }
}

/** Starts the least that a call costs: an object that answers, or one that writes a row. */
export async function openLeast(context: Context): Promise<Record<'hop' | 'write', Contender>> {
  const [hop, write] = [await context.baseline('hop'), await context.baseline('write')]
  const setHop = () => put(hop, '/', `{"text":"${TEXT.replaceAll('\n', ' ')}"}`)
  const written = encodeRequest({ method: 'POST', path: `/${TEXT.length}`, headers: {} })
  const target = { name: 'write', port: write.port, request: () => written, marker: 'written' }
  return {
    hop: {
      title: 'bare hop to an object',
      count: async () => NOTHING,
      async cpu({ tool, next }, seconds) {
        await setHop() // other rows set another answer
        const request = () => toolCall(modern, tool, next())
        return cpuPerCall(
          hop,
          { name: 'hop', port: hop.port, request, marker: MARKER },
          { seconds },
        )
      },
    },
    write: {
      title: 'hop that writes one row',
      count: async () => ({ ...NOTHING, rowsWritten: 1 }),
      cpu: (_, seconds) => cpuPerCall(write, target, { seconds }),
    },
  }
}
