/** Unicode properties in the product, which is built without the tables of its regex engine. */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { errorDetails } from '#core/wire.ts'
import { useServer } from '../support/e2e/server.ts'

describe('the product, which is built without the tables', () => {
  const server = useServer()

  async function matches(pattern: string): Promise<unknown> {
    const client = new Client({ name: 'unicode', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)))
    const result = await client.callTool({ name: 'search_files', arguments: { pattern } })
    await client.close()
    return result.isError ? errorDetails(result._meta, null) : result.structuredContent
  }

  it.each([
    ['^\\p{Greek}+$', 1],
    ['\\p{Han}', 1],
    ['^\\p{Lu}', 1],
    ['(?i)GRÜSSE', 1],
    ['^\\pL+$', 3],
    ['^\\P{L}+$', 1],
  ])('%s matches %i lines', async (pattern, total_matches) => {
    const body = 'Grüsse\n日本\nαβγ\n123\n'
    await fetch(`${server.url}/files/a.txt`, { method: 'PUT', body })
    expect(await matches(pattern)).toMatchObject({ total_matches })
  })

  it('refuses an unknown property', async () => {
    expect(await matches('\\p{Nope}')).toMatchObject({ code: 'INVALID_PATTERN' })
  })
})
