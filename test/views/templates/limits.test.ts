/** Edges of the limits of the templates. @module */

import { cardsOfJson } from '#views/templates/data/cards.ts'
import { nodesOfJson } from '#views/templates/data/nodes.ts'
import { tableOfJson } from '#views/templates/data/rows.ts'
import { MAX_CARDS, MAX_NODES, MAX_TABLE_ROWS } from '#views/templates/limits.ts'
import { expect, it } from 'vitest'

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
