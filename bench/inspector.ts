/**
 * Reads the heap of a running isolate from the V8 inspector of workerd.
 *
 * The memory of the process would count the disk cache of SQLite and workerd itself, but the limit of Cloudflare is one
 * of an isolate.
 *
 * @module
 */

import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'

/** Bytes of an isolate after a garbage collection. */
export interface Heap {
  /** Objects on the heap of V8. */
  readonly heap: number
  /** Contents of array buffers, outside of the heap. */
  readonly buffers: number
}

const targets = z.array(z.object({ webSocketDebuggerUrl: z.string(), title: z.string() }))

const usage = z.object({ usedSize: z.number(), backingStorageSize: z.number().default(0) })

const reply = z.object({ id: z.number(), result: z.unknown() })

const GIVE_UP_MS = 60_000

const POKE_MS = 50

/** A connection to the inspector of one process. workerd serves only one in its life, so it is shared. */
export interface Inspector {
  /** Collects garbage, and returns what is in use after it. */
  measureHeap(): Promise<Heap>
  /**
   * Samples the heap while work runs, and returns the largest value in bytes. Garbage counts, as it would for a limit
   * of the heap.
   */
  measurePeak(work: () => Promise<unknown>): Promise<number>
  close(): void
}

/**
 * Connects to the inspector at a port. workerd runs what V8 has postponed, such as a garbage collection, only with the
 * next request, which `poke` sends.
 */
export async function openInspector(
  port: number,
  poke: () => Promise<unknown>,
): Promise<Inspector> {
  const session = await openSession(port)
  const read = async () => usage.parse(await session.send('Runtime.getHeapUsage'))
  return {
    async measureHeap() {
      let isCollected = false
      const collected = session.send('HeapProfiler.collectGarbage').finally(() => {
        isCollected = true
      })
      while (!isCollected) {
        await wait(POKE_MS)
        await poke()
      }
      await collected
      const { usedSize, backingStorageSize } = await read()
      return { heap: usedSize, buffers: backingStorageSize }
    },
    async measurePeak(work) {
      const peak = { bytes: 0, done: false }
      const sampling = sample(peak, async () => (await read()).usedSize)
      await work().finally(() => (peak.done = true))
      await sampling
      return peak.bytes
    },
    close: session.close,
  }
}

async function sample(peak: { bytes: number; done: boolean }, read: () => Promise<number>) {
  while (!peak.done) {
    peak.bytes = Math.max(peak.bytes, await read())
    await wait(1)
  }
}

async function openSession(port: number) {
  const listed = await fetch(`http://127.0.0.1:${port}/json`)
  const url = targets.parse(await listed.json())[0]?.webSocketDebuggerUrl
  if (url === undefined) throw new Error('The inspector lists no isolate')
  const socket = new WebSocket(url)
  await opened(socket)
  let last = 0
  return {
    close: () => socket.close(),
    send(method: string): Promise<unknown> {
      const id = ++last
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const timer = setTimeout(() => reject(new Error(`No reply to ${method}`)), GIVE_UP_MS)
      const receive = ({ data }: MessageEvent) => {
        const message = reply.safeParse(JSON.parse(String(data)))
        if (!message.success || message.data.id !== id) return
        socket.removeEventListener('message', receive)
        clearTimeout(timer)
        resolve(message.data.result)
      }
      socket.addEventListener('message', receive)
      socket.send(JSON.stringify({ id, method, params: {} }))
      return promise
    },
  }
}

function opened(socket: WebSocket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.addEventListener('open', () => resolve(), { once: true })
  socket.addEventListener('error', () => reject(new Error('Cannot reach the inspector')), {
    once: true,
  })
  return promise
}
