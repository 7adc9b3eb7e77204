/** Restrictions with paths of very many folders: a chain of links takes no longer than it has text. */

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
