/** Pins: content that is kept beside history, inline and as a large object, until it is dropped. */

import { afterEach, expect, it, vi } from 'vitest'
import { MAX_HISTORY_VERSIONS, SWEEP_GRACE_MS } from '#worker/limits.ts'
import { runAlarm, stubOf } from '../../support/worker/object-life.ts'
import {
  makeLink,
  numberIn,
  openPage,
  putFiles,
  sharedFiles,
} from '../../support/worker/page-links.ts'

afterEach(() => vi.useRealTimers())

const LARGE = 'large '.repeat(40_000)

const written = (at: number) => ({ '/a.txt': `${at}` })

it.each([
  ['inline', 'small'],
  ['as a large object', LARGE],
])('keeps content %s that history has dropped, and the sweep passes it over', async (_, text) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { workspace, link } = await sharedFiles({ '/a.txt': text }, '/a.txt')
  for (let at = 0; at < MAX_HISTORY_VERSIONS; at++) await putFiles(workspace, written(at))
  expect(await numberIn(workspace, "SELECT count(*) FROM versions WHERE path = '/a.txt'")).toBe(
    MAX_HISTORY_VERSIONS,
  )
  vi.setSystemTime(Date.now() + 2 * SWEEP_GRACE_MS)
  await runAlarm(stubOf(workspace))
  const { response } = await openPage(link, '?download')
  expect(await response.text()).toBe(text)
})

it('drops the content with its last pin, unless a version names it', async () => {
  const { workspace, link } = await sharedFiles({ '/a.txt': LARGE, '/kept.txt': 'kept' }, '/')
  const second = await makeLink(workspace, '/a.txt')
  for (let at = 0; at < MAX_HISTORY_VERSIONS; at++) await putFiles(workspace, written(at))
  const end = (id: string) => workspace.fetch(`/page-links/${id}`, { method: 'DELETE' })
  const blobs = () => numberIn(workspace, 'SELECT count(*) FROM blobs')
  const trash = () => numberIn(workspace, 'SELECT count(*) FROM trash')
  const before = await blobs()
  await end(link.id)
  expect([await blobs(), await trash()]).toEqual([before, 0])
  expect((await openPage(second)).status).toBe(200)
  await end(second.id)
  expect([await blobs(), await trash()]).toEqual([before - 1, 1])
  expect(await (await workspace.fetch('/files/kept.txt')).text()).toBe('kept')
})
