/** `fetch` of the research profile: whole texts, their parts, and ids that are none. */

import { parsePath } from '#core/path.ts'
import { idOf, readId } from '#worker/research/document-id.ts'
import { describe, expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'
import { researcher } from '../../support/worker/research.ts'

function library() {
  const workspace = freshWorkspace()
  return { ...workspace, ...researcher(workspace) }
}

describe('fetch', () => {
  it('reads a text without line numbers, with its facts', async () => {
    const { base, put, read } = library()
    await put('/docs/a.md', '# Plan\r\n12: twelve\u2028 7: seven\n')
    expect(await read('file:///docs/a.md')).toEqual({
      id: 'file:///docs/a.md',
      title: 'a.md',
      text: '# Plan\n12: twelve\u2028 7: seven',
      url: `http://localhost/?at=${new URL(base).pathname}/mcp#/files?path=%2Fdocs%2Fa.md`,
      metadata: {
        path: '/docs/a.md',
        version: '1',
        mime: 'text/markdown',
        bytes: '31',
        modified: expect.stringMatching(/^\d{4}-.*Z$/),
        lines: '2',
      },
    })
    await put('/empty.txt', '')
    expect(await read('file:///empty.txt')).toMatchObject({ text: '', metadata: { lines: '0' } })
  })

  it('reads a long text in parts, and a long line, until nothing is left', async () => {
    const { put, read } = library()
    const lines = Array.from({ length: 6_000 }, (_, index) => `line ${index} ${'é"'.repeat(9)}`)
    const text = [...lines.slice(0, 3_000), 'w'.repeat(120_000), ...lines.slice(3_000)].join('\n')
    await put('/long.txt', text)
    let [id, whole, parts]: [string | undefined, string, number] = ['file:///long.txt', '', 0]
    while (id !== undefined) {
      const part = await read(id)
      expect(new TextEncoder().encode(JSON.stringify(part)).length).toBeLessThan(50_000)
      const [, column] = /column=(\d+)/.exec(id) ?? []
      const joint = whole === '' || column !== undefined ? '' : '\n'
      whole += joint + part.text.replace(/\[TRUNCATED: \d+ bytes hidden\]$/, '')
      id = part.metadata['next_id']
      parts++
    }
    expect(whole).toBe(text)
    expect(parts).toBeGreaterThan(5)
  })

  it.each([
    ['/docs/a.md', 'INVALID_ID'],
    ['', 'INVALID_ID'],
    ['http://localhost/a', 'INVALID_ID'],
    ['file:///a#line=0', 'INVALID_ID'],
    ['file:///a#line=1#line=2', 'INVALID_ID'],
    ['file:///%', 'INVALID_ID'],
    ['file:///none.md', 'FILE_NOT_FOUND'],
    ['file:///docs', 'IS_A_FOLDER'],
    ['file:///docs/../a.bin', 'BINARY_FILE'],
    ['file:///docs/a.md#line=9', 'INVALID_ID'],
  ])('refuses %j', async (id, code) => {
    const { put, code: codeOf } = library()
    await put('/docs/a.md', 'text')
    await put('/a.bin', '\0\0')
    expect(await codeOf('fetch', { id })).toBe(code)
  })
})

describe('an id', () => {
  it.each(['/a.md', '/a b/ü#line=2.md', '/x#line=3', '/100%', '/?profile=x'])(
    'of %j leads to it, and to a part of it',
    (path) => {
      const place = { line: 12, column: 34 }
      expect(readId(idOf(parsePath(path)))).toEqual({ path, place: { line: 1, column: 1 } })
      expect(readId(idOf(parsePath(path), place))).toEqual({ path, place })
    },
  )
})
