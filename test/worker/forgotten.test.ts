/** State that retention has dropped is unknown, and is never treated as "the path was not there". */

import type { Reader } from '#worker/changes/changes.ts'
import { describe, expect, it } from 'vitest'
import { parsePath } from '#core/path.ts'
import { STORE_LIMITS } from '#worker/store/limits.ts'
import { bytesOf, freshWorkspace, type Reply } from './client.ts'
import { withDesk, type InnerDesk } from './desk.ts'
import { TESTER } from './store-contract.ts'

async function keeping(history_versions: number) {
  const workspace = freshWorkspace()
  const body = JSON.stringify({ history_versions })
  await (await workspace.fetch('/config', { method: 'PUT', body })).json()
  return workspace
}

const idOf = ({ result }: Reply) => String(Object(result?._meta['dev.edgewise/change']).id)

describe('undo of a change whose earlier state is forgotten', () => {
  it('is refused, and the file stays', async () => {
    const { call, code, put, raw } = await keeping(1)
    await put('/a', 'one')
    const id = idOf(await call('write_file', { path: 'a', content: 'two' }))
    expect(await code('undo_change', { id })).toBe('VERSION_NOT_FOUND')
    expect(await raw('/a')).toEqual(bytesOf('two'))
  })

  it('is refused for a move, and the file stays where it is', async () => {
    const { call, code, put, raw } = await keeping(1)
    await put('/a', 'one')
    const id = idOf(await call('move_file', { from: 'a', to: 'b' }))
    expect(await code('undo_change', { id })).toBe('VERSION_NOT_FOUND')
    expect(await raw('/b')).toEqual(bytesOf('one'))
  })

  it('is refused whole, where only one of its files is forgotten', async () => {
    const { call, code, put, raw } = await keeping(1)
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

  it('still takes away what the change made', async () => {
    const { call, text } = await keeping(1)
    const id = idOf(await call('write_file', { path: 'a', content: 'one' }))
    await text('undo_change', { id })
    expect(await text('find_files')).toBe('Nothing found')
  })
})

describe('a change of which history has dropped a file', () => {
  /** A change that wrote `/a` and `/b`; by now history knows of `/b` only. */
  async function half({ store }: InnerDesk) {
    const content = await store.hold(bytesOf('one'))
    const steps = [parsePath('/a'), parsePath('/b')].map(
      (path) => ({ type: 'put', path, content }) as const,
    )
    const note = { tool: 'import', intent: 'Import files to /', actor: TESTER, decision: 'test' }
    const applied = store.apply({ basis: 0, steps, note })
    const limits = { ...STORE_LIMITS, versions: 1 }
    store.apply({ basis: 1, steps: steps.slice(0, 1), note, limits })
    return applied.ok ? applied.value.id : ''
  }

  it('is not undone in part', async () => {
    await withDesk({}, async (desk) => {
      const id = await half(desk)
      expect(await desk.call('undo_change', { id })).toMatchObject({
        outcome: { _meta: { 'dev.edgewise/error': { code: 'CHANGE_NOT_FOUND' } } },
      })
      expect(await desk.text('/b')).toBe('one')
    })
  })

  it('is not shown to a caller from whom a path is hidden', async () => {
    await withDesk({ roots: [{ path: '/', deny: ['a'] }] }, async (desk) => {
      const uri = `ui://import/${await half(desk)}.json`
      const { around, caller, owner } = desk
      const { store } = around.openFor(caller.access, null)
      const read = (reader: Pick<Reader, 'access' | 'store'>) =>
        around.changes.read(uri, { ...reader, owner: caller })
      expect(await read({ access: caller.access, store })).toBeNull()
      expect(await read(owner)).not.toBeNull()
    })
  })
})

describe('a version that history has forgotten', () => {
  it('is not restored', async () => {
    const { code, put, raw } = await keeping(1)
    await put('/a', 'one')
    await put('/a', 'two')
    expect(await code('restore_file', { path: 'a', version: 1 })).toBe('VERSION_NOT_FOUND')
    expect(await raw('/a')).toEqual(bytesOf('two'))
  })

  it('is shown as unknown in the review of a change, and not as a new file', async () => {
    const { call, send, put } = await keeping(1)
    await put('/a', 'one')
    const id = idOf(await call('write_file', { path: 'a', content: 'two' }))
    const read = async (end: string) => {
      const { result } = await send('resources/read', { uri: `ui://write_file/${id}${end}` })
      return String(Object(result?.['contents'])[0]?.text)
    }
    expect(JSON.parse(await read('.json'))).toMatchObject({ files: [], forgotten: 1 })
    expect(await read('.diff')).not.toContain('new file')
    expect(await read('')).toContain('1 file is not shown: history no longer has its earlier state')
  })
})
