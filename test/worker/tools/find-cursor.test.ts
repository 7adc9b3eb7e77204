/** Pages of find_files by cursor: stable while files come and go, and bound to the query. */

import { MAX_PATH_BYTES } from '#core/path.ts'
import { MAX_CURSOR_LENGTH } from '#worker/limits.ts'
import { describe, expect, it } from 'vitest'
import { freshWorkspace, errorOf } from '../../support/worker/client.ts'

const NAMES = ['/a', '/d/b', '/d/c', '/d/e/f', '/g', '/h']

async function workspace() {
  const made = freshWorkspace()
  for (const name of NAMES) await made.put(name, 'x')
  async function page(args: Record<string, unknown>) {
    const { result } = await made.call('find_files', { type: 'file', limit: 2, ...args })
    const { matches, next_cursor } = Object(result?.structuredContent)
    const { code } = errorOf(result)
    return { matches, next: next_cursor, code, text: result?.content[0]?.text ?? '' }
  }
  return { ...made, page }
}

describe('a cursor of find_files', () => {
  it('continues after the last match, whatever was written or deleted meanwhile', async () => {
    const { page, put, call } = await workspace()
    const first = await page({})
    expect(first.matches).toEqual(['a', 'd/b'])
    expect(first.text).toContain(`cursor ${first.next}`)
    await put('/Z', 'before all of them')
    await call('delete_file', { path: 'd/b' })
    const second = await page({ cursor: first.next })
    expect(second.matches).toEqual(['d/c', 'd/e/f'])
    const third = await page({ cursor: second.next })
    expect(third.matches).toEqual(['g', 'h'])
    expect(third.next).toBeNull()
    expect(third.text).toBe('g\nh')
  })

  it('can be used with another limit', async () => {
    const { page } = await workspace()
    const { next } = await page({})
    expect((await page({ cursor: next, limit: 9 })).matches).toEqual(['d/c', 'd/e/f', 'g', 'h'])
  })

  it('is limited to its folder', async () => {
    const { page } = await workspace()
    const { next } = await page({ root: 'd' })
    expect((await page({ root: 'd', cursor: next })).matches).toEqual(['e/f'])
  })

  it.each<[string, Record<string, unknown>]>([
    ['another pattern', { pattern: 'x' }],
    ['another folder', { root: 'd' }],
    ['other exclusions', { exclude: ['h'] }],
    ['an offset', { offset: 1 }],
  ])('is refused with %s', async (_, args) => {
    const { page } = await workspace()
    const { next } = await page({})
    expect(await page({ cursor: next, ...args })).toMatchObject({ code: 'INVALID_CURSOR' })
  })

  it.each([' ', 'x', '%', 'é', btoa('/a'), 'x'.repeat(5_000)])('is refused: %j', async (cursor) => {
    const { page } = await workspace()
    const refused = await page({ cursor })
    expect(refused.code).toBe('INVALID_CURSOR')
    expect(refused.text).toContain('cursor')
  })

  it('accepts the longest path and nothing longer', async () => {
    const { page, put } = await workspace()
    const folder = `/${'n'.repeat(509)}`
    const longest = `${folder}/${'n'.repeat(MAX_PATH_BYTES - folder.length - 1)}`
    await put(longest, 'x')
    await put('/z', 'x')
    const { next } = await page({ offset: 5 })
    expect(next.length).toBeLessThanOrEqual(MAX_CURSOR_LENGTH)
    expect((await page({ cursor: next })).matches).toEqual(['z'])
    const over = next + 'A'.repeat(MAX_CURSOR_LENGTH + 1 - next.length)
    expect((await page({ cursor: over })).text).toContain(String(MAX_CURSOR_LENGTH))
  })

  it('never leads out of its folder', async () => {
    const { page } = await workspace()
    const { next } = await page({ root: 'd' })
    const [digest] = atob(String(next).replaceAll('-', '+').replaceAll('_', '/')).split(' ')
    for (const path of ['/a', '/', '/d', '/d/../a', '/da', 'a'])
      expect((await page({ root: 'd', cursor: btoa(`${digest} ${path}`) })).code, path).toBe(
        'INVALID_CURSOR',
      )
  })
})
