/** Equal content under many paths, of the workspace and of drafts: it is kept while a version names it, and no longer. */

import { parsePath } from '#core/path.ts'
import { createSqliteObjects } from '#worker/store/content/objects.ts'
import { STORE_LIMITS } from '#worker/store/limits.ts'
import { createSqliteStore } from '#worker/store/open/sqlite.ts'
import type { Step, Store } from '#worker/store/store.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import fc from '../../support/core/random.ts'
import { runs } from '../../support/core/runs.ts'
import { expectRules } from '../../support/worker/invariants.ts'
import { newStub } from '../../support/worker/object-life.ts'
import { TESTER } from '../../support/worker/store-contract.ts'

const NOTE = { tool: 'test', intent: 'Test', actor: TESTER, decision: [] }

/** So few that content is soon dropped. */
const LIMITS = { ...STORE_LIMITS, versions: 2 }

const path = fc
  .constantFrom('/a', '/b', '/d/a', '/d/b', '/e/a', '/e/b', '/d', '/e')
  .map((text) => parsePath(text))

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('put' as const),
      path,
      text: fc.constantFrom('x', 'y', 'z'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('move' as const), from: path, to: path }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('remove' as const), path }) },
)

type Drawn = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Changes of the workspace and of two drafts; one without steps drops its draft. */
const changesOf = (most: number) =>
  fc.array(
    fc.record({
      draft: fc.constantFrom(null, null, 1, 2),
      steps: fc.array(step, { maxLength: most, size: 'max' }),
    }),
    { minLength: 1, maxLength: 30, size: 'max' },
  )

async function stepsOf(store: Store, drawn: readonly Drawn[]): Promise<Step[]> {
  const steps: Step[] = []
  for (const each of drawn) {
    if (each.type !== 'put') steps.push(each)
    else
      steps.push({
        type: 'put',
        path: each.path,
        content: await store.hold(new TextEncoder().encode(each.text)),
      })
  }
  return steps
}

it('is kept while it is named', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(changesOf(1), changesOf(3)), (changes) =>
      runInDurableObject(newStub(), async (_, object) => {
        const { storage } = object
        const workspace = createSqliteStore(storage, createSqliteObjects(storage.sql))
        for (const { draft, steps } of changes) {
          if (draft !== null && steps.length === 0) workspace.dropDraft(draft)
          const store = draft === null ? workspace : workspace.draft(draft)
          const basis = store.totals.version
          store.apply({ basis, steps: await stepsOf(store, steps), note: NOTE, limits: LIMITS })
          expectRules(object)
        }
        workspace.dropDraft(1)
        workspace.dropDraft(2)
        expectRules(object)
        // Within a change, a later step can replace what an earlier one has moved or copied.
        if (changes.every(({ steps }) => steps.length <= 1))
          expect(uselessPaths(storage.sql)).toEqual([])
      }),
    ),
    runs(60),
  )
})

/** Further paths that name their blob no more, and were not taken away with the last version that did. */
const uselessPaths = (sql: SqlStorage) =>
  sql
    .exec(
      `SELECT blob, path FROM blob_paths p
       WHERE NOT EXISTS (SELECT 1 FROM versions v WHERE v.path = p.path AND v.blob = p.blob)`,
    )
    .toArray()
