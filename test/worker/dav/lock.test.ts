/** LOCK and UNLOCK: locks are leases, and every lease is enforced among WebDAV clients. */

import { MAX_LEASE_SECONDS, MAX_LEASES } from '#worker/leases/limits.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { linkOf } from '../../support/worker/attack-link.ts'
import {
  davClient,
  davWith,
  passwordOf,
  setting,
  type DavClient,
} from '../../support/worker/dav.ts'
import { textOf } from '../../support/worker/held-draft.ts'

const lockInfo = (
  scope = 'exclusive',
  owner = '<D:href>http://www.apple.com/webdav_fs/</D:href>',
) =>
  `<?xml version="1.0" encoding="utf-8"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:${scope}/></D:lockscope><D:locktype><D:write/></D:locktype><D:owner>${owner}</D:owner></D:lockinfo>`

async function lock(dav: DavClient, path: string, headers: Record<string, string> = {}) {
  const answer = await dav.send('LOCK', path, { headers, body: lockInfo() })
  const token = answer.headers.get('lock-token') ?? ''
  return { ...answer, token, held: { if: `(${token})` } }
}

const unlock = (dav: DavClient, path: string, token: string) =>
  dav.send('UNLOCK', path, { headers: { 'lock-token': token } })

async function twoLinks(
  files: Record<string, string> = { '/a': 'one', '/f/b': 'two', '/f/g/c': 'x' },
) {
  const made = await davWith(files)
  const { client } = await linkOf(made.workspace)
  return { ...made, other: davClient(made.workspace, passwordOf(client)) }
}

afterEach(() => void vi.useRealTimers())

