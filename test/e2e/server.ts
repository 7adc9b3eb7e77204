/**
 * The product, started the way a person starts it: `npm start` with a port and a folder of its own.
 *
 * @module
 */

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { NODE, ROOT } from './run.ts'

export interface Server {
  readonly url: string
  /** What it has written to stderr so far. */
  complaints(): string
  /** Asks it to end, as Ctrl+C does, and waits until it has. Answers its exit code. */
  stop(): Promise<number | null>
}

/** Starts the product on a folder for its data and waits until it is ready. */
export async function startServer(data: string): Promise<Server> {
  const port = await freePort()
  const env = { ...process.env, PORT: String(port), EDGEWISE_DATA: data }
  const child = spawn(NODE, ['scripts/start.ts'], { cwd: ROOT, env })
  const exit = once(child, 'exit')
  const kill = () => child.kill()
  process.once('exit', kill)
  const stderr = listen(child.stderr)
  await untilReady(child, stderr)
  return {
    url: `http://localhost:${port}`,
    complaints: stderr,
    async stop() {
      process.removeListener('exit', kill)
      child.kill()
      const [code]: (number | null)[] = await exit
      return code ?? null
    },
  }
}

function listen(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return () => text
}

function untilReady(child: ChildProcess, stderr: () => string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  child.stdout?.on('data', (chunk: Buffer) => {
    if (chunk.toString().includes('is running')) resolve()
  })
  child.once('exit', () => reject(new Error(`The product did not start:\n${stderr()}`)))
  return promise
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('A server has a port')
  return address.port
}
