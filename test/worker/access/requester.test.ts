/**
 * Who asked for a policy: a model may not set the fields that are for a person (`audience: human`), in either era and
 * on every method that takes a policy.
 */

import { FIELDS } from '#core/config/fields.ts'
import { PREVIEW_META, REQUESTER_META } from '#core/wire.ts'
import { describe, expect, it } from 'vitest'
import { legacyEra, modern, type AccessClient } from '../../support/worker/access-client.ts'
import { createTree } from '../../support/worker/access-tree.ts'

const READ = { name: 'read_file', arguments: { path: '/docs/open-amber.md' } }
const REQUESTS: readonly [method: string, params: Record<string, unknown>][] = [
  ['tools/call', READ],
  ['resources/read', { uri: 'file:///docs/open-amber.md' }],
  ['tools/list', {}],
]
const FOR_A_PERSON = Object.entries(FIELDS).flatMap(([name, { schema }]) =>
  schema.audience === 'human' ? [name] : [],
)

const ERAS: readonly [name: string, open: () => Promise<AccessClient>][] = [
  ['modern', async () => modern(await createTree(() => true))],
  ['legacy', async () => legacyEra(await createTree(() => true))],
]

describe.each(ERAS)('in the %s era', (_era, open) => {
  it.each(REQUESTS)(
    '%s refuses a field for a person in the policy of a model',
    async (method, params) => {
      const agent = await open()
      expect(FOR_A_PERSON).toContain('find_limit')
      for (const name of FOR_A_PERSON) {
        const meta = { policy: { [name]: 1 } }
        const byModel = await agent.ask(method, params, { ...meta, [REQUESTER_META]: 'llm' })
        expect(byModel.body).toMatchObject({
          error: {
            code: -32602,
            message: expect.stringContaining(`${name} may only be set by a person`),
          },
        })
        for (const person of [{}, { [REQUESTER_META]: 'human' }])
          expect((await agent.ask(method, params, { ...meta, ...person })).body).not.toHaveProperty(
            'error',
          )
      }
    },
  )

  it('lets a model restrict paths, levels and writing', async () => {
    const agent = await open()
    const policy = { roots: [{ path: '/docs' }], approval: 'review', read_only: true }
    const read = await agent.ask('tools/call', READ, { policy, [REQUESTER_META]: 'llm' })
    expect(read.body).not.toHaveProperty('error')
  })

  it.each([...REQUESTS.map(([method]) => method), 'resources/list', 'resources/templates/list'])(
    '%s refuses malformed keys, also where it does not depend on them',
    async (method) => {
      const agent = await open()
      const params = REQUESTS.find(([one]) => one === method)?.[1] ?? {}
      for (const meta of [
        ...[{ [REQUESTER_META]: 'model' }, { [REQUESTER_META]: 1 }],
        ...[{ preview: 'x' }, { highlight: 1 }, { [PREVIEW_META]: 1 }, { denied_scopes: [1] }],
      ])
        expect((await agent.ask(method, params, meta)).body, JSON.stringify(meta)).toMatchObject({
          error: { code: -32602, message: expect.stringContaining('Invalid _meta') },
        })
      const fine = { [REQUESTER_META]: 'llm', preview: false }
      expect((await agent.ask(method, params, fine)).body).not.toHaveProperty('error')
    },
  )

  it.each([true, 'model', '', 1, ['llm'], {}])('refuses the requester %j', async (requester) => {
    const agent = await open()
    const { body } = await agent.ask('tools/call', READ, { [REQUESTER_META]: requester })
    expect(body).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('it must be human or llm') },
    })
  })
})
