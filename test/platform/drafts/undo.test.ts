/** What undoing a change inside a draft costs: rows in proportion to the files, however many changes history has. */

import { recordOf } from '#core/json.ts'
import { expect, it } from 'vitest'
import { countedWorkspace } from '../../support/worker/counted-workspace.ts'

const HEADERS = {
  ...{ 'content-type': 'application/json', 'x-edgewise-console': '1' },
  ...{ origin: 'http://localhost', 'sec-fetch-site': 'same-origin' },
}

/** The rows that are read to undo the deletion of a folder, both in a draft; each file of it has a change. */
async function rowsToUndo(files: number): Promise<number> {
  const { fetch, call, takeAlone } = await countedWorkspace()
  for (let at = 0; at < files; at++) await call('write_file', { path: `/d/${at}`, content: 'text' })
  const body = JSON.stringify({ approval: 'review' })
  await fetch('/config', { method: 'PUT', headers: HEADERS, body })
  await call('delete_file', { path: '/d' })
  const { drafts } = recordOf(JSON.parse(await fetch('/drafts', {})))
  const [draft] = Array.isArray(drafts) ? drafts : []
  const shown = recordOf(JSON.parse(await fetch(`/drafts/${String(recordOf(draft)['id'])}`, {})))
  const [change] = Array.isArray(shown['changes']) ? shown['changes'] : []
  await takeAlone()
  await call('undo_change', { id: recordOf(change)['id'] })
  return (await takeAlone()).rowsRead
}

it('an undo reads rows in proportion to the files', async () => {
  const [few, many] = [await rowsToUndo(40), await rowsToUndo(160)]
  expect(many / few).toBeLessThan(5)
})
