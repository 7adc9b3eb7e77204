/** Changes of which history has nothing left are kept up to a number, and those that it needs for longer. */

import { MAX_CHANGES } from '#worker/limits.ts'
import { STORE_LIMITS } from '#worker/store/limits.ts'
import { parsePath } from '#core/path.ts'
import { runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { expectWhole } from '../../support/worker/invariants.ts'
import { newStub, storeOf } from '../../support/worker/object-life.ts'
import { act, applied, put, TESTER } from '../../support/worker/store-contract.ts'

const note = { tool: 'import', intent: 'Import', actor: TESTER, decision: [] }

const versions = ({ storage }: DurableObjectState) =>
  storage.sql
    .exec<{ version: number }>('SELECT version FROM changes ORDER BY version')
    .toArray()
    .map(({ version }) => version)

/** The numbers of the entries of the audit log, which has to be whole. */
function seqs({ audit }: ReturnType<typeof storeOf>): number[] {
  expect(audit.check()).toMatchObject({ dropped: 0, broken: null })
  return audit.find({ limit: 100 }).map(({ seq }) => seq)
}

it('keeps the newest changes, and older ones while history has a version of them', async () => {
  const stub = newStub()
  await runInDurableObject(stub, async (_, state) => {
    const { sql } = state.storage
    const store = storeOf(state)
    await put(store, '/a', 'one') // 1
    act(store) // 2: touched nothing
    const content = await store.hold(new TextEncoder().encode('x'))
    const step = (path: string) => ({ type: 'put', path: parsePath(path), content }) as const
    // 3 and 4 are one import, of which /b is overwritten later.
    const { id } = applied(store.apply({ basis: 4, steps: [step('/b')], note }))
    store.apply({ basis: 4, steps: [step('/c')], note: { ...note, id } })
    act(store) // 5

    // As if a million changes had gone by.
    const jump = (version: number) =>
      sql.exec(
        `INSERT INTO changes (version, id, tool, intent, principal, at, files, folders, bytes, paths,
           seq, hash, applied)
         SELECT ?, 'jump', tool, intent, principal, at, files, folders, bytes, 0,
           seq, hash, applied
         FROM changes WHERE version = 5`,
        version,
      )
    jump(500)
    jump(501)
    jump(MAX_CHANGES + 499)
    expect(versions(state)).toEqual([1, 2, 3, 4, 5, 500, 501, MAX_CHANGES + 499])

    const later = storeOf(state)
    const limits = { ...STORE_LIMITS, versions: 1 }
    const write = (path: string) =>
      later.apply({ basis: later.totals.version, steps: [step(path)], note, limits })
    await put(later, '/d', 'x')
    const kept = [501, MAX_CHANGES + 499, MAX_CHANGES + 500]
    expect(versions(state)).toEqual([1, 3, 4, ...kept])
    // Those of the deleted changes as well.
    expect(seqs(later)).toEqual([6, 5, 4, 3, 2, 1])

    write('/b')
    expect(versions(state)).toEqual([1, 3, 4, ...kept, MAX_CHANGES + 501])
    expect(later.changesOf(id).map(({ complete }) => complete)).toEqual([false, true])
    write('/c')
    expect(versions(state).slice(0, 2)).toEqual([1, 501])
    write('/a')
    expect(versions(state)[0]).toBe(501)
    expect(seqs(later)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
  })
  await expectWhole(stub)
})
