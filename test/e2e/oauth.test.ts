/** The whole dance of OAuth: an official client, a person who consents, and a product with an owner. */

import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
} from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { Person, SECRET, type Choice } from './person.ts'
import { useServer } from './server.ts'

const server = useServer({ EDGEWISE_OWNER_SECRET: SECRET })

/** What a client keeps, and where it sent its person. */
class Memory implements OAuthClientProvider {
  readonly redirectUrl = 'http://localhost:9/callback'
  readonly clientMetadata = { client_name: 'Dancer', redirect_uris: [this.redirectUrl] }
  sentTo: URL | undefined
  #client: OAuthClientInformationMixed | undefined
  #tokens: OAuthTokens | undefined
  #verifier = ''

  clientInformation() {
    return this.#client
  }
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.#client = client
  }
  tokens() {
    return this.#tokens
  }
  saveTokens(tokens: OAuthTokens) {
    this.#tokens = tokens
  }
  redirectToAuthorization(url: URL) {
    this.sentTo = url
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  codeVerifier() {
    return this.#verifier
  }
}

async function dance(choice: Choice, path = '/mcp') {
  const memory = new Memory()
  const url = new URL(path, server.url)
  const open = () => new StreamableHTTPClientTransport(url, { authProvider: memory })
  const options = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const
  const first = open()
  await expect(
    new Client({ name: 'dancer', version: '1' }, options).connect(first),
  ).rejects.toThrow(UnauthorizedError)
  expect(memory.sentTo?.pathname).toBe('/authorize')
  const back = await new Person().consent(memory.sentTo ?? url, choice)
  const code = back.searchParams.get('code')
  if (code === null) return { back, memory }
  await first.finishAuth(back.searchParams)
  const client = new Client({ name: 'dancer', version: '1' }, options)
  await client.connect(open())
  const call = (name: string, args: Record<string, unknown>) =>
    client.callTool({ name, arguments: args })
  return { back, memory, client, call }
}

describe('the dance', () => {
  it('ends with a client that may do what the person ticked', async () => {
    const { call, client, memory } = await dance({ allow: true })
    const written = await call?.('write_file', { path: '/a.txt', content: 'one' })
    expect(written?.isError).toBeFalsy()
    expect((await client?.listTools())?.tools.length).toBeGreaterThan(9)
    expect(memory.tokens()).toMatchObject({ token_type: 'bearer' })
    await client?.close()
  })

  it('ends with nothing when the person refuses', async () => {
    const { back, client } = await dance({ allow: false })
    expect(client).toBeUndefined()
    expect(back.searchParams.get('error')).toBe('access_denied')
  })
})
