/**
 * What a page of the feed or of a recursive listing costs tells nothing of what is hidden from its link: it reads the rows
 * that it reads where there is one hidden file. `costs.test.ts` has the calls of MCP.
 */

import { parsePath } from '#core/path.ts'
import type { Step } from '#worker/store/store.ts'
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { countUsage } from '../../../bench/baselines/counter.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { bytesOf, freshWorkspace } from '../../support/worker/client.ts'
import { shareFeedSecret } from '../../support/worker/feed-secret.ts'
import { holdAlarm, storeOf, stubOf } from '../../support/worker/object-life.ts'
import { act } from '../../support/worker/store-contract.ts'

/** One hidden file is enough for a change that touched it as well to lose its sentence. */
const HIDDEN = [1, 200, 3_000]

/** Rows of difference that tell nothing. */
const SLACK = 4

const VISIBLE = Array.from({ length: 40 }, (_, at) => `/pub/in-${at % 4}/file-${at}.txt`)

const hiddenAt = (at: number) =>
  [`/a/secret-${at}.txt`, `/pub-more/secret-${at}.txt`, `/z/${at}/secret.txt`][at % 3] ?? ''

const REQUESTS = [
  '/changes',
  '/changes?limit=2',
  '/changes?path=/pub/in-1',
  '/changes?path=/pub/none',
  '/files/?recursive=true',
  '/files/pub?recursive=true&limit=5',
  `/files${VISIBLE[3]}`,
]

/** Writes files in a number of changes that does not depend on how many are hidden, and moves and deletes some. */
async function seed(workspace: ReturnType<typeof freshWorkspace>, hidden: readonly string[]) {
  const stub = stubOf(workspace)
  await runInDurableObject(stub, async (_, state) => {
    const store = storeOf(state)
    shareFeedSecret(state.storage.sql)
    let texts = 0
    const write = async (paths: readonly string[]) => {
      const content = await store.hold(bytesOf(`text ${texts++}`))
      const steps = paths.map((path): Step => ({ type: 'put', path: parsePath(path), content }))
      expect(act(store, ...steps).ok).toBe(true)
    }
    await write(VISIBLE.slice(0, 20))
    for (let at = 0; at < 5; at++) await write(hidden.filter((__, index) => index % 5 === at))
    await write([...VISIBLE.slice(20), ...hidden.slice(0, 1_500)])
    act(store, { type: 'move', from: parsePath('/pub/in-3'), to: parsePath('/pub/moved') })
    act(store, { type: 'folder', path: parsePath('/a') })
    act(store, { type: 'remove', path: parsePath('/a') })
  })
  await evictDurableObject(stub)
}

async function countRows(count: number) {
  const workspace = freshWorkspace()
  await seed(
    workspace,
    Array.from({ length: count }, (_, at) => hiddenAt(at)),
  )
  const stub = stubOf(workspace)
  const { client } = await linkOf(workspace, { scopes: ['read:file:/pub'] })
  await holdAlarm(stub)
  await (await client.fetch('/files/pub')).text()
  const counter = await runInDurableObject(stub, (_, { storage }) => countUsage(storage))
  const rows: [string, number][] = []
  const texts: string[] = []
  for (const path of REQUESTS) {
    const answer = await client.fetch(path)
    texts.push((await answer.text()).replace(/"(?:mtime|at|id)":(?:\d+|"[^"]*")/g, ''))
    rows.push([path, (await runInDurableObject(stub, () => counter.take())).rowsRead])
  }
  return { rows, texts }
}

it('reads the rows, and tells what it tells, with one hidden file', async () => {
  const [none, ...more] = await Promise.all(HIDDEN.map(countRows))
  for (const { rows, texts } of more) {
    expect(texts).toEqual(none?.texts)
    for (const [at, [path, read]] of rows.entries())
      expect(Math.abs(read - (none?.rows[at]?.[1] ?? 0)), path).toBeLessThanOrEqual(SLACK)
  }
  expect(none?.rows.every(([, read]) => read > 0)).toBe(true)
})
