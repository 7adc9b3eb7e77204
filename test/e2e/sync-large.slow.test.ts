/** A sync of 10,000 files, and what one changed file costs then. */

import { expect, it, onTestFinished, vi } from 'vitest'
import { run as syncFolder } from '../../scripts/sync.ts'
import { scratch } from '../support/e2e/folder.ts'
import { runHere } from '../support/e2e/run-here.ts'
import { useServer } from '../support/e2e/server.ts'
import { readTexts, writeText } from '../support/sync/folder.ts'

const server = useServer()

const runSync = (...args: string[]) => runHere(syncFolder, args)

it('sends one changed file of 10,000 with one request, after one that lists what changed', async () => {
  const url = `${server.url}/w/large`
  const folder = scratch()
  for (let index = 0; index < 10_000; index++)
    writeText(folder, `${index % 100}/${index}.txt`, `text ${index}`)
  expect(await runSync(folder, url)).toMatchObject({ code: 0 })
  writeText(folder, '7/7.txt', 'changed')
  const sent = vi.spyOn(globalThis, 'fetch')
  onTestFinished(() => sent.mockRestore())
  expect(await runSync(folder)).toMatchObject({ code: 0 })
  const requests = sent.mock.calls.map(
    ([address, init]) =>
      `${init?.method} ${typeof address === 'string' ? new URL(address).pathname : ''}`,
  )
  expect(requests).toEqual(['GET /w/large/changes', 'PUT /w/large/files/7/7.txt'])
  sent.mockRestore()
  const other = scratch()
  expect(await runSync('pull', other, url)).toMatchObject({ code: 0 })
  expect(readTexts(other)).toEqual(readTexts(folder))
})
