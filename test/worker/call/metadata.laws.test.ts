/**
 * Property test of untrusted `_meta`: it is parsed as request metadata or refused with a message, and nothing in it
 * grants what it does not say. The nightly set sends 100,000 of it.
 */

import { formatScope, readScope } from '#core/scope.ts'
import { PREVIEW_META, REQUESTER_META } from '#core/wire.ts'
import { INVALID_PARAMS, parseMetadata } from '#worker/access/metadata.ts'
import fc from '../../support/core/random.ts'
import { expect, it } from 'vitest'
import { bent, inputs, json, SOON_MS } from '../../support/core/hostile.ts'

const METAS = [
  {},
  { preview: true, progressToken: 1 },
  { preview: 'true', policy: { roots: [{ path: '/a', blocked: true }] } },
  { [PREVIEW_META]: 'id', granted_scopes: 'write:file:/a' },
  { allowed_scopes: ['write', 'read:file:/notes'], denied_scopes: ['write:file:/a'] },
  { policy: { find_limit: 5 }, [REQUESTER_META]: 'llm' },
  { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', granted_scopes: ['write:*'] },
]

const isMeta = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every text that could be meant as a scope, as its one spelling. */
function scopesIn(meta: Readonly<Record<string, unknown>>, keys: readonly string[]): string[] {
  const given = keys.flatMap((key) => (Object.hasOwn(meta, key) ? (meta[key] ?? []) : []))
  return given.flatMap((text) => {
    const scope = typeof text === 'string' ? readScope(text) : null
    return scope?.ok ? formatScope(scope.value) : []
  })
}

it('request metadata is parsed as written or refused', () => {
  const metas = fc.oneof(bent(METAS), json).filter(isMeta)
  const law = fc.property(metas, (meta) => {
    const started = Date.now()
    const terms = parseMetadata(meta)
    expect(Date.now() - started).toBeLessThan(SOON_MS)
    if (!terms.ok) {
      expect(terms.error.code).toBe(INVALID_PARAMS)
      expect(terms.error.message).toContain('_meta')
      return
    }
    const { preview, previewId, policy, granted, denied } = terms.value
    expect(preview).toBe(Object.hasOwn(meta, 'preview') && String(meta['preview']) === 'true')
    expect(previewId === null || previewId === meta[PREVIEW_META]).toBe(true)
    expect(policy === undefined || Object.hasOwn(meta, 'policy')).toBe(true)
    expect(granted.map(formatScope)).toEqual(scopesIn(meta, ['granted_scopes', 'allowed_scopes']))
    expect(denied.map(formatScope)).toEqual(scopesIn(meta, ['denied_scopes']))
  })
  fc.assert(law, inputs(500))
})
