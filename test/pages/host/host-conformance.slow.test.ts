/**
 * Conformance of `<mcp-view>`: every requirement for hosts, by id.
 *
 * Most are observed by the conformance app from inside (`apps/conformance`), which runs in four views:
 * one with all modes, one inline only, one whose resource declares nothing, one that is cancelled. The
 * rest is observed from outside. A requirement without a check fails the last test.
 */

import type { Frame, Page } from 'playwright'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { useServer } from '../../support/e2e/server.ts'
import {
  appOf,
  CONFORMANCE_TOOLS,
  conformancePage,
  entriesOf,
  mount,
  proxyOf,
  startEmbedder,
  startTrap,
  untilState,
  use,
} from '../../support/pages/app-servers.ts'
import type { ServerSpec } from '../../support/pages/apps/embed.ts'
import { useBrowser } from '../../support/pages/browser.ts'

const product = useServer()
const browser = useBrowser()
const declared = use(startTrap)
const undeclared = use(startTrap)
const embedder = use(() => startEmbedder(product.url))

let page: Page
const logged: string[] = []
/** The response headers of each sandbox page. */
const sandboxes: Record<string, string>[] = []

const MIME = 'text/html;profile=mcp-app'

/** A server with the app as a resource that declares one origin for everything, or nothing. */
async function serverWith(declares: boolean): Promise<ServerSpec> {
  const { url } = declared()
  const csp = {
    connectDomains: [url],
    resourceDomains: [url],
    frameDomains: [url],
    baseUriDomains: [url],
  }
  const text = await conformancePage({
    declares,
    declared: url,
    undeclared: undeclared().url,
    displayModes: ['inline', 'fullscreen'],
    patienceMs: 4000,
    asks: true,
  })
  const _meta = { ui: { ...(declares && { csp }), permissions: { clipboardWrite: {} } } }
  return {
    tools: CONFORMANCE_TOOLS,
    resources: {
      'ui://conformance/runner': { mimeType: MIME, text, _meta },
      'ui://conformance/note': { mimeType: 'text/plain', text: 'A note' },
    },
  }
}

const RESULT = { content: [{ type: 'text', text: 'Done' }], structuredContent: { done: true } }

const ANSWERS = {
  'mcp-open-link': true,
  'mcp-message': true,
  'mcp-model-context': true,
  'mcp-download': true,
}

interface Report {
  readonly host: string
  readonly results: readonly { id: string; clause: string; status: string; detail: string }[]
}

/** The last table that the app of a view has sent to its server. */
async function reportOf(name: string): Promise<Report | undefined> {
  const calls = await entriesOf(page, name, 'call')
  const reports = calls.filter(({ detail }) => detail['name'] === 'conformance_report')
  return reports.at(-1)?.detail['arguments'] as Report | undefined
}

const outcome = async (name: string, id: string) =>
  (await reportOf(name))?.results.find((result) => result.id === id)

async function untilReported(name: string): Promise<void> {
  await vi.waitUntil(() => reportOf(name), { timeout: 100_000, interval: 200 })
}

/** Everything that a host and a user do with a view, in their order. */
async function judge(name: string, declares: boolean, modes: readonly string[]): Promise<void> {
  const early = name === 'all' ? { toolInputPartial: { path: '/no' } } : INPUT_AND_RESULT
  await mount(page, {
    name,
    server: await serverWith(declares),
    tool: 'run_conformance',
    properties: { displayModes: modes, ...early },
    answers: ANSWERS,
  })
  await untilState(page, name, 'ready')
  if (name === 'all') await page.evaluate(setLate, INPUT_AND_RESULT)
  await untilReported(name)
}

/** One more view of the app, for what can happen only once to each. */
async function show(name: string, properties: object = INPUT_AND_RESULT): Promise<void> {
  const server = await serverWith(true)
  const given = { ...properties }
  await mount(page, { name, server, tool: 'run_conformance', properties: given, answers: ANSWERS })
}

const INPUT_AND_RESULT = { toolInput: { path: '/notes' }, toolResult: RESULT }

/** A partial input after the input is a mistake of the page; the view must not pass it on. */
function setLate(given: { toolInput: object; toolResult: object }): void {
  Object.assign(lab.view('all'), {
    toolInput: given.toolInput,
    toolInputPartial: { path: '/late' },
    toolResult: given.toolResult,
  })
}

/** Keeps what passes through each sandbox page, as a witness that neither side can speak to. */
function witness(): void {
  if (location.pathname !== '/sandbox') return
  const carried: unknown[] = []
  Object.assign(globalThis, { carried })
  addEventListener('message', ({ data, source }) => {
    carried.push({ from: source === parent ? 'host' : 'app', message: structuredClone(data) })
  })
}

