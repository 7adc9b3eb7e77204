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
