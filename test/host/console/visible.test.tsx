/** Texts and lists of a server are drawn up to a bound, which is stated: no server can stop the page. */

import { Blocks } from '#host/console/tools/blocks.tsx'
import { Tools } from '#host/console/tools/tools.tsx'
import { tools } from '#host/console/connect/connection.ts'
import { Visible } from '#host/console/ui/visible.tsx'
import { parseServer, parseTools } from '#host/mcp/parse.ts'
import { render } from 'preact'
import { afterEach, expect, it } from 'vitest'

const root = document.createElement('main')

afterEach(() => {
  render(null, root)
  tools.value = []
})

const draw = (text: string, most?: number) => {
  render(<Visible text={text} {...(most !== undefined && { most })} />, root)
  return root.textContent
}

const MILLION = 1_000_000

it.each([
  ['abc', undefined, 'abc'],
  ['a\u200bb', undefined, 'aZWSPb'],
  ['\u200b\u200bb', 20, 'ZWSP2 more characters'],
  ['abcdef', 4, 'abcd2 more characters'],
  ['abcde', 4, 'abcd1 more character'],
  ['a'.repeat(200_000), undefined, 'a'.repeat(200_000)],
  ['a'.repeat(MILLION), undefined, `${'a'.repeat(200_000)}800,000 more characters`],
  ['\u200b'.repeat(10_000), undefined, 'ZWSP'.repeat(10_000)],
  ['\u200b'.repeat(MILLION), undefined, `${'ZWSP'.repeat(10_000)}990,000 more characters`],
  ['☺️'.repeat(50_000), undefined, '☺️'.repeat(50_000)],
  ['😀'.repeat(3), 5, '😀😀2 more characters'],
  ['a\ud83d', undefined, 'aU+D83D'],
  ['', 4, ''],
])('draws a text up to its bound, and how much is left out (%#)', (text, most, expected) => {
  expect(draw(text, most)).toBe(expected)
})

it('draws the beginning of ten thousand tools with long texts, and finds all of them', () => {
  const long = 'a\u200b'.repeat(2_000)
  const listed = Array.from({ length: 10_000 }, (_, at) => ({
    name: `tool_${at}`,
    title: `${at} ${long}`,
    description: long,
  }))
  tools.value = parseTools({ tools: listed }).items
  render(<Tools />, root)
  expect(root.querySelectorAll('li')).toHaveLength(500)
  expect(root.textContent).toContain('Not shown: 9,500 more entries.')
  expect(root.querySelectorAll('*').length).toBeLessThan(40_000)
  expect(root.querySelector('input')?.placeholder).toBe('Search 10,000 tools')
})

it('cuts the title of a server', () => {
  expect(parseServer({ title: 'x'.repeat(MILLION) }, 'https://a.example/').title).toHaveLength(200)
})

it('states how much of the text of a result is left out', () => {
  render(<Blocks blocks={[{ type: 'text', text: 'x'.repeat(MILLION) }]} />, root)
  expect(root.textContent).toMatch(/^x{200000}800,000 more characters$/)
})
