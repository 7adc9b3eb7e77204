import { character } from '../support/core/character.ts'
import fc from '../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import {
  MAX_SOURCE_LENGTH,
  MAX_SOURCES,
  policyOf,
  listReachableOrigins,
  readCsp,
  type AppCsp,
} from '#core/csp.ts'
import { expectWithin } from '../support/core/expect-within.ts'

const KINDS = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const

/** A policy as its directives. */
function directives(csp: AppCsp): Record<string, string> {
  const parts = policyOf(csp).split('; ')
  return Object.fromEntries(parts.map((part) => [part.split(' ')[0], part.replace(/^\S+ /, '')]))
}

/** The policy of an app without declared domains. */
const CLOSED: AppCsp = {
  connectDomains: [],
  resourceDomains: [],
  frameDomains: [],
  baseUriDomains: [],
}

const read = (entry: unknown) => readCsp({ connectDomains: [entry] })

it.each([
  'https://example.com',
  'https://EXAMPLE.com',
  'https://example.com:8443',
  'https://*.example.com',
  'https://*.a.example.com:444',
  'https://cdn.example.com/npm/lib@1/'.replace('@', '-'),
  'https://xn--bcher-kva.example',
  'http://localhost:3000',
  'http://127.0.0.1:3000',
  'wss://live.example.com',
  'https://intranet',
])('keeps %s unchanged', (entry) => {
  expect(read(entry)).toEqual({
    csp: { ...CLOSED, connectDomains: [entry] },
    dropped: [],
    completed: [],
  })
})

it.each([
  "https://example.com; script-src 'unsafe-eval'",
  'https://example.com, default-src *',
  'https://example.com\nset-cookie: a=b',
  'https://example.com\r\n\r\n<script>',
  'https://example.com https://other.example',
  ' https://example.com',
  'https://example.com ',
  'https://example.com\t',
  'https://example.com\u2028',
  'https://exämple.com',
  'https://user:password@example.com',
  'https://user@example.com',
  'https://example.com?query',
  'https://example.com#fragment',
  'https://example.com/"',
  "https://example.com/'",
  'https://example.com:port',
  'https://example.com:*',
  'https://',
  'https://*',
  'https://*.com',
  'https://a.*.com',
  'https://*example.com',
  'https://example.com.',
  'https://.example.com',
  'https://a..b',
  'https://[::1]:3000',
  '//example.com',
  '*',
  "'self'",
  "'none'",
  "'unsafe-eval'",
  "'unsafe-inline'",
  "'nonce-abc'",
  'https:',
  'data:',
  'blob:',
  'javascript:alert(1)',
  'file:///etc',
  'ftp://example.com',
  'self',
  '',
  null,
  42,
  true,
  {},
  ['https://example.com'],
  { toString: () => 'https://example.com' },
])('drops and reports %j', (entry) => {
  const { csp, dropped } = read(entry)
  expect(csp).toEqual(CLOSED)
  expect(dropped).toEqual([expect.any(String)])
  expect(dropped[0]?.length).toBeLessThanOrEqual(100)
})

it.each([
  undefined,
  null,
  'https://example.com',
  42,
  [],
  [['https://example.com']],
  { connectDomains: 'https://example.com' },
])('reads %j as an empty declaration', (value) =>
  expect(readCsp(value)).toEqual({ csp: CLOSED, dropped: [], completed: [] }),
)

it.each(['api.example.com', '*.example.com', 'api.example.com:8443', 'cdn.example.com/npm/'])(
  'reads %s as an https origin, and for connections as a wss origin, too',
  (entry) => {
    expect(readCsp({ connectDomains: [entry], resourceDomains: [entry] })).toEqual({
      csp: {
        ...CLOSED,
        connectDomains: [`https://${entry}`, `wss://${entry}`],
        resourceDomains: [`https://${entry}`],
      },
      dropped: [],
      completed: [JSON.stringify(entry), JSON.stringify(entry)],
    })
  },
)

it.each([
  'example.com; script-src *',
  'user@example.com',
  '*.com',
  'a..b',
  'example.com.',
  'localhost:3000',
  'mailto:a@example.com',
])('completes no %s', (entry) => {
  expect(read(entry).csp).toEqual(CLOSED)
})

