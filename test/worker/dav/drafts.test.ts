/** A write that has to wait: what its client learns, and who sees it. */

import { describe, expect, it } from 'vitest'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import { davClient, davWith, passwordOf } from '../../support/worker/dav.ts'
import { textOf } from '../../support/worker/held-draft.ts'

async function heldDav(level: 'review' | 'confirm' = 'review') {
  const made = await davWith({ '/a': 'old', '/b': 'old', '/f/c': 'old' })
  const owner = ownerOf(made.workspace)
  await owner.demand(level)
  const { client } = await linkOf(made.workspace)
  return { ...made, owner, other: davClient(made.workspace, passwordOf(client)) }
}

const namesIn = async (dav: ReturnType<typeof davClient>, path = '/') =>
  (await dav.propfind(path, '1')).resources.slice(1).map(({ found }) => found['displayname'])

describe('a write that waits', () => {
  it('has the status of one that is applied, and names its draft', async () => {
    const { dav, owner } = await heldDav()
    const go = (method: string, from: string, to: string) =>
      dav.send(method, from, { headers: { destination: dav.address(to) } })
    const answers = [
      await dav.send('PUT', '/new', { body: 'x' }),
      await dav.send('PUT', '/a', { body: 'new' }),
      await dav.send('MKCOL', '/folder'),
      await go('COPY', '/a', '/copy'),
      await go('MOVE', '/f', '/g'),
      await dav.send('DELETE', '/b'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 204, 201, 201, 201, 204])
    const [draft] = await owner.drafts()
    for (const { headers } of answers) expect(headers.get('edgewise-draft')).toBe(draft)
  })

  it('is seen by its link alone', async () => {
    const { dav, other, workspace, owner } = await heldDav()
    await dav.send('PUT', '/new', { body: 'x' })
    await dav.send('PUT', '/a', { body: 'new' })
    await dav.send('DELETE', '/b')
    await dav.send('MOVE', '/f', { headers: { destination: dav.address('/g') } })
    expect(await namesIn(dav)).toEqual(['a', 'g', 'new'])
    expect(await namesIn(other)).toEqual(['a', 'b', 'f'])
    expect((await dav.send('GET', '/a')).text).toBe('new')
    expect((await dav.send('GET', '/g/c')).text).toBe('old')
    expect((await other.send('GET', '/a')).text).toBe('old')
    expect((await other.send('GET', '/new')).status).toBe(404)
    expect(await textOf(workspace, '/a')).toBe('old')
    await owner.decide('approve')
    expect(await namesIn(other)).toEqual(['a', 'g', 'new'])
    expect(await textOf(workspace, '/a')).toBe('new')
  })

  it('has the same entity tag before and after it is approved', async () => {
    const { dav, owner } = await heldDav()
    const put = await dav.send('PUT', '/a', { body: 'new' })
    const tagOf = async () => (await dav.send('HEAD', '/a')).headers.get('etag')
    expect(await tagOf()).toBe(put.headers.get('etag'))
    await owner.decide('approve')
    expect(await tagOf()).toBe(put.headers.get('etag'))
    const headers = { 'if-match': put.headers.get('etag') ?? '' }
    expect((await dav.send('PUT', '/a', { body: 'newer', headers })).status).toBe(204)
  })

  it('is gone when it is turned down', async () => {
    const { dav, owner } = await heldDav('confirm')
    await dav.send('PUT', '/a', { body: 'new' })
    await dav.send('MKCOL', '/folder')
    await owner.decide('turn-down')
    expect((await dav.send('GET', '/a')).text).toBe('old')
    expect(await namesIn(dav)).toEqual(['a', 'b', 'f'])
  })

  it('joins the draft that the link has over MCP', async () => {
    const { dav, link, owner } = await heldDav()
    await dav.send('PUT', '/a', { body: 'new' })
    expect(await textOf(link, '/a')).toBe('new')
    expect(await owner.drafts()).toHaveLength(1)
  })
})

it('the time of a file waits as its content does', async () => {
  const { dav, other, owner } = await heldDav()
  const body =
    '<propertyupdate xmlns="DAV:"><set><prop><lastmodified>1600000000</lastmodified></prop></set></propertyupdate>'
  const answer = await dav.send('PROPPATCH', '/a', { body })
  const [draft] = await owner.drafts()
  expect(answer.status).toBe(207)
  expect(answer.headers.get('edgewise-draft')).toBe(draft)
  const timeFor = async (client: typeof dav) =>
    (await client.propfind('/a')).resources[0]?.found['getlastmodified']
  expect(await timeFor(dav)).toBe('Sun, 13 Sep 2020 12:26:40 GMT')
  expect(await timeFor(other)).not.toBe('Sun, 13 Sep 2020 12:26:40 GMT')
})
