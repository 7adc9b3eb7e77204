/**
 * The server's description of itself, in both protocol eras: identity, capabilities, instructions, and the
 * form of tools in lists. It is the same for every request, so it is built once.
 *
 * @module
 */

import { CONFIG_SCHEMA } from '#core/config/schema.ts'
import { VERSION } from '#core/version.ts'
import {
  APP_MIME,
  APPS_EXTENSION,
  FILE_PARAMS_META,
  MODERN_PROTOCOL,
  SKILLS_EXTENSION,
  TOOL_META,
} from '#core/wire.ts'
import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import type { Tool } from '../tools/lib/tool.ts'
import { schemasOf } from './schemas.ts'
import { viewUri } from '../views.ts'

/** The name and version of this server, in every result of the modern era; `identity.ts` has the rest. */
export const SERVER_INFO = { name: 'edgewise', title: 'Edgewise', version: VERSION }

/** What this server is, for people who choose one: at most 100 characters, as in `server.json`. */
export const DESCRIPTION =
  'Files for agents: every change is shown, approved by rules, kept in history, undone.'

/** The server capabilities of both eras. */
export const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
  prompts: {},
  // The mcp4h proposals: an object, because official clients take no other value here.
  experimental: { policy: {} },
  extensions: {
    [APPS_EXTENSION]: { mimeTypes: [APP_MIME] },
    [SKILLS_EXTENSION]: { directoryRead: true },
  },
  configSchema: CONFIG_SCHEMA,
}

/** The server capabilities of a profile that has tools alone. */
export const TOOLS_ALONE = {
  tools: CAPABILITIES.tools,
  experimental: CAPABILITIES.experimental,
  configSchema: CONFIG_SCHEMA,
}

/** The server capabilities of a profile. */
export type Capabilities = typeof CAPABILITIES | typeof TOOLS_ALONE

/** What a model reads about this server. */
export const INSTRUCTIONS =
  'A file workspace whose owner sees every change. Paths are absolute or relative to the default root. ' +
  'read_file returns the version of a file; pass it as if_version to change only what you have read. ' +
  'A cut result says how to continue. ' +
  'Proposed means that your change waits for approval: keep working, only you see it; ask the user to decide, ' +
  'then call draft_status.'

/** The only message that a client gets for a bug. */
export const SOMETHING_WRONG = 'Internal error'

/** How long a client may cache a result, by method. Private: every result can depend on the caller. */
export const CACHE_HINTS = {
  'server/discover': { ttlMs: 3_600_000, cacheScope: 'private' },
  'tools/list': { ttlMs: 300_000, cacheScope: 'private' },
  'resources/templates/list': { ttlMs: 3_600_000, cacheScope: 'private' },
  'resources/list': { ttlMs: 0, cacheScope: 'private' },
  'resources/read': { ttlMs: 0, cacheScope: 'private' },
  'prompts/list': { ttlMs: 0, cacheScope: 'private' },
} as const

/** Builds the result of `server/discover`. */
export const discoveryOf = (instructions: string, capabilities: Capabilities) => ({
  supportedVersions: [MODERN_PROTOCOL],
  capabilities,
  instructions,
  ...CACHE_HINTS['server/discover'],
})

const SCOPES = { read: ['read:file'], change: ['write:file'], act: [] } as const

/** The scopes of a change that also reads, such as a copy: a host that denies either denies the call. */
const BOTH = ['read:file', 'write:file'] as const

/**
 * Describes a tool for `tools/list`. Our own facts appear twice, in `annotations` and in `_meta`: official
 * clients drop unknown annotations.
 */
export function describeTool(tool: Tool, showsApps: boolean): ListedTool {
  const facts = {
    intentTemplate: tool.intentText,
    ...(tool.inputTemplate !== undefined && { inputTemplate: tool.inputTemplate }),
    ...(tool.outputTemplate !== undefined && { outputTemplate: tool.outputTemplate }),
    humanInTheLoopHint: tool.approval,
    scopes: tool.scopes ?? (tool.reads ? BOTH : SCOPES[tool.kind]),
    group: 'filesystem',
    ...(tool.kind === 'change' && { preview: true }),
    ...(tool.priority !== undefined && { priority: tool.priority }),
  }
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    ...schemasOf(tool),
    annotations: {
      title: tool.title,
      readOnlyHint: tool.kind === 'read',
      destructiveHint: tool.destructive ?? false,
      idempotentHint: tool.idempotent ?? tool.kind === 'read',
      openWorldHint: tool.openWorld ?? false,
      ...facts,
    },
    _meta: {
      [TOOL_META]: facts,
      ...(tool.fileParams && { [FILE_PARAMS_META]: tool.fileParams }),
      ...(showsApps && uiOf(tool)),
    },
  }
}

function uiOf({ appOnly, view, app }: Tool): Record<string, unknown> {
  const uri = app?.uri ?? (view && viewUri(view))
  if (appOnly) return { ui: { visibility: ['app'] } }
  return uri === undefined ? {} : linkTo(uri)
}

/** Names the view of a tool for models, under the current key and under the one that older hosts read. */
export const linkTo = (resourceUri: string) => ({
  ui: { resourceUri, visibility: ['model', 'app'] },
  'ui/resourceUri': resourceUri,
})
