/**
 * Where the sandbox page is: named by the element, else by the page, else found from this script's address.
 *
 * A server on this machine is its own sandbox under its other name. Any other sends a request for its
 * `/sandbox` on to where it runs apps.
 *
 * @module
 */

/** The address of this script. A module has none. */
const SCRIPT = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : ''

export function sandboxAddress(named: string | null): URL | null {
  const meta = document.querySelector<HTMLMetaElement>('meta[name=edgewise-sandbox]')?.content
  const given = named || meta
  const url = given ? URL.parse(given, document.baseURI) : otherName(URL.parse(SCRIPT))
  if (url?.pathname === '/') url.pathname = '/sandbox'
  return url
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
  localhost: '127.0.0.1',
  '127.0.0.1': 'localhost',
}

function otherName(script: URL | null): URL | null {
  const url = script && new URL('/', script)
  if (url) url.hostname = OTHER_NAMES[url.hostname] ?? url.hostname
  return url
}
