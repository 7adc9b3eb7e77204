// A tour of a workspace: find, search, page, read, edit, conflict, move, delete and export, with the
// official client in each of its three modes. Every answer is compared with what the same step makes
// of a copy in memory, and in the end everything is as it was.
//
// Run `npm start` and `npm run import -- ./some-folder`, then
// `node examples/workspace-tour.ts http://localhost:8787/mcp`. A second argument such as `/docs`
// stays inside that folder; a third (legacy, auto or modern) takes one mode only.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import assert from 'node:assert/strict'
import { conflict, deleteFile, edit, moveFolder, putBack } from './tour/changing.ts'
import { Place } from './tour/place.ts'
import { findAll, pageResources, readRange, search } from './tour/reading.ts'
import { assertSame, linesOf, type Tree } from './tour/tree.ts'

const [mcp = 'http://localhost:8787/mcp', folder = '/', only] = process.argv.slice(2)
const MODES = { legacy: 'legacy', auto: 'auto', modern: { pin: '2026-07-28' } } as const

for (const [name, mode] of Object.entries(MODES)) {
  if (only !== undefined && only !== name) continue
  const info = { name: 'workspace-tour', version: '1.0.0' }
  const client = new Client(info, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp)))
  console.log(`${name}: speaking ${client.getNegotiatedProtocolVersion()}`)
  await tour(new Place(client, mcp, folder))
  await client.close()
}

async function tour(place: Place): Promise<void> {
  const before = await place.exported()
  const name = longTextIn(before)
  await findAll(place, before)
  await search(place, before)
  await pageResources(place, before)
  const version = await readRange(place, name, before)

  const now = new Map(before)
  await edit(place, name, version, now)
  await conflict(place, name, version)
  const moveBack = await moveFolder(place, now)
  await deleteFile(place, now)
  assertSame(await place.exported(), now)
  console.log('  Exported, byte for byte, what these steps make of a copy')

  await moveBack()
  await putBack(place, before, now)
  assertSame(await place.exported(), before)
}

/** The largest text file that is written in lines which a person would read. */
function longTextIn(tree: Tree): string {
  const isReadable = (name: string) => {
    const lines = linesOf(tree, name)
    return lines.length > 20 && lines.every((line) => line.length < 1_000 && !line.endsWith('\r'))
  }
  const bySize = [...tree].sort(([, a], [, b]) => b.length - a.length)
  const largest = bySize.map(([name]) => name).find(isReadable)
  assert(largest, `Nothing to read in ${folder}: run npm run import -- ./some-folder first`)
  return largest
}
