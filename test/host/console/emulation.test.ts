/** The hosts that the console can show an app as: none gets more than our own, and each loses what it lacks. */

import { policyOf, readCsp } from '#core/csp.ts'
import {
  capabilitiesOf,
  commonModes,
  emulate,
  restrictDeclared,
  rewriteMessage,
} from '#host/console/emulation/emulate.ts'
import { FEATURES, type Feature } from '#host/console/emulation/features.ts'
import { HOSTS, hostNamed, type EmulatedHost } from '#host/console/emulation/hosts.ts'
import { McpView } from '#host/mcp-view.ts'
import { openFrame } from '#host/view/frame.ts'
import { createResource } from '#host/view/resource.ts'
import { describe, expect, it } from 'vitest'

const ALL = {
  text: {},
  image: {},
  audio: {},
  resource: {},
  resourceLink: {},
  structuredContent: {},
}

/** What our own host declares, but for the sandbox, which depends on the app. */
const OURS: Readonly<Record<string, object>> = {
  openLinks: {},
  downloadFile: {},
  logging: {},
  message: ALL,
  updateModelContext: ALL,
  serverTools: { listChanged: true },
  serverResources: { listChanged: true },
}

/** Every method that an app can send, and some that no host knows. */
const METHODS = [
  ...Object.values(FEATURES).flatMap(({ refused }: Feature) => refused ?? []),
  'ui/initialize',
  'ui/notifications/initialized',
  'ui/request-display-mode',
  'prompts/list',
  'sampling/createMessage',
  'ping',
  'constructor',
  '',
]

const ORIGINS = ['https://a.example']
const DECLARED = {
  uri: 'ui://a',
  text: '<p>',
  _meta: {
    other: 1,
    ui: {
      csp: {
        connectDomains: ORIGINS,
        resourceDomains: ORIGINS,
        frameDomains: ORIGINS,
        baseUriDomains: ORIGINS,
      },
      permissions: { camera: {}, microphone: {}, geolocation: {}, clipboardWrite: {} },
      domain: 'a',
      prefersBorder: false,
    },
  },
}

const host = (id: string): EmulatedHost => {
  const found = hostNamed(id)
  if (!found) throw new Error(`There is no host ${id}`)
  return found
}

/** Whether every member of one value is in the other, at any depth. */
function isWithin(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null) return part === whole || part === false
  return Object.entries(part).every(
    ([name, value]) =>
      Object.hasOwn(Object(whole), name) && isWithin(value, Reflect.get(Object(whole), name)),
  )
}

it('have a name of their own each, and at least the mode inline', () => {
  expect(new Set(HOSTS.map(({ id }) => id)).size).toBe(HOSTS.length)
  for (const { id, modes } of HOSTS) expect(modes, id).toContain('inline')
  expect(hostNamed('toString')).toBe(null)
  expect(hostNamed(undefined)).toBe(null)
})

describe.each(HOSTS)('$title', (emulated) => {
  it('declares no capability that our host does not declare', () => {
    const declared = Object.entries(capabilitiesOf(emulated)).filter(([, value]) => value)
    expect(isWithin(Object.fromEntries(declared), OURS), JSON.stringify(declared)).toBe(true)
  })

  it('has no mode that the page does not have', () => {
    expect(commonModes(['inline'], emulated)).toEqual(['inline'])
    expect(commonModes([], emulated)).toEqual([])
  })

  it('passes a message of the app on as it is, or without its method', () => {
    for (const method of METHODS) {
      const sent = { jsonrpc: '2.0', id: 1, method, params: { a: 1 } }
      const message = structuredClone(sent)
      const refused = rewriteMessage({ direction: 'received', message }, emulated)
      expect(message).toEqual(refused === null ? sent : { ...sent, method: '' })
    }
  })

  it('reads no more of a resource than it declares', () => {
    const read = restrictDeclared(DECLARED, emulated)
    expect(isWithin(Object(read)._meta.ui, DECLARED._meta.ui)).toBe(true)
    expect({ ...Object(read), _meta: null }).toEqual({ ...DECLARED, _meta: null })
    const bare = { uri: 'ui://a', _meta: { ui: {} } }
    const ui: unknown = Object(restrictDeclared(bare, emulated))._meta.ui
    expect(ui).toEqual({ csp: {}, permissions: {} })
    for (const odd of [null, 7, { _meta: null }, { _meta: { ui: null } }])
      expect(restrictDeclared(odd, emulated)).toBe(odd)
  })
})

