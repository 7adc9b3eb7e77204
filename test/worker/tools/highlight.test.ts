/** `_meta.highlight`: lines as an HTML table with escaped content and colours. */

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

it('colours what the language of the file knows, from line to line', async () => {
  const { call, put } = freshWorkspace()
  await put('/a.ts', 'const a = "b" // c\n/* d\n e */\n')
  await put('/plain', 'const a = 1\n')
  const rowsOf = async (path: string) => {
    const { result } = await call('read_file', { path }, { highlight: true })
    return String(result?.structuredContent['content']).match(/<pre>.*?<\/pre>/gs)
  }
  const span = (kind: string, text: string) => `<span class="${kind}">${text}</span>`
  expect(await rowsOf('a.ts')).toEqual([
    `<pre>${span('keyword', 'const')} a = ${span('string', '&quot;b&quot;')} ${span('comment', '// c')}</pre>`,
    `<pre>${span('comment', '/* d')}</pre>`,
    `<pre>${span('comment', ' e */')}</pre>`,
  ])
  expect(await rowsOf('plain')).toEqual(['<pre>const a = 1</pre>'])
})

it.each(['light', 'dark'])(
  'has enough contrast on a %s page, for every kind of text',
  async (theme) => {
    const { call, put } = freshWorkspace()
    await put('/a.ts', 'x\n')
    const { result } = await call('read_file', { path: 'a.ts' }, { highlight: true })
    const style = /^<style>(.*?)<\/style>/.exec(String(result?.structuredContent['content']))?.[1]
    const colours = [...(style ?? '').matchAll(/light-dark\((.*?),(.*?)\)/g)].map(
      ([, light, dark]) => (theme === 'light' ? light : dark),
    )
    const [text, background, ...kinds] = colours
    expect(kinds).toHaveLength(9)
    for (const colour of [text, ...kinds])
      expect(contrastOf(colour ?? '', background ?? '')).toBeGreaterThan(4.5)
  },
)

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
  return [...cells].map(([, cell = '']) => unescaped(cell.replace(/<\/?span[^>]*>/g, '')))
}

const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** The contrast of two colours, after WCAG 2.2. */
function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminanceOf(hex: string): number {
  const digits = hex.slice(1)
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(long.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
