/** The index of names: whatever part of it is filled, it finds every path that a walk over all paths finds. */

import { parsePath, ROOT } from '#core/path.ts'
import { fillNames } from '#worker/search/name-index.ts'
import { draftLayer, WORKSPACE_LAYER } from '#worker/store/layer.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import fc from '../../support/core/random.ts'
import { runs } from '../../support/core/runs.ts'
import { faultsOf } from '../../support/worker/invariants.ts'
import { expectAllFound, perform, SMALL, type Change } from '../../support/worker/name-index.ts'
import { newStub, storeOf } from '../../support/worker/object-life.ts'

const p = parsePath

// Few names, which are parts of each other and of the patterns, with characters that sort differently in UTF-16.
const name = fc.constantFrom(
  ...['needle', 'Needle', 'need', 'needles.ts', 'haystack', 'Straße', 'stra\u017fse', '\u{1f600}x'],
  ...['\uffeea', 'index.ts', 'index.tsx', 'a', 'ab', 'KELVIN', 'needlestack', 'İndex', 'ﬁle'],
)
const path = fc
  .array(name, { minLength: 1, maxLength: 3 })
  .map((names) => p(`/${names.join('/')}`.normalize('NFC')))

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ type: fc.constant('put'), path }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('folder'), path }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('remove'), path }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('move'), from: path, to: path }) },
)

type Command = 'fill' | { readonly on: 'workspace' | 'draft'; readonly changes: readonly Change[] }

/** Files of two folders, which one change can always write together. */
const file = fc
  .tuple(fc.constantFrom('one', 'two'), fc.constantFrom('1', '2', '3'), name)
  .map(([folder, number, text]) => p(`/${folder}/${number}${text}`.normalize('NFC')))
const files = fc
  .uniqueArray(file, { minLength: 1, maxLength: 14 })
  .map((paths) => paths.map((each) => ({ type: 'put', path: each }) as const))
const deletion = file.map((each) => [{ type: 'remove', path: each } as const])

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.constant('fill') },
  {
    weight: 4,
    arbitrary: fc.record({
      on: fc.constant('workspace'),
      changes: fc.oneof({ weight: 2, arbitrary: files }, { weight: 1, arbitrary: deletion }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      on: fc.constantFrom('workspace', 'workspace', 'draft'),
      changes: fc.array(change, { minLength: 1, maxLength: 12 }),
    }),
  },
)

it('finds the same as a walk, in a workspace and in a draft', { timeout: 600_000 }, async () => {
  const program = fc.array(command, { minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(program, async (commands) => {
      await runInDurableObject(newStub(), async (_, state) => {
        const { sql } = state.storage
        const store = storeOf(state)
        for (const each of commands) {
          if (each === 'fill') fillNames(state.storage, store.totals, SMALL)
          else await perform(each.on === 'draft' ? store.draft(1) : store, each.changes)
        }
        const expectFound = () => {
          for (const folder of [ROOT, p('/needle'), p('/index.ts')]) {
            expectAllFound({ sql, store, layer: WORKSPACE_LAYER }, folder)
            expectAllFound({ sql, store: store.draft(1), layer: draftLayer(1) }, folder)
          }
        }
        expectFound()
        for (let turns = 0; fillNames(state.storage, store.totals, SMALL); turns++)
          expect(turns).toBeLessThan(200)
        expectFound()
        expect(await faultsOf(state)).toEqual({})
      })
    }),
    { ...runs(40, 200), endOnFailure: false },
  )
})
