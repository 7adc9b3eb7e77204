/**
 * The types of `@edgewise/mcp-view`: the element, the bridge of an app and the sandbox of a server.
 *
 * `tsc -b` is the test, as of `webmcp.test-d.ts`. JSX is compiled by `test/e2e/packages.slow.test.ts`.
 *
 * @module
 */

import { McpView, type ViewServer } from '@edgewise/mcp-view'
import { connectHost } from '@edgewise/mcp-view/bridge'
import { serveSandbox } from '@edgewise/mcp-view/sandbox'
import { expectTypeOf } from 'vitest'

const contents = { contents: [] }

/** The element, by its name. */
export function shows(): void {
  const view = document.createElement('mcp-view')
  expectTypeOf(view).toEqualTypeOf<McpView>()
  view.server = {
    readResource: (uri, { signal }) => {
      expectTypeOf(uri).toBeString()
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
      return Promise.resolve(contents)
    },
    callTool: ({ name }) => Promise.resolve({ content: [{ type: 'text', text: name }] }),
  }
  view.displayModes = ['inline', 'pip']
  expectTypeOf(view.requestDisplayMode('pip')).resolves.toEqualTypeOf<typeof view.displayMode>()
  // @ts-expect-error: no object
  view.toolInput = 1
  // @ts-expect-error: an unknown mode
  view.displayModes = ['large']
  // @ts-expect-error: only the element changes it
  view.state = 'ready'
  // @ts-expect-error: a server that calls no tools
  const server: ViewServer = { readResource: () => Promise.resolve(contents) }
  view.server = server
}

/** Its events have their types by name, at the element and above it. */
export function answers(view: McpView): void {
  view.addEventListener('mcp-open-link', ({ detail }) => {
    expectTypeOf(detail.url).toBeString()
    detail.respondWith(Promise.resolve(true))
    // @ts-expect-error: no answer
    detail.respondWith('yes')
  })
  document.body.addEventListener('mcp-state', ({ detail }) => {
    expectTypeOf(detail.state).toEqualTypeOf<typeof view.state>()
    // @ts-expect-error: nothing to answer
    detail.respondWith(true)
  })
}

/** The bridge of an app. */
export async function connects(): Promise<void> {
  const bridge = await connectHost({ name: 'clock', version: '1.0.0' })
  bridge.on('context', ({ theme }) => {
    expectTypeOf(theme).toEqualTypeOf<'light' | 'dark' | undefined>()
  })
  const stop = bridge.on('result', ({ isError }) => {
    expectTypeOf(isError).toEqualTypeOf<boolean | undefined>()
  })
  stop()
  const { content } = await bridge.callTool('get_time', { zone: 'UTC' })
  for (const block of content) if (block.type === 'text') expectTypeOf(block.text).toBeString()
  // @ts-expect-error: no version
  await connectHost({ name: 'clock' })
  // @ts-expect-error: no event of a host
  bridge.on('closed', () => {})
}

/** The sandbox page. */
export function serves(request: Request): void {
  const embedders = ['https://chat.example']
  expectTypeOf(serveSandbox(request, { embedders })).toEqualTypeOf<Response>()
  // @ts-expect-error: no one may embed it
  serveSandbox(request, {})
  // @ts-expect-error: no list
  serveSandbox(request, { embedders: 'https://chat.example' })
}
