/**
 * What a host of MCP Apps may lack, and what the console takes away from an app to show that.
 *
 * Each feature only removes: a capability from the handshake, requests that are answered with "Method not
 * found", messages that are not sent, members of the host context, or parts of what a resource declares.
 * `test/host/console/emulation.test.ts` checks that none adds anything.
 *
 * @module
 */

/** What the lack of a feature takes away from an app. */
export interface Feature {
  /** Its name in a list of what a host lacks. */
  readonly label: string
  /** Member of `hostCapabilities` that is left out. */
  readonly capability?: string
  /** Requests and notifications of the app that the host does not know. */
  readonly refused?: readonly string[]
  /** Messages that the host never sends. */
  readonly withheld?: readonly string[]
  /** Members of the host context that the host does not send. */
  readonly context?: readonly string[]
  /** Lists of `_meta.ui.csp` that the host ignores. */
  readonly csp?: readonly string[]
  /** Members of `_meta.ui` that the host ignores. */
  readonly declared?: readonly string[]
}

/** The features, in the order in which a host's missing ones are listed. */
export const FEATURES = {
  openLinks: {
    label: 'opening links',
    capability: 'openLinks',
    refused: ['ui/open-link'],
  },
  downloads: {
    label: 'downloads',
    capability: 'downloadFile',
    refused: ['ui/download-file'],
  },
  message: {
    label: 'messages',
    capability: 'message',
    refused: ['ui/message'],
  },
  modelContext: {
    label: 'model context',
    capability: 'updateModelContext',
    refused: ['ui/update-model-context'],
  },
  serverTools: {
    label: 'tool calls',
    capability: 'serverTools',
    refused: ['tools/call', 'tools/list'],
  },
  serverResources: {
    label: 'reading resources',
    capability: 'serverResources',
    refused: ['resources/read', 'resources/list', 'resources/templates/list'],
  },
  sampling: {
    label: 'sampling',
    capability: 'sampling',
    refused: ['sampling/createMessage'],
  },
  logging: {
    label: 'logs',
    capability: 'logging',
    refused: ['notifications/message'],
  },
  requestTeardown: {
    label: 'closing on request',
    refused: ['ui/notifications/request-teardown'],
  },
  sizeChanges: {
    label: 'resizing on request',
    refused: ['ui/notifications/size-changed'],
  },
  partialInput: {
    label: 'partial input',
    withheld: ['ui/notifications/tool-input-partial'],
  },
  cancelled: {
    label: 'cancellation',
    withheld: ['ui/notifications/tool-cancelled'],
  },
  teardown: {
    label: 'announcing the end',
    withheld: ['ui/resource-teardown'],
  },
  contextChanges: {
    label: 'changes of the host context',
    withheld: ['ui/notifications/host-context-changed'],
  },
  toolInfo: { label: 'tool info', context: ['toolInfo'] },
  styles: { label: 'style variables', context: ['styles'] },
  container: { label: 'container size', context: ['containerDimensions'] },
  frames: { label: 'frame and base domains', csp: ['frameDomains', 'baseUriDomains'] },
  border: { label: 'the border setting', declared: ['prefersBorder'] },
} as const satisfies Readonly<Record<string, Feature>>

export type FeatureName = keyof typeof FEATURES

/** Returns all values of one member of the features that a host lacks. */
export function listLacking(
  { lacks }: { readonly lacks: readonly FeatureName[] },
  member: Exclude<keyof Feature, 'label' | 'capability'>,
): readonly string[] {
  return lacks.flatMap((name) => {
    const feature: Feature = FEATURES[name]
    return feature[member] ?? []
  })
}