describe('a lock', () => {
  it('keeps others from a file, and a client of the same link that has no token', async () => {
    const { dav, other, workspace } = await twoLinks()
    const { status, token, held, text } = await lock(dav, '/a')
    expect(status).toBe(200)
    expect(token).toMatch(/^<urn:uuid:[\da-f-]{36}>$/)
    expect(text).toContain(token.slice(1, -1))
    for (const client of [dav, other]) {
      const refused = await client.send('PUT', '/a', { body: 'new' })
      expect(refused.status).toBe(423)
      expect(refused.text).toContain('<D:lock-token-submitted>')
    }
    expect((await other.send('PUT', '/a', { body: 'new', headers: held })).status).toBe(423)
    expect((await other.send('GET', '/a')).text).toBe('one')
    expect((await dav.send('PUT', '/a', { body: 'new', headers: held })).status).toBe(204)
    expect((await unlock(dav, '/a', token)).status).toBe(204)
    expect((await other.send('PUT', '/a', { body: 'newer' })).status).toBe(204)
    expect(await textOf(workspace, '/a')).toBe('newer')
  })

  it('is needed for every change', async () => {
    const { dav, other, workspace } = await twoLinks()
    await lock(dav, '/a')
    const to = (path: string) => ({ headers: { destination: other.address(path) } })
    for (const [method, path, sent] of [
      ['PUT', '/a', { body: 'x' }],
      ['DELETE', '/a', {}],
      ['MOVE', '/a', to('/n')],
      ['MOVE', '/f/b', to('/a')],
      ['COPY', '/f/b', to('/a')],
      ['PROPPATCH', '/a', { body: setting('<x:own>1</x:own>') }],
      ['LOCK', '/a', { body: lockInfo() }],
    ] as const)
      expect((await other.send(method, path, sent)).status, method).toBe(423)
    expect((await other.send('COPY', '/a', to('/n'))).status).toBe(201)
    expect(await textOf(workspace, '/a')).toBe('one')
  })

  it('of a folder covers all that is in it, and its members', async () => {
    const { dav, other } = await twoLinks()
    const { held, token } = await lock(dav, '/f')
    for (const path of ['/f/b', '/f/g/c', '/f/new', '/f/g/new'])
      expect((await other.send('PUT', path, { body: 'x' })).status, path).toBe(423)
    expect((await other.send('MKCOL', '/f/h')).status).toBe(423)
    expect((await other.send('DELETE', '/f')).status).toBe(423)
    expect((await dav.send('PUT', '/f/g/new', { body: 'x', headers: held })).status).toBe(201)
    // By a list for the root of the lock as well.
    const tagged = { if: `<${dav.address('/f')}> (${token})` }
    expect((await dav.send('PUT', '/f/new', { body: 'x', headers: tagged })).status).toBe(201)
    expect((await unlock(dav, '/f/b', token)).status).toBe(204)
  })

  it('with Depth 0 covers a folder and its members, and not what is in these', async () => {
    const { dav, other } = await twoLinks()
    await lock(dav, '/f', { depth: '0' })
    expect((await other.send('PUT', '/f/new', { body: 'x' })).status).toBe(423)
    expect((await other.send('DELETE', '/f/b')).status).toBe(423)
    expect((await other.send('PUT', '/f/b', { body: 'x' })).status).toBe(204)
    expect((await other.send('PUT', '/f/g/new', { body: 'x' })).status).toBe(201)
  })

  it('is not taken over another one, above or below it', async () => {
    const { dav, other } = await twoLinks()
    await lock(dav, '/f/b')
    for (const client of [dav, other]) {
      const refused = await client.send('LOCK', '/f', { body: lockInfo() })
      expect(refused.status).toBe(423)
      expect(refused.text).toContain('<D:no-conflicting-lock/>')
      expect((await client.send('LOCK', '/f/b', { body: lockInfo() })).status).toBe(423)
    }
    expect(
      (await other.send('LOCK', '/f', { headers: { depth: '0' }, body: lockInfo() })).status,
    ).toBe(200)
  })

  it('where there is nothing creates an empty file', async () => {
    const { dav, other, workspace } = await twoLinks()
    const { status, held } = await lock(dav, '/new')
    expect(status).toBe(201)
    expect(await textOf(workspace, '/new')).toBe('')
    expect((await other.send('PUT', '/new', { body: 'x' })).status).toBe(423)
    expect((await dav.send('PUT', '/new', { body: 'x', headers: held })).status).toBe(204)
    expect((await lock(dav, '/no/such')).status).toBe(409)
  })

  it('ends with its resource', async () => {
    const { dav, other } = await twoLinks()
    const { held } = await lock(dav, '/a')
    const headers = { ...held, destination: dav.address('/n') }
    expect((await dav.send('MOVE', '/a', { headers })).status).toBe(201)
    expect((await other.send('PUT', '/a', { body: 'x' })).status).toBe(201)
    expect((await other.send('PUT', '/n', { body: 'x' })).status).toBe(204)
    const second = await lock(dav, '/n')
    expect((await dav.send('DELETE', '/n', { headers: second.held })).status).toBe(204)
    expect((await other.send('PUT', '/n', { body: 'x' })).status).toBe(201)
  })

  it('ends with its time and with the session of its link, and is renewed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { dav, other, workspace, session } = await twoLinks()
    const { held, text } = await lock(dav, '/a', { timeout: 'Second-60' })
    expect(text).toContain('<D:timeout>Second-60</D:timeout>')
    vi.setSystemTime(Date.now() + 59_000)
    const renewed = await dav.send('LOCK', '/a', { headers: { ...held, timeout: 'Second-600' } })
    expect(renewed).toMatchObject({ status: 200 })
    expect(renewed.text).toContain('Second-600')
    vi.setSystemTime(Date.now() + 599_000)
    expect((await other.send('PUT', '/a', { body: 'x' })).status).toBe(423)
    vi.setSystemTime(Date.now() + 1_000)
    expect((await other.send('PUT', '/a', { body: 'x' })).status).toBe(204)
    expect((await dav.send('LOCK', '/a', { headers: held })).status).toBe(412)
    await lock(dav, '/a')
    await workspace.fetch(`/sessions/${session}`, { method: 'DELETE' })
    expect((await other.send('PUT', '/a', { body: 'x' })).status).toBe(204)
  })

  it.each([
    ['Second-60', 60],
    ['Infinite, Second-60', MAX_LEASE_SECONDS],
    ['Second-4100000000', MAX_LEASE_SECONDS],
    ['Second-0', 1],
    ['x', 1800],
    ['', 1800],
  ])('with the time %j lasts %d s', async (timeout, seconds) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { dav } = await twoLinks()
    expect((await lock(dav, '/a', { timeout })).text).toContain(`Second-${seconds}<`)
  })

  it('never stops the owner, nor the approval of a draft', async () => {
    const { dav, other, workspace } = await twoLinks()
    await lock(dav, '/a')
    await workspace.put('/a', 'by the owner')
    expect(await textOf(workspace, '/a')).toBe('by the owner')
    const owner = ownerOf(workspace)
    await owner.demand('review')
    expect((await other.send('PUT', '/f/b', { body: 'waits' })).status).toBe(204)
    await lock(dav, '/f')
    await owner.decide('approve')
    expect(await textOf(workspace, '/f/b')).toBe('waits')
  })

  it('on a file of an operating system brings it into no draft', async () => {
    const { dav, workspace } = await twoLinks()
    const { status, token } = await lock(dav, '/._a')
    expect(status).toBe(201)
    expect(
      (await dav.send('PUT', '/._a', { body: 'own', headers: { if: `(${token})` } })).status,
    ).toBe(204)
    expect((await unlock(dav, '/._a', token)).status).toBe(204)
    expect(await textOf(workspace, '/._a')).toBeNull()
  })
})

