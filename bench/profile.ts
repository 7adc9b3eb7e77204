/**
 * CPU time of evaluating a Worker's modules, measured as by `wrangler check startup`: another module imports the entry
 * while the profiler of the inspector runs. Time in which the isolate waits is left out.
 *
 * @module
 */

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { freePort } from '../scripts/port.ts'
import type { WorkerSpec } from './capnp.ts'
import { OUT, startWorkerd, stop } from './workerd.ts'

/** Microseconds between samples. */
const INTERVAL = 100

const LIST_TRIES = 500

const Targets = z.array(z.object({ webSocketDebuggerUrl: z.string() }))
const Profile = z.object({
  nodes: z.array(z.object({ id: z.int(), callFrame: z.object({ functionName: z.string() }) })),
  samples: z.array(z.int()),
  timeDeltas: z.array(z.int()),
})
/** workerd answers some commands without a result. */
const Reply = z.object({ id: z.int(), result: z.unknown().optional() })
const Stopped = z.object({ profile: Profile })

/** Evaluates the modules in a new process and returns the CPU time in milliseconds. */
export async function profileStartup(name: string, spec: WorkerSpec): Promise<number> {
  const inspector = await freePort()
  const options = [`--inspector-addr=127.0.0.1:${inspector}`]
  const server = await startWorkerd(`startup-${name}`, wrap(spec), options)
  try {
    const profiler = await attach(inspector)
    await profiler.send('Profiler.enable')
    await profiler.send('Profiler.setSamplingInterval', { interval: INTERVAL })
    await profiler.send('Profiler.start')
    const answer = await (await fetch(server.url('/'))).text()
    if (answer !== 'evaluated') throw new Error(`Cannot evaluate ${name}: ${answer.slice(0, 400)}`)
    const stopped = await profiler.send('Profiler.stop')
    profiler.close()
    return activeTime(Stopped.parse(stopped).profile)
  } finally {
    await stop(server)
  }
}

/** Adds an entry that imports the former one on its first request. The configuration requires the class. */
function wrap(spec: WorkerSpec): WorkerSpec {
  const [entry = ''] = Object.keys(spec.modules)
  const file = `${OUT}/startup.js`
  writeFileSync(
    file,
    `export class ${spec.className} {}
export default {
  async fetch() {
    await import(${JSON.stringify(entry)})
    return new Response('evaluated')
  },
}
`,
  )
  return { ...spec, modules: { 'startup.js': file, ...spec.modules } }
}

/** The inspector accepts connections before it lists the isolate. */
async function findTarget(port: number): Promise<string> {
  for (let tries = LIST_TRIES; tries > 0; tries--) {
    const listed: unknown = await (await fetch(`http://127.0.0.1:${port}/json`)).json()
    const [target] = Targets.parse(listed)
    if (target) return target.webSocketDebuggerUrl
    await wait(10)
  }
  throw new Error('The inspector lists no isolate')
}

async function attach(port: number) {
  const socket = new WebSocket(await findTarget(port))
  await once(socket, 'open')
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    // Events have no id.
    const reply = Reply.safeParse(JSON.parse(String(data)))
    if (reply.success) waiting.get(reply.data.id)?.(reply.data.result)
  })
  let lastId = 0
  function send(method: string, params: object = {}): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    waiting.set(++lastId, resolve)
    socket.send(JSON.stringify({ id: lastId, method, params }))
    return promise
  }
  return { send, close: () => socket.close() }
}

/** Names of samples in which no code of the Worker and no garbage collection ran. */
const OTHER = new Set(['(root)', '(program)', '(idle)'])

function activeTime({ nodes, samples, timeDeltas }: z.infer<typeof Profile>): number {
  const other = new Set(
    nodes.filter(({ callFrame }) => OTHER.has(callFrame.functionName)).map(({ id }) => id),
  )
  const active = timeDeltas.filter((_, index) => !other.has(samples[index] ?? -1))
  return active.reduce((sum, delta) => sum + delta, 0) / 1000
}
