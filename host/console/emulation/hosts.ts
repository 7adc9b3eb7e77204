/**
 * The hosts that the console can show an app as: what is known of each, as data.
 *
 * The modes and the missing features are those that public probes of July and August 2026 found, or that the
 * vendor documents. Names, sizes, user agents and permissions are what a probe recorded. What is not known
 * is left out, and the app then gets what our own host says; `notes` names what the emulation does not show.
 * Sampling is left out of all of them: no probe has seen a host that offers it to apps.
 * Nothing here can grant: `emulate.ts` only removes and renames. `test/host/console/emulation.test.ts`
 * checks the table, and `test/pages/console/emulation.slow.test.ts` what an app gets.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import type { DisplayMode, Permission } from '../../view/types.ts'
import type { FeatureName } from './features.ts'

/** A host, as far as it is known. */
export interface EmulatedHost {
  /** Its name in the address. */
  readonly id: string
  readonly title: string
  readonly modes: readonly DisplayMode[]
  readonly lacks: readonly FeatureName[]
  /** The permissions that it grants to apps that declare them. */
  readonly permissions: readonly Permission[]
  /** How it names itself in the handshake. */
  readonly hostInfo?: { readonly name: string; readonly version: string }
  /** Members of the host context that differ from ours. */
  readonly context?: JsonRecord
  /** Capabilities that it declares in less detail than ours, or not at all though it answers. */
  readonly capabilities?: Readonly<Record<string, JsonRecord | undefined>>
  /** The size of an inline app in CSS pixels; `height` is fixed. */
  readonly size?: {
    readonly width?: number
    readonly height?: number
    readonly maxHeight?: number
  }
  /** What an author has to know besides. */
  readonly notes: readonly string[]
}

const ALL_MODES: readonly DisplayMode[] = ['inline', 'fullscreen', 'pip']
const WITHOUT_PIP: readonly DisplayMode[] = ['inline', 'fullscreen']

const APP_ONLY_SEEN = 'Its model also sees tools that are only for apps.'
const OUR_STYLES =
  'Its own colours and fonts are not reproduced; the app gets those of this console.'

