/** Closed by default: away from this machine, without an owner, nothing is served. */

import { isOwnerSecret } from '#worker/auth/owner.ts'
import type { Env } from '#worker/env.ts'
import { hasOwner } from '#worker/guard.ts'
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

/** The front as it answers elsewhere, with other variables: through Cloudflare, which says so. */
const ask = (path: string, variables: Partial<Env> = {}, init: RequestInit = THROUGH_CLOUDFLARE) =>
  front.fetch(
    new Request(`https://edgewise.example${path}`, init),
    { ...env, ...variables },
    createExecutionContext(),
  )

describe('away from localhost without an owner', () => {
  it.each(PATHS)('%s is refused, and says what to set', async (path) => {
    const answer = await ask(path)
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({
      code: 'NOT_CONFIGURED',
      message: expect.stringContaining('EDGEWISE_OWNER_SECRET'),
    })
  })

  it.each(PATHS)('%s is refused to a name that somebody points at this machine', async (path) => {
    const answer = await ask(path, {}, {})
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('EDGEWISE_HOSTS')
  })

  it.each(PATHS)('%s is refused under a name that is known, too', async (path) => {
    const answer = await ask(path, { EDGEWISE_HOSTS: 'edgewise.example' })
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ code: 'NOT_CONFIGURED' })
  })

  it('an empty secret is none', async () => {
    const nobody = { EDGEWISE_OWNER_SECRET: '', EDGEWISE_ACCESS: '' }
    expect(hasOwner({ ...env, ...nobody })).toBe(false)
    expect(await isOwnerSecret('', { ...env, ...nobody })).toBe(false)
    const named = { ...nobody, EDGEWISE_HOSTS: 'edgewise.example' }
    expect((await ask('/signin', named)).status).toBe(503)
  })

  it.each(['/healthz', '/webmcp.js', '/mcp-view.js'])('%s is served', async (path) => {
    const answer = await ask(path)
    expect(answer.status).toBe(200)
    await answer.body?.cancel()
  })
})

it('an owner is a secret, or Access', () => {
  expect(hasOwner(env)).toBe(false)
  expect(hasOwner({ ...env, EDGEWISE_OWNER_SECRET: 'x' })).toBe(true)
  expect(hasOwner({ ...env, EDGEWISE_ACCESS: 'team audience' })).toBe(true)
})

describe('attempts', () => {
  it('are five at once from one address, then one in half a minute', () => {
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

  it('are bounded from all addresses together', () => {
    const { count: attempt } = createAttempts(() => 0)
    const waits = Array.from({ length: 60 }, (_, index) => attempt(`address ${index}`))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(50)
  })

  it('that were the owner’s are not counted', () => {
    const { count, forget } = createAttempts(() => 0)
    const waits = Array.from({ length: 20 }, () => {
      const wait = count('a')
      forget('a')
      return wait
    })
    expect(waits.every((wait) => wait === 0)).toBe(true)
  })
})