interface Carried {
  readonly from: 'host' | 'app'
  readonly message: { readonly method?: string; readonly id?: unknown; readonly params?: object }
}

const carriedBy = async (name: string): Promise<readonly Carried[]> =>
  (await proxyOf(page, name)).evaluate(() => Reflect.get(globalThis, 'carried') as Carried[])

beforeAll(async () => {
  page = await browser.open('about:blank')
  await page.addInitScript(witness)
  await page.goto(embedder().url)
  page.on('console', (message) => logged.push(message.text()))
  page.on('response', (response) => {
    if (response.url().includes('/sandbox')) sandboxes.push(response.headers())
  })
  await judge('all', true, ['inline', 'fullscreen', 'pip'])
  await judge('inline', true, ['inline'])
  await judge('closed', false, ['inline', 'fullscreen'])
  await page.evaluate(() => (lab.view('all').hostContext = { theme: 'dark', locale: 'de-CH' }))
  const isChanged = async () =>
    (await outcome('all', 'context/context-changed'))?.detail.includes('de-CH')
  await vi.waitUntil(isChanged, { timeout: 30_000 })
  await page.evaluate(() => lab.view('all').close())
}, 400_000)

/** What each view has to show. */
const TABLE: readonly (readonly [view: string, id: string, status: string])[] = [
  ['all', 'lifecycle/initialize-capabilities', 'PASS'],
  ['all', 'edge/ping-before-initialize', 'PASS'],
  ['all', 'edge/B1-gate', 'PASS'],
  ['inline', 'edge/B1-gate', 'PASS'],
  ['all', 'lifecycle/tool-input', 'PASS'],
  ['all', 'lifecycle/tool-result', 'PASS'],
  ['all', 'lifecycle/tool-input-partial', 'INFO'],
  ['all', 'lifecycle/tool-input-partial-stop', 'PASS'],
  ['all', 'edge/B2-once-and-first', 'PASS'],
  ['inline', 'edge/B2-once-and-first', 'PASS'],
  ['all', 'edge/B15-unknown-version', 'PASS'],
  ['all', 'edge/B16-initialize-twice', 'PASS'],
  ['all', 'context/initialize-hostcontext', 'PASS'],
  ['all', 'context/context-changed', 'PASS'],
  ['all', 'dimensions/listen-size-changed', 'PASS'],
  ['all', 'display/return-resulting-mode', 'PASS'],
  ['all', 'display/no-undeclared-mode', 'PASS'],
  ['all', 'display/decline-undeclared', 'PASS'],
  ['inline', 'display/unavailable-returns-current', 'PASS'],
  ['all', 'tools/proxy-call', 'PASS'],
  ['all', 'visibility/app-tool-call-guard', 'PASS'],
  ['all', 'edge/B4-error-is-a-result', 'PASS'],
  ['all', 'edge/call-is-no-result', 'PASS'],
  ['all', 'capabilities/server-passthrough', 'PASS'],
  ['all', 'edge/unknown-resource', 'PASS'],
  ['all', 'edge/malformed-params', 'PASS'],
  ['all', 'edge/B11-dangerous-links', 'PASS'],
  ['all', 'links/open-external', 'PASS'],
  ['all', 'messages/add-to-conversation', 'PASS'],
  ['all', 'messages/one-block', 'PASS'],
  ['all', 'messages/consent', 'PASS'],
  ['all', 'model-context/provide-future-turns', 'PASS'],
  ['all', 'model-context/last-wins', 'PASS'],
  ['all', 'downloads/file', 'PASS'],
  ['all', 'security/sandbox-distinct-origin', 'PASS'],
  ['all', 'security/sandbox-permissions', 'PASS'],
  ['all', 'security/sandbox-message-forwarding', 'PASS'],
  ['all', 'security/sandbox-no-self-requests', 'PASS'],
  ['all', 'edge/B9-sandbox-messages', 'PASS'],
  ['all', 'edge/B10-other-windows', 'PASS'],
  ['all', 'security/csp-construct-from-domains', 'PASS'],
  ['all', 'security/csp-allow-declared', 'PASS'],
  ['all', 'security/csp-no-loosening', 'PASS'],
  ['closed', 'security/csp-no-loosening', 'PASS'],
  ['closed', 'security/csp-default-deny', 'PASS'],
  ['all', 'security/csp-text', 'PASS'],
  ['closed', 'security/csp-text', 'PASS'],
  ['all', 'security/permissions-allow-attr', 'INFO'],
  ['all', 'lifecycle/teardown-notify', 'PASS'],
  ['all', 'lifecycle/teardown-await', 'PASS'],
]