it('reads the four lists apart from each other', () => {
  const lists = Object.fromEntries(
    KINDS.map((kind) => [kind, [`https://${kind.toLowerCase()}.example`]]),
  )
  expect(readCsp(lists).csp).toEqual(lists)
})

it('limits each list and each entry', () => {
  const many = Array.from({ length: MAX_SOURCES + 1 }, (_, index) => `https://h${index}.example`)
  expect(readCsp({ frameDomains: many }).csp.frameDomains).toEqual(many.slice(0, -1))
  const longest = `https://${'a'.repeat(MAX_SOURCE_LENGTH - 8)}`
  expect(read(longest).csp.connectDomains).toEqual([longest])
  expect(read(`${longest}a`).csp).toEqual(CLOSED)
})

it('takes linear time for the worst entries', async () => {
  const texts = ['a-'.repeat(1e6), 'a.'.repeat(1e6), '/%'.repeat(1e6), '1'.repeat(2e6)]
  await expectWithin(500, () => {
    for (const text of texts) expect(read(`https://${text}!`).csp).toEqual(CLOSED)
  })
})

describe('the policy', () => {
  it('without domains is closed', () => {
    expect(directives(CLOSED)).toEqual({
      'default-src': "'none'",
      'script-src': "'unsafe-inline'",
      'style-src': "'unsafe-inline'",
      'img-src': 'data: blob:',
      'media-src': 'data: blob:',
      'font-src': "'none'",
      'connect-src': "'none'",
      'worker-src': "'none'",
      'frame-src': "'none'",
      'base-uri': 'about:',
      'object-src': "'none'",
      'form-action': "'none'",
    })
  })

  it('allows in each directive only the declared domains', () => {
    const csp = {
      connectDomains: ['https://api.example'],
      resourceDomains: ['https://cdn.example', 'https://*.img.example'],
      frameDomains: ['https://frame.example'],
      baseUriDomains: ['https://base.example'],
    }
    const resources = 'https://cdn.example https://*.img.example'
    expect(directives(csp)).toEqual({
      'default-src': "'none'",
      'script-src': `'unsafe-inline' ${resources}`,
      'style-src': `'unsafe-inline' ${resources}`,
      'img-src': `data: blob: ${resources}`,
      'media-src': `data: blob: ${resources}`,
      'font-src': resources,
      'connect-src': 'https://api.example',
      'worker-src': 'blob:',
      'frame-src': 'https://frame.example',
      'base-uri': 'about: https://base.example',
      'object-src': "'none'",
      'form-action': "'none'",
    })
  })

  it('always has twelve directives, and no character that ends a header', () => {
    const entry = fc.oneof(
      fc.string({ unit: character }),
      fc.stringMatching(/^https:\/\/[ -~]{0,20}$/),
      fc.webUrl(),
      fc.anything(),
    )
    const list = fc.array(entry)
    const value = fc.record({
      connectDomains: list,
      resourceDomains: list,
      frameDomains: list,
      baseUriDomains: list,
    })
    fc.assert(
      fc.property(value, (declared) => {
        const { csp } = readCsp(declared)
        const policy = policyOf(csp)
        expect(policy).toMatch(/^[\x20-\x7e]+$/)
        expect(policy).not.toMatch(/[,"\\]/)
        expect(policy.split(';')).toHaveLength(12)
        expect(policy).not.toContain('unsafe-eval')
        for (const kind of KINDS)
          for (const source of csp[kind]) expect(declared[kind]).toContain(source)
      }),
    )
  })

  it('is the same when its input is parsed twice', () => {
    const lists = fc.record({
      connectDomains: fc.array(fc.webUrl()),
      frameDomains: fc.array(fc.webUrl()),
    })
    fc.assert(
      fc.property(lists, (declared) => {
        const { csp } = readCsp(declared)
        expect(readCsp(JSON.parse(JSON.stringify(csp)))).toEqual({
          csp,
          dropped: [],
          completed: [],
        })
      }),
    )
  })
})

it('names every reachable origin once', () => {
  const csp = {
    connectDomains: ['https://a.example', 'https://b.example'],
    resourceDomains: ['https://b.example'],
    frameDomains: ['https://c.example'],
    baseUriDomains: ['https://d.example'],
  }
  expect(listReachableOrigins(csp)).toEqual([
    'https://a.example',
    'https://b.example',
    'https://c.example',
  ])
})
