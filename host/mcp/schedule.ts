/**
 * Keeps the page responsive while a server sends much: gathers calls that come in bursts into one, and lets the page
 * have a turn while a stream is read. `test/host/mcp/schedule.test.ts` has cases.
 *
 * @module
 */

/** How calls are gathered, in milliseconds. */
export interface Pace {
  /** The work runs this long after the last call of a burst. */
  readonly delay: number
  /** The least time between two runs; by default none. */
  readonly interval?: number
}

/** Returns a function that runs the work once for a burst of calls. */
export function debounce(work: () => void, { delay, interval = 0 }: Pace): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let earliest = 0
  const run = () => {
    earliest = Date.now() + interval
    work()
  }
  return () => {
    clearTimeout(timer)
    timer = setTimeout(run, Math.max(delay, earliest - Date.now()))
  }
}

/** Longest time (ms) for which a stream is read before the page has a turn. */
const TURN_MS = 30

/** Bytes of a stream that are read at a time; what they hold takes about as long as a turn. */
const PIECE_BYTES = 16 * 1024

/**
 * Wraps `fetch`: event streams are read in turns with the page. What has arrived is otherwise read to its end without
 * one, so that a server which sends faster than it is read would stop the page.
 */
export function fetchInTurns(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const answer = await send(input, init)
    const isStream = /^text\/event-stream\b/i.test(answer.headers.get('content-type') ?? '')
    return isStream && answer.body ? new Response(readInTurns(answer.body), answer) : answer
  }
}

function readInTurns(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const reader = body.getReader()
  let rest = new Uint8Array()
  let begun = performance.now()
  async function pull(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>) {
    if (performance.now() - begun > TURN_MS) {
      await untilNextTask()
      begun = performance.now()
    }
    if (rest.length === 0) {
      const { done, value } = await reader.read()
      if (done) return controller.close()
      rest = value
    }
    controller.enqueue(rest.subarray(0, PIECE_BYTES))
    rest = rest.subarray(PIECE_BYTES)
  }
  const cancel = (reason: unknown) => reader.cancel(reason)
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 })
}

/** A timer would wait for a second in a page that is hidden. */
function untilNextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  const { promise, resolve } = Promise.withResolvers<void>()
  port1.onmessage = () => {
    port1.close()
    resolve()
  }
  port2.postMessage(null)
  return promise
}
