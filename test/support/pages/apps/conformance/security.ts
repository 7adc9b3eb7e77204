/**
 * Checks of the sandbox: other origins, the policy in both directions, and the messages of the proxy
 * itself.
 *
 * @module
 */

import {
  answered,
  fail,
  fields,
  holds,
  info,
  pass,
  shown,
  timeout,
  until,
  type Check,
  type Config,
  type Outcome,
} from './outcome.ts'
import { attempt, KINDS, policies } from './policy.ts'

export const SECURITY: readonly Check[] = [
  {
    id: 'security/sandbox-distinct-origin',
    clause: 'MUST',
    title: 'Host, proxy and page cannot reach into each other',
    run() {
      const open = Object.entries(PROBES).flatMap(([name, look]) => (opens(look) ? [name] : []))
      if (open.length > 0) return fail(`reached ${open.join(', ')}`)
      const [proxy, ...above] = [...(location.ancestorOrigins ?? [])]
      const detail = [proxy, ...above, `here ${self.origin}`].join(' in ')
      return holds(above.length > 0 && !above.includes(proxy ?? ''), detail)
    },
  },
  {
    id: 'security/sandbox-permissions',
    clause: 'MUST',
    title: 'The outer frame allows scripts and its own origin',
    run({ wire }) {
      const origin = wire.received[0]?.origin ?? 'null'
      return holds(origin !== 'null', `proxy ${origin}, page ${self.origin}`)
    },
  },
  {
    id: 'security/sandbox-message-forwarding',
    clause: 'MUST',
    title: 'The proxy forwards what it does not know; the host answers -32601',
    async run({ wire }) {
      const answer = await wire.request('conformance/unknown', { a: 1 })
      if (answer.type === 'late') return timeout('not answered')
      return holds(answer.type === 'error' && answer.code === -32601, shown(answer))
    },
  },
  {
    id: 'security/sandbox-no-self-requests',
    clause: 'SHOULD NOT',
    title: 'No request comes that the host has no reason for',
    run({ wire }) {
      const requests = wire.received.filter(({ message }) => 'method' in message && 'id' in message)
      const names = requests.map(({ message }) => shown(message['method']))
      return holds(
        names.every((name) => REASONABLE.has(name)),
        names.join(', '),
      )
    },
  },
  {
    id: 'edge/B9-sandbox-messages',
    clause: 'MUST',
    title: 'ui/notifications/sandbox-* stays between host and proxy, in both directions',
    async run({ wire }) {
      const html = '<!doctype html><p>Replaced'
      wire.notify('ui/notifications/sandbox-proxy-ready')
      wire.notify('ui/notifications/sandbox-resource-ready', { html })
      const alive = await wire.request('ping')
      const heard = wire.received.filter(({ message }) =>
        String(message['method']).startsWith('ui/notifications/sandbox-'),
      )
      if (heard.length > 0) return fail(`heard ${heard.length}`)
      return answered(alive, () => pass())
    },
  },
  {
    id: 'edge/B10-other-windows',
    clause: 'MUST',
    title: 'Nothing comes from another window than the parent',
    run: ({ wire }) => holds(wire.otherSources.length === 0, wire.otherSources.join(', ')),
  },
  {
    id: 'security/csp-construct-from-domains',
    clause: 'MUST',
    title: 'Every kind of declared domain can be used',
    run: ({ config }) => (config.declares ? tryAll(config.declared, 'loaded') : notDeclared()),
  },
  {
    id: 'security/csp-allow-declared',
    clause: 'MUST',
    title: 'Control: a fetch from a declared origin works',
    run: ({ config }) => (config.declares ? tryConnect(config) : notDeclared()),
  },
  {
    id: 'security/csp-no-loosening',
    clause: 'MUST NOT',
    title: 'Nothing from an undeclared domain can be used, and eval neither',
    async run({ config }) {
      if (opens(() => Reflect.construct(Function, ['return 1']))) return fail('eval works')
      return tryAll(config.undeclared, 'forbidden')
    },
  },
  {
    id: 'security/csp-default-deny',
    clause: 'MUST',
    title: 'Without a declaration everything is closed, except data: images (B12)',
    async run({ config }) {
      if (config.declares) return info('the resource declares domains')
      const closed = await tryAll(config.declared, 'forbidden')
      if (closed.status !== 'PASS') return closed
      return holds(await dataImage(), 'data: image')
    },
  },
  {
    id: 'security/csp-text',
    clause: 'MUST',
    title: "The policy says default-src 'none' and object-src 'none'",
    run() {
      const texts = [...policies]
      if (texts.length === 0) return fail('the browser reported no policy')
      const closed = texts.find((text) => CLOSED.every((directive) => text.includes(directive)))
      return holds(closed !== undefined, texts.join(' AND '))
    },
  },
  {
    id: 'security/permissions-allow-attr',
    clause: 'MAY',
    title: 'What the resource may use, as the host approved it',
    run({ capabilities }) {
      const approved = fields(capabilities['sandbox'])['permissions']
      return info(`approved ${shown(approved)}`)
    },
  },
]

const CLOSED = ["default-src 'none'", "object-src 'none'"]

const REASONABLE = new Set(['"ping"', '"ui/resource-teardown"', '"tools/list"', '"tools/call"'])

/** Ways into another window, each of which must throw. */
const PROBES: Readonly<Record<string, () => unknown>> = {
  'the document of the parent': () => parent.document.title,
  'the document of the top': () => top?.document.title,
  'the address of the parent': () => parent.location.href,
  'the address of the top': () => top?.location.href,
  'the storage of the top': () => top?.localStorage.length,
  'the frame element': () => frameElement?.tagName.length,
}

function opens(look: () => unknown): boolean {
  try {
    return look() !== undefined
  } catch {
    return false
  }
}

const notDeclared = () => info('the resource declares no domains')

async function tryAll(origin: string, wanted: 'loaded' | 'forbidden'): Promise<Outcome> {
  const tried = await Promise.all(
    KINDS.map(async (kind) => ({ kind, reached: await attempt(kind, origin) })),
  )
  const wrong = tried.filter(({ reached }) => reached !== wanted)
  return holds(
    wrong.length === 0,
    tried.map(({ kind, reached }) => `${kind} ${reached}`).join(', '),
  )
}

async function tryConnect({ declared }: Config): Promise<Outcome> {
  const reached = await attempt('connect', declared)
  return holds(reached === 'loaded', reached)
}

async function dataImage(): Promise<boolean> {
  const image = new Image()
  image.src = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
  return until(() => image.naturalWidth === 1, 1000)
}
