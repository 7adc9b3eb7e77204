/** Planning a draft again: the layer that it is planned in cannot be deleted. */

import { afterEach, expect, it, vi } from 'vitest'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { modern, succeeded } from '../../support/worker/access-client.ts'
import { withFaults } from '../../support/worker/faulty-storage.ts'

afterEach(() => void vi.restoreAllMocks())

const BASE = 'http://localhost/mcp'

it('answers an approval as what it was', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  await withFaults(async ({ fetch, faults, state }) => {
    const owner = ownerOf({ base: BASE, fetch })
    const agent = modern((init) => fetch('/mcp', init))
    const write = async (body: string) => {
      const headers = { 'content-length': String(body.length) }
      expect((await fetch('/files/a.md', { method: 'PUT', headers, body })).ok).toBe(true)
    }
    await write('one')
    await owner.demand('review')
    const edit = { path: '/a.md', edits: [{ find: 'one', replace: 'two' }] }
    const proposed = await agent.ask('tools/call', { name: 'edit_file', arguments: edit })
    expect(succeeded(proposed)).toBe(true)
    await write('zero one')

    faults.exec = (statement, layer) => {
      if (statement.startsWith('DELETE FROM draft_files') && Number(layer) < 0)
        throw new Error('disk I/O error')
    }
    await owner.decide('approve')
    expect(log).toHaveBeenCalledWith(expect.objectContaining({ message: 'disk I/O error' }))
    expect(await (await fetch('/files/a.md')).text()).toBe('zero two')
    expect(await owner.drafts()).toEqual([])
    const left = 'SELECT count(*) AS count FROM draft_changes WHERE draft < 0'
    expect(state.storage.sql.exec(left).one()).toEqual({ count: 2 })
  })
})
