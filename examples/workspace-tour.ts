// A tour of a workspace: find, search, page, read, edit, conflict, move, delete and export, with the
// official client in each of its three modes. Every result is compared with the same step on a copy in
// memory, and all changes are reverted at the end.
//
// Run it with `npm run example -- workspace-tour`. The workspace needs some files. A further argument
// such as `/docs` restricts the tour to that folder; another one (legacy, auto or modern) selects one
// mode.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import assert from 'node:assert/strict'
import { conflict, deleteFile, edit, moveFolder, putBack } from './tour/changing.ts'
import { Workspace } from './tour/workspace.ts'
import { findAll, pageResources, readRange, search } from './tour/reading.ts'
import { assertSame, linesOf, type Tree } from './tour/tree.ts'

const [mcp = 'http://localhost:8787/mcp', folder = '/', only] = process.argv.slice(2)
const MODES = { legacy: 'legacy', auto: 'auto', modern: { pin: '2026-07-28' } } as const

for (const [name, mode] of Object.entries(MODES)) {
  if (only !== undefined && only !== name) continue
  const info = { name: 'workspace-tour', version: '1.0.0' }
  const client = new Client(info, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp)))
  console.log(`${name}: protocol ${client.getNegotiatedProtocolVersion()}`)
  await tour(new Workspace(client, mcp, folder))
  await client.close()
}

async function tour(workspace: Workspace): Promise<void> {
  const before = await workspace.export()
  const name = findLongText(before)
  await findAll(workspace, before)
  await search(workspace, before)
  await pageResources(workspace, before)
  const version = await readRange(workspace, name, before)

  const now = new Map(before)
  await edit(workspace, name, version, now)
  await conflict(workspace, name, version)
  const moveBack = await moveFolder(workspace, now)
  await deleteFile(workspace, now)
  assertSame(await workspace.export(), now)
  console.log('  The export equals the copy, byte for byte')

  await moveBack()
  await putBack(workspace, before, now)
  assertSame(await workspace.export(), before)
}

/** Returns the name of the largest text file with lines of readable length. */
function findLongText(tree: Tree): string {
  const isReadable = (name: string) => {
    const lines = linesOf(tree, name)
    return lines.length > 20 && lines.every((line) => line.length < 1_000 && !line.endsWith('\r'))
  }
  const bySize = [...tree].sort(([, a], [, b]) => b.length - a.length)
  const largest = bySize.map(([name]) => name).find(isReadable)
  assert(largest, `No text file in ${folder}: run npm run import -- ./some-folder first`)
  return largest
}
