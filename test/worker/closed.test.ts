/** Closed by default: away from this machine, without an owner, nothing is served. */

import { hasOwner } from '#worker/guard.ts'
import { SELF } from 'cloudflare:test'
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

describe('away from localhost without an owner', () => {
  it.each(PATHS)('%s is refused', async (path) => {
    const answer = await SELF.fetch(`https://edgewise.example${path}`)
    expect([403, 503]).toContain(answer.status)
    expect(await answer.text()).toMatch(/EDGEWISE_/)
  })

  it.each(['/webmcp.js', '/mcp-view.js'])('%s is served', async (path) => {
    const answer = await SELF.fetch(`https://edgewise.example${path}`)
    expect(answer.status).toBe(200)
    await answer.body?.cancel()
  })
})

it('an owner is a secret, or Access', () => {
  const env = { WORKSPACE: {}, ASSETS: {} } as unknown as Parameters<typeof hasOwner>[0]
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
