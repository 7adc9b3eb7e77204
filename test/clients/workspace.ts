/**
 * One client's workspace: its files, and the actual results of the server.
 *
 * The expected results come from the official client in its newest mode, and with plain HTTP.
 *
 * @module
 */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { deflateSync, crc32 } from 'node:zlib'
import { WITH_VIEWS } from './capabilities.ts'
import { bothReadings, member, word } from './model-input.ts'
import type { Call } from './script.ts'

export interface Refusal {
  readonly sentence: string
  readonly code: string
}

export interface Workspace {
  /** Where MCP is spoken. */
  readonly url: string
  /** The image in `/picture.png`, in base64. */
  readonly picture: string
  /** Tools that are for views alone. */
  readonly appOnly: readonly string[]
  readonly modelVisible: readonly string[]
  version(path: string): Promise<number>
  /** What the server answers to a call that it refuses. */
  refusal(call: Call): Promise<Refusal>
}

const LINES = 20_000

/** Prepares the workspace of that name on a product that runs. */
export async function prepare(origin: string, name: string): Promise<Workspace> {
  const base = `${origin}/w/${name}`
  const file = (path: string) => `${base}/files${path}`
  const picture = drawPicture()
  const long = Array.from({ length: LINES }, (_, i) => `line ${i + 1} of many\n`).join('')
  await put(file('/picture.png'), picture)
  await put(file('/long.txt'), long)
  await put(file('/kept.txt'), 'kept\n')
  const url = `${base}/mcp`
  const tools = await listTools(url)
  return {
    url,
    picture: picture.toString('base64'),
    appOnly: tools.filter(isAppOnly).map(({ name }) => name),
    modelVisible: tools.filter((tool) => !isAppOnly(tool)).map(({ name }) => name),
    version: async (path) => {
      const response = await fetch(file(path), { method: 'HEAD' })
      return Number(/\d+/.exec(response.headers.get('etag') ?? '')?.[0] ?? -1)
    },
    refusal: (call) => asking(url, {}, async (client) => refuse(client, call)),
  }
}

async function put(url: string, body: string | Buffer): Promise<void> {
  const response = await fetch(url, {
    method: 'PUT',
    body: new Blob([new Uint8Array(Buffer.from(body))]),
  })
  if (!response.ok) throw new Error(`PUT ${url}: ${response.status}`)
}

async function asking<T>(
  url: string,
  capabilities: object,
  ask: (client: Client) => Promise<T>,
): Promise<T> {
  const versionNegotiation = { mode: { pin: '2026-07-28' } }
  const client = new Client({ name: 'judge', version: '1' }, { capabilities, versionNegotiation })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  try {
    return await ask(client)
  } finally {
    await client.close()
  }
}

interface ListedTool {
  readonly name: string
  readonly _meta?: unknown
}

const listTools = (url: string): Promise<ListedTool[]> =>
  asking(url, WITH_VIEWS, async (client) => (await client.listTools()).tools)

function isAppOnly({ _meta }: ListedTool): boolean {
  const visibility = member(member(_meta, 'ui'), 'visibility')
  return Array.isArray(visibility) && !visibility.includes('model')
}

async function refuse(client: Client, { name, args }: Call): Promise<Refusal> {
  const result = await client.callTool({ name, arguments: { ...args } })
  const [reading] = bothReadings(result).readings
  const error = member(result._meta, 'dev.edgewise/error') ?? result.structuredContent
  return {
    sentence: reading?.text ?? 'no sentence',
    code: word(member(error, 'code')) ?? 'no code',
  }
}

const SIDE = 8

/** A small valid PNG, because the model APIs check images. */
function drawPicture(): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(SIDE, 0)
  head.writeUInt32BE(SIDE, 4)
  head.set([8, 2], 8)
  const rows = Buffer.alloc(SIDE * (1 + SIDE * 3), 0x7f)
  for (let row = 0; row < SIDE; row++) rows[row * (1 + SIDE * 3)] = 0
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
