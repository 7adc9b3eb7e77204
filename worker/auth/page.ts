/**
 * The pages for sign-in and consent. They load nothing, cannot be framed and run no script but one of ours that its hash
 * names; {@link markup} escapes everything that a client says of itself.
 *
 * @module
 */

import { Html, markup } from '../encoding/html.ts'

interface Options {
  readonly status?: number
  readonly headers?: Headers
  /** The source expression of the script in the body; without it no script runs. */
  readonly script?: string
}

/** Builds a page of the server, with the headers that forbid framing and other scripts. */
export function page(
  title: string,
  body: Html,
  { status = 200, headers = new Headers(), script = "'none'" }: Options = {},
): Response {
  const all = new Headers(headers)
  for (const [name, value] of Object.entries(HEADERS)) all.set(name, value)
  all.set('content-security-policy', `${POLICY}; script-src ${script}`)
  return new Response(layout(title, body).toString(), { status, headers: all })
}

/** No `form-action`: a form posts to this origin and is redirected to the client's, which no list could name. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  // With `no-referrer` a browser would send `Origin: null` with a form.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
}

const layout = (title: string, body: Html) =>
  markup`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>${title} · Edgewise</title>
      <style>
        ${STYLE}
      </style>
      <main>${body}</main>
    </html> `

const STYLE = Html.trusted(`
  :root { color-scheme: light dark; font: 1rem/1.55 system-ui, sans-serif;
    --line: color-mix(in srgb, currentColor 18%, transparent);
    --accent: light-dark(#1f5fbf, #8ab4f8); --on: light-dark(#fff, #10131a) }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.25rem;
    box-sizing: border-box; background: light-dark(#f6f7f9, #14161b) }
  main { width: 100%; max-width: 30rem; box-sizing: border-box; padding: 1.75rem; border-radius: .75rem;
    border: 1px solid var(--line); background: light-dark(#fff, #1b1e25) }
  h1 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 .75rem; text-wrap: balance;
    overflow-wrap: anywhere }
  p { margin: .5rem 0 } .muted { opacity: .75; font-size: .9rem }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 1rem 0 }
  dt { opacity: .75 } dd { margin: 0; overflow-wrap: anywhere } strong { font-weight: 600 }
  fieldset { border: 1px solid var(--line); border-radius: .5rem; margin: 1rem 0; padding: .5rem 1rem 1rem }
  legend { padding: 0 .35rem; font-weight: 600 } label { display: block; margin: .6rem 0 0 }
  input[type=text], input[type=password] { width: 100%; box-sizing: border-box; font: inherit; margin-top: .25rem;
    padding: .5rem .65rem; border-radius: .4rem; border: 1px solid var(--line); background: transparent; color: inherit }
  .row { display: flex; gap: .75rem; margin-top: 1.25rem; flex-wrap: wrap }
  button { font: inherit; font-weight: 600; padding: .55rem 1.1rem; border-radius: .4rem; cursor: pointer;
    border: 1px solid var(--line); background: transparent; color: inherit }
  button.main { background: var(--accent); color: var(--on); border-color: transparent }
  button:is(:disabled, [aria-disabled=true]) { opacity: .5; cursor: default }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
  .warn { border-left: 3px solid light-dark(#b25e00, #f0b35a); padding-left: .75rem }
  .note { border-left: 3px solid var(--accent); padding-left: .75rem }
  .rows { list-style: none; margin: 0; padding: 0 }
  .rows li + li { border-top: 1px solid var(--line) }
  .choice { display: flex; gap: .65rem; margin: 0; padding: .5rem 0; cursor: pointer }
  .choice input { flex: none; width: 1.1rem; height: 1.1rem; margin: .2rem 0 0; accent-color: var(--accent) }
  .choice > span { min-width: 0 } .wide { display: block; font-size: .9rem }
  .filepath { font: .95em/1.5 ui-monospace, monospace; white-space: break-spaces; line-break: anywhere }
  .claimed { font: .92em ui-monospace, monospace; padding: 0 .3em; border: 1px solid var(--line); border-radius: .3rem;
    background: color-mix(in srgb, currentColor 7%, transparent); overflow-wrap: anywhere;
    -webkit-box-decoration-break: clone; box-decoration-break: clone }
  .v { font: 600 .75em system-ui, sans-serif; padding: 0 .3em; margin: 0 1px; border-radius: .25rem;
    color: light-dark(#8a4b00, #f0b35a); border: 1px solid currentColor; white-space: nowrap }
  .adding { display: grid; grid-template-columns: 1fr auto; gap: 0 .6rem; align-items: end;
    border-top: 1px solid var(--line); margin-top: .35rem; padding-top: .1rem }
  .adding button { padding-block: .45rem }
  .adding .wrong { grid-column: 1 / -1 } .adding label { font-size: .9rem }
  .wrong { color: light-dark(#b3261e, #f2938c) }`)
