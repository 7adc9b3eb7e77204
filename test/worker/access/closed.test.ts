/** Closed by default: without an owner, nothing is served except on localhost. */

import { isOwnerSecret } from '#worker/auth/owner.ts'
import type { Env } from '#worker/env.ts'
import { hasOwner } from '#worker/front/guard.ts'
import front from '#worker/index.ts'
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createAttempts } from '#worker/auth/attempts.ts'

const PATHS = [
  '/',
  '/mcp',
  '/w/a/mcp',
  '/files/',
  '/config',
  '/sessions',
  '/export',
  '/authorize',
  '/s/a.b/mcp',
]

const THROUGH_CLOUDFLARE = { headers: { 'cf-ray': '8f5a3c2d1e0b4a69-AMS' } }

/** The front behind Cloudflare's headers, as in a deployment, with other variables. */
const ask = (path: string, variables: Partial<Env> = {}, init: RequestInit = THROUGH_CLOUDFLARE) =>
  front.fetch(
    new Request(`https://edgewise.example${path}`, init),
    { ...env, ...variables },
    createExecutionContext(),
  )

describe('a deployment without an owner', () => {
  it.each(PATHS)('refuses %s with the setting that is missing', async (path) => {
    const answer = await ask(path)
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({
      code: 'NOT_CONFIGURED',
      message: expect.stringContaining('EDGEWISE_OWNER_SECRET'),
    })
  })

  it.each(PATHS)('refuses %s for a foreign host name that resolves to localhost', async (path) => {
    const answer = await ask(path, {}, {})
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('EDGEWISE_HOSTS')
  })

  it.each(PATHS)('refuses %s for a configured host name, too', async (path) => {
    const answer = await ask(path, { EDGEWISE_HOSTS: 'edgewise.example' })
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ code: 'NOT_CONFIGURED' })
  })

  it.each(['https://edgewise.example', 'https://edgewise.example/', 'Edgewise.Example:443'])(
    'takes %s as a host name',
    async (name) => {
      const named = { EDGEWISE_HOSTS: `other.example, ${name}` }
      const answer = await ask('/', named, {})
      expect(await answer.json()).toMatchObject({ code: 'NOT_CONFIGURED' })
    },
  )

  it('treats an empty secret as no secret', async () => {
    const noOwner = { EDGEWISE_OWNER_SECRET: '', EDGEWISE_ACCESS: '' }
    expect(hasOwner({ ...env, ...noOwner })).toBe(false)
    expect(await isOwnerSecret('', { ...env, ...noOwner })).toBe(false)
    const named = { ...noOwner, EDGEWISE_HOSTS: 'edgewise.example' }
    expect((await ask('/signin', named)).status).toBe(503)
  })

  it.each(['/healthz', '/webmcp.js', '/mcp-view.js'])('serves %s', async (path) => {
    const answer = await ask(path)
    expect(answer.status).toBe(200)
    await answer.body?.cancel()
  })
})

it('an owner exists with a secret or with Cloudflare Access', () => {
  expect(hasOwner(env)).toBe(false)
  expect(hasOwner({ ...env, EDGEWISE_OWNER_SECRET: 'x' })).toBe(true)
  expect(hasOwner({ ...env, EDGEWISE_ACCESS: 'team audience' })).toBe(true)
})

describe('sign-in attempts', () => {
  it('allow five at once from one address, then one every 30 seconds', () => {
    let time = 0
    const { count: attempt } = createAttempts(() => time)
    expect(Array.from({ length: 6 }, () => attempt('a'))).toEqual([0, 0, 0, 0, 0, 30])
    expect(attempt('b')).toBe(0)
    time += 29_000
    expect(attempt('a')).toBeGreaterThan(0)
    time += 1_000
    expect(attempt('a')).toBe(0)
    expect(attempt('a')).toBe(30)
  })

  it('are limited over all addresses together', () => {
    const { count: attempt } = createAttempts(() => 0)
    const waits = Array.from({ length: 60 }, (_, index) => attempt(`address ${index}`))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(50)
  })

  it('of the owner are not counted if they succeed', () => {
    const { count, forget } = createAttempts(() => 0)
    const waits = Array.from({ length: 20 }, () => {
      const wait = count('a')
      forget('a')
      return wait
    })
    expect(waits.every((wait) => wait === 0)).toBe(true)
  })
})
