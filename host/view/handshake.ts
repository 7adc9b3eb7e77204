/**
 * The handshake: what an app declares in `ui/initialize`, and what the host answers.
 *
 * @module
 */

import { isRecord, type JsonRecord } from '#core/json.ts'
import { VERSION } from '#core/version.ts'
import { APPS_PROTOCOL } from '#core/wire.ts'
import { label, recordIn } from './json.ts'
import type { AppFacts, Declared, ViewHost } from './types.ts'

/** Every kind of content block. */
const ALL_CONTENT = {
  text: {},
  image: {},
  audio: {},
  resource: {},
  resourceLink: {},
  structuredContent: {},
}

/** Parses the params of `ui/initialize`: untrusted input. */
export function readApp(params: JsonRecord): AppFacts {
  const { title, name, version } = recordIn(params, 'appInfo')
  return {
    info: { name: label(title) ?? label(name) ?? 'App', version: label(version) ?? '' },
    capabilities: recordIn(params, 'appCapabilities'),
  }
}

/** Builds the result of `ui/initialize`. */
export function initializeResult(
  { server, hostCapabilities }: ViewHost,
  { csp, permissions }: Declared,
  hostContext: JsonRecord,
): JsonRecord {
  const lists = server && { listChanged: true }
  return {
    // The only supported version, whichever version an app requests.
    protocolVersion: APPS_PROTOCOL,
    hostInfo: { name: 'edgewise', version: VERSION },
    hostCapabilities: {
      openLinks: {},
      downloadFile: {},
      logging: {},
      message: ALL_CONTENT,
      updateModelContext: ALL_CONTENT,
      sandbox: { permissions, csp },
      ...(lists && { serverTools: lists, serverResources: lists }),
      ...hostCapabilities,
    },
    hostContext,
  }
}

/** Returns the display modes that an app declares; null if it declares none. */
export function modesOf(app: AppFacts | null): readonly unknown[] | null {
  const modes = app?.capabilities['availableDisplayModes']
  return Array.isArray(modes) ? modes.map(readMode) : null
}

/** Reads the long name of a display mode as the short one. */
export const readMode = (mode: unknown): unknown => (mode === 'picture-in-picture' ? 'pip' : mode)

/** Whether an app declares the capability of a method, such as `tools` for `tools/call`. */
export const declaresCapability = (app: AppFacts | null, method: string) =>
  isRecord(app?.capabilities[method.split('/', 1).join()])
