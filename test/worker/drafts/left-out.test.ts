/** What a person left out of a file, and the mark of a later change that brings it back. */

import { parsePath } from '#core/path.ts'
import {
  bringsBack,
  createLeftOut,
  findLeftOut,
  runsBetween,
  type Run,
} from '#worker/drafts/left-out.ts'
import {
  MAX_LEFT_OUT_RUN_BYTES,
  MAX_LEFT_OUT_RUNS,
  MAX_PATH_LEFT_OUT_RUNS,
} from '#worker/drafts/limits.ts'
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { amendTo, approveAll, outcomeOf, REVIEW, shown } from '../../support/worker/draft-tools.ts'
import { newStub } from '../../support/worker/object-life.ts'
import { withToolContext, type TestContext } from '../../support/worker/tool-context.ts'

const takenOut = (...taken: readonly Run[]) => ({ taken, kept: [] })

describe('runs', () => {
  it.each<[string, string, string[][]]>([
    ['a\nb\nc\n', 'a\nc\n', [['b']]],
    ['a\r\n\r\nb\r\n\r\nc', 'c', [['a', '', 'b']]],
    ['a\n\n', 'a\n', []],
    ['a\nb\n', 'a\nb\nc\n', []],
    ['a\nx\nb\ny\n', 'a\nb\n', [['x'], ['y']]],
  ])('taken out of %j for %j are %j', (proposed, text, runs) =>
    expect(runsBetween(proposed, text)).toEqual(runs),
  )

  it('MAX_LEFT_OUT_RUN_BYTES: of a longer run the first lines are kept', () => {
    const lines = Array.from({ length: 9 }, () => 'x'.repeat(997))
    expect(runsBetween(`${lines.join('\n')}\n`, '')).toEqual([lines.slice(0, 4)])
    expect(runsBetween('x'.repeat(MAX_LEFT_OUT_RUN_BYTES), '')).toEqual([])
  })

  it.each<[string, string, boolean]>([
    ['', 'a\nb\n', true],
    ['', 'x\r\na\r\nb', true],
    ['', 'a\n', false],
    ['', 'b\na\n', false],
    ['a\nb\n', 'a\nb\na\nb\n', false],
    ['', 'a\na\nb\n', true],
  ])('from %j to %j bring the lines a, b back: %s', (before, after, is) =>
    expect(bringsBack(before, after, takenOut(['a', 'b']))).toBe(is),
  )

  it.each<[string, boolean]>([
    ['curl evil\n', true],
    ['   curl evil\n', true],
    ['sh\n', false],
    ['keep\ncurl\n', false],
  ])('of a telling line, %j alone brings it back: %s', (after, is) =>
    expect(bringsBack('keep\n', after, takenOut(['curl evil', 'sh']))).toBe(is),
  )

  it.each<[string, string, string, string[][]]>([
    ['a\nkeep\nb\n', 'a\nb\n', 'a\nkeep\nb\n', [['keep']]],
    ['a\nkeep\nb\n', 'a\nb\n', 'a\nb\n', []],
    ['a\nkeep\nb\n', 'a\nnew\nb\n', 'a\nkeep\nb\n', []],
    ['a\nkeep\nkeep\n', 'a\nkeep\n', 'a\nkeep\nkeep\n', []],
    ['', 'a\n', 'a\nb\n', []],
  ])('from %j to %j, approved as %j, kept are %j', (before, proposed, text, kept) =>
    expect(findLeftOut(before, proposed, text).kept).toEqual(kept),
  )

  it.each<[string, string, boolean]>([
    ['a\nkeep\nb\n', 'a\nb\n', true],
    ['a\nkeep\nb\n', 'a\nkept\nb\n', true],
    ['a\nkeep\nb\n', 'keep\n', false],
    ['a\nb\n', 'a\n', false],
  ])('from %j to %j the deletion of a kept line is back: %s', (before, after, is) =>
    expect(bringsBack(before, after, { taken: [], kept: [['keep']] })).toBe(is),
  )

  it('are found where a part of one is its beginning', () => {
    const runs = takenOut(['a', 'b', 'a', 'b', 'c'])
    expect(bringsBack('', 'a\nb\na\nb\na\nb\nc\n', runs)).toBe(true)
    expect(bringsBack('', 'a\nb\na\nb\na\nc\n', runs)).toBe(false)
  })

  it('are looked for in time in proportion to the text', () => {
    const run = [...Array.from({ length: 999 }, () => 'a'), 'b']
    const began = performance.now()
    expect(bringsBack('', 'a\n'.repeat(200_000), takenOut(run))).toBe(false)
    expect(performance.now() - began).toBeLessThan(1_000)
  })

  it('MAX_PATH_LEFT_OUT_RUNS and MAX_LEFT_OUT_RUNS: the newest of a path are kept', () =>
    runInDurableObject(newStub(), (_, { storage }) => {
      const leftOut = createLeftOut(storage.sql)
      const runs = Array.from({ length: MAX_PATH_LEFT_OUT_RUNS + 1 }, (_each, at) => [`${at}`])
      leftOut.add(parsePath('/a'), takenOut(...runs), 'one')
      expect(leftOut.of(parsePath('/a')).taken).toHaveLength(MAX_PATH_LEFT_OUT_RUNS)
      for (let at = 0; at < MAX_LEFT_OUT_RUNS; at++)
        leftOut.add(parsePath('/b'), takenOut([`${at}`]), 'one')
      expect([...leftOut.paths()]).toEqual(['/b'])
      expect(leftOut.of(parsePath('/b')).taken[0]).toEqual([`${MAX_LEFT_OUT_RUNS - 1}`])
    }))
})

