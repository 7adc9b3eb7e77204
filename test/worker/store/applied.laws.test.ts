/** Taking applied changes out of a draft leaves the rows that it has when what stays is written again. */

import { parsePath } from '#core/path.ts'
import { groupsOf } from '#worker/drafts/overlap.ts'
import { isPlainWrite } from '#worker/store/draft/applied.ts'
import { createSqliteObjects } from '#worker/store/content/objects.ts'
import { createSqliteStore, type SqliteStore } from '#worker/store/open/sqlite.ts'
import type { Change, DraftStore, Step, Store } from '#worker/store/store.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import fc from '../../support/core/random.ts'
import { runs } from '../../support/core/runs.ts'
import { expectRules } from '../../support/worker/invariants.ts'
import { newStub } from '../../support/worker/object-life.ts'
import { TESTER } from '../../support/worker/store-contract.ts'

const DRAFT = 1

const path = fc
  .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
  .map((names) => parsePath(`/${names.join('/')}`))

const draw = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('put' as const),
      path,
      text: fc.constantFrom('x', 'y', 'z'),
      mode: fc.constantFrom({}, {}, { executable: true }, { executable: false }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('folder' as const), path }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('remove' as const), path }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('move' as const), from: path, to: path }) },
)

type Drawn = typeof draw extends fc.Arbitrary<infer T> ? T : never

/** One change of the draft. */
interface Proposed {
  readonly change: Change
  readonly steps: readonly Step[]
}

async function stepOf(store: Store, drawn: Drawn): Promise<Step> {
  if (drawn.type !== 'put') return drawn
  const content = await store.hold(new TextEncoder().encode(drawn.text))
  return { type: 'put', path: drawn.path, content, ...drawn.mode }
}

const NOTE = { tool: 'test', intent: 'Test', actor: TESTER, decision: [] }

function applyTo(layer: Store, steps: readonly Step[]) {
  const applied = layer.apply({ basis: layer.totals.version, steps, note: NOTE })
  return applied.ok ? applied.value : null
}

function writeAgain(layer: DraftStore, { change: { version, at }, steps }: Proposed) {
  const as = { version, at }
  return layer.apply({ basis: layer.totals.version, steps, note: NOTE, as })
}

/** The groups whose changes are picked, if they only write files. */
function choose(proposed: readonly Proposed[], bits: number): ReadonlySet<Proposed> {
  const groups = groupsOf(proposed)
  const isPlain = (group: number | undefined) =>
    proposed.every(({ steps }, index) => groups[index] !== group || isPlainWrite(steps))
  const isPicked = (index: number) => (bits >> ((groups[index] ?? 0) % 16)) & 1
  return new Set(proposed.filter((_, index) => isPicked(index) && isPlain(groups[index])))
}

const rowsOf = (sql: SqlStorage) =>
  ['draft_files ORDER BY path', 'draft_versions ORDER BY path, version'].map((table) =>
    sql.exec(`SELECT * FROM ${table}`).toArray(),
  )

const changesOf = (sql: SqlStorage) =>
  sql.exec('SELECT version, paths FROM draft_changes ORDER BY version').toArray()

async function propose(store: SqliteStore, drawn: readonly Drawn[]): Promise<Proposed[]> {
  const proposed: Proposed[] = []
  for (const each of drawn) {
    const steps = [await stepOf(store, each)]
    const change = applyTo(store.draft(DRAFT), steps)
    if (change) proposed.push({ change, steps })
  }
  return proposed
}

it('has the rows of a draft that is written again', { timeout: 600_000 }, async () => {
  const list = fc.array(draw, { minLength: 1, maxLength: 12, size: 'max' })
  await fc.assert(
    fc.asyncProperty(list, list, fc.nat(0xffff), (own, drawn, bits) =>
      runInDurableObject(newStub(), async (_, object) => {
        const { storage } = object
        const store = createSqliteStore(storage, createSqliteObjects(storage.sql))
        for (const each of own) applyTo(store, [await stepOf(store, each)])
        const proposed = await propose(store, drawn)
        const chosen = choose(proposed, bits)
        store.transaction(() => {
          for (const { steps } of chosen) expect(applyTo(store, steps)).not.toBeNull()
          store.dropApplied(
            DRAFT,
            [...chosen].map(({ change: { version }, steps }) => ({ version, steps })),
          )
        })
        const { sql } = storage
        const taken = [rowsOf(sql), changesOf(sql)]
        const totals = store.draft(DRAFT).totals
        expectRules(object)
        store.rewriteDraft(DRAFT, (layer) => {
          for (const one of proposed)
            if (!chosen.has(one)) expect(writeAgain(layer, one).ok).toBe(true)
        })
        expect(taken).toEqual([rowsOf(sql), changesOf(sql)])
        expect(totals).toEqual(store.draft(DRAFT).totals)
      }),
    ),
    runs(200, 1_000),
  )
})
