/**
 * The product with a port and a folder of its own: in this process, or started the way a person starts it, by
 * `npm start`.
 *
 * @module
 */

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect } from 'vitest'
import { freePort } from '../../../scripts/port.ts'
import { removeFolder, temporaryFolder } from './folder.ts'
import { startHere } from './product.ts'
import { COMPILED, NODE, ROOT } from './run.ts'
import { variablesAt, type Given, type Running } from './running.ts'

export interface Server {
  readonly url: string
  /** What it has written to stdout since it was started. */
  stdout(): string
  /** Ends the product and starts it again on the same data, at another address. */
  restart(): Promise<void>
}

/** A server for all tests of a file, in this process. Its stderr must stay empty. */
export const useServer = (variables: Given = {}): Server => useStarted(startHere, variables)

/** The same in a process of its own, for tests of `npm start` itself. */
export const useProgram = (variables: Given = {}): Server => useStarted(startProduct, variables)

type Start = (data: string, variables: Given) => Promise<Running>

function useStarted(startIn: Start, variables: Given): Server {
  const data = temporaryFolder()
  let running: Running | undefined
  const current = () => {
    if (!running) throw new Error('The server runs in tests and hooks only')
    return running
  }
  const start = async () => void (running = await startIn(data, variables))
  const stop = async () => {
    expect(await current().stop()).toBe(0)
    expect(current().complaints()).toBe('')
  }
  beforeAll(start)
  afterAll(async () => {
    await stop()
    removeFolder(data)
  })
  return {
    get url() {
      return current().url
    },
    stdout: () => current().stdout(),
    restart: () => stop().then(start),
  }
}

/** Starts it on a free port, with a folder for its data, and flags; `through` is a command that runs another. */
export async function startProduct(
  data: string,
  variables: Given = {},
  through: readonly string[] = [],
  flags: readonly string[] = [],
): Promise<Running> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const given = variablesAt(url, variables)
  const env = { ...process.env, ...COMPILED, ...given, PORT: String(port), EDGEWISE_DATA: data }
  const [program, ...rest] = [...through, NODE]
  const child = spawn(program ?? NODE, [...rest, 'scripts/start.ts', ...flags], { cwd: ROOT, env })
  const exit = once(child, 'exit')
  const kill = () => child.kill()
  process.once('exit', kill)
  const complaints = collect(child.stderr)
  const stdout = collect(child.stdout)
  await untilReady(child, complaints)
  const stop = async (): Promise<number | null> => {
    process.removeListener('exit', kill)
    child.kill()
    await exit
    return child.exitCode
  }
  return { url, complaints, stdout, stop }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return () => text
}

function untilReady(child: ChildProcess, complaints: () => string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  child.stdout?.on('data', (chunk: Buffer) => {
    if (chunk.toString().includes('is running')) resolve()
  })
  child.once('exit', () => reject(new Error(`The product did not start:\n${complaints()}`)))
  return promise
}
