/**
 * Shows an app as another host would: the console changes what it sets on `<mcp-view>`, what it reads of the
 * resource, and the messages in both directions (`mcp-traffic`).
 *
 * An emulation takes away or renames, and never grants: capabilities, modes, permissions and origins are at
 * most ours, and a message of the app is passed on as it is or has no method any more. The sandbox is
 * ours in any case. `test/host/console/emulation.test.ts` checks this for every host.
 *
 * @module
 */

import { isRecord, isString, recordOf, type JsonRecord } from '#core/json.ts'
import type { McpView } from '../../view/element.ts'
import { notFound } from '../../view/errors.ts'
import type { DisplayMode, EventDetail, ViewServer } from '../../view/types.ts'
import { FEATURES, listLacking, type Feature } from './features.ts'
import type { EmulatedHost } from './hosts.ts'

/** The element's error for a message that has lost its method. */
const UNKNOWN = notFound('')

const CONTEXT_CHANGED = 'ui/notifications/host-context-changed'

/** Makes an element, before it is in the page, show its app as a host would. */
export function emulate(view: McpView, host: EmulatedHost): void {
  const { context = {}, size = {} } = host
  view.hostCapabilities = { ...view.hostCapabilities, ...capabilitiesOf(host) }
  view.hostContext = { ...view.hostContext, ...context }
  view.displayModes = commonModes(view.displayModes, host)
  if (view.server) view.server = restrictServer(view.server, host)
  if (size.width !== undefined) view.style.maxWidth = `${size.width}px`
  if (size.height !== undefined) view.setAttribute('height', String(size.height))
  if (size.maxHeight !== undefined) view.setAttribute('max-height', String(size.maxHeight))
  view.setAttribute('traffic', '')
  view.addEventListener('mcp-traffic', ({ detail }) => {
    const refused = rewriteMessage(detail, host)
    if (refused !== null) logRefusal(view, host, refused)
  })
}

/** Returns the modes that both the page and a host have. */
export const commonModes = (modes: readonly DisplayMode[], host: EmulatedHost) =>
  modes.filter((mode) => host.modes.includes(mode))

/** Returns the capabilities that differ from ours; an undefined one is not declared. */
export function capabilitiesOf({ lacks, capabilities = {} }: EmulatedHost): JsonRecord {
  const missing = lacks.flatMap((name) => {
    const { capability }: Feature = FEATURES[name]
    return capability === undefined ? [] : [[capability, undefined] as const]
  })
  return { ...capabilities, ...Object.fromEntries(missing) }
}

/** Logs a message that the host does not know, so that the author sees what breaks. */
function logRefusal(view: McpView, { title }: EmulatedHost, method: string): void {
  const detail: EventDetail<'mcp-log'> = {
    level: 'warning',
    logger: 'emulation',
    data: `${title} does not know ${method}`,
  }
  view.dispatchEvent(new CustomEvent('mcp-log', { detail, bubbles: true, composed: true }))
}

/**
 * Changes a message as a host would, before it is sent or handled.
 *
 * @returns The method that the host refuses, or null.
 */
export function rewriteMessage(
  { direction, message }: EventDetail<'mcp-traffic'>,
  host: EmulatedHost,
): string | null {
  if (!isRecord(message)) return null
  if (direction === 'received') return refuseUnknown(message, host)
  rewriteSent(message, host)
  return null
}

/** Takes the method from a message that the host does not know, so that it is answered as unknown. */
function refuseUnknown(message: JsonRecord, host: EmulatedHost): string | null {
  const { method } = message
  if (!isString(method) || !listLacking(host, 'refused').includes(method)) return null
  Object.assign(message, { method: '' })
  return method
}

function rewriteSent(message: JsonRecord, host: EmulatedHost): void {
  const { method, params, result, error } = message
  if (isString(method) && listLacking(host, 'withheld').includes(method)) return empty(message)
  if (method === CONTEXT_CHANGED) {
    const changes = restrictContext(recordOf(params), host)
    if (Object.keys(changes).length === 0) return empty(message)
    Object.assign(message, { params: changes })
  }
  if (isRecord(result) && isRecord(result['hostInfo']))
    Object.assign(message, { result: restrictHandshake(result, host) })
  if (isRecord(error) && error['message'] === UNKNOWN.message)
    Object.assign(message, { error: { ...error, message: 'Method not found' } })
}

/** Leaves an empty message, which apps ignore since it is not JSON-RPC. */
function empty(message: JsonRecord): void {
  for (const name of Object.keys(message)) Reflect.deleteProperty(message, name)
}

const restrictHandshake = (result: JsonRecord, host: EmulatedHost): JsonRecord => ({
  ...result,
  ...(host.hostInfo && { hostInfo: host.hostInfo }),
  hostCapabilities: definedIn(recordOf(result['hostCapabilities'])),
  hostContext: restrictContext(recordOf(result['hostContext']), host),
})

function restrictContext(context: JsonRecord, host: EmulatedHost): JsonRecord {
  return without(context, listLacking(host, 'context'))
}

const without = (record: JsonRecord, names: readonly string[]): JsonRecord =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))

/** Returns the members that have a value, since an app may look for their names. */
const definedIn = (record: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))

/** Returns a server whose resources declare no more than a host reads. */
function restrictServer(server: ViewServer, host: EmulatedHost): ViewServer {
  return {
    ...server,
    async readResource(uri, options) {
      const { contents } = await server.readResource(uri, options)
      return { contents: contents.map((content) => restrictDeclared(content, host)) }
    },
    // A resource without metadata has that of its entry in the list.
    async request(method, params, options) {
      const result = await server.request?.(method, params, options)
      if (method !== 'resources/list' || !isRecord(result)) return result
      const { resources } = result
      if (!Array.isArray(resources)) return result
      return { ...result, resources: resources.map((entry) => restrictDeclared(entry, host)) }
    },
  }
}

/** Removes from the `_meta.ui` of a resource what a host does not read or grant. */
export function restrictDeclared(resource: unknown, host: EmulatedHost): unknown {
  if (!isRecord(resource)) return resource
  const meta = recordOf(resource['_meta'])
  const { ui } = meta
  if (!isRecord(ui)) return resource
  const permissions = Object.entries(recordOf(ui['permissions'])).filter(([name]) =>
    host.permissions.some((granted) => granted === name),
  )
  const restricted = {
    ...without(ui, listLacking(host, 'declared')),
    csp: without(recordOf(ui['csp']), listLacking(host, 'csp')),
    permissions: Object.fromEntries(permissions),
  }
  return { ...resource, _meta: { ...meta, ui: restricted } }
}
