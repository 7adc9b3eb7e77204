/**
 * The page between a host and an app: its origin differs from the host's, and the app inside has
 * none.
 *
 * It relays messages in both directions. Messages that begin with `ui/notifications/sandbox-` are
 * between host and sandbox and never reach the app. It accepts messages only from its parent, which
 * the server allows by `frame-ancestors` and whose origin the first message fixes, and from its one
 * frame. The app's CSP is this page's own header, which the frame inherits.
 *
 * @module
 */

import { recordOf, type JsonRecord } from '#core/json.ts'

const PREFIX = 'ui/notifications/sandbox-'
const READY = `${PREFIX}proxy-ready`
const RESOURCE = `${PREFIX}resource-ready`
const GONE = `${PREFIX}resource-gone`

/** Flags that the host may set. `allow-same-origin` is not one of them, except on a host of its own. */
const FLAGS = ['allow-scripts', 'allow-forms']

/** Permissions-Policy features by the name that MCP Apps gives them. */
const FEATURES: Readonly<Record<string, string>> = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'geolocation',
  clipboardWrite: 'clipboard-write',
}

/** Whether this host serves only apps, each on an origin of its own; the server sets the attribute. */
const own = document.documentElement.dataset['origin'] === 'own'

const app = document.createElement('iframe')
let host: string | null = null

addEventListener('message', ({ source, origin, data }) => {
  if (source === null || window.parent === window) return
  if (source === window.parent) fromHost(origin, data)
  else if (source === app.contentWindow) fromApp(origin, data)
})

function fromHost(origin: string, data: unknown): void {
  if (origin !== (host ?? origin)) return
  const method = methodOf(data)
  if (method === RESOURCE && host === null) show(origin, paramsOf(data))
  else if (host !== null && !method?.startsWith(PREFIX)) app.contentWindow?.postMessage(data, '*')
}

/** An app with an opaque origin sends `null`; for the same reason its messages are sent to `*`. */
function fromApp(origin: string, data: unknown): void {
  if (host === null || origin !== (keepsOrigin() ? location.origin : 'null')) return
  if (sizeOf(data, MAX_MESSAGE) === Infinity) refuse(data)
  else if (!methodOf(data)?.startsWith(PREFIX)) window.parent.postMessage(data, host)
}

/** Refuses messages here that the host could not use, so that checking them costs the host no time. */
function refuse(data: unknown): void {
  const { id } = recordOf(data)
  const error = { code: -32600, message: `A message is JSON of at most ${MAX_MESSAGE} characters` }
  if (typeof id === 'string' || typeof id === 'number')
    app.contentWindow?.postMessage({ jsonrpc: '2.0', id, error }, '*')
}

function show(origin: string, { html, sandbox, permissions }: JsonRecord): void {
  if (typeof html !== 'string') return
  host = origin
  app.title = 'App'
  app.setAttribute('sandbox', flagsOf(sandbox))
  app.allow = featuresOf(permissions)
  app.srcdoc = html
  // A second load means that the app navigated or reloaded, so the host must start its session again.
  app.addEventListener('load', handleFirstLoad, { once: true })
  document.body.append(app)
  addEventListener('focus', () => app.focus())
}

function handleFirstLoad(): void {
  app.addEventListener('load', reportGone)
}

function reportGone(): void {
  window.parent.postMessage({ jsonrpc: '2.0', method: GONE, params: {} }, host ?? '*')
}

function flagsOf(asked: unknown): string {
  const wanted = typeof asked === 'string' ? asked.split(/\s+/) : FLAGS
  const allowed = own ? [...FLAGS, 'allow-same-origin'] : FLAGS
  return allowed.filter((flag) => flag === 'allow-scripts' || wanted.includes(flag)).join(' ')
}

const keepsOrigin = () => app.sandbox.contains('allow-same-origin')

/** The frame's opaque origin cannot be named in a list, hence `*`; nested frames are not included. */
function featuresOf(permissions: unknown): string {
  return Object.keys(recordOf(permissions))
    .flatMap((name) => (Object.hasOwn(FEATURES, name) ? [`${FEATURES[name]} *`] : []))
    .join('; ')
}

/** Limit on a message from an app, in UTF-16 code units of JSON. */
const MAX_MESSAGE = 10_000_000

/** Limit on nested lists and records in a message. */
const MAX_DEPTH = 100

/** Estimates the length as JSON; `Infinity` if it is not JSON, too deep, or beyond the limit. */
function sizeOf(value: unknown, limit: number, depth = 0): number {
  if (typeof value === 'string') return value.length + 2 > limit ? Infinity : value.length + 2
  if (typeof value !== 'object') return typeof value === 'bigint' ? Infinity : 8
  if (value === null) return 4
  if (depth > MAX_DEPTH || !isPlain(value)) return Infinity
  let size = 2
  for (const [name, member] of Object.entries(value)) {
    size += name.length + 4 + sizeOf(member, limit - size, depth + 1)
    if (size > limit) return Infinity
  }
  return size > limit ? Infinity : size
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype
}

function methodOf(data: unknown): string | null {
  const { method } = recordOf(data)
  return typeof method === 'string' ? method : null
}

const paramsOf = (data: unknown): JsonRecord => recordOf(recordOf(data)['params'])

// The only message to an unknown origin. It reveals only that this page has loaded.
if (window.parent !== window)
  window.parent.postMessage({ jsonrpc: '2.0', method: READY, params: {} }, '*')
