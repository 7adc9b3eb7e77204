/** Bridges that speak stdio, driven by the official clients of both generations. @module */

import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bothReadings } from './model-input.ts'
import type { Session } from './session.ts'

const INFO = { name: 'judge', version: '1' }

/** A program of a client's package, with a home folder of its own. */
export async function overStdio(args: string[], sdk: '1' | '2'): Promise<Session> {
  const home = mkdtempSync(join(tmpdir(), 'edgewise-'))
  const env = { ...inherited(), HOME: home, MCP_REMOTE_CONFIG_DIR: home }
  const command = { command: process.execPath, args, env, stderr: 'ignore' as const }
  const client = sdk === '1' ? new ClientV1(INFO) : modernClient()
  if (client instanceof ClientV1) await client.connect(new StdioV1(command))
  else await client.connect(new StdioClientTransport(command))
  return {
    ...asSession(client),
    close: async () => {
      await client.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

const modernClient = () => new Client(INFO, { versionNegotiation: { mode: 'auto' } })

export function asSession(client: Client | ClientV1): Session {
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async ({ name, args }) =>
      bothReadings(await client.callTool({ name, arguments: { ...args } })),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    readResource: async (uri) => JSON.stringify(await client.readResource({ uri })),
    close: () => client.close(),
  }
}

function inherited(): Record<string, string> {
  const entries = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return Object.fromEntries(entries)
}

/** A file of a package that is installed beside this one. */
export const program = (path: string) => join(import.meta.dirname, 'node_modules', path)
