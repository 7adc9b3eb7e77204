/** Edges of the limits of the templates. @module */

import { cardsOfJson } from '#views/templates/data/cards.ts'
import { nodesOfJson } from '#views/templates/data/nodes.ts'
import { tableOfJson } from '#views/templates/data/rows.ts'
import { highlightTexts } from '#views/templates/diff/line-tokens.ts'
import {
  MAX_CARDS,
  MAX_DEPTH,
  MAX_FILE_BYTES,
  MAX_FILE_PARTS,
  MAX_HIGHLIGHTED,
  MAX_NODES,
  MAX_SHOWN_EXPORT,
  MAX_TABLE_ROWS,
} from '#views/templates/limits.ts'
import { expect, it } from 'vitest'
import { openApp, structured } from '../../support/views/app-frame.ts'
import { until } from '../../support/views/host-frame.ts'
import { refusal } from '../../support/views/review-frame.ts'

const many = (length: number) => new Array<string>(length).fill('x')

it('shows as many cards as the limit, and no more', () => {
  expect(cardsOfJson(many(MAX_CARDS))).toHaveLength(MAX_CARDS)
  expect(cardsOfJson(many(MAX_CARDS + 1))).toHaveLength(MAX_CARDS)
})

it('counts the nodes that are left out', () => {
  expect(nodesOfJson(many(MAX_NODES))).toMatchObject({ count: MAX_NODES, leftOut: 0 })
  expect(nodesOfJson(many(MAX_NODES + 1))).toMatchObject({ count: MAX_NODES, leftOut: 1 })
})

it('counts the rows that are left out', () => {
  expect(tableOfJson(many(MAX_TABLE_ROWS), [])).toMatchObject({ leftOut: 0 })
  const table = tableOfJson(many(MAX_TABLE_ROWS + 1), [])
  expect(table).toMatchObject({ count: MAX_TABLE_ROWS, leftOut: 1 })
})

it('counts the nodes that are deeper than the limit', () => {
  const nested = (depth: number): object =>
    depth === 1 ? { id: 'x' } : { id: 'x', children: [nested(depth - 1)] }
  expect(nodesOfJson([nested(MAX_DEPTH)])).toMatchObject({ count: MAX_DEPTH, leftOut: 0 })
  expect(nodesOfJson([nested(MAX_DEPTH + 1)])).toMatchObject({ count: MAX_DEPTH, leftOut: 1 })
})

it('highlights texts up to the limit', () => {
  const pair = (length: number) => ({ original: ' '.repeat(length), modified: '' })
  expect(highlightTexts(pair(MAX_HIGHLIGHTED), 'a.ts')).toBeDefined()
  expect(highlightTexts(pair(MAX_HIGHLIGHTED + 1), 'a.ts')).toBeUndefined()
})

it('reads a file up to the limit, and says why it shows no larger one', async () => {
  const app = await openApp({ template: 'data-table', files: { '/a.csv': 'name\nada\n' } })
  const resultOf = (size: number, version: number) => {
    const facts = { path: '/a.csv', version, mime: 'text/csv', size }
    return structured({ files: [{ ...facts, omitted: 'too_large' }], truncated: false })
  }
  await app.untilText('1 row')
  await app.host.sendToolResult(resultOf(MAX_FILE_BYTES + 1, 2))
  await app.untilText(`Cannot show /a.csv: it is larger than ${MAX_FILE_BYTES} bytes`)
  await app.host.sendToolResult(resultOf(MAX_FILE_BYTES, 3))
  await until(() => !app.text().includes('Cannot show') && app.text().includes('ada'))
})

/** Opens a table in a host without resources. Its file is served one byte at a time by one of the two tools. */
const openInParts = (tool: 'part_of_example' | 'read_file', size: number) =>
  openApp({
    template: 'data-table',
    capabilities: { serverTools: {} },
    files: { '/a.csv': 'x'.repeat(size) },
    omitted: ['/a.csv'],
    call: ({ name, arguments: args }) => {
      // Ends the polling, which would read all parts again.
      if (name === 'list_changes') return refusal('INTERNAL', 'No changes')
      if (name !== 'part_of_example' && name !== 'read_file') return null
      if (name !== tool) return refusal('FILE_NOT_FOUND', 'There is no a.csv')
      const facts = { path: '/a.csv', version: 1, size }
      if (tool === 'read_file') return structured({ ...facts, content_base64: btoa('x') })
      const next = Number(args?.['offset']) + 1
      return structured({ ...facts, text: 'x', ...(next < size && { next_offset: next }) })
    },
  })

it.each([
  ['part_of_example', MAX_FILE_PARTS],
  // The size and the first part tell that there are too many.
  ['read_file', 1],
] as const)('reads as many parts of a file as the limit, and no more: %s', async (tool, before) => {
  const callsOf = ({ calls }: Awaited<ReturnType<typeof openInParts>>) =>
    calls.filter(({ name }) => name === tool).length
  const over = await openInParts(tool, MAX_FILE_PARTS + 1)
  await over.untilText('Cannot show /a.csv: it is too large')
  expect(callsOf(over)).toBe(before)
  const edge = await openInParts(tool, MAX_FILE_PARTS)
  await edge.untilText('0 rows')
  expect(callsOf(edge)).toBe(MAX_FILE_PARTS)
})

it('shows the first characters of an export that is longer than the limit', async () => {
  const text = `a\n${'x'.repeat(MAX_SHOWN_EXPORT)}\n`
  const capabilities = { serverTools: {} }
  const app = await openApp({ template: 'data-table', capabilities, files: { '/a.csv': text } })
  await app.untilText('1 row')
  app.button('Export').click()
  await until(() => app.all('dialog textarea').length === 1)
  const { value } = app.query<HTMLTextAreaElement>('dialog textarea')
  expect(value).toHaveLength(MAX_SHOWN_EXPORT - 1)
})
