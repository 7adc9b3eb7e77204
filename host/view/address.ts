/**
 * Finds the address of the sandbox page: from the element's attribute, the page's meta tag, or the
 * address of this script.
 *
 * On a loopback host the other loopback name (`localhost` or `127.0.0.1`) is the sandbox's origin.
 * Any other server redirects its `/sandbox` to the host that runs apps.
 *
 * @module
 */

/** The address of this script; empty in a module, which has no `currentScript`. */
const SCRIPT = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : ''

/**
 * Resolves the address of the sandbox page.
 *
 * @param named The element's `sandbox` attribute, relative to the page; empty or null for the
 *   default.
 * @returns The address, with `/sandbox` for a bare origin; null if it is invalid or cannot be
 *   found.
 */
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
