/**
 * A page that shows an app in a host of an official `AppBridge`, which asks the real server over MCP.
 *
 * `app-host-v2.ts` and `app-host-v1.ts` bring the two generations of the packages; this is what they share.
 *
 * @module
 */

/** A host of one generation of the official packages. `R` is its type of results. */
export interface Generation<R> {
  readonly tools: () => Promise<readonly { readonly name: string; readonly _meta?: unknown }[]>
  readonly call: (name: string) => Promise<R>
  readonly read: (uri: string) => Promise<readonly object[]>
  /** Connects a bridge to a frame. */
  readonly connect: (target: Window, setup: HostSetup) => Promise<Connected<R>>
}

/** What a bridge offers an app, and what it reports. */
export interface HostSetup {
  readonly capabilities: {
    readonly serverTools: object
    readonly serverResources?: object
  }
  readonly context: { readonly theme: 'light' | 'dark' }
  readonly ready: () => void
  readonly resize: (height: number) => void
}

/** A connected bridge. */
export interface Connected<R> {
  readonly send: (result: R) => Promise<void>
  /** The app, as it introduced itself. */
  readonly app: () => { readonly name: string; readonly title?: string | undefined } | undefined
}

/** What the client declares, so that the server offers apps. */
export const WITH_APPS = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
}

const { searchParams } = new URL(location.href)

/** The address of the server. */
export const SERVER = new URL(searchParams.get('mcp') ?? '')

/** Opens the app whose tool the address names. */
export async function showApp<R>(generation: Generation<R>): Promise<void> {
  const name = searchParams.get('tool') ?? ''
  const tool = (await generation.tools()).find((each) => each.name === name)
  const ui: unknown = Reflect.get(Object(tool?._meta), 'ui')
  const uri: unknown = Reflect.get(Object(ui), 'resourceUri')
  const [content] = await generation.read(String(uri))
  const html: unknown = Reflect.get(Object(content), 'text')
  await embed(generation, String(html), await generation.call(name))
}

async function embed<R>(generation: Generation<R>, html: string, result: R): Promise<void> {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  document.body.append(frame)
  if (!frame.contentWindow) throw new Error('A frame in a page has a window')
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  const { promise, resolve } = Promise.withResolvers<void>()
  const bridge = await generation.connect(frame.contentWindow, {
    capabilities: {
      serverTools: {},
      ...(searchParams.get('only') !== 'tools' && { serverResources: {} }),
    },
    context: { theme: isDark ? 'dark' : 'light' },
    ready: resolve,
    resize: (height) => (frame.style.height = `${height}px`),
  })
  frame.srcdoc = html
  await promise
  const app = bridge.app()
  frame.title = app?.title ?? app?.name ?? ''
  await bridge.send(result)
}
