/** The research profile: two tools and nothing else, in both eras, with the access of its caller. */

import { recordOf } from '#core/json.ts'
import { uriOf } from '#core/file-uri.ts'
import { parsePath } from '#core/path.ts'
import { knownResource } from '#worker/auth/resource.ts'
import { TOOLS } from '#worker/tools/index.ts'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { CALLERS, EXTRAS, type Can } from '../../support/worker/access-callers.ts'
import { succeeded, withProfile, type Answer } from '../../support/worker/access-client.ts'
import { pairOf } from '../../support/worker/access-run.ts'
import { FILES } from '../../support/worker/access-tree.ts'
import { faultOf } from '../../support/worker/access-verdict.ts'
import type { Cell } from '../../support/worker/access-routes.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { decide, held, show, write } from '../../support/worker/held-draft.ts'
import { twoAgents } from '../../support/worker/leasing.ts'
import { legacyClient } from '../../support/worker/legacy-client.ts'
import { found, researcher } from '../../support/worker/research.ts'

const listed = z.object({ tools: z.array(z.looseObject({ name: z.string() })) })

/** A client of the older era whose URL has the profile. */
const legacy = ({ fetch }: ReturnType<typeof freshWorkspace>) =>
  legacyClient({ fetch: (path, init) => fetch(`${path}?profile=research`, init) })

describe('the profile', () => {
  it('lists search and fetch alone, each with one text argument', async () => {
    const workspace = freshWorkspace()
    const { result } = await researcher(workspace).send('tools/list')
    const older = legacy(workspace)
    await older.begin()
    for (const list of [result, (await older.request('tools/list')).result]) {
      const { tools } = listed.parse(list)
      expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch'])
      for (const { annotations, inputSchema, outputSchema } of tools) {
        expect(annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false })
        expect(Object.values(recordOf(recordOf(inputSchema)['properties']))).toMatchObject([
          { type: 'string' },
        ])
        expect(recordOf(outputSchema)['properties']).not.toHaveProperty('news')
      }
    }
  })

  it('calls no other tool, in either era', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'text')
    const older = legacy(workspace)
    await older.begin()
    const { call } = researcher(workspace)
    for (const name of TOOLS.keys()) {
      expect((await call(name, { path: '/a' })).error?.message).toMatch(/^Unknown tool/)
      expect(recordOf((await older.call(name, { path: '/a' })).error)['message']).toMatch(
        /^Unknown tool/,
      )
    }
    expect((await workspace.call('search', { query: 'text' })).error?.message).toMatch(/^Unknown/)
  })

  it('has no resources, and says so in both eras', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a', 'text')
    const { send } = researcher(workspace)
    const older = legacy(workspace)
    const { result } = await older.begin()
    for (const one of [recordOf(result), recordOf((await send('server/discover')).result)]) {
      expect(one['capabilities']).not.toHaveProperty('resources')
      expect(one['instructions']).toMatch(/^Read-only research/)
    }
    for (const [method, params] of [
      ['resources/list', {}],
      ['resources/read', { uri: 'file:///a' }],
      ['resources/subscribe', { uri: 'file:///a' }],
      [
        'completion/complete',
        {
          ref: { type: 'ref/resource', uri: 'file:///{+path}' },
          argument: { name: 'path', value: '' },
        },
      ],
    ] as const) {
      expect(recordOf((await older.request(method, params)).error)['code']).toBe(-32601)
      if (method !== 'resources/subscribe')
        expect((await send(method, params)).error?.code).toBe(-32601)
    }
  })

  it('is called in the older era with a session and without', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/a.md', 'needle')
    const older = legacy(workspace)
    await older.begin()
    const { result } = await older.call('search', { query: 'needle' })
    expect(recordOf(result)['structuredContent']).toMatchObject({ results: [{ title: 'a.md' }] })
  })

  it.each([
    '?profile=all',
    '?profile=',
    '?profile=Research',
    '?profile=research&profile=all',
    '?profile',
  ])('is refused by another name: %s', async (search) => {
    const { fetch } = freshWorkspace()
    for (const method of ['POST', 'GET', 'DELETE']) {
      const answer = await fetch(`/mcp${search}`, { method })
      expect(answer.status).toBe(400)
      expect(await answer.text()).toContain('?profile=research')
    }
  })

  it('is also that of a session link, and an unknown link learns nothing', async () => {
    const workspace = freshWorkspace()
    await workspace.put('/docs/a.md', 'needle')
    await workspace.put('/b.md', 'needle')
    const args = { label: 'helper', scopes: ['read:file:/docs'] }
    const { result } = await workspace.call('delegate', args)
    const link = freshWorkspace(String(result?.structuredContent['url']))
    const { search, code } = researcher(link)
    expect((await search('needle')).results.map(({ title }) => title)).toEqual(['a.md'])
    expect(JSON.stringify(await search('needle'))).not.toContain('/s/')
    expect(await code('fetch', { id: 'file:///b.md' })).toBe('INSUFFICIENT_SCOPE')
    const wrong = freshWorkspace(
      'http://localhost/s/t.0000000000000000000000000000000000000000000/mcp',
    )
    expect((await wrong.fetch('/mcp?profile=research', { method: 'POST' })).status).toBe(401)
  })

  it('adds no lease of others to a result', async () => {
    const { one, two } = await twoAgents(['/f/a'])
    await one.lease(['/f'])
    expect((await two.call('read_file', { path: '/f/a' })).result?.content).toHaveLength(2)
    expect((await researcher(two).read('file:///f/a')).text).toBe('one')
  })

  it('adds no decision to a result, and leaves it to the next one of another tool', async () => {
    const workspace = await held({ '/a.md': 'needle' })
    await write(workspace, '/a.md', 'other')
    const { path, revision } = await show(workspace)
    await decide(workspace, `${path}/turn-down`, { revision })
    expect((await researcher(workspace).search('needle')).results).toHaveLength(1)
    const { result } = await workspace.call('list_roots')
    expect(result?.structuredContent['news']).toHaveLength(1)
  })

  it.each(['/mcp', '/w/notes/mcp', '/mcp/'])('is no other resource of a token: %s', (path) => {
    const origin = 'https://files.example'
    expect(knownResource(`${origin}${path}?profile=research`, origin)).toBe(origin)
    const other = `${origin}${path}?profile=research&x=1`
    expect(knownResource(other, origin)).toBe(other)
  })
})