describe.each(HOSTS)('$title', (emulated) => {
  it('grants an app no more sandbox, policy or permissions', () => {
    const [ours, theirs] = [powerOf(DECLARED), powerOf(restrictDeclared(DECLARED, emulated))]
    expect(theirs.sandbox).toBe(ours.sandbox)
    expect(ours.allowed).toEqual(expect.arrayContaining(theirs.allowed))
    expect(theirs.allowed).toHaveLength(emulated.permissions.length)
    expect(Object.keys(theirs.policy)).toEqual(Object.keys(ours.policy))
    for (const [directive, sources] of Object.entries(theirs.policy))
      expect([...(ours.policy[directive] ?? []), "'none'", "'self'"], directive).toEqual(
        expect.arrayContaining(sources),
      )
  })

  it('has its modes', () => {
    const view = new McpView()
    view.displayModes = ['inline', 'fullscreen', 'pip']
    emulate(view, emulated)
    expect(view.displayModes).toEqual(emulated.modes)
  })
})

it('compares hosts with our own, which grants what an app declares', () => {
  const { allowed, policy } = powerOf(DECLARED)
  expect(allowed).toContain('camera')
  expect(policy['frame-src']).toEqual(expect.arrayContaining(ORIGINS))
})

/** What the frame of an app may do, and the policy that its sandbox page has for what it names. */
function powerOf(content: unknown) {
  const resource = createResource('<script>', Object(content)._meta.ui)
  const sandbox = new URL('https://apps.example/sandbox')
  const { element, close } = openFrame(
    { sandbox, ownOrigin: false, resource },
    () => {},
    () => {},
  )
  close()
  const named: unknown = JSON.parse(new URL(element.src).searchParams.get('csp') ?? '')
  const directives = policyOf(readCsp(named).csp)
    .split(';')
    .map((text) => text.trim().split(/\s+/))
  return {
    sandbox: element.getAttribute('sandbox'),
    allowed: element.allow.split('; ').filter((one) => one !== ''),
    policy: Object.fromEntries(
      directives.map(([name = '', ...sources]): [string, string[]] => [name, sources]),
    ),
  }
}

describe('a message to the app', () => {
  const rewritten = (id: string, message: object) => {
    const copy = structuredClone(message)
    rewriteMessage({ direction: 'sent', message: copy }, host(id))
    return copy
  }

  it('has the name of the host, without what the host does not send', () => {
    const hostContext = { theme: 'dark', styles: {}, toolInfo: {}, displayMode: 'inline' }
    const hostCapabilities = { openLinks: {}, downloadFile: undefined }
    const hostInfo = { name: 'edgewise' }
    const result = { protocolVersion: '1', hostInfo, hostCapabilities, hostContext }
    expect(rewritten('chatgpt', { id: 1, result })).toStrictEqual({
      id: 1,
      result: {
        protocolVersion: '1',
        hostInfo: { name: 'chatgpt', version: '0.0.1' },
        hostCapabilities: { openLinks: {} },
        hostContext: { theme: 'dark', toolInfo: {}, displayMode: 'inline' },
      },
    })
    expect(rewritten('codex', { id: 1, result })).toMatchObject({
      result: { hostInfo: { name: 'edgewise' } },
    })
  })

  it('is empty if the host does not send it', () => {
    const changed = 'ui/notifications/host-context-changed'
    const message = { jsonrpc: '2.0', method: changed, params: { styles: {}, theme: 'dark' } }
    expect(rewritten('slack', message)).toEqual({})
    expect(rewritten('cursor', message)).toEqual({ ...message, params: { theme: 'dark' } })
    expect(rewritten('cursor', { ...message, params: { styles: {} } })).toEqual({})
    const teardown = { jsonrpc: '2.0', id: 2, method: 'ui/resource-teardown', params: {} }
    expect(rewritten('goose', teardown)).toEqual({})
    expect(rewritten('claude', teardown)).toEqual(teardown)
  })

  it('stays as it is otherwise', () => {
    for (const { id } of HOSTS) {
      const result = { content: [{ type: 'text', text: 'a' }] }
      expect(rewritten(id, { id: 3, result })).toEqual({ id: 3, result })
      const error = { code: -32601, message: 'Method not found: of the server' }
      expect(rewritten(id, { id: 3, error })).toEqual({ id: 3, error })
    }
  })
})

it('ignores frame and base domains, permissions and borders where the host does', () => {
  expect(restrictDeclared(DECLARED, host('slack'))).toMatchObject({
    _meta: {
      other: 1,
      ui: {
        csp: { connectDomains: ORIGINS, resourceDomains: ORIGINS },
        permissions: {},
        domain: 'a',
      },
    },
  })
  expect(Object.keys(Object(restrictDeclared(DECLARED, host('slack')))._meta.ui.csp)).toEqual([
    'connectDomains',
    'resourceDomains',
  ])
  expect(restrictDeclared(DECLARED, host('mcpjam'))).toEqual(DECLARED)
})
