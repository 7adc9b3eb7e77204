/** Restrictions with paths of very many folders: a chain of links takes no longer than it has text. */

import { foldersAbove, parsePath } from '#core/path.ts'
import { MAX_FOLDERS_ABOVE } from '#worker/access/limits.ts'
import { expect, it } from 'vitest'
import { linkOf, ownerLinkOf } from '../../support/worker/attack-link.ts'
import { errorOf, freshWorkspace } from '../../support/worker/client.ts'

const DEEP = 'a/'.repeat(250)
const deepPaths = (link: number, count: number) =>
  Array.from({ length: count }, (_, at) => `/${DEEP}b${link}-${at}${'/c'.repeat(240)}`)
const scopesOf = (link: number, count: number) =>
  deepPaths(link, count).map((path) => `read:file:${path}`)
const policyOf = (link: number, fields: object) => ({
  policy: { roots: deepPaths(link, 50).map((path) => ({ path, ...fields })) },
})

it.each([
  ['approval levels', () => policyOf(0, { approval: 'review' })],
  ['blocked folders', (link: number) => policyOf(link, { blocked: true })],
  ['scopes', () => ({ scopes: scopesOf(0, 50) })],
])(
  '%s',
  async (_, restricted) => {
    const owner = freshWorkspace()
    await owner.call('write_file', { path: '/x', content: 'x' })
    let { client } = await ownerLinkOf(owner)
    for (let link = 0; link < 6; link++) ({ client } = await linkOf(client, restricted(link)))
    const began = performance.now()
    expect((await client.call('find_files', { pattern: 'x' })).error).toBeUndefined()
    const undone = await client.call('undo_change', { id: crypto.randomUUID() })
    expect(errorOf(undone.result)).toHaveProperty('code')
    // Far more than it takes on a busy machine: with the square of the depth it took minutes.
    expect(performance.now() - began).toBeLessThan(20_000)
  },
  60_000,
)

it.each([1, 5])('%d such scopes show what they cover, and nothing beside it', async (count) => {
  const paths = deepPaths(0, count)
  expect([...foldersAbove(paths.map(parsePath))].length > MAX_FOLDERS_ABOVE).toBe(count > 1)
  const owner = freshWorkspace()
  await owner.put(`${paths[0]}/seen.txt`, 'needle')
  await owner.put('/a/hidden.txt', 'needle')
  const { client } = await linkOf((await ownerLinkOf(owner)).client, {
    scopes: scopesOf(0, count),
  })
  for (const [tool, args] of [
    ['find_files', { pattern: 'txt', root: '/' }],
    ['search_files', { pattern: 'needle', root: '/' }],
  ] as const) {
    const text = JSON.stringify(await client.call(tool, args))
    expect(text, tool).toContain('seen.txt')
    expect(text, tool).not.toContain('hidden')
  }
  const { result } = await client.call('list_changes', {})
  expect(result?.structuredContent.changes).toHaveLength(1)
})
