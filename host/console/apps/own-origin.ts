/**
 * The origin of an app that declares a `domain`: one for each app, so that it can keep data that no
 * other app can read, also none of the same server or workspace.
 *
 * The server of the console names the address in `<meta name="edgewise-own-sandbox">`, with `{app}`
 * where the label of the origin belongs. The label is a hash of the server's URL, which a server
 * cannot choose, and of the app's URI. Without that address apps have no origin. `test/pages/console/own-origin.slow.test.ts`
 * covers it.
 *
 * @module
 */

import type { McpView } from '../../view/element.ts'

/** Bytes of the hash in a label: 80 bits, so that no URL with another one's label can be found. */
const LABEL_BYTES = 10

/**
 * Sets `own-sandbox` of an element for an app.
 *
 * @param server The URL of the server.
 * @param app The URI of the app.
 */
export async function setOwnSandbox(element: McpView, server: string, app: string): Promise<void> {
  const meta = document.querySelector<HTMLMetaElement>('meta[name=edgewise-own-sandbox]')
  const pattern = meta?.content ?? ''
  if (!pattern.includes('{app}')) return
  element.setAttribute('own-sandbox', pattern.replace('{app}', await labelFor(server, app)))
}

async function labelFor(server: string, app: string): Promise<string> {
  // No URL contains a space.
  const names = new TextEncoder().encode(`${server} ${app}`)
  const hash = await crypto.subtle.digest('SHA-256', names)
  const bytes = [...new Uint8Array(hash).slice(0, LABEL_BYTES)]
  return `app-${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
