/**
 * The official conformance suite about signing in: our authorization server with a client of the
 * suite's, and the console's client with servers of the suite's.
 *
 * The baseline works in both directions: a failure that is not listed fails the run, and so does a
 * listed one that passes by now.
 */

import { describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/port.ts'
import { newClient } from '../support/e2e/oauth-client.ts'
import { useTokenServer } from '../support/e2e/oauth-server.ts'
import { runAuthorizationSuite, runClientSuite, suite } from '../support/slow/conformance-auth.ts'

const server = useTokenServer()

const SERVER_SCENARIOS = ['authorization-server-metadata-endpoint', 'authorization-code-grant']

/** What is asked of a client beyond signing in, by revision. */
const FURTHER: Readonly<Record<string, readonly string[]>> = { '2025-11-25': ['sse-retry'] }

/** What the client does not pass, which the baseline explains. */
const MISSING = ['auth/pre-registration']

describe('the authorization server', () => {
  it.each(['/mcp', '/w/notes/mcp'])('passes every scenario for a client of %s', async (path) => {
    const port = await freePort()
    const client = await newClient(server.url, {
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
    })
    const how = { port, resource: server.url + path }
    const { passed, exitCode, output } = await runAuthorizationSuite(server.url, client, how)
    expect(passed, output).toEqual(SERVER_SCENARIOS)
    expect(exitCode).toBe(0)
  })

  it('covers every scenario of the suite', async () => {
    const { output } = await suite(['list'])
    const [, known = ''] =
      /^Authorization server scenarios.*\n((?: {2}- .*\n?)+)/m.exec(output) ?? []
    expect([...known.matchAll(/- (\S+)/g)].map(([, name]) => name)).toEqual(SERVER_SCENARIOS)
  })
})

describe('the client of the console', () => {
  // The suite runs all scenarios at once, so that requests of one of them overlap.
  it.each([
    ['2026-07-28', 25, 'conformance-auth-client.yml'],
    ['2025-11-25', 14, 'conformance-auth-client-legacy.yml'],
  ])('fails at %s what its baseline explains', async (revision, scenarios, baseline) => {
    const { output: list } = await suite(['list', '--requirements', revision])
    const scored = [...list.matchAll(/^ {2}- (auth\/\S+)$/gm)].flatMap(([, name]) => name ?? [])
    expect(scored).toHaveLength(scenarios)
    const judged = await runClientSuite(revision, baseline)
    expect(judged.output).toContain('Baseline check passed')
    expect(judged.exitCode).toBe(0)
    const expected = scored.filter((name) => !MISSING.includes(name))
    const further = FURTHER[revision] ?? []
    expect(judged.passed).toEqual(expect.arrayContaining([...expected, ...further]))
    console.log(
      `client ${revision}: ${expected.length} of ${scored.length} scenarios of signing in`,
    )
  })
})