describe('shared locks', () => {
  it('exclude exclusive ones and not each other, and one token is enough', async () => {
    const { dav, other } = await twoLinks()
    const share = async (client: DavClient) => {
      const { status, headers } = await client.send('LOCK', '/a', { body: lockInfo('shared') })
      expect(status).toBe(200)
      return { if: `(${headers.get('lock-token')})` }
    }
    const [one, two, foreign] = [await share(dav), await share(dav), await share(other)]
    expect(one).not.toEqual(two)
    expect((await other.send('LOCK', '/a', { body: lockInfo() })).status).toBe(423)
    expect((await dav.send('PUT', '/a', { body: 'x' })).status).toBe(423)
    expect((await dav.send('PUT', '/a', { body: 'x', headers: one })).status).toBe(204)
    expect((await other.send('PUT', '/a', { body: 'y', headers: foreign })).status).toBe(204)
    expect((await other.send('PUT', '/a', { body: 'z', headers: two })).status).toBe(423)
    await lock(dav, '/f/b')
    expect((await other.send('LOCK', '/f/b', { body: lockInfo('shared') })).status).toBe(423)
  })
})

describe('an agent’s lease', () => {
  it('is enforced among WebDAV clients', async () => {
    const { dav, workspace, link } = await twoLinks()
    await workspace.text('lease', { paths: ['/a'], ttl_seconds: 60 })
    expect((await dav.send('PUT', '/a', { body: 'x' })).status).toBe(423)
    await workspace.text('lease', { paths: ['/a'], ttl_seconds: 0 })
    await link.text('lease', { paths: ['/a'], ttl_seconds: 60 })
    // It is the lease of the same link.
    expect((await dav.send('PUT', '/a', { body: 'x' })).status).toBe(204)
  })
})

describe('what is shown of locks', () => {
  it('is the token to the link that has it, and the rest to those who read the path', async () => {
    const { dav, other } = await twoLinks()
    const { token } = await lock(dav, '/f')
    const shownTo = async (client: DavClient, path: string) =>
      (await client.propfind(path)).resources[0]?.found ?? {}
    const own = await shownTo(dav, '/f/b')
    expect(own['lockdiscovery']).toContain(token.slice(1, -1))
    expect(own['lockdiscovery']).toContain('http://www.apple.com/webdav_fs/')
    expect(own['supportedlock']).toContain('<exclusive>')
    const foreign = await shownTo(other, '/f/b')
    expect(foreign['lockdiscovery']).toContain('<activelock>')
    expect(foreign['lockdiscovery']).not.toContain('urn:uuid')
    expect((await shownTo(other, '/a'))['lockdiscovery']).toBe('')
  })

  it('is no path that is hidden', async () => {
    const { dav, workspace } = await twoLinks({ '/secret/in/a': 'x', '/b': 'x' })
    await lock(dav, '/secret')
    const { client } = await linkOf(workspace, { scopes: ['read', 'write:file:/secret/in'] })
    const part = davClient(workspace, passwordOf(client))
    const { client: inner } = await linkOf(workspace, {
      scopes: ['read:file:/secret/in', 'write:file:/secret/in'],
    })
    const narrow = davClient(workspace, passwordOf(inner))
    const refused = await narrow.send('PUT', '/secret/in/a', { body: 'x' })
    expect(refused.status).toBe(423)
    expect(refused.text).toContain('/secret/in/a</D:href>')
    const [file] = (await narrow.propfind('/secret/in/a')).resources
    expect(file?.found['lockdiscovery']).toBe('')
    expect((await part.send('PUT', '/secret/in/a', { body: 'x' })).text).toContain(
      '/secret/</D:href>',
    )
  })
})