describe('checks by the app', () => {
  it.each(TABLE)('%s: %s is %s', async (view, id, status) => {
    const found = await outcome(view, id)
    expect(found, found?.detail).toMatchObject({ id, status })
  })

  it.each(['all', 'inline', 'closed'])('%s: nothing else fails', async (view) => {
    const { results = [] } = (await reportOf(view)) ?? {}
    const wrong = results.filter(({ status }) => status === 'FAIL' || status === 'TIMEOUT')
    expect(wrong).toEqual([])
  })
})

/** What is seen by looking at the page, its frames and its server. */
const OUTSIDE: Readonly<Record<string, () => Promise<void>>> = {
  async 'security/iframe-sandboxed'() {
    const frames = [await proxyOf(page, 'inline'), await appOf(page, 'inline')]
    const flags = await Promise.all(frames.map(flagsOf))
    for (const given of flags) expect(given).toContain('allow-scripts')
    for (const given of flags) for (const flag of ESCAPES) expect(given).not.toContain(flag)
    expect(flags[1]).not.toContain('allow-same-origin')
  },
  async 'security/sandbox-proxy-required'() {
    const [host, proxy] = [new URL(page.url()), new URL((await proxyOf(page, 'inline')).url())]
    expect(proxy.origin).not.toBe(host.origin)
    expect(proxy.origin).not.toBe(new URL(product.url).origin)
  },
  async 'security/sandbox-proxy-ready'() {
    const posted = await page.evaluate(() => lab.posted)
    const ready = posted.filter(
      ({ data }) => methodOf(data) === 'ui/notifications/sandbox-proxy-ready',
    )
    expect(ready.length).toBeGreaterThan(0)
    for (const { origin } of ready) expect(origin).toContain('127.0.0.1')
  },
  async 'security/sandbox-resource-ready'() {
    const carried = await carriedBy('inline')
    const ready = carried.filter(
      ({ message }) => message.method === 'ui/notifications/sandbox-resource-ready',
    )
    expect(ready.map(({ from }) => from)).toEqual(['host', 'app']) // the app's is the forged one
    expect(ready[0]?.message.params).toMatchObject({ html: expect.stringContaining('<h1>Host') })
  },
  async 'security/sandbox-csp-enforced'() {
    expect(sandboxes.length).toBeGreaterThan(2)
    for (const headers of sandboxes) {
      const policy = headers['content-security-policy'] ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("object-src 'none'")
      expect(policy).not.toContain('unsafe-eval')
    }
  },
  async 'security/sandbox-message-forwarding (both ways)'() {
    const carried = await carriedBy('inline')
    const heard = await page.evaluate(() => lab.posted.map(({ data }) => JSON.stringify(data)))
    const fromApp = carried.filter(
      ({ from, message }) =>
        from === 'app' && !message.method?.startsWith('ui/notifications/sandbox-'),
    )
    expect(fromApp.length).toBeGreaterThan(20)
    for (const { message } of fromApp) expect(heard).toContain(JSON.stringify(message))
  },
  async 'security/sandbox-no-self-requests (as posted)'() {
    const carried = (await carriedBy('inline')).map(({ message }) => JSON.stringify(message))
    const posted = await page.evaluate(() => lab.posted)
    const requests = posted.filter(
      ({ data }) => methodOf(data) !== undefined && idOf(data) !== undefined,
    )
    const inline = requests.filter(({ data }) => carried.includes(JSON.stringify(data)))
    expect(inline.length).toBeGreaterThan(20)
  },
  async 'security/csp-audit-log'() {
    const all = [...logged, ...(await entriesOf(page, 'all')).map((entry) => JSON.stringify(entry))]
    const meta = await page.evaluate(() => lab.view('all').resourceMeta)
    expect(JSON.stringify([all, meta])).toContain(declared().url)
  },
  async 'security/external-domain-warning'() {
    const meta = await page.evaluate(() => lab.view('all').resourceMeta)
    expect(meta).toMatchObject({ csp: { connectDomains: [declared().url] } })
  },
  async 'security/permissions-allow-attr (as granted)'() {
    const frame = await (await appOf(page, 'inline')).frameElement()
    const allow = (await frame.getAttribute('allow')) ?? ''
    expect(allow).toContain('clipboard-write')
    for (const name of ['camera', 'microphone', 'geolocation']) expect(allow).not.toContain(name)
  },
  async 'security/global-allowlist'() {
    // MAY: the element has no list of its own; it never opens more than the resource declares.
    const { approved } = await approvedBy('closed')
    expect(JSON.stringify(approved)).not.toContain('http')
  },
  async 'lifecycle/tool-cancelled'() {
    const properties = { toolInput: { path: '/notes' } }
    await show('cancelled', properties)
    await untilState(page, 'cancelled', 'ready')
    await page.evaluate(() => lab.view('cancelled').cancel('Stopped by the person'))
    await untilReported('cancelled')
    const found = await outcome('cancelled', 'lifecycle/tool-cancelled')
    expect(found).toMatchObject({ status: 'PASS', detail: '{"reason":"Stopped by the person"}' })
    const result = await outcome('cancelled', 'lifecycle/tool-result')
    expect(result).toMatchObject({ status: 'TIMEOUT' })
  },
  async 'visibility/app-tool-hidden'() {
    // The element shows tools to no model. What it can do is never to call one for the app unasked.
    const calls = await entriesOf(page, 'all', 'call')
    expect(calls.map(({ detail }) => detail['name'])).not.toContain('model_only_probe')
  },
  async 'resources/read-referenced'() {
    const reads = await entriesOf(page, 'all', 'read')
    expect(reads[0]?.detail).toEqual({ uri: 'ui://conformance/runner' })
  },
  async 'resources/prefetch'() {
    // MAY: read once for a view and not again for anything that it does.
    const reads = await entriesOf(page, 'all', 'read')
    const own = reads.filter(({ detail }) => detail['uri'] === 'ui://conformance/runner')
    expect(own).toHaveLength(1)
  },
  async 'links/open-external (once, and only that one)'() {
    const asked = await entriesOf(page, 'all', 'mcp-open-link')
    expect(asked.map(({ detail }) => detail['url'])).toEqual(['https://example.com/conformance'])
  },
  async 'messages/add-to-conversation (as lists of blocks)'() {
    const asked = await entriesOf(page, 'all', 'mcp-message')
    expect(asked.map(({ detail }) => detail)).toMatchObject([
      { role: 'user', content: [{ type: 'text', text: 'conformance: list' }] },
      { role: 'user', content: [{ type: 'text', text: 'conformance: block' }] },
    ])
  },
  async 'model-context/overwrite-defer-dedupe-display'() {
    const asked = await entriesOf(page, 'all', 'mcp-model-context')
    expect(asked.map(({ detail }) => detail['structuredContent'])).toEqual([
      { turn: 1 },
      { turn: 2 },
    ])
  },
  async 'downloads/file (named after the last part of its address)'() {
    const [asked] = await entriesOf(page, 'all', 'mcp-download')
    expect(asked?.detail).toMatchObject({
      files: [{ name: 'report.txt', mimeType: 'text/plain', text: 'ü €' }],
    })
  },
  async 'capabilities/mimetypes-required'() {
    // The element is not an MCP client; the page declares it. See `test/pages/host/server-apps.test.ts`.
    const { capabilities } = await approvedBy('inline')
    expect(capabilities).toMatchObject({ serverTools: {}, serverResources: {} })
  },
}

