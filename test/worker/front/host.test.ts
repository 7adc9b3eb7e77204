/** The syntax of `Host`, which the runtime does not check: what only a URL parser reads as this machine. */

import type { Env } from '#worker/env.ts'
import { refuseMalformedHost, refuseUnknownOrigin } from '#worker/front/guard.ts'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'

const withHost = (host: string) => new Request('http://localhost/status', { headers: { host } })

/** The status that the guard answers a request with; null if it lets the request pass. */
function statusOf(host: string, variables: Partial<Env> = {}): number | null {
  const request = withHost(host)
  return (
    (refuseMalformedHost(request) ?? refuseUnknownOrigin(request, { ...env, ...variables }))
      ?.status ?? null
  )
}

describe('a malformed Host', () => {
  it.each([
    'evil.example@localhost',
    'localhost@evil.example',
    '@localhost',
    'localhost/healthz?',
    'localhost/../evil.example',
    'localhost\\@evil.example',
    'localhost?evil.example',
    'localhost#evil.example',
    'localhost, evil.example',
    'local\thost',
    '%6cocalhost',
    'localhost%00',
    'localhost:99999',
    'localhost:80:80',
    'localhost:+80',
    '[::1',
    '[localhost]',
    '::1',
    ':8787',
    '',
  ])('%j is answered with 400', (host) => {
    expect(statusOf(host)).toBe(400)
    // Where every user must sign in, any host name is served, but not what is none.
    expect(statusOf(host, { EDGEWISE_OWNER_SECRET: 'a-secret' })).toBe(400)
  })
})

describe('a well-formed Host', () => {
  it.each(['localhost', 'LOCALHOST:1', 'localhost:', '127.0.0.1:65535', '[0:0:0:0:0:0:0:1]:9'])(
    '%s is this machine',
    (host) => expect(statusOf(host)).toBe(null),
  )

  it.each(['evil.example', 'localhost.', 'a_b.example:80', '[::2]'])('%s is not', (host) =>
    expect(statusOf(host)).toBe(403),
  )

  it.each(['Files.Example', 'files.example:8443'])('%s is a name of the operator', (host) =>
    expect(statusOf(host, { EDGEWISE_HOSTS: 'files.example' })).toBe(null),
  )
})
