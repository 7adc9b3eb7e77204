/**
 * The consent form: which client asks, where the answer goes, and what can be chosen.
 *
 * What a client says of itself is untrusted. `test/pages/attacks/consent.slow.test.ts` tests it.
 *
 * @module
 */

import type { ConsentDescription } from '@cloudflare/workers-oauth-provider'
import { resolvePath } from '#core/path.ts'
import { visible } from '#core/visible.ts'
import { markup, type Html } from '../encoding/html.ts'
import { WORKSPACE_NAME } from '../front/workspace-name.ts'
import { MAX_CLIENT_NAME_LENGTH } from './limits.ts'

/** Builds the form. `handle` identifies the request that it answers. */
export function consentForm(client: ConsentDescription, handle: string, workspace: string): Html {
  const { clientDomain, scope } = client
  const name = renderName(client.clientName)
  const wants = (action: string) =>
    scope.length === 0 || scope.some((one) => one.split(':')[0] === action)
  const tick = (action: string) => (wants(action) ? markup` checked` : markup``)
  const folders = [...new Set(scope.flatMap((one) => one.split(':file:')[1] ?? []))].join(', ')
  return markup` <h1>${name} wants to use your workspace</h1>
    <dl>
      <dt>Client</dt>
      <dd>${renderClient(name, clientDomain)}</dd>
      <dt>Redirects to</dt>
      <dd>${renderTarget(client)}</dd>
    </dl>
    ${isProgram(client) ? PROGRAM : markup``}
    <form method="post" action="/authorize">
      <input type="hidden" name="handle" value="${handle}" />
      <fieldset>
        <legend>Permissions</legend>
        <label><input type="checkbox" name="read" ${tick('read')} /> Read files</label>
        <label><input type="checkbox" name="write" ${tick('write')} /> Change files</label>
        <p class="muted">Earlier versions of changed files stay in the history.</p>
        <label
          >Folders, separated by commas; empty for all
          <input
            type="text"
            name="folders"
            value="${folders}"
            placeholder="/docs, /notes"
            autocomplete="off"
        /></label>
        <label
          >Workspace
          <input
            type="text"
            name="workspace"
            value="${workspace}"
            pattern="${WORKSPACE_NAME}"
            autocomplete="off"
            required
        /></label>
      </fieldset>
      <div class="row">
        <button name="answer" value="deny">Deny</button>
        <button class="main" name="answer" value="allow">Allow</button>
      </div>
      <p class="muted">You can end this at any time under Sessions in the console.</p>
    </form>`
}

/**
 * Shows a client's own name as untrusted text: quoted, cut, isolated, and with invisible characters shown.
 */
function renderName(name: string): Html {
  const shown = visible(name.slice(0, MAX_CLIENT_NAME_LENGTH).toWellFormed())
  return markup`<bdi>“${shown}${name.length > MAX_CLIENT_NAME_LENGTH ? '…' : ''}”</bdi>`
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

/** Reads the ticked actions as scopes: each action everywhere, or below each folder. */
export function chosenScopes(fields: URLSearchParams): string[] {
  const actions = ['read', 'write'].filter((action) => fields.has(action))
  const folders = (fields.get('folders') ?? '').split(',').map((text) => text.trim())
  const paths = folders.filter((text) => text !== '').map((text) => resolvePath(text))
  // An invalid folder must not widen the grant to all folders.
  if (paths.some((path) => !path.ok)) return []
  const places = paths.flatMap((path) => (path.ok ? [path.value] : []))
  return actions.flatMap((action) =>
    places.length === 0 ? [action] : places.map((path) => `${action}:file:${path}`),
  )
}
