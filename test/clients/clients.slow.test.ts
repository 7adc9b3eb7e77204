/**
 * The product with third-party clients: the results that each passes to a person or a model.
 *
 * A failed cell is a fault of the product, unless `known-failures.ts` lists it; a listed cell has to fail.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startProduct, type Started } from '../support/slow/servers.ts'
import { DOCUMENT, render, type Recorded } from './document.ts'
import { findKnown, KNOWN } from './known-failures.ts'
import { drive, ROWS } from './run.ts'
import { KINDS } from './clients.ts'
import { tokensOfTools } from './tokens.ts'

let product: Started

beforeAll(async () => {
  product = await startProduct()
})
afterAll(() => product.stop())

/** What was recorded of each row; of one that was tried again, the last. */
const recordedOf = new Map<(typeof ROWS)[number], Recorded>()

it.each(ROWS.map((row) => [`${row.title} ${row.version}, ${row.mode}`, row] as const))(
  '%s',
  async (_, row) => {
    const cells = await drive(row.file, row.mode, new URL(product.url).origin)
    recordedOf.set(row, { ...row, cells })
    const red = KINDS[row.kind].filter((step) => cells[step] && !findKnown(row, step))
    expect(red.map((step) => `${step}: ${cells[step]}`)).toEqual([])
  },
)

it('has no known failure of a removed client', () => {
  const gone = KNOWN.filter(({ file, mode, step }) =>
    [...recordedOf.values()]
      .filter((row) => row.file === file && (mode === undefined || row.mode === mode))
      .every(({ cells }) => cells?.[step] === null),
  )
  expect(gone).toEqual([])
})

it('matches docs/clients.md', async () => {
  expect(readFileSync(DOCUMENT, 'utf8')).toBe(
    await render([...recordedOf.values()], await tokensOfTools(new URL(product.url).origin)),
  )
})
