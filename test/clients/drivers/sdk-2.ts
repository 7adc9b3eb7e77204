/** The official SDK 2.x in each of its modes, with the tools listed before and without. @module */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { bothReadings } from '../model-input.ts'
import type { Driver } from '../session.ts'

const MODES = { legacy: 'legacy', auto: 'auto', modern: { pin: '2026-07-28' } } as const

export const driver: Driver = {
  async open({ url }, mode) {
    const client = await connect(url, mode)
    return {
      tools: async () => {
        const lister = mode.endsWith('unlisted') ? await connect(url, mode) : client
        return (await lister.listTools()).tools.map(({ name }) => name)
      },
      call: async ({ name, args }) =>
        bothReadings(await client.callTool({ name, arguments: { ...args } })),
      resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
      readResource: async (uri) => JSON.stringify(await client.readResource({ uri })),
      close: () => client.close(),
    }
  },
}

async function connect(url: string, mode: string): Promise<Client> {
  const [, wanted] = Object.entries(MODES).find(([name]) => mode.startsWith(name)) ?? []
  const versionNegotiation = { mode: wanted ?? 'auto' }
  const client = new Client({ name: 'sdk-2', version: '1' }, { versionNegotiation })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return client
}
