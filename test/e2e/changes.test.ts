/** `/changes`, recursive listings and conditional imports of the running product, for its owner and through a link. */

import { packTar } from 'modern-tar'
import { expect, it } from 'vitest'
import { callTool } from '../support/e2e/mcp-request.ts'
import { useServer } from '../support/e2e/server.ts'
import { copyTree, follow, readFeed, readTree, sorted, type Copy } from '../support/e2e/feed.ts'

const server = useServer()

const at = (base: string) => ({
  fetch: (path: string, init?: RequestInit) => fetch(base + path, init),
})

const workspace = (name: string) => at(`${server.url}/w/${name}`)

type Place = ReturnType<typeof at>

async function put({ fetch }: Place, path: string, body: string, headers: HeadersInit = {}) {
  const answer = await fetch(`/files${path}`, { method: 'PUT', body, headers })
  expect([200, 201, 202]).toContain(answer.status)
  return Object(await answer.json())
}

async function linkTo(name: string, scopes: readonly string[]): Promise<Place> {
  const args = { label: 'helper', scopes }
  const { text } = await callTool(`${server.url}/w/${name}/mcp`, {}, 'delegate', args)
  const url = /http:\/\/[^"\\]+\/s\/[^"\\]+\/mcp/.exec(text)?.[0] ?? expect.fail(text)
  return at(url.replace(/\/mcp$/, ''))
}

it('a copy follows the files of the owner and of a link', async () => {
  const owner = workspace('follow')
  const link = await linkTo('follow', ['read:file:/in', 'write:file:/in'])
  const copies: [Place, Copy, number][] = [owner, link].map((from) => [from, new Map(), 0])
  await put(owner, '/in/deep/a', 'one', { 'x-edgewise-executable': 'true' })
  await put(link, '/in/b', 'two')
  await put(owner, '/out/c', 'three')
  await (await owner.fetch('/files/in/deep', { method: 'DELETE' })).text()
  for (const one of copies) {
    one[2] = await follow(one[0], one[1], one[2])
    expect(sorted(one[1])).toEqual(sorted(await copyTree(one[0])))
  }
  expect([...(copies[1]?.[1].keys() ?? [])]).toEqual(['/in', '/in/b'])
})

it('a request waits for a change, and is answered by it', async () => {
  const owner = workspace('wait')
  const first = await put(owner, '/a', 'one')
  const began = Date.now()
  const coming = readFeed(owner, `after=${first.version}&wait=30`)
  const second = await put(owner, '/b', 'two')
  const { changes } = await coming
  expect(changes).toMatchObject([{ version: second.version, files: [{ hash: second.hash }] }])
  expect(Date.now() - began).toBeLessThan(20_000)
})

it('an import writes only what has not changed since a version', async () => {
  const owner = workspace('import')
  await put(owner, '/in/a', 'old')
  const { version } = await readTree(owner, '/in')
  const theirs = await put(owner, '/in/a', 'theirs')
  const body = new TextEncoder().encode('mine')
  const tar = await packTar(
    ['a', 'b'].map((name) => ({ header: { name, size: body.length, mode: 0o755 }, body })),
  )
  const init = { method: 'POST', body: tar }
  const report = await (await owner.fetch(`/import?to=/in&after=${version}`, init)).json()
  expect(report).toMatchObject({
    ...{ files: 1, conflicted: 1 },
    conflicts: [{ path: '/in/a', version: theirs.version }],
  })
  const { entries } = await readTree(owner, '/in')
  expect(entries.map(({ path, executable }) => [path, executable])).toEqual([
    ['/in/a', undefined],
    ['/in/b', true],
  ])
})

it('a link that is unknown gets neither files nor changes', async () => {
  const unknown = at(`${server.url}/s/follow.${'x'.repeat(43)}`)
  for (const path of ['/files/in/b', '/files/', '/changes'])
    expect((await unknown.fetch(path)).status, path).toBe(401)
})
