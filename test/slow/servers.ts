/**
 * The two servers that are judged: the product as a person starts it, and the fixture in workerd.
 *
 * Both listen on free loopback ports and keep what they write in temporary folders.
 *
 * @module
 */

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestHarness } from 'wrangler'

export interface Started {
  /** Where MCP is spoken. */
  readonly url: string
  stop(): Promise<void>
}

export const ROOT = join(import.meta.dirname, '../..')

/** The Node that the project brings; the one that is installed may be older. */
export const NODE = join(ROOT, 'node_modules/.bin/node')

export const temporary = () => mkdtempSync(join(tmpdir(), 'edgewise-'))

export async function startFixture(): Promise<Started> {
  const configPath = join(ROOT, 'test/fixture/wrangler.toml')
  const harness = createTestHarness({ workers: [{ configPath }] })
  const { url } = await harness.listen()
  return { url: new URL('/mcp', url).href, stop: () => harness.close() }
}

export async function startProduct(): Promise<Started> {
  const port = await freePort()
  const data = temporary()
  const env = { ...process.env, PORT: String(port), EDGEWISE_DATA: data }
  const started = spawn(NODE, ['scripts/start.ts'], { cwd: ROOT, env })
  await saying('is running', started)
  const stop = async () => {
    started.kill()
    if (started.exitCode === null) await once(started, 'exit')
    rmSync(data, { recursive: true, force: true })
  }
  return { url: `http://127.0.0.1:${port}/mcp`, stop }
}

/** Waits until a process says that it is ready, and fails with what it said when it ends instead. */
function saying(ready: string, process: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let said = ''
  const hear = (text: Buffer) => {
    said += text.toString()
    if (said.includes(ready)) resolve()
  }
  process.stdout?.on('data', hear)
  process.stderr?.on('data', hear)
  process.once('exit', () => reject(new Error(`Cannot start the product:\n${said}`)))
  return promise
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('A server has a port')
  return address.port
}
