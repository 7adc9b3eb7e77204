/** What installs the console on a device, and the policy of its page. */

import front from '#worker/index.ts'
import { consoleAsset } from '#worker/front/assets.ts'
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'

const OWNED = { ...env, EDGEWISE_OWNER_SECRET: 'a secret of the owner' }

const ask = (path: string, init: RequestInit = {}, variables: typeof env = env) =>
  front.fetch(new Request(`http://localhost${path}`, init), variables, createExecutionContext())

const TYPES = [
  ['/console.webmanifest', 'application/manifest+json'],
  ['/push.js', 'text/javascript'],
  ['/icons/icon.svg', 'image/svg+xml'],
  ['/icons/192.png', 'image/png'],
  ['/icons/512.png', 'image/png'],
  ['/icons/maskable.png', 'image/png'],
  ['/icons/apple.png', 'image/png'],
  ['/icons/badge.png', 'image/png'],
] as const

describe.each(TYPES)('%s', (path, type) => {
  it('is served to a device that is not signed in, and asked for each time', async () => {
    for (const variables of [env, OWNED]) {
      const { status, headers, body } = await ask(path, {}, variables)
      expect(status).toBe(200)
      expect(headers.get('content-type')).toContain(type)
      expect(headers.get('cache-control')).toBe('no-cache')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('access-control-allow-origin')).toBeNull()
      await body?.cancel()
    }
  })

  it('is not served to a page of another site', async () => {
    const { status, body } = await ask(path, { headers: { origin: 'https://evil.example' } })
    expect(status).toBe(403)
    await body?.cancel()
  })
})

it('nothing beside it is served to a device that is not signed in', async () => {
  for (const path of [
    '/icons/',
    '/icons/none.png',
    '/console.js',
    '/index.html',
    '/',
    '/push.mjs',
  ]) {
    const { status, body } = await ask(path, {}, OWNED)
    expect(status, path).toBe(401)
    await body?.cancel()
  }
})

it('the service worker may send requests to this server alone', async () => {
  const answer = await ask('/push.js')
  const policy = answer.headers.get('content-security-policy')
  expect(policy).toBe("default-src 'none'; connect-src 'self'; img-src 'self'")
  expect(answer.headers.get('service-worker-allowed')).toBeNull()
  await answer.body?.cancel()
})

it('the page of the console may load a manifest and a worker of this server alone', async () => {
  const answer = await consoleAsset(new Request('http://localhost/'), env)
  const policy = (answer?.headers.get('content-security-policy') ?? '').split('; ')
  expect(policy).toContain("manifest-src 'self'")
  expect(policy).toContain("worker-src 'self'")
  expect(policy).toContain("default-src 'none'")
  const page = (await answer?.text()) ?? ''
  expect(page).toContain(
    '<link rel="manifest" href="/console.webmanifest" crossorigin="use-credentials" />',
  )
  expect(page).toContain('<link rel="apple-touch-icon" href="/icons/apple.png" />')
})
