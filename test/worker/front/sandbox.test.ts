import { policyOf, readCsp } from '#core/csp.ts'
import type { Env } from '#worker/env.ts'
import { consoleAsset } from '#worker/front/assets.ts'
import { sandboxAnswer } from '#worker/front/sandbox.ts'
import { SELF } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'

type Variables = Pick<Env, 'SANDBOX_ORIGIN' | 'EDGEWISE_HOSTS' | 'EDGEWISE_ORIGINS'>

const PRODUCTION = {
  SANDBOX_ORIGIN: 'https://apps.example.com',
  EDGEWISE_HOSTS: 'files.example.com',
  EDGEWISE_ORIGINS: 'https://site.example, https://other.example:8443',
}

/** The sandbox's response in a deployment with these variables; null if the request goes on to the next route. */
function ask(url: string, variables: Variables = {}, init?: RequestInit) {
  return sandboxAnswer(new Request(url, init), { ...env, ...variables })
}

async function page(url: string, variables: Variables = {}, init?: RequestInit) {
  const response = await ask(url, variables, init)
  if (!response) throw new Error(`Nothing was served at ${url}`)
  const policy = response.headers.get('content-security-policy') ?? ''
  const [, embedders] = policy.split('; frame-ancestors ')
  return { response, policy, embedders, text: await response.text() }
}

const LOCAL = 'http://localhost:* http://127.0.0.1:* https://localhost:*'

describe('on localhost', () => {
  it.each(['http://localhost:8787', 'http://127.0.0.1:8787', 'http://[::1]:8787'])(
    '%s serves the page to localhost pages, without an origin for apps',
    async (origin) => {
      const { response, policy, text } = await page(`${origin}/sandbox`)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(policy).toBe(`${policyOf(readCsp(null).csp)}; frame-ancestors ${LOCAL}`)
      expect(text).toContain('data-origin="opaque"')
      expect(text).toContain('<script>')
    },
  )

  it('passes on all other requests', () => {
    expect(ask('http://localhost:8787/')).toBe(null)
    expect(ask('http://localhost:8787/mcp')).toBe(null)
    expect(ask('http://localhost:8787/sandbox/')).toBe(null)
    expect(ask('http://localhost:8787/sandboxed')).toBe(null)
  })

  it('serves only the page below a subdomain of localhost, with an origin for an app', async () => {
    const { text } = await page('http://a1b2.localhost:8787/sandbox')
    expect(text).toContain('data-origin="own"')
    for (const path of ['/', '/mcp', '/files/a', '/console.js', '/healthz', '/mcp-view.js'])
      expect((await ask(`http://a1b2.localhost:8787${path}`))?.status, path).toBe(404)
    expect(ask('http://a.b.localhost:8787/')).toBe(null)
  })

  it('lets only the console and the listed origins embed an app with an origin of its own', async () => {
    const variables = { EDGEWISE_ORIGINS: 'https://site.example' }
    const { embedders } = await page('http://a1b2.localhost:8787/sandbox', variables)
    expect(embedders).toBe('http://localhost:8787 http://127.0.0.1:8787 https://site.example')
    const secure = await page('https://a1b2.localhost/sandbox')
    expect(secure.embedders).toBe('https://localhost https://127.0.0.1')
  })

  it('runs before the host check, which does not know its hosts', async () => {
    const response = await SELF.fetch('http://a1b2.localhost/sandbox')
    expect(response.status).toBe(200)
    await response.body?.cancel()
    const other = await SELF.fetch('http://a1b2.localhost/healthz')
    expect(other.status).toBe(404)
  })
})

describe('with a SANDBOX_ORIGIN', () => {
  it('serves only the page there', async () => {
    const { text, embedders } = await page('https://apps.example.com/sandbox', PRODUCTION)
    expect(text).toContain('data-origin="opaque"')
    expect(embedders).toBe(
      'https://files.example.com https://site.example https://other.example:8443',
    )
    for (const path of ['/', '/mcp', '/files/a', '/console.js', '/healthz', '/mcp-view.js'])
      expect((await ask(`https://apps.example.com${path}`, PRODUCTION))?.status, path).toBe(404)
  })

  it('gives apps a subdomain as origin', async () => {
    const { text, embedders } = await page('https://a1b2.apps.example.com/sandbox', PRODUCTION)
    expect(text).toContain('data-origin="own"')
    expect(embedders).not.toContain('localhost')
    expect((await ask('https://a1b2.apps.example.com/mcp', PRODUCTION))?.status).toBe(404)
  })

  it.each(['https://files.example.com', 'http://localhost:8787', 'https://evilapps.example.com'])(
    '%s serves no page and redirects with the query',
    async (origin) => {
      const response = await ask(`${origin}/sandbox?csp=%7B%7D`, PRODUCTION)
      expect(response?.status).toBe(307)
      expect(response?.headers.get('location')).toBe('https://apps.example.com/sandbox?csp=%7B%7D')
      expect(await response?.text()).toBe('')
      expect(ask(`${origin}/mcp`, PRODUCTION)).toBe(null)
    },
  )

  it('may be the other name of localhost', async () => {
    const variables = { SANDBOX_ORIGIN: 'http://127.0.0.1:8787' }
    const { text } = await page('http://127.0.0.1:8787/sandbox', variables)
    expect(text).toContain('data-origin="opaque"')
    expect(ask('http://127.0.0.1:8787/', variables)).toBe(null)
    expect((await ask('http://localhost:8787/sandbox', variables))?.status).toBe(307)
  })
})

