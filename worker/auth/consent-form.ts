/**
 * The consent page: which client asks, where the answer goes, and what can be selected.
 *
 * Each row is one action in one folder, as text with a box; the form names the rows. What a client says of itself is
 * untrusted. `test/pages/attacks/consent.slow.test.ts` and `test/pages/console/consent.test.ts` test it.
 *
 * @module
 */

import type { ConsentDescription } from '@cloudflare/workers-oauth-provider'
import { ROOT } from '#core/path.ts'
import type { Action } from '../access/scopes.ts'
import { markup, type Html } from '../encoding/html.ts'
import { claimedNameHtml, pathHtml } from '../encoding/visible-html.ts'
import { ALLOW_DELAY } from './allow-delay.ts'
import type { Entries, Offer } from './consent-answer.ts'
import { ACTIONS, type Row } from './consent-rows.ts'
import { MAX_CLIENT_NAME_LENGTH } from './limits.ts'

/** What identifies the page that a form answers. */
export interface FormKeys {
  /** The stored request. */
  readonly handle: string
  /** The digest of what the page shows. */
  readonly shown: string
}

/** Builds the page. */
export function consentForm(offer: Offer, entries: Entries, { handle, shown }: FormKeys): Html {
  const { client, workspace, rows } = offer
  const name = claimedNameHtml(client.clientName, MAX_CLIENT_NAME_LENGTH)
  const added = rows.filter(({ origin }) => origin === 'added')
  const notice = entries.notice && markup`<p class="note" role="status">${entries.notice}</p>`
  return markup` <h1>${name} wants to use your workspace</h1>
    <dl>
      <dt>Client</dt>
      <dd>${renderClient(name, client.clientDomain)}</dd>
      <dt>Redirects to</dt>
      <dd>${renderTarget(client)}</dd>
      <dt>Workspace</dt>
      <dd><strong>${workspace}</strong></dd>
    </dl>
    ${isProgram(client) ? PROGRAM : markup``} ${notice}
    <form method="post" action="/authorize">
      <input type="hidden" name="handle" value="${handle}" />
      <input type="hidden" name="shown" value="${shown}" />
      ${added.map(({ scope }) => markup`<input type="hidden" name="added" value="${scope}" />`)}
      ${ACTIONS.map((action) => renderGroup(action, rows, entries))}
      <p class="muted">Only the selected rows are allowed.</p>
      ${DELAY}
      <div class="row">
        <button name="answer" value="deny">Deny</button>
        <button class="main" name="answer" value="allow" disabled>Allow</button>
      </div>
      <p class="muted">You can end this at any time under Sessions in the console.</p>
    </form>
    ${ALLOW_DELAY}`
}

/** Has no id: a link to one could scroll a small window to the buttons. */
const DELAY = markup`<p class="muted">
    Allow is off until this page has been in front for half a second, so that a press that was meant for something else
    allows nothing.
  </p>
  <noscript
    ><p class="wrong">
      Cannot allow access: JavaScript is off, and Allow needs it to wait. Turn it on for this address, and start the sign-in
      again in the client.
    </p></noscript
  >`

const TITLES: Readonly<Record<Action, string>> = { read: 'Read files', write: 'Change files' }

const HISTORY = markup`<p class="muted">Earlier versions of changed files stay in the history.</p>`

/** Shows the rows of one action, and the field that adds a folder to them. */
function renderGroup(action: Action, all: readonly Row[], entries: Entries): Html {
  const rows = all.filter((row) => row.action === action)
  if (rows.length === 0) return markup``
  return markup`<fieldset>
    <legend>${TITLES[action]}</legend>
    <ul class="rows">
      ${rows.map((row) => renderRow(row, entries.selected.has(row.scope)))}
    </ul>
    ${action === 'write' ? HISTORY : null} ${renderField(action, entries)}
  </fieldset>`
}

function renderRow({ scope, folder, origin }: Row, isSelected: boolean): Html {
  const checked = isSelected ? markup` checked` : null
  const text = folder === ROOT ? ALL_FILES : pathHtml(folder)
  return markup`<li>
    <label class="choice"
      ><input type="checkbox" name="row" value="${scope}" ${checked} /><span
        >${text}${origin === 'added' ? ADDED_BY_OWNER : null}</span
      ></label
    >
  </li>`
}

const ALL_FILES = markup`<strong>All files</strong>
<span class="warn wide">Every file of the workspace, also those that are added later</span>`

const ADDED_BY_OWNER = markup` <span class="muted">(added by you)</span>`

/** Shows the field for a folder, before the buttons that decide, so that Enter in it adds and never decides. */
function renderField(action: Action, { refused }: Entries): Html {
  const wrong = refused[action]
  const error = wrong && markup`<p class="wrong" id="wrong-${action}">${wrong.reason}</p>`
  const invalid = wrong && markup` aria-invalid="true" aria-describedby="wrong-${action}" autofocus`
  return markup`<div class="adding">
    <label
      >Add a folder inside one of these
      <input
        type="text"
        name="folder-${action}"
        value="${wrong?.text ?? ''}"
        dir="ltr"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        ${invalid ?? null}
    /></label>
    <button name="answer" value="add">Add</button>
    ${error ?? null}
  </div>`
}

const renderClient = (name: Html, domain: string | undefined) =>
  domain === undefined
    ? markup`${name} <span class="muted">(unverified name)</span>`
    : markup`<strong>${domain}</strong>
        <span class="muted">(verified domain), which calls itself ${name}</span>`

/**
 * Whether the redirect URI has a private scheme: `cursor://claude.example/` goes to the program that opens
 * `cursor:`, not to a host.
 */
const isPrivate = ({ redirectUri }: ConsentDescription) => !/^https?:/i.test(redirectUri)

const isProgram = (client: ConsentDescription) => client.redirectIsLoopback || isPrivate(client)

const renderTarget = (client: ConsentDescription) =>
  isPrivate(client)
    ? markup`the program that opens <strong>${new URL(client.redirectUri).protocol}</strong>`
    : markup`<strong>${new URL(client.redirectUri).host}</strong>`

const PROGRAM = markup`<p class="warn">
  Access goes to a program on your own computer. Any program on this computer could receive it,
whatever its name.
</p>`
