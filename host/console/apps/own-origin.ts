/**
 * The origin of apps that declare a `domain`: one for each server, so that an app can keep data and
 * no other server's app can read it.
 *
 * The server of the console names the address in `<meta name="edgewise-own-sandbox">`, with `{app}`
 * where the label of the origin belongs. The label is a hash of the server's URL, which a server
 * cannot choose. Without that address apps have no origin. `test/pages/console/own-origin.test.ts`
 * covers it.
 *
 * @module
 */

import type { McpView } from '../../view/element.ts'

/** Bytes of the hash in a label: 80 bits, so that no URL with another one's label can be found. */
const LABEL_BYTES = 10

/**
 * Sets `own-sandbox` of an element for the apps of a server.
 *
 * @param server The URL of the server.
 */
export async function setOwnSandbox(element: McpView, server: string): Promise<void> {
  const meta = document.querySelector<HTMLMetaElement>('meta[name=edgewise-own-sandbox]')
  const pattern = meta?.content ?? ''
  if (!pattern.includes('{app}')) return
  element.setAttribute('own-sandbox', pattern.replace('{app}', await labelFor(server)))
}

async function labelFor(server: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(server))
  const bytes = [...new Uint8Array(hash).slice(0, LABEL_BYTES)]
  return `app-${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
