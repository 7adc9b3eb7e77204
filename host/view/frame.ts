/**
 * The frame on another origin and what goes through it.
 *
 * The outer frame holds the sandbox page, which says that it is ready, gets the app's HTML once, and then
 * carries messages. A message counts when it comes from this very window and from the origin that answered
 * first; the sandbox's own messages end here. One that comes later says that the app was lost.
 *
 * @module
 */

import { isRecord } from '#core/json.ts'
import { make } from './dom.ts'
import type { Resource } from './resource.ts'

const PREFIX = 'ui/notifications/sandbox-'

/**
 * Without `allow-forms` a form fires no `submit` event at all. With it, `form-action 'none'` still keeps
 * every form from being sent.
 */
const INNER = 'allow-scripts allow-forms'
const OUTER = `${INNER} allow-same-origin`

/** What is to be shown, and where. */
export interface Prepared {
  readonly resource: Resource
  readonly sandbox: URL
  /** Whether the app gets the origin of its sandbox, which then is for nothing else. */
  readonly ownOrigin: boolean
}

export interface Frame {
  readonly element: HTMLIFrameElement
  readonly post: (message: unknown) => void
  readonly close: () => void
}

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
  // `clipboardWrite` is `clipboard-write` in HTML.
  const allow = Object.keys(declared.permissions).join('; ').replace('W', '-w')
  const element = make('iframe', { allow, src: url.href, referrerPolicy: 'no-referrer' })
  element.setAttribute('sandbox', OUTER)
  return element
}

function paramsOf({ resource: { html, declared }, ownOrigin }: Prepared) {
  const { csp, permissions } = declared
  return { html, sandbox: ownOrigin ? OUTER : INNER, csp, permissions }
}
