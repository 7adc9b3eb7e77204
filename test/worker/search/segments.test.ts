/** Segments of the index of names: how many are left, and that merging ends. */

import { parsePath } from '#core/path.ts'
import { fillNames } from '#worker/search/name-index.ts'
import { mergeSegments, type MergeLimits } from '#worker/search/segments.ts'
import { NAME_TABLES } from '#worker/store/read/name-blocks.ts'
import { transaction } from '#worker/database/table-groups.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { SMALL } from '../../support/worker/name-index.ts'
import { newStub, seed, storeOf } from '../../support/worker/object-life.ts'

/** Paths whose names have few trigrams in common, so that a segment has many pages. */
const paths = Array.from({ length: 3_000 }, (_, file) =>
  parsePath(`/d${Math.floor(file / 100)}/${((file * 7_919_017) % 1_000_003).toString(36)}.ts`),
)

const countSegments = (sql: SqlStorage): number =>
  sql.exec<{ count: number }>('SELECT count(DISTINCT segid) AS count FROM names_idx').one().count

const findRows = (sql: SqlStorage): unknown[] =>
  sql.exec('SELECT rowid FROM names WHERE names MATCH \'".ts"\' ORDER BY rowid').toArray()

it('leaves few segments after many batches', async () => {
  const stub = newStub()
  await seed(stub, paths)
  const fill = (merge: MergeLimits) =>
    runInDurableObject(stub, (_, state) => {
      const { totals } = storeOf(state)
      for (let turns = 0; fillNames(state.storage, totals, { ...SMALL, merge }); turns++)
        expect(turns).toBeLessThan(1_000)
      return countSegments(state.storage.sql)
    })
  expect(await fill({ segments: 1_000, pages: 4 })).toBeGreaterThan(4)
  expect(await fill({ segments: 4, pages: 4 })).toBe(1)
})

it('merges step by step, with the same rows', async () => {
  await runInDurableObject(newStub(), (_, state) => {
    const { sql } = state.storage
    storeOf(state)
    sql.exec(NAME_TABLES)
    sql.exec("INSERT INTO names (names, rank) VALUES ('automerge', 0)")
    for (let row = 1; row <= 30; row++) {
      const text = paths.slice(row * 100 - 100, row * 100).join(' ')
      transaction(state.storage, () =>
        sql.exec('INSERT INTO names (rowid, text) VALUES (?, ?)', row, text),
      )
    }
    sql.exec('DELETE FROM names WHERE rowid = 7')
    const [segments, rows] = [countSegments(sql), findRows(sql)]
    expect(segments).toBeGreaterThan(8)
    expect(rows).toHaveLength(29)

    expect(mergeSegments(sql, { segments, pages: 4 }), 'few enough').toBe(false)
    expect(countSegments(sql)).toBe(segments)
    let steps = 1
    for (; mergeSegments(sql, { segments: 8, pages: 2 }); steps++) {
      expect(steps).toBeLessThan(200)
      expect(findRows(sql)).toEqual(rows)
    }
    expect(steps).toBeGreaterThan(3)
    expect(countSegments(sql)).toBe(1)
    expect(findRows(sql)).toEqual(rows)
    sql.exec("INSERT INTO names (names) VALUES ('integrity-check')")
  })
})
