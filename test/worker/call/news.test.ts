/** News in a result: as much as fits, and what a request may learn in part only is kept for one that may learn all. */

import { expect, it } from 'vitest'
import { MAX_NEWS_BYTES } from '#worker/limits.ts'
import { MAX_NOTE_LENGTH } from '#worker/drafts/limits.ts'
import { MAX_DECIDED_REQUESTS, MAX_REQUESTED_SCOPES } from '#worker/requests/limits.ts'
import { MAX_LISTED_BYTES } from '#worker/tools/lib/limits.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { decideRequest, listRequests } from '../../support/worker/requests.ts'

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

/** A path with long names, in a folder of its own. */
const long = (name: string) =>
  `/${Array.from({ length: 4 }, () => 'long'.repeat(50)).join('/')}/${name}/a`

/** A client that has requested as much as it can. */
async function requesting(workspace: ReturnType<typeof freshWorkspace>) {
  const { client } = await linkOf(workspace, { scopes: ['read:file:/docs'] })
  for (let at = 0; at < MAX_DECIDED_REQUESTS; at++) {
    const paths = Array.from({ length: MAX_REQUESTED_SCOPES }, (_, n) => long(`${at}-${n}`))
    await client.call('read_multiple_files', { paths })
  }
  return client
}

it('MAX_NEWS_BYTES: twenty decisions on long requests fit, and the rest is counted', async () => {
  const workspace = freshWorkspace()
  const client = await requesting(workspace)
  const plain = bytesOf((await client.call('list_roots')).result)
  const note = 'x'.repeat(MAX_NOTE_LENGTH)
  const requests = await listRequests(workspace)
  expect(requests).toHaveLength(MAX_DECIDED_REQUESTS)
  for (const { id } of requests) await decideRequest(workspace, `${id}/refuse`, { note })
  const { result } = await client.call('list_roots')
  expect(bytesOf(result)).toBeLessThan(plain + MAX_NEWS_BYTES + 500)
  expect(JSON.stringify(result?.structuredContent)).toMatch(
    /and 15 more.*… and \d+ more decisions; draft_status lists them\./,
  )
})

it('a draft_status with long requests and news has no more bytes than a list', async () => {
  const workspace = freshWorkspace()
  const client = await requesting(workspace)
  for (const { id } of (await listRequests(workspace)).slice(5))
    await decideRequest(workspace, `${id}/refuse`, { note: 'x'.repeat(MAX_NOTE_LENGTH) })
  const { result } = await client.call('draft_status')
  expect(bytesOf(result)).toBeLessThan(MAX_LISTED_BYTES)
  expect(JSON.stringify(result)).toMatch(/and 15 more waits for the owner.*has all of them/)
})

const POLICY = { policy: { roots: [{ path: '/', deny: ['secret', 'secret/**'] }] } }

it('a decision of which a request learns no path is reported to the next that may learn it', async () => {
  const workspace = freshWorkspace()
  const owner = ownerOf(workspace)
  await owner.demand('review')
  await workspace.call('write_file', { path: '/secret/a', content: 'x' })
  await owner.decide('turn-down', { note: 'No.' })
  const call = async (meta = {}) =>
    JSON.stringify((await workspace.call('list_roots', {}, meta)).result)
  const reduced = await call(POLICY)
  expect(reduced).toContain('No.')
  expect(reduced).not.toContain('secret')
  expect(await call(POLICY)).not.toContain('No.')
  expect(await call()).toContain('/secret/a')
  expect(await call()).not.toContain('No.')
})

it('so is the decision on an access request', async () => {
  const workspace = freshWorkspace()
  const { client } = await linkOf(workspace, { scopes: ['read:file:/docs'] })
  await client.call('read_file', { path: '/secret/a' })
  const [request] = await listRequests(workspace)
  await decideRequest(workspace, `${request?.id}/refuse`, { note: 'No.' })
  const call = async (meta = {}) =>
    JSON.stringify((await client.call('list_roots', {}, meta)).result)
  expect(await call(POLICY)).not.toContain('secret')
  expect(await call(POLICY)).not.toContain('No.')
  expect(await call()).toContain('/secret')
  expect(await call()).not.toContain('No.')
})
