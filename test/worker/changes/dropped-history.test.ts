/** State that retention has dropped is unknown, and is never treated as "the path was not there". */

import type { Reader } from '#worker/changes/changes.ts'
import { describe, expect, it } from 'vitest'
import { parsePath } from '#core/path.ts'
import { STORE_LIMITS } from '#worker/store/limits.ts'
import { bytesOf, freshWorkspace, type Reply } from '../../support/worker/client.ts'
import { withToolContext, type TestContext } from '../../support/worker/tool-context.ts'
import { TESTER } from '../../support/worker/store-contract.ts'

async function withHistoryLimit(history_versions: number) {
  const workspace = freshWorkspace()
  const body = JSON.stringify({ history_versions })
  await (await workspace.fetch('/config', { method: 'PUT', body })).json()
  return workspace
}

const idOf = ({ result }: Reply) => String(Object(result?._meta['dev.edgewise/change']).id)

describe('undo of a change whose earlier state was dropped', () => {
  it('is refused, and the file stays', async () => {
    const { call, code, put, raw } = await withHistoryLimit(1)
    await put('/a', 'one')
    const id = idOf(await call('write_file', { path: 'a', content: 'two' }))
    expect(await code('undo_change', { id })).toBe('VERSION_NOT_FOUND')
    expect(await raw('/a')).toEqual(bytesOf('two'))
  })

  it('is refused for a move, and the file stays where it is', async () => {
    const { call, code, put, raw } = await withHistoryLimit(1)
    await put('/a', 'one')
    const id = idOf(await call('move_file', { from: 'a', to: 'b' }))
    expect(await code('undo_change', { id })).toBe('VERSION_NOT_FOUND')
    expect(await raw('/b')).toEqual(bytesOf('one'))
  })

  it('is refused as a whole if the state of one file was dropped', async () => {
    const { call, code, put, raw } = await withHistoryLimit(1)
    await put('/d/old', 'one')
    await put('/d/old', 'two')
    const id = idOf(await call('delete_file', { path: 'd' }))
    await put('/elsewhere', 'x')
    expect(await code('undo_change', { id })).toBe('VERSION_NOT_FOUND')
    expect(await call('find_files')).toMatchObject({
      result: { structuredContent: { matches: ['elsewhere'] } },
    })
    expect(await raw('/elsewhere')).toEqual(bytesOf('x'))
  })

  it('still deletes what the change created', async () => {
    const { call, text } = await withHistoryLimit(1)
    const id = idOf(await call('write_file', { path: 'a', content: 'one' }))
    await text('undo_change', { id })
    expect(await text('find_files')).toBe('Nothing found')
  })
})

describe('undo of a change whose earlier state is the oldest that is kept', () => {
  it.each([1, 6])('puts a file back where a folder of %d files was restored', async (count) => {
    const { call, text, put, raw } = await withHistoryLimit(2)
    for (let file = 0; file < count; file++) await put(`/a/${file}`, `inside ${file}`)
    await text('create_checkpoint', { name: 'folder' })
    await text('delete_file', { path: '/a' })
    await put('/a', 'only here')
    const id = idOf(await call('restore_checkpoint', { checkpoint: 'folder' }))
    await text('undo_change', { id })
    expect(await raw('/a')).toEqual(bytesOf('only here'))
  })

  it('keeps no more versions than the limit', async () => {
    const { call, text, put } = await withHistoryLimit(2)
    await put('/a', 'one')
    await text('delete_file', { path: '/a' })
    const id = idOf(await call('create_folder', { path: '/a' }))
    await text('undo_change', { id })
    await put('/a', 'two')
    const { result } = await call('file_history', { path: '/a' })
    expect(result?.structuredContent['versions']).toHaveLength(2)
  })
})

describe('a change that history has dropped in part', () => {
  /** A change that wrote `/a` and `/b`; by now history knows of `/b` only. */
  async function half({ store }: TestContext) {
    const content = await store.hold(bytesOf('one'))
    const steps = [parsePath('/a'), parsePath('/b')].map(
      (path) => ({ type: 'put', path, content }) as const,
    )
    const note = { tool: 'import', intent: 'Import files to /', actor: TESTER, decision: [] }
    const applied = store.apply({ basis: 0, steps, note })
    const limits = { ...STORE_LIMITS, versions: 1 }
    store.apply({ basis: 1, steps: steps.slice(0, 1), note, limits })
    return applied.ok ? applied.value.id : ''
  }

  it('is not undone in part', async () => {
    await withToolContext({}, async (context) => {
      const id = await half(context)
      expect(await context.call('undo_change', { id })).toMatchObject({
        outcome: { _meta: { 'dev.edgewise/error': { code: 'CHANGE_NOT_FOUND' } } },
      })
      expect(await context.text('/b')).toBe('one')
    })
  })

  it('is not shown to a caller with hidden paths', async () => {
    await withToolContext({ roots: [{ path: '/', deny: ['a'] }] }, async (context) => {
      const uri = `ui://import/${await half(context)}.json`
      const { services, caller, owner } = context
      const { store } = services.openFor(caller.access, null)
      const read = (reader: Pick<Reader, 'access' | 'store'>) =>
        services.changes.read(uri, { ...reader, owner: caller, draft: owner.draft })
      expect(await read({ access: caller.access, store })).toBeNull()
      expect(await read(owner)).not.toBeNull()
    })
  })
})

describe('a version that history has dropped', () => {
  it('cannot be restored', async () => {
    const { code, put, raw } = await withHistoryLimit(1)
    await put('/a', 'one')
    await put('/a', 'two')
    expect(await code('restore_file', { path: 'a', version: 1 })).toBe('VERSION_NOT_FOUND')
    expect(await raw('/a')).toEqual(bytesOf('two'))
  })

  it('is shown as unknown in the review of a change, and not as a new file', async () => {
    const { call, send, put } = await withHistoryLimit(1)
    await put('/a', 'one')
    const id = idOf(await call('write_file', { path: 'a', content: 'two' }))
    const read = async (end: string) => {
      const { result } = await send('resources/read', { uri: `ui://write_file/${id}${end}` })
      return String(Object(result?.['contents'])[0]?.text)
    }
    expect(JSON.parse(await read('.json'))).toMatchObject({ files: [], forgotten: 1 })
    expect(await read('.diff')).not.toContain('new file')
    expect(await read('')).toMatch(/1 file .*history/)
  })
})
