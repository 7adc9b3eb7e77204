/**
 * The iframe on another origin, and the messages that pass through it.
 *
 * The outer frame holds the sandbox page, which reports that it is ready, receives the app's HTML
 * once, and then relays messages. A message is accepted only from the frame's window and from the
 * origin of its first message. The sandbox's own messages are not passed on; one that arrives after
 * the first means that the app was lost.
 *
 * On a loopback host the other loopback name (`localhost` or `127.0.0.1`) is the sandbox's origin.
 * Any other server redirects its `/sandbox` to the host that runs apps.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { make } from './dom.ts'
import { ViewError } from './errors.ts'
import type { Resource } from './resource.ts'
import type { Declared, ViewHost } from './types.ts'

const PREFIX = 'ui/notifications/sandbox-'

/**
 * Without `allow-forms` a form fires no `submit` event at all. With it, `form-action 'none'` still
 * blocks every submission.
 */
const INNER = 'allow-scripts allow-forms'
const OUTER = `${INNER} allow-same-origin`

/** Where an app is shown. */
export interface Sandbox {
  /** Address of the sandbox page. */
  readonly sandbox: URL
  /** Whether the app gets the sandbox's origin, which must then serve nothing else. */
  readonly ownOrigin: boolean
}

/** What to show, and where. */
export interface Prepared extends Sandbox {
  readonly resource: Resource
}

/** The address of this script; empty in a module, which has no `currentScript`. */
const SCRIPT = addressOfScript()

function addressOfScript(): string {
  if (typeof document === 'undefined') return ''
  const { currentScript: script } = document
  return script instanceof HTMLScriptElement ? script.src : ''
}

/**
 * Finds the sandbox page for a resource: by the element's attributes, relative to the page, or else
 * by the page's meta tag or the address of this script. A bare origin gets the path `/sandbox`.
 *
 * @throws {ViewError} `NO_SANDBOX`, or `SANDBOX_NOT_APART` if its origin is that of the page.
 */
export function findSandbox(view: ViewHost, { domain }: Declared): Sandbox {
  const own = domain && view.getAttribute('own-sandbox')
  const meta = document.querySelector<HTMLMetaElement>('meta[name=edgewise-sandbox]')?.content
  const given = own || view.sandbox || meta
  const sandbox = given ? URL.parse(given, document.baseURI) : otherLoopback(URL.parse(SCRIPT))
  if (!sandbox) throw new ViewError('NO_SANDBOX')
  if (sandbox.pathname === '/') sandbox.pathname = '/sandbox'
  if (sandbox.origin === location.origin) throw new ViewError('SANDBOX_NOT_APART')
  return { sandbox, ownOrigin: Boolean(own) }
}

const LOOPBACK: Readonly<Record<string, string>> = {
  localhost: '127.0.0.1',
  '127.0.0.1': 'localhost',
}

function otherLoopback(script: URL | null): URL | null {
  const url = script && new URL('/', script)
  if (url) url.hostname = LOOPBACK[url.hostname] ?? url.hostname
  return url
}

export interface Frame {
  readonly element: HTMLIFrameElement
  /** Sends a message to the app; dropped until the sandbox is ready. */
  readonly post: (message: unknown) => void
  readonly close: () => void
}

/**
 * Opens the frame and hands the app's HTML to the sandbox. The caller puts `element` into the
 * document.
 *
 * @param received Called with each message of the app: untrusted input.
 * @param lost Called if the app left its frame or was reloaded.
 */
export function openFrame(
  prepared: Prepared,
  received: (data: unknown) => void,
  lost: () => void,
): Frame {
  const element = frameElement(prepared)
  let origin = ''

  function post(message: unknown): void {
    if (origin) element.contentWindow?.postMessage(message, origin)
  }

  function listen({ source, origin: from, data }: MessageEvent): void {
    if (!source || source !== element.contentWindow || from !== (origin || from)) return
    const own = String(isRecord(data) && data['method']).startsWith(PREFIX)
    if (own && origin) return lost()
    if (!own) return origin ? received(data) : undefined
    if (from === location.origin) return
    origin = from
    post({ jsonrpc: '2.0', method: `${PREFIX}resource-ready`, params: paramsOf(prepared) })
  }

  addEventListener('message', listen)
  return {
    element,
    post,
    close() {
      removeEventListener('message', listen)
      element.remove()
    },
  }
}

function frameElement({ sandbox, resource: { declared } }: Prepared): HTMLIFrameElement {
  const url = new URL(sandbox)
  url.searchParams.set('csp', JSON.stringify(declared.csp))
  // The permission `clipboardWrite` is called `clipboard-write` in HTML.
  const allow = Object.keys(declared.permissions).join('; ').replace('W', '-w')
  const element = make('iframe', { allow, src: url.href, referrerPolicy: 'no-referrer' })
  element.setAttribute('sandbox', OUTER)
  return element
}

function paramsOf({ resource: { html, declared }, ownOrigin }: Prepared) {
  const { csp, permissions } = declared
  return { html, sandbox: ownOrigin ? OUTER : INNER, csp, permissions }
}