/** The hosts, the best known first. */
export const HOSTS: readonly EmulatedHost[] = [
  {
    id: 'claude',
    title: 'Claude',
    modes: WITHOUT_PIP,
    lacks: ['frames', 'requestTeardown', 'sampling'],
    permissions: ['clipboardWrite'],
    hostInfo: { name: 'Claude', version: '1.0.0' },
    context: { platform: 'web', userAgent: navigator.userAgent },
    capabilities: { message: { text: {} }, updateModelContext: { text: {}, image: {} } },
    size: { width: 720, maxHeight: 5000 },
    notes: [
      'Its user agent is that of the browser.',
      'It gives each server an origin of its own, and more origins than an app declares.',
      OUR_STYLES,
    ],
  },
  {
    id: 'chatgpt',
    title: 'ChatGPT',
    modes: ALL_MODES,
    lacks: ['downloads', 'requestTeardown', 'styles', 'sampling'],
    permissions: ['microphone', 'clipboardWrite'],
    hostInfo: { name: 'chatgpt', version: '0.0.1' },
    context: { platform: 'desktop', userAgent: 'chatgpt' },
    capabilities: {
      message: {},
      updateModelContext: {},
      serverTools: {},
      serverResources: {},
    },
    size: { width: 768, height: 400 },
    notes: ['window.openai is not offered here.'],
  },
  {
    id: 'vscode',
    title: 'VS Code',
    modes: ['inline'],
    lacks: ['message', 'toolInfo', 'sampling'],
    permissions: ['clipboardWrite'],
    hostInfo: { name: 'Visual Studio Code', version: '1.130.0' },
    context: { platform: 'desktop' },
    capabilities: {
      updateModelContext: {
        image: {},
        audio: {},
        resource: {},
        resourceLink: {},
        structuredContent: {},
      },
    },
    size: { width: 494, maxHeight: 720 },
    notes: [
      'It handles messages in its source, but does not declare them.',
      APP_ONLY_SEEN,
      OUR_STYLES,
    ],
  },
  {
    id: 'cursor',
    title: 'Cursor',
    modes: ['inline'],
    lacks: ['message', 'modelContext', 'requestTeardown', 'styles', 'sampling'],
    permissions: ['clipboardWrite'],
    hostInfo: { name: 'Cursor', version: '3.4.20' },
    context: { platform: 'desktop', userAgent: 'cursor' },
    capabilities: {
      serverTools: { listChanged: false },
      serverResources: { listChanged: false },
    },
    size: { width: 649, maxHeight: 800 },
    notes: [APP_ONLY_SEEN],
  },
  {
    id: 'goose',
    title: 'Goose',
    modes: ALL_MODES,
    lacks: [
      'downloads',
      'message',
      'modelContext',
      'serverTools',
      'serverResources',
      'logging',
      'requestTeardown',
      'partialInput',
      'cancelled',
      'teardown',
      'contextChanges',
      'frames',
      'sampling',
    ],
    permissions: [],
    hostInfo: { name: 'MCP-UI Host', version: '1.0.0' },
    context: { platform: 'desktop' },
    notes: [
      'Reports conflict: a probe of 1.38 saw only this, its own tracker claims nearly all.',
      OUR_STYLES,
    ],
  },
  {
    id: 'mcpjam',
    title: 'MCPJam inspector',
    modes: ALL_MODES,
    lacks: ['sampling'],
    permissions: ['camera', 'microphone', 'geolocation', 'clipboardWrite'],
    notes: ['It is assumed to have everything. Its name, size and user agent are not known here.'],
  },
  {
    id: 'codex',
    title: 'Codex',
    modes: WITHOUT_PIP,
    lacks: ['downloads', 'requestTeardown', 'cancelled', 'teardown', 'toolInfo', 'sampling'],
    permissions: [],
    notes: ['Its name, size and user agent are not known here.', OUR_STYLES],
  },
  {
    id: 'copilot',
    title: 'Copilot',
    modes: WITHOUT_PIP,
    lacks: [
      'downloads',
      'serverResources',
      'logging',
      'requestTeardown',
      'partialInput',
      'cancelled',
      'teardown',
      'contextChanges',
      'toolInfo',
      'frames',
      'border',
      'sampling',
    ],
    permissions: [],
    capabilities: { message: { text: {} }, updateModelContext: { text: {} }, serverTools: {} },
    size: { maxHeight: 400 },
    notes: ['From the documentation of the vendor, not from a probe.', OUR_STYLES],
  },
  {
    id: 'mistral',
    title: 'Mistral Le Chat',
    modes: WITHOUT_PIP,
    lacks: [
      'downloads',
      'requestTeardown',
      'cancelled',
      'teardown',
      'toolInfo',
      'frames',
      'border',
      'sampling',
    ],
    permissions: ['clipboardWrite'],
    hostInfo: { name: 'Le Chat', version: '1.0.0' },
    context: { platform: 'web', userAgent: 'Le Chat/1.0.0' },
    capabilities: {
      message: { text: {}, image: {} },
      updateModelContext: { text: {} },
      serverTools: {},
      serverResources: {},
    },
    notes: [OUR_STYLES],
  },
  {
    id: 'slack',
    title: 'Slackbot',
    modes: WITHOUT_PIP,
    lacks: [
      'downloads',
      'message',
      'modelContext',
      'requestTeardown',
      'partialInput',
      'cancelled',
      'teardown',
      'contextChanges',
      'frames',
      'border',
      'sampling',
    ],
    permissions: [],
    hostInfo: { name: 'Slackbot', version: '1.0.0' },
    context: { platform: 'web' },
    capabilities: { serverTools: {}, serverResources: {} },
    size: { width: 598 },
    notes: [OUR_STYLES],
  },
  {
    id: 'inspector',
    title: 'MCP Inspector',
    modes: WITHOUT_PIP,
    lacks: ['modelContext', 'sampling'],
    permissions: ['camera', 'microphone', 'geolocation', 'clipboardWrite'],
    capabilities: { message: undefined },
    notes: [
      'It refuses apps that are sent as a blob, and lets apps call tools that are not for them; neither is shown.',
      'Its 26 style variables are not reproduced.',
    ],
  },
  {
    id: 'mcp-cli',
    title: 'mcp-cli',
    modes: WITHOUT_PIP,
    lacks: [
      'downloads',
      'requestTeardown',
      'sizeChanges',
      'partialInput',
      'cancelled',
      'toolInfo',
      'styles',
      'container',
      'frames',
      'sampling',
    ],
    permissions: [],
    context: { theme: 'dark', platform: 'desktop' },
    capabilities: { message: undefined, updateModelContext: undefined },
    notes: [
      'It confirms picture-in-picture though it has none; here the answer is the mode in force.',
      'It fills its page with the app, which has the origin of that page; neither is shown.',
    ],
  },
]

/** Returns the host with this name in the address; null for our own. */
export function hostNamed(id: string | undefined): EmulatedHost | null {
  return HOSTS.find((host) => host.id === id) ?? null
}