describe('a later change', () => {
  const write = (context: TestContext, path: string, content: string) =>
    outcomeOf(context, 'write_file', { path, content })

  const risks = async (context: TestContext) =>
    Object.fromEntries((await shown(context)).files.map(({ path, risks: all }) => [path, all]))

  it('that brings back what was taken out of a file is marked, and no other', () =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': 'a\n', '/b': 'b\n' })
      await write(context, '/a', 'a\nrm -rf\nb\n')
      await approveAll(context, { amended: [amendTo('/a', 'a\nrm -rf\nb\n', 'a\nb\n')] })
      await write(context, '/a', 'a\nb\nc\n')
      await write(context, '/b', 'b\nrm -rf\n')
      expect(await risks(context)).toEqual({ '/a': [], '/b': [] })
      await write(context, '/a', 'a\r\nrm -rf\r\nb\r\nc\r\n')
      expect(await risks(context)).toEqual({ '/a': ['brings_back'], '/b': [] })
      const { changes } = await shown(context)
      const last = changes.at(-1)?.id ?? ''
      const own = await context.drafts.reviewChange(
        context.drafts.all()[0] ?? never(),
        last,
        ({ own: { files } }) => files(),
      )
      expect(own?.map(({ risks: all }) => all)).toEqual([['brings_back']])
      // What the owner approves all the same is there.
      await approveAll(context)
      await write(context, '/a', 'a\nrm -rf\nb\n')
      expect(await risks(context)).toEqual({ '/a': [] })
    }))

  it('that deletes again what was kept is marked, and one that replaces it otherwise is not', () =>
    withToolContext(REVIEW, async (context) => {
      await context.write({ '/a': 'one\nguard\ntwo\nthree\nfour\nfive\n' })
      await write(context, '/a', 'one\ntwo\nthree\nfour\nFIVE\n')
      const kept = 'one\nguard\ntwo\nthree\nfour\nFIVE\n'
      const proposed = 'one\ntwo\nthree\nfour\nFIVE\n'
      await approveAll(context, { amended: [amendTo('/a', proposed, kept)] })
      await write(context, '/a', `${kept}six\n`)
      expect(await risks(context)).toEqual({ '/a': [] })
      await write(context, '/a', `${proposed}six\n`)
      expect(await risks(context)).toEqual({ '/a': ['brings_back'] })
    }))
})

function never(): never {
  throw new Error('Expected a draft')
}
