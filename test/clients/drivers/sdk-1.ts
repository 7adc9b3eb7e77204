/** The official SDK 1.x, which validates results against the schemas that it has listed. @module */

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { bothReadings } from '../model-input.ts'
import type { Driver } from '../session.ts'

export const driver: Driver = {
  async open({ url }, mode) {
    const client = new Client({ name: 'sdk-1', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    return {
      tools: async () => {
        const lister = mode === 'listed' ? client : await another(url)
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

/** One that lists, so that the other has not. */
async function another(url: string): Promise<Client> {
  const client = new Client({ name: 'sdk-1', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return client
}
