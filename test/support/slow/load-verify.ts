/**
 * The final check of a load test: the contents of a workspace, byte for byte, and the integrity of its audit log.
 *
 * @module
 */

import assert from 'node:assert/strict'
import { unpackTar } from 'modern-tar'
import { ask } from '../e2e/raw-http.ts'
import type { Ledger } from './load-audit.ts'
import { assertSame } from './load-content.ts'

/** What has to be there: the text of each file, null for each folder. */
export type Wanted = ReadonlyMap<string, string | null>

/** Checks that the export equals the expected contents. */
export async function assertExport(url: string, wanted: Wanted): Promise<number> {
  const response = await ask(`${url}/export`)
  const found = new Map<string, string | null>()
  for (const { header, data } of await unpackTar(new Uint8Array(await response.arrayBuffer()))) {
    const path = `/${header.name.replace(/\/$/, '')}`
    found.set(path, header.type === 'directory' ? null : new TextDecoder().decode(data))
  }
  assert.deepEqual([...found.keys()].sort(), [...wanted.keys()].sort())
  for (const [path, text] of wanted) {
    const has = found.get(path)
    if (text === null || typeof has !== 'string') assert.equal(has, text, path)
    else assertSame(has, text, path)
  }
  return found.size
}

type Json = (path: string) => Promise<Record<string, unknown>>

/** Checks that totals, history and audit log match the responses and each other. */
export async function assertAuditLog(
  json: Json,
  changes: () => AsyncIterable<{ version: number; tool: string }>,
  { tools, entries: noted }: Ledger,
  wanted: Wanted,
): Promise<void> {
  const texts = [...wanted.values()].filter((text) => text !== null)
  const { version, files, bytes } = await json('/status')
  assert.deepEqual(
    { version, files, bytes },
    {
      version: tools.size,
      files: texts.length,
      bytes: texts.reduce((sum, text) => sum + text.length, 0),
    },
  )

  let next = tools.size
  for await (const change of changes()) {
    assert.deepEqual([change.version, change.tool], [next, tools.get(next)])
    next--
  }
  assert.equal(next, 0, 'Changes are missing from the history')

  const { entries, dropped, broken } = await json('/audit/check')
  assert.deepEqual([Number(entries) + Number(dropped), broken], [noted(), null])
}
