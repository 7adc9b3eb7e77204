/** The reference server "everything", over HTTP, as an unknown server for the console. @module */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../../../scripts/port.ts'
import { NODE, ROOT } from '../e2e/run.ts'
import type { Site } from './app-servers.ts'

const SCRIPT = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'

export async function startEverything(): Promise<Site> {
  const port = await freePort()
  const url = `http://localhost:${port}/mcp`
  const env = { ...process.env, PORT: String(port) }
  const child = spawn(NODE, [SCRIPT, 'streamableHttp'], { cwd: ROOT, env, stdio: 'ignore' })
  const gone = once(child, 'exit')
  await untilAnswering(url)
  const close = async () => {
    child.kill('SIGKILL')
    await gone
  }
  return { url, close }
}

/** Waits until a server answers, with whatever status. */
export async function untilAnswering(url: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const answer = await fetch(url).catch(() => null)
    if (answer) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`Nothing answers at ${url}`)
}
