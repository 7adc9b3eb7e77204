/**
 * The answer to the consent page: grants the rows that were shown and selected, or shows the page again.
 *
 * The form carries a digest of what the page showed. The server builds the same from the stored request and
 * compares, so that an answer cannot concern other rows, another client or another workspace.
 * `test/worker/auth/consent.test.ts` tests it.
 *
 * @module
 */

import { hash } from 'node:crypto'
import type { ConsentDescription } from '@cloudflare/workers-oauth-provider'
import { isWithin } from '#core/path.ts'
import type { Action } from '../access/scopes.ts'
import { ACTIONS, addFolder, withAdded, type Added, type Row } from './consent-rows.ts'

/** What the page shows. */
export interface Offer {
  readonly client: ConsentDescription
  readonly workspace: string
  readonly rows: readonly Row[]
}

/** What is filled in. */
export interface Entries {
  /** The scopes of the selected rows. */
  readonly selected: ReadonlySet<string>
  /** A sentence about the last answer; empty at first. */
  readonly notice: string
  /** Folders that could not be added, with the reason. */
  readonly refused: Readonly<Partial<Record<Action, Refused>>>
}

/** A folder that could not be added. */
export interface Refused {
  readonly text: string
  readonly reason: string
}

/** The selected rows, or the page to show instead. */
export type Answer =
  | { readonly is: 'granted'; readonly rows: readonly Row[] }
  | { readonly is: 'shown'; readonly offer: Offer; readonly entries: Entries }

/** Computes the digest of what the page shows: SHA-256, in base64url. */
export function digestOffer({ client, workspace, rows }: Offer): string {
  const { clientId, clientName, clientDomain = null, redirectUri } = client
  // A list has one JSON text, which an object does not.
  const shown = JSON.stringify([
    'consent',
    [clientId, clientName, clientDomain],
    redirectUri,
    workspace,
    rows.map(({ scope, origin }) => [scope, origin]),
  ])
  return hash('sha256', shown, 'base64url')
}

/** Returns the entries of a page that was not answered yet: every requested row is selected. */
export function firstEntries(rows: readonly Row[], notice = ''): Entries {
  const requested = rows.filter(({ origin }) => origin !== 'offered')
  return { selected: new Set(requested.map(({ scope }) => scope)), notice, refused: {} }
}

/** Reads the answer. `offer` has the rows that the client requested; the form names those that the owner added. */
export function readAnswer(fields: URLSearchParams, offer: Offer): Answer {
  const shown: Offer = { ...offer, rows: withAdded(offer.rows, fields.getAll('added')) }
  const selected = new Set(fields.getAll('row'))
  const chosen = shown.rows.filter(({ scope }) => selected.has(scope))
  const isShown = fields.get('shown') === digestOffer(shown)
  if (!isShown || chosen.length < selected.size)
    return { is: 'shown', offer, entries: firstEntries(offer.rows, CHANGED) }
  const entries: Entries = { selected, notice: '', refused: {} }
  if (ACTIONS.some((action) => typedIn(fields, action) !== ''))
    return addTyped(fields, shown, entries)
  if (fields.get('answer') === 'allow' && chosen.length > 0) return { is: 'granted', rows: chosen }
  const notice = fields.get('answer') === 'allow' ? NOTHING_SELECTED : NOTHING_TYPED
  return { is: 'shown', offer: shown, entries: { ...entries, notice } }
}

const CHANGED = 'Nothing was allowed: the request is not the one that was shown. Check it again.'
const NOTHING_SELECTED = 'Nothing was allowed: nothing is selected. Select a row, or press Deny.'
const NOTHING_TYPED = 'Enter the folder to add.'
const ADDED =
  'The folder was added, and the rows that contain it are not selected any more. Nothing is allowed yet.'

const typedIn = (fields: URLSearchParams, action: Action) =>
  (fields.get(`folder-${action}`) ?? '').trim()

/** Adds what was typed, also if Allow was pressed: the owner has to see what it means before it is granted. */
function addTyped(fields: URLSearchParams, shown: Offer, { selected }: Entries): Answer {
  let { rows } = shown
  let scopes = selected
  const refused: Partial<Record<Action, Refused>> = {}
  for (const action of ACTIONS) {
    const text = typedIn(fields, action)
    const added = text === '' ? null : addFolder(rows, action, text)
    if (added?.ok === false) refused[action] = { text, reason: added.error }
    if (added?.ok !== true) continue
    rows = added.value.rows
    scopes = selectInstead(scopes, added.value)
  }
  const notice = Object.keys(refused).length > 0 ? '' : ADDED
  return { is: 'shown', offer: { ...shown, rows }, entries: { selected: scopes, notice, refused } }
}

/** Selects a row instead of those that contain it, because it is added to allow less. */
function selectInstead(selected: ReadonlySet<string>, { rows, row }: Added): ReadonlySet<string> {
  const isKept = ({ action, folder, scope }: Row) =>
    selected.has(scope) && !(action === row.action && isWithin(row.folder, folder))
  return new Set([...rows.filter(isKept), row].map(({ scope }) => scope))
}
