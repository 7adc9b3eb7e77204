/** `_meta.highlight`: lines as an HTML table with escaped content. */

import { expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'

const EVIL = `<script>alert("1")</script> & 'x': y`

it('returns an escaped table with line numbers, and the usual text', async () => {
  const { call, put } = freshWorkspace()
  await put('/a.html', `one\n${EVIL}\n`)
  for (const highlight of [true, 'true']) {
    const { result } = await call('read_file', { path: 'a.html' }, { highlight })
    const content = String(result?.structuredContent['content'])
    expect(cellsOf(content)).toEqual(['1', 'one', '2', EVIL])
    expect(content).not.toContain('<script')
    expect(result?.content[0]?.text).toContain(`2: ${EVIL}`)
  }
})

it('is an error for any other value, and off by default', async () => {
  const { call, put } = freshWorkspace()
  await put('/a', 'one')
  const { error } = await call('read_file', { path: 'a' }, { highlight: 'yes' })
  expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('highlight') })
  const { result } = await call('read_file', { path: 'a' }, { highlight: false })
  expect(result?.structuredContent['content']).toBe('1: one')
})

/** The cells of a table, as a browser parses them. */
function cellsOf(html: string): string[] {
  const cells = html.matchAll(/<td[^>]*>(?:<pre>)?(.*?)(?:<\/pre>)?<\/td>/gs)
  return [...cells].map(([, cell = '']) => unescaped(cell))
}

const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