const rpc = (name: string, args: Record<string, unknown>) => ({
  route: name,
  method: 'tools/call',
  params: { name, arguments: args },
})

const CELLS: readonly Cell[] = [
  { ...rpc('search', { query: 'canary' }), needs: [], mayFail: true },
  ...FILES.flatMap(({ path, word }): Cell[] => [
    { ...rpc('search', { query: `canary ${word}` }), needs: [], mayFail: true },
    { ...rpc('fetch', { id: uriOf(parsePath(path)) }), needs: [['read', path]] },
    { ...rpc('fetch', { id: `${uriOf(parsePath(path))}#line=2` }), needs: [['read', path]] },
  ]),
]

/** All files have the word of every query, so a search finds what its caller may read. */
function expectAll({ body }: Answer, can: Can): void {
  const { results } = found.parse(recordOf(body['result'])['structuredContent'])
  const readable = FILES.filter(({ path }) => can.read(path)).map(({ path }) => `file://${path}`)
  expect(results.map(({ id }) => id).toSorted()).toEqual(readable.toSorted())
}

describe.each(CALLERS)('$name', (caller) => {
  it('finds and reads what it may read, and learns nothing of the rest', async () => {
    const { clients, can, extra } = await pairOf(caller, EXTRAS[0])
    const [one, other] = clients
    for (const cell of CELLS) {
      const { method, params } = cell
      const answers = await withProfile(
        'research',
        async () =>
          [
            await one.ask(method, params, extra.meta),
            await other.ask(method, params, extra.meta),
          ] as const,
      )
      expect(faultOf(cell, [params, extra], answers, can), JSON.stringify(answers)).toBeNull()
      if (params['name'] === 'search' && succeeded(answers[0])) expectAll(answers[0], can)
    }
  })
})
