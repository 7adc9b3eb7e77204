/**
 * Frames in which a view's module runs, and the official host classes that speak with it.
 *
 * @module
 */

import * as v2 from '@modelcontextprotocol/ext-apps/app-bridge'
import * as v1 from 'ext-apps-v1/app-bridge'

type Bridge = typeof import('../../../views/bridge.ts')

/** What both versions of the official class have in common. */
export type OfficialHost = Pick<
  v2.AppBridge,
  | 'close'
  | 'getAppCapabilities'
  | 'getAppVersion'
  | 'ondownloadfile'
  | 'oninitialized'
  | 'onloggingmessage'
  | 'onmessage'
  | 'onopenlink'
  | 'onreadresource'
  | 'onrequestdisplaymode'
  | 'onrequestteardown'
  | 'onsizechange'
  | 'oncalltool'
  | 'onupdatemodelcontext'
  | 'sendToolCancelled'
  | 'sendToolInput'
  | 'sendToolInputPartial'
  | 'sendToolListChanged'
  | 'sendToolResult'
  | 'setHostContext'
  | 'teardownResource'
>

export interface HostSetup {
  readonly capabilities?: v2.McpUiHostCapabilities
  readonly context?: v2.McpUiHostContext
}

const INFO = { name: 'test host', version: '3.2.1' }

export async function hostV2(target: Window, setup: HostSetup = {}): Promise<OfficialHost> {
  const options = setup.context ? { hostContext: setup.context } : {}
  const host = new v2.AppBridge(null, INFO, setup.capabilities ?? {}, options)
  await host.connect(new v2.PostMessageTransport(target, target))
  return kept(host)
}

export async function hostV1(target: Window, setup: HostSetup = {}): Promise<OfficialHost> {
  // The two versions are written for different types of the SDK; the messages are the same.
  const context = setup.context as v1.McpUiHostContext | undefined
  const options = context ? { hostContext: context } : {}
  const host = new v1.AppBridge(null, INFO, setup.capabilities ?? {}, options)
  await host.connect(new v1.PostMessageTransport(target, target))
  return kept(host as unknown as OfficialHost)
}

export const HOSTS = [
  { version: '2.0.4', connect: hostV2 },
  { version: '1.7.5', connect: hostV1 },
] as const

const frames = new Set<HTMLIFrameElement>()
const hosts = new Set<OfficialHost>()

function kept(host: OfficialHost): OfficialHost {
  hosts.add(host)
  return host
}

/** Closes the hosts and removes the frames of a test. */
export async function closeFrames(): Promise<void> {
  for (const host of hosts) await host.close()
  for (const frame of frames) frame.remove()
  hosts.clear()
  frames.clear()
}

/** A frame with a page of its own, which is loaded when this resolves. */
export async function openFrame(html: string): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe')
  frame.style.cssText = 'width: 800px; height: 600px; border: 0'
  frame.srcdoc = html
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
  document.body.append(frame)
  frames.add(frame)
  await loaded
  return frame
}

export interface Guest {
  readonly frame: HTMLIFrameElement
  readonly window: Window
  /** The bridge, as the page in the frame has it. */
  readonly module: Bridge
}

const GUEST = `<!doctype html><body><script type="module">
  window.guest = import('/bundled/views/bridge.ts')
</script>`

export async function openGuest(): Promise<Guest> {
  const frame = await openFrame(GUEST)
  const window = windowOf(frame)
  // The page puts the module there.
  const { guest } = window as Window & { guest?: Promise<Bridge> }
  if (!guest) throw new Error('The page of the guest did not start')
  return { frame, window, module: await guest }
}

export function windowOf(frame: HTMLIFrameElement): Window {
  if (!frame.contentWindow) throw new Error('The frame is not in the page')
  return frame.contentWindow
}

/** Waits until something holds, and no longer than a test should. */
export async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + 10_000
  while (!holds()) {
    if (performance.now() > end) throw new Error('The condition was not met in time')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