/** Flags with which a frame could escape its sandbox or disturb the user. */
const ESCAPES = [
  'allow-top-navigation',
  'allow-top-navigation-by-user-activation',
  'allow-popups',
  'allow-popups-to-escape-sandbox',
  'allow-modals',
  'allow-downloads',
  'allow-pointer-lock',
  'allow-storage-access-by-user-activation',
]

async function flagsOf(frame: Frame): Promise<string[]> {
  const element = await frame.frameElement()
  return ((await element.getAttribute('sandbox')) ?? '').split(' ')
}

const methodOf = (data: unknown): unknown => Object(data).method
const idOf = (data: unknown): unknown => Object(data).id

/** The host capabilities that the app received. */
async function approvedBy(name: string) {
  const answers = (await carriedBy(name)).filter(
    ({ from, message }) =>
      from === 'host' && 'hostCapabilities' in Object(Object(message)['result']),
  )
  const capabilities: unknown = Object(Object(answers[0]?.message)['result'])['hostCapabilities']
  return { capabilities, approved: Object(capabilities)['sandbox'] as unknown }
}

describe('checks by the host page', () => {
  it.each(Object.entries(OUTSIDE))('%s', (_, look) => look())
})

describe('the approved sandbox', () => {
  it('is sent to the app as it was declared', async () => {
    const { url } = declared()
    const { approved } = await approvedBy('inline')
    expect(approved).toMatchObject({
      permissions: { clipboardWrite: {} },
      csp: { connectDomains: [url], resourceDomains: [url], frameDomains: [url] },
    })
  })
})

