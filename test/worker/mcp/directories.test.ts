/**
 * What the directories of Claude and ChatGPT check of a server, as far as it needs no deployment: `docs/directories.md` has
 * the criteria and the checklist of the rest.
 */

import front from '#worker/index.ts'
import { recordOf } from '#core/json.ts'
import { describeTool } from '#worker/mcp/server-info.ts'
import { RESEARCH_TOOLS } from '#worker/research/index.ts'
import { RESEARCH_HINTS } from '#worker/research/research.facts.ts'
import { TOOLS } from '#worker/tools/index.ts'
import { exampleCalls } from '#worker/tools/lib/checked-facts.ts'
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { freshWorkspace, modernRequest } from '../../support/worker/client.ts'
import { factsOf } from '../../support/worker/tool-facts.ts'

const ALL = [...TOOLS.values(), ...RESEARCH_TOOLS.values()]

const MAX_NAME = 64

/** What a description must not do: steer the model beyond the use of its tool. */
const STEERING =
  /\b(?:always|never call|must call|ignore|instead of other|before any|other tools)\b/i

describe.each(ALL)('$name', (tool) => {
  const { name, title, description = '', annotations = {} } = describeTool(tool, true)

  it('has a title, a short name and a narrow description', () => {
    expect(title).toMatch(/^\S.{2,40}$/)
    expect(annotations.title).toBe(title)
    expect(name).toMatch(/^[a-z][a-z_]*$/)
    expect(name.length).toBeLessThanOrEqual(MAX_NAME)
    expect(description.length).toBeGreaterThan(20)
    expect(description.length).toBeLessThan(400)
    expect(description).not.toMatch(STEERING)
  })

  it('has all hints, and a reason of each', () => {
    const { readOnlyHint, destructiveHint, openWorldHint, idempotentHint } = annotations
    for (const hint of [readOnlyHint, destructiveHint, openWorldHint, idempotentHint])
      expect(typeof hint).toBe('boolean')
    const reasons = Object.values(RESEARCH_HINTS[name] ?? factsOf(name).hints)
    expect(reasons).toHaveLength(3)
    for (const reason of reasons) expect(reason).toMatch(/^[A-Z].{10,150}\.$/)
  })

  it('is read-only exactly if it plans and does nothing, and is then not destructive', () => {
    expect(annotations.readOnlyHint).toBe(tool.kind === 'read')
    if (annotations.readOnlyHint) expect(annotations.destructiveHint).toBe(false)
  })
})

it('only what makes links for others reaches beyond the workspace', () => {
  const open = ALL.filter((tool) => describeTool(tool, false).annotations?.openWorldHint)
  expect(open.map(({ name }) => name)).toEqual(['delegate', 'transfer_link'])
})

const READS = [...TOOLS.values()].filter(({ kind }) => kind === 'read')

it.each(READS)('$name leaves the workspace as it was', async ({ name }) => {
  const workspace = freshWorkspace()
  const calls = exampleCalls(name, factsOf(name))
  for (const { tool, arguments: args, meta } of calls.slice(0, -1))
    await workspace.call(tool, { ...args }, { ...meta })
  const state = async () => {
    const status = recordOf(await (await workspace.fetch('/status')).json())
    return [status['version'], await (await workspace.fetch('/drafts')).text()]
  }
  const before = await state()
  const { result } = await workspace.call(name, { ...calls.at(-1)?.arguments })
  expect(result?.isError).toBeUndefined()
  expect(await state()).toEqual(before)
})

describe('sign-in', () => {
  const owned = { ...env, EDGEWISE_OWNER_SECRET: 'a secret of the owner' }
  const ask = (path: string, init: RequestInit = {}) =>
    front.fetch(new Request(`https://files.example${path}`, init), owned, createExecutionContext())

  // `test/e2e/oauth/details.slow.test.ts` has client documents, which need the flags of a deployment.
  it('offers registration, public clients and PKCE', async () => {
    const metadata: unknown = await (await ask('/.well-known/oauth-authorization-server')).json()
    expect(metadata).toMatchObject({
      registration_endpoint: 'https://files.example/oauth/register',
      token_endpoint_auth_methods_supported: expect.arrayContaining(['none']),
      code_challenge_methods_supported: ['S256'],
      grant_types_supported: expect.not.arrayContaining(['client_credentials', 'password']),
    })
    const resource: unknown = await (await ask('/.well-known/oauth-protected-resource/mcp')).json()
    expect(resource).toMatchObject({ bearer_methods_supported: ['header'] })
  })

  it.each(['access_token', 'token', 'authorization', 'key'])(
    'reads no %s in a query, where logs would have it',
    async (name) => {
      const secret = encodeURIComponent(owned.EDGEWISE_OWNER_SECRET)
      const init = modernRequest('tools/list', {})
      expect((await ask(`/mcp?${name}=${secret}`, init)).status).toBe(401)
    },
  )
})

it('views load from nowhere, and are not the only way to anything', async () => {
  const { send } = freshWorkspace()
  const listed = z
    .array(z.looseObject({ uri: z.string(), _meta: z.unknown().optional() }))
    .parse((await send('resources/list')).result?.['resources'])
  const views = listed.filter(({ uri }) => uri.startsWith('ui://'))
  expect(views.length).toBeGreaterThan(1)
  for (const { _meta: meta } of views) {
    const { csp } = recordOf(recordOf(meta)['ui'])
    expect(Object.values(recordOf(csp)).flat()).toEqual([])
  }
  for (const tool of ALL.filter(({ appOnly }) => appOnly))
    expect(describeTool(tool, true)._meta?.['ui']).toEqual({ visibility: ['app'] })
})