it('does not tell of a lock on what is hidden in a folder', async () => {
  const policy = { roots: [{ path: '/', deny: ['f/secret'] }] }
  const statuses = []
  for (const isLocked of [true, false]) {
    const { dav, workspace } = await davWith({ '/f/a': 'x', '/f/secret': 'x' })
    if (isLocked) await lock(dav, '/f/secret')
    const { client } = await linkOf(workspace, { policy })
    const part = davClient(workspace, passwordOf(client))
    const headers = { destination: part.address('/n') }
    for (const method of ['DELETE', 'MOVE', 'COPY'])
      statuses.push([isLocked, (await part.send(method, '/f', { headers })).status])
  }
  expect(statuses.map(([, status]) => status)).toEqual([403, 403, 201, 403, 403, 201])
})

it('that is shared keeps others from deleting it with a folder, for which they have a token of another file', async () => {
  const { dav, other } = await twoLinks()
  const shared = { body: lockInfo('shared') }
  const tokens = []
  for (const [client, path] of [
    [dav, '/f/b'],
    [other, '/f/g/c'],
  ] as const)
    tokens.push((await client.send('LOCK', path, shared)).headers.get('lock-token'))
  const headers = { if: `<${other.address('/f/g/c')}> (${tokens[1]})` }
  const to = { ...headers, destination: other.address('/n') }
  expect((await other.send('DELETE', '/f', { headers })).status).toBe(423)
  expect((await other.send('MOVE', '/f', { headers: to })).status).toBe(423)
  expect((await other.send('GET', '/f/b')).text).toBe('two')
  expect((await other.send('DELETE', '/f/g', { headers })).status).toBe(204)
})

it('that is shared by two on one file is enough for each of them', async () => {
  const { dav, other } = await twoLinks()
  for (const client of [dav, other]) {
    const answer = await client.send('LOCK', '/a', { body: lockInfo('shared') })
    const token = answer.headers.get('lock-token') ?? ''
    const put = { body: 'new', headers: { if: `(${token})` } }
    expect((await client.send('PUT', '/a', put)).status).toBe(204)
  }
})

describe('is refused', () => {
  it.each([
    ['another scope', lockInfo('other'), {}, 400],
    ['no XML', '<a', {}, 400],
    ['another root', '<a xmlns="DAV:"/>', {}, 400],
    ['another depth', lockInfo(), { depth: '1' }, 400],
    ['a refresh without a token', '', {}, 400],
    ['a refresh of a lock that is none', '', { if: '(<urn:uuid:none>)' }, 412],
  ])('%s', async (_, body, headers, status) => {
    const { dav } = await twoLinks()
    expect((await dav.send('LOCK', '/a', { headers, body })).status).toBe(status)
  })

  it('to end a lock of another link, of another path, or none', async () => {
    const { dav, other } = await twoLinks()
    const { token } = await lock(dav, '/a')
    expect((await unlock(other, '/a', token)).status).toBe(409)
    expect((await unlock(dav, '/f/b', token)).status).toBe(409)
    expect((await unlock(dav, '/a', '<urn:uuid:x>')).status).toBe(409)
    for (const malformed of ['', token.slice(1, -1), 'x'])
      expect((await unlock(dav, '/a', malformed)).status).toBe(400)
    expect((await other.send('PUT', '/a', { body: 'x' })).status).toBe(423)
  })

  it('where the link may not write', async () => {
    const { dav } = await davWith(
      { '/in/a': 'x', '/out/a': 'x' },
      { scopes: ['read', 'write:file:/in'] },
    )
    expect((await lock(dav, '/in/a')).status).toBe(200)
    for (const path of ['/out/a', '/', '/out'])
      expect((await lock(dav, path)).status, path).toBe(403)
  })

  it('beyond the number of leases of one principal', async () => {
    const files = Object.fromEntries(
      Array.from({ length: MAX_LEASES + 1 }, (_, at) => [`/${at}`, 'x']),
    )
    const { dav } = await twoLinks(files)
    for (let at = 0; at < MAX_LEASES; at++) expect((await lock(dav, `/${at}`)).status).toBe(200)
    expect((await lock(dav, `/${MAX_LEASES}`)).status).toBe(507)
  })
})
