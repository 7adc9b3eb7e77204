/**
 * The console's client as a program, for the conformance suite: the real connection, with what a
 * page would have. Storage is a map, and a redirect to sign in is followed there and back.
 *
 * Run as `node test/support/slow/conformance-auth-client.ts {url}` by the suite.
 *
 * @module
 */

/** What is used of `host/`, which is compiled for a page and not for this program. */
interface Host {
  readonly connect: (options: { url: string; era: string; auth: unknown }) => Promise<Connection>
  readonly signInTo: (url: string, options: object) => unknown
}

interface Connection {
  readonly tools: readonly { name: string }[]
  call(name: string, args: object): Promise<unknown>
  close(): Promise<void>
}

const REDIRECT = 'http://localhost:3000/callback'
const CHANNEL = 'edgewise.sign-in'

function createStorage() {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  }
}

/** The person and their popup: they follow the link, and the page that they land on says so. */
async function goAndComeBack(link: URL | string): Promise<void> {
  const answer = await fetch(link, { redirect: 'manual' })
  const { searchParams } = new URL(answer.headers.get('location') ?? '', link)
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage({ state: searchParams.get('state'), search: searchParams.toString() })
  channel.close()
}

Object.assign(globalThis, {
  localStorage: createStorage(),
  sessionStorage: createStorage(),
  window: { open: (link: URL | string) => void setTimeout(() => void goAndComeBack(link), 10) },
})
Object.defineProperty(globalThis, 'location', {
  value: { origin: 'http://localhost:3000', protocol: 'http:', href: 'http://localhost:3000/' },
})

async function load(): Promise<Host> {
  const at = (name: string) => new URL(`../../../host/mcp/${name}.ts`, import.meta.url).href
  const [connection, oauth] = await Promise.all([import(at('connect')), import(at('oauth'))])
  return { connect: connection.connect, signInTo: oauth.signInTo }
}

/** The client metadata document of the suite, which one scenario requires. */
const DOCUMENT = 'https://conformance-test.local/client-metadata.json'

/** A client that is known beforehand, where the scenario says so. */
function knownClient(): object {
  if (process.env['MCP_CONFORMANCE_SCENARIO'] === 'auth/basic-cimd') return { clientId: DOCUMENT }
  const context: { client_id?: unknown } = JSON.parse(
    process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}',
  )
  return typeof context.client_id === 'string' ? { clientId: context.client_id } : {}
}

const url = process.argv.at(-1) ?? ''
const era = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'] === '2026-07-28' ? 'auto' : 'legacy'
const { connect, signInTo } = await load()
const auth = signInTo(url, { redirectUrl: REDIRECT, clientName: 'Edgewise', ...knownClient() })
const connection = await connect({ url, era, auth })
for (const { name } of connection.tools) await connection.call(name, {})
await connection.close()
process.exit(0)
