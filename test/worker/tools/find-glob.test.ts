/** A pattern of `find_files` that is a glob and no regular expression is read as a glob, and the result says so. */

import { expect, it } from 'vitest'
import { errorOf, freshWorkspace } from '../../support/worker/client.ts'

it.each(['*.txt', '?.txt', '**/*.txt'])('reads %s as a glob', async (pattern) => {
  const { call, put } = freshWorkspace()
  for (const path of ['/a.txt', '/b.md']) await put(path, 'x')
  const { result } = await call('find_files', { pattern })
  expect(result?.structuredContent).toMatchObject({
    matches: ['a.txt'],
    note: 'pattern was read as a glob',
  })
  expect(result?.content[0]?.text).toBe('a.txt\n(pattern was read as a glob)')
})

it('reads an expression as one, and suggests `glob` for a pattern that is neither', async () => {
  const { call, put } = freshWorkspace()
  await put('/a.txt', 'x')
  const { result } = await call('find_files', { pattern: 'a.*' })
  expect(result?.structuredContent).not.toHaveProperty('note')
  const broken = await call('find_files', { pattern: '(' })
  expect(errorOf(broken.result)['code']).toBe('INVALID_PATTERN')
  expect(broken.result?.content[0]?.text).toContain('set glob to true')
})

it.each(['^(?!.*test).*\\.ts$', '*.ts$', '(*)\\1'])(
  'does not read %s as a glob that finds nothing',
  async (pattern) => {
    const { code, put } = freshWorkspace()
    await put('/a.ts', 'x')
    expect(await code('find_files', { pattern })).toBe('INVALID_PATTERN')
  },
)

it('says of a page behind the last match what is before it', async () => {
  const { text, put } = freshWorkspace()
  for (const path of ['/a.txt', '/b.txt']) await put(path, 'x')
  expect(await text('find_files', { offset: 5 })).toBe('Nothing found from offset 5 on; 2 before')
  expect(await text('find_files', { pattern: 'c', offset: 5 })).toBe('Nothing found')
})
