/** The sizes of the schema in decision 24 and in the page of the benchmark: SQLite parses it for a first call. */

import { RARE_TABLES } from '#worker/database/rare-tables.ts'
import { openTables } from '#worker/store/open/opening.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import decision from '../../../docs/decisions/0024-waking-up.md?raw'
import performance from '../../../docs/performance.md?raw'
import { freshWorkspace } from '../../support/worker/client.ts'
import { newStub, stubOf } from '../../support/worker/object-life.ts'

/** The numbers of tables and of indexes, without those of the runtime. */
function countSchema(sql: SqlStorage): readonly [number, number] {
  const query =
    "SELECT count(*) AS count FROM sqlite_schema WHERE type = ? AND name NOT LIKE '_cf_%'"
  const count = (type: string) => sql.exec<{ count: number }>(query, type).one().count
  return [count('table'), count('index')]
}

const countAll = () =>
  runInDurableObject(newStub(), (_, { storage }) => {
    openTables(storage)
    for (const statements of Object.values(RARE_TABLES)) storage.sql.exec(statements)
    return countSchema(storage.sql)
  })

async function countUsual() {
  const workspace = freshWorkspace()
  await workspace.put('/a', 'text')
  await workspace.text('read_file', { path: 'a' })
  return runInDurableObject(stubOf(workspace), (_, { storage }) => countSchema(storage.sql))
}

/** The numbers that a text has in place of the signs `#` of a sentence, whose words any white space may separate. */
function numbersIn(text: string, sentence: string): number[] {
  const pattern = sentence.replaceAll('#', '(\\d+)').replaceAll(' ', '\\s+')
  return new RegExp(pattern).exec(text)?.slice(1).map(Number) ?? []
}

it('a usual workspace has as many tables and indexes as they say', async () => {
  const usual = await countUsual()
  expect(numbersIn(performance, 'SQLite parses # tables and # indexes')).toEqual(usual)
  expect(numbersIn(decision, 'workspace has # tables and # indexes')).toEqual(usual)
  const all = await countAll()
  expect(numbersIn(decision, 'has # tables and indexes in place of #')).toEqual([
    usual[0] + usual[1],
    all[0] + all[1],
  ])
})