describe('the console', () => {
  const PATTERN = /<meta name="edgewise-own-sandbox" content="([^"]*)"/

  async function shown(url: string, variables: Partial<Env>) {
    const response = await consoleAsset(new Request(url), { ...env, ...variables })
    const page = (await response?.text()) ?? ''
    const policy = response?.headers.get('content-security-policy') ?? ''
    return { pattern: PATTERN.exec(page)?.[1], policy }
  }

  it('names no origin for apps with a domain in a deployment', async () => {
    const { pattern, policy } = await shown('https://files.example.com/', PRODUCTION)
    expect(pattern).toBe('')
    expect(policy).toContain('; frame-src https://apps.example.com; ')
  })

  it('names one below the sandbox if all names there reach the Worker', async () => {
    const variables = { ...PRODUCTION, SANDBOX_SUBDOMAINS: '1' }
    const { pattern, policy } = await shown('https://files.example.com/', variables)
    expect(pattern).toBe('https://{app}.apps.example.com')
    expect(policy).toContain('; frame-src https://apps.example.com https://*.apps.example.com; ')
    const { text } = await page('https://app-0a.apps.example.com/sandbox', variables)
    expect(text).toContain('data-origin="own"')
  })

  it.each([{ SANDBOX_SUBDOMAINS: '1' }, { ...PRODUCTION, SANDBOX_SUBDOMAINS: 'yes' }])(
    'names none with %o',
    async (variables) => {
      expect((await shown('https://files.example.com/', variables)).pattern).toBe('')
    },
  )
})

it('is not served outside of localhost without a SANDBOX_ORIGIN', async () => {
  expect((await ask('https://files.example.com/sandbox'))?.status).toBe(404)
})

it('cannot be embedded if no embedder is configured', async () => {
  const { SANDBOX_ORIGIN } = PRODUCTION
  const { embedders } = await page(`${SANDBOX_ORIGIN}/sandbox`, { SANDBOX_ORIGIN })
  expect(embedders).toBe("'none'")
})

it('leaves invalid configured origins out of its header', async () => {
  const EDGEWISE_ORIGINS = 'https://a.example/path, nonsense, *, data:, https://b.example;x'
  const { embedders } = await page('https://apps.example.com/sandbox', {
    ...PRODUCTION,
    EDGEWISE_HOSTS: 'https://files.example.com, c.example:8443, d.example;x',
    EDGEWISE_ORIGINS,
  })
  expect(embedders).toBe('https://files.example.com https://c.example:8443 https://a.example')
})

describe('the Content-Security-Policy of an app', () => {
  const rules = async (csp: string) =>
    (await page(`http://127.0.0.1:8787/sandbox?csp=${encodeURIComponent(csp)}`)).policy

  it('has the origins that its resource declares', async () => {
    const policy = await rules(JSON.stringify({ connectDomains: ['https://api.example'] }))
    expect(policy).toContain('; connect-src https://api.example; ')
  })

  it.each([
    '',
    '{',
    'null',
    '[]',
    '"x"',
    '{"connectDomains":"https://a.example"}',
    JSON.stringify({
      connectDomains: ["'unsafe-eval'", 'https://a; script-src *', '*', 'a\r\nb: c'],
    }),
    JSON.stringify({ __proto__: { connectDomains: ['https://a.example'] } }),
    `{"__proto__":{"connectDomains":["https://a.example"]}}`,
    '['.repeat(5000),
  ])('permits nothing for %j', async (csp) => {
    expect(await rules(csp)).toBe(`${policyOf(readCsp(null).csp)}; frame-ancestors ${LOCAL}`)
  })
})

describe('a request', () => {
  const url = 'http://127.0.0.1:8787/sandbox'

  it('from the same origin is refused, so that no app can open the page with its own rules', async () => {
    const headers = { 'sec-fetch-site': 'same-origin' }
    expect((await ask(url, {}, { headers }))?.status).toBe(403)
  })

  it.each(['cross-site', 'same-site', 'none'])('from %s is answered', async (site) => {
    const { response } = await page(url, {}, { headers: { 'sec-fetch-site': site } })
    expect(response.status).toBe(200)
  })

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('by %s is refused', async (method) => {
    expect((await ask(url, {}, { method }))?.status).toBe(405)
  })

  it('by HEAD gets the headers only', async () => {
    const { policy, text } = await page(url, {}, { method: 'HEAD' })
    expect(policy).toContain("default-src 'none'")
    expect(text).toBe('')
  })
})

it('sends no referrer, and disables content sniffing', async () => {
  const { response } = await page('http://127.0.0.1:8787/sandbox')
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('origin-agent-cluster')).toBe('?1')
})
