/**
 * The iframe on another origin, and the messages that pass through it.
 *
 * The outer frame holds the sandbox page, which reports that it is ready, receives the app's HTML
 * once, and then relays messages. A message is accepted only from the frame's window and from the
 * origin of its first message. The sandbox's own messages are not passed on; one that arrives after
 * the first means that the app was lost.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { make } from './dom.ts'
import type { Resource } from './resource.ts'

const PREFIX = 'ui/notifications/sandbox-'

/**
 * Without `allow-forms` a form fires no `submit` event at all. With it, `form-action 'none'` still
 * blocks every submission.
 */
const INNER = 'allow-scripts allow-forms'
const OUTER = `${INNER} allow-same-origin`

/** What to show, and where. */
export interface Prepared {
  readonly resource: Resource
  readonly sandbox: URL
  /** Whether the app gets the sandbox's origin, which must then serve nothing else. */
  readonly ownOrigin: boolean
}

/** An open frame. */
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
