/** A change in parts, between which others change files: an import writes a batch of 500 files at a time. */

import { expect, it } from 'vitest'
import { DEFAULT_CONFIG } from '#core/config.ts'
import { parsePath } from '#core/path.ts'
import { callerWithoutSession } from '#worker/access/caller.ts'
import type { ChangeNote } from '#worker/audit/change-note.ts'
import { bytesOf, freshWorkspace, type Reply } from '../../support/worker/client.ts'
import * as tar from '../../support/worker/raw-tar.ts'
import { applied, TESTER } from '../../support/worker/store-contract.ts'
import { withToolContext } from '../../support/worker/tool-context.ts'

const BATCH = 500

const names = Array.from({ length: BATCH }, (_, at) => `file${at}`)

/**
 * Imports a batch, and more after `meanwhile`. Returns a client of the workspace and the version of the import.
 */
async function importInParts(meanwhile: string, more: string) {
  const workspace = freshWorkspace()
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const coming = workspace.fetch('/import?to=/in', { method: 'POST', body: readable })
  await writer.write(tar.join(...names.map((name) => tar.file(name, 'imported'))))
  await expect
    .poll(async () => (await workspace.fetch('/status')).json<{ files: number }>())
    .toMatchObject({ files: BATCH })
  await workspace.put(`/in/${meanwhile}`, 'by others')
  await writer.write(tar.join(tar.file(more, 'imported later'), tar.END))
  await writer.close()
  expect((await coming).status).toBe(200)
  const { result } = await workspace.call('list_changes', { limit: 1 })
  const [{ version, id }] = Object(result?.structuredContent['changes'])
  return { ...workspace, version: Number(version), id: String(id) }
}

const textAt = async ({ raw }: Pick<ReturnType<typeof freshWorkspace>, 'raw'>, path: string) =>
  new TextDecoder().decode(await raw(path))

const countOf = ({ result }: Reply) => result?.structuredContent['count']

it('is undone to what each file was before its own part', async () => {
  const workspace = await importInParts('mine', 'mine')
  expect(await textAt(workspace, '/in/mine')).toBe('imported later')
  const undone = await workspace.call('undo_change', { version: workspace.version })
  expect(countOf(undone)).toBe(BATCH + 1)
  expect(await textAt(workspace, '/in/mine')).toBe('by others')
  expect(await workspace.text('find_files')).toContain('in/mine')
  expect((await workspace.fetch('/files/in/file0')).status).toBe(404)
})

it('shows what each file was before its own part, and after it', async () => {
  await withToolContext({}, async ({ store, services, owner }) => {
    const note = { intent: 'Change files', actor: TESTER, decision: [] }
    const first = { ...note, tool: 'import' }
    const others = { ...note, tool: 'write_file' }
    const write = async (by: ChangeNote, path: string, text: string) => {
      const content = await store.hold(bytesOf(`${text}\n`))
      const steps = [{ type: 'put', path: parsePath(path), content }] as const
      return applied(store.apply({ basis: store.totals.version, steps, note: by })).id
    }
    const id = await write(first, '/a', 'imported')
    const parts = { ...first, id }
    await write(others, '/b', 'by others')
    await write(parts, '/b', 'imported')
    await write(others, '/a', 'later')
    const reader = { ...owner, owner: callerWithoutSession('', DEFAULT_CONFIG) }
    const read = await services.changes.read(`ui://import/${id}.diff`, reader)
    const lines = read?.text.split('\n').filter((line) => /^[-+][^-+]/.test(line))
    expect(lines).toEqual(['+imported', '-by others', '+imported'])
  })
})

it('is not undone if others changed a file between two parts that wrote it', async () => {
  const workspace = await importInParts('file0', 'file0')
  expect(await workspace.code('undo_change', { version: workspace.version })).toBe('CHANGED_SINCE')
  expect(await textAt(workspace, '/in/file0')).toBe('imported later')
})