describe('edge cases', () => {
  it('B4: a failed call is a result, a broken one never becomes a result', async () => {
    const toolResult = { content: [{ type: 'text', text: 'It failed' }], isError: true }
    const properties = { toolInput: {}, toolResult }
    await show('failed', properties)
    await untilReported('failed')
    const carried = await carriedBy('failed')
    const carriedToApp = carried.filter(
      ({ from, message }) => from === 'host' && message.method !== undefined,
    )
    const results = carriedToApp.filter(
      ({ message }) => message.method === 'ui/notifications/tool-result',
    )
    expect(results.map(({ message }) => message.params)).toMatchObject([{ isError: true }])
    expect(carriedToApp.map(({ message }) => message.method)).not.toContain(
      'ui/notifications/tool-cancelled',
    )
  })

  it('B8: the teardown is a request with an id and a reason, and the frame is removed after the response', async () => {
    await show('ended')
    await untilReported('ended')
    const frame = await proxyOf(page, 'ended')
    const started = Date.now()
    await page.evaluate(() => lab.view('ended').close())
    expect(Date.now() - started).toBeGreaterThanOrEqual(300)
    await expect.poll(() => frame.isDetached()).toBe(true)
    expect(await outcome('ended', 'lifecycle/teardown-await')).toMatchObject({ status: 'PASS' })
  })

  it('a link within the page stays within the page', async () => {
    await show('linked')
    await untilReported('linked')
    const frame = await appOf(page, 'linked')
    await frame.evaluate(() => {
      document.body.append(Object.assign(document.createElement('a'), { href: '#host' }))
      document.querySelector<HTMLElement>('a[href="#host"]')?.click()
      history.pushState({}, '', '#counts')
    })
    await expect.poll(() => frame.evaluate(() => location.hash)).toBe('#counts')
    expect(frame.isDetached()).toBe(false)
    expect(await page.evaluate(() => lab.view('linked').state)).toBe('ready')
  })

  it('a view that is removed from the page leaves no frame and sends no response', async () => {
    const before = page.frames().length
    await show('removed')
    await untilState(page, 'removed', 'ready')
    const calls = await page.evaluate(() => {
      lab.view('removed').remove()
      return lab.entries('removed', 'call').length
    })
    await expect.poll(() => page.frames().length).toBe(before)
    expect((await entriesOf(page, 'removed', 'call')).length).toBe(calls)
  })
})

/** Section 14 of the reference, whole. */
const REQUIREMENTS = [
  'security/iframe-sandboxed',
  'security/sandbox-proxy-required',
  'security/sandbox-distinct-origin',
  'security/sandbox-permissions',
  'security/sandbox-proxy-ready',
  'security/sandbox-resource-ready',
  'security/sandbox-csp-enforced',
  'security/sandbox-message-forwarding',
  'security/sandbox-no-self-requests',
  'security/csp-construct-from-domains',
  'security/csp-default-deny',
  'security/csp-allow-declared',
  'security/csp-no-loosening',
  'security/permissions-allow-attr',
  'security/csp-audit-log',
  'security/external-domain-warning',
  'security/global-allowlist',
  'lifecycle/initialize-capabilities',
  'lifecycle/tool-input',
  'lifecycle/tool-input-partial',
  'lifecycle/tool-input-partial-stop',
  'lifecycle/tool-result',
  'lifecycle/tool-cancelled',
  'lifecycle/teardown-notify',
  'lifecycle/teardown-await',
  'tools/proxy-call',
  'visibility/app-tool-hidden',
  'visibility/app-tool-call-guard',
  'resources/read-referenced',
  'resources/prefetch',
  'context/initialize-hostcontext',
  'context/context-changed',
  'dimensions/listen-size-changed',
  'display/no-undeclared-mode',
  'display/return-resulting-mode',
  'display/unavailable-returns-current',
  'display/decline-undeclared',
  'links/open-external',
  'messages/add-to-conversation',
  'messages/consent',
  'model-context/provide-future-turns',
  'model-context/last-wins',
  'model-context/overwrite-defer-dedupe-display',
  'capabilities/mimetypes-required',
  'capabilities/server-passthrough',
]

it('covers every requirement', () => {
  const judged = [...TABLE.map(([, id]) => id), ...Object.keys(OUTSIDE)]
  expect(REQUIREMENTS.filter((id) => !judged.includes(id))).toEqual([])
  expect(REQUIREMENTS).toHaveLength(45)
})
