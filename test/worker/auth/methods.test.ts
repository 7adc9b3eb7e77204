/** Unsupported methods of the pages and documents for sign-in are refused with the supported ones. */

import type { Env } from '#worker/env.ts'
import front from '#worker/index.ts'
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'

const ORIGIN = 'https://edgewise.example'
const OWNED: Env = { ...env, EDGEWISE_OWNER_SECRET: 'correct horse battery staple' }

it.each([
  ['/.well-known/oauth-protected-resource', 'GET, HEAD'],
  ['/.well-known/oauth-protected-resource/mcp', 'GET, HEAD'],
  ['/signin', 'GET, HEAD, POST'],
  ['/signout', 'POST'],
])('%s', async (path, allowed) => {
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH']) {
    const request = new Request(ORIGIN + path, { method, headers: { origin: ORIGIN } })
    const answer = await front.fetch(request, OWNED, createExecutionContext())
    await answer.text()
    const isAllowed = allowed.split(', ').includes(method)
    expect(answer.status === 405, method).toBe(!isAllowed)
    expect(answer.headers.get('allow'), method).toBe(isAllowed ? null : allowed)
  }
})
