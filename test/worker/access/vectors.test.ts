/** The test vectors of policy and scopes, run through the same code as every call. */

import { errorOf } from '../../support/worker/client.ts'
import { describe, expect, it } from 'vitest'
import policyRows from '../../vectors/policy.json' with { type: 'json' }
import scopeRows from '../../vectors/scopes.json' with { type: 'json' }
import {
  withClientRoots,
  withToolContext,
  type TestContext,
  type Reply,
} from '../../support/worker/tool-context.ts'

interface Expected {
  outcome?: string
  code?: string | number
  message?: string
  message_prefix?: string
  requested_scopes?: string[] | null
  matches?: string[]
  count?: number
  truncated?: boolean
  unchanged?: string[]
}

interface Row {
  id: string
  title?: string
  config: Record<string, unknown>
  files?: Record<string, string>
  requires?: string[]
  requester?: string
  policy?: unknown
  call: { name: string; arguments: Record<string, unknown> }
  expected: Expected
}

function check(reply: Reply, expected: Expected): void {
  if (expected.outcome === 'error') {
    expect(reply.refused).toMatchObject({ code: expected.code })
    if (expected.message !== undefined) expect(reply.refused?.message).toBe(expected.message)
    if (expected.message_prefix !== undefined)
      expect(reply.refused?.message.startsWith(expected.message_prefix)).toBe(true)
    return
  }
  if (reply.refused) throw new Error(reply.refused.message)
  const { structuredContent, _meta, isError } = reply.outcome
  expect(isError ?? false, JSON.stringify(reply.outcome)).toBe(expected.outcome === 'denied')
  if (expected.outcome === 'denied') expect(errorOf(reply.outcome)['code']).toBe(expected.code)
  if (expected.requested_scopes === null) expect(_meta?.['requested_scopes']).toBeUndefined()
  else if (expected.requested_scopes)
    expect(_meta?.['requested_scopes']).toEqual(expected.requested_scopes)
  const { matches, count, truncated } = expected
  for (const [name, value] of Object.entries({ matches, count, truncated })) {
    if (value !== undefined) expect(structuredContent?.[name]).toEqual(value)
  }
}

describe('policy.json', () => {
  // A policy from a model arrives by `delegate`, but this context makes no links.
  const rows = (policyRows as Row[]).filter((row) => !row.requires && row.requester !== 'llm')
  it.each(rows)('$id $title', async (row) => {
    await withToolContext(row.config, async ({ call, write, text }) => {
      await write(row.files ?? {})
      const meta = 'policy' in row ? { policy: row.policy } : {}
      check(await call(row.call.name, row.call.arguments, meta), row.expected)
      for (const path of row.expected.unchanged ?? [])
        expect(await text(path)).toBe(row.files?.[path])
    })
  })
})

const ids = <R extends { id: string }>(rows: readonly R[]) =>
  rows.map((row) => [row.id, row] as const)

describe('scopes.json', () => {
  it.each(ids(scopeRows.requested_scopes))('%s requests the missing scopes', async (_, row) => {
    const { config, call, expected } = row as unknown as Row & { expected: string[] }
    await withClientRoots(config, async (context) => {
      const reply = await context.call(call.name, call.arguments)
      const asked = reply.refused ? null : (reply.outcome._meta?.['requested_scopes'] ?? [])
      expect(asked).toEqual(expected)
    })
  })

  it.each(ids(scopeRows.grants))('%s grants', async (_, row) => {
    const { config, call, granted_scopes, expected } = row as unknown as Row & {
      granted_scopes: unknown
    }
    await withClientRoots(config, async (context) => {
      await context.write({
        '/x/a': 'a',
        '/x/y/z/a': 'a',
        '/x:y/a': 'a',
        '/w/dist/a': 'a',
        '/w2/a': 'a',
      })
      check(await context.call(call.name, call.arguments, { granted_scopes }), expected)
    })
  })

  it.each(ids(scopeRows.flows))('%s flows', async (_, row) => {
    await withClientRoots(row.config, async (context) => {
      await context.write(row.files as unknown as Record<string, string>)
      for (const step of row.steps) await take(step, context)
    })
  })
})

async function take(
  step: { call: { name: string; arguments: unknown }; meta?: unknown; expected: unknown },
  context: TestContext,
): Promise<void> {
  const reply = await context.call(
    step.call.name,
    step.call.arguments,
    step.meta as Record<string, unknown>,
  )
  check(reply, step.expected as Expected)
}
