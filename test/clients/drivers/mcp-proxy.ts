/** mcp-proxy over mcp-remote: HTTP to stdio to HTTP, two bridges in a row. @module */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../../../scripts/port.ts'
import type { Driver } from '../session.ts'
import { asSession, program } from '../stdio.ts'

const TRIES = 60

export const driver: Driver = {
  async open({ url }, mode) {
    const port = await freePort()
    const bridge = [program('mcp-remote/dist/proxy.js'), url]
    const how = ['--port', String(port), ...(mode === 'modern' ? ['--modern'] : [])]
    const proxy = [program('mcp-proxy/dist/bin/mcp-proxy.mjs'), ...how]
    const child = spawn(process.execPath, [...proxy, '--', process.execPath, ...bridge], {
      stdio: 'ignore',
    })
    const client = await connect(`http://localhost:${port}/mcp`, mode)
    const close = async () => {
      await client.close()
      child.kill()
      await once(child, 'exit')
    }
    return { ...asSession(client), close }
  },
}

async function connect(url: string, mode: string): Promise<Client> {
  for (let left = TRIES; ; left--) {
    const negotiation = mode === 'modern' ? { pin: '2026-07-28' } : ('legacy' as const)
    const client = new Client(
      { name: 'judge', version: '1' },
      { versionNegotiation: { mode: negotiation } },
    )
    try {
      await client.connect(new StreamableHTTPClientTransport(new URL(url)))
      return client
    } catch (error) {
      if (left === 0) throw error
      await setTimeout(250)
    }
  }
}
