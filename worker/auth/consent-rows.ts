/**
 * The rows of the consent page: one action in one folder each, resolved from the scopes that a client requests.
 *
 * The page shows these rows and the answer names them, so nothing else can be granted. The owner may add a folder
 * that lies in one of them. `test/worker/auth/consent.test.ts` has the table.
 *
 * @module
 */

import { resolvePlainPath } from '#core/path/candidates.ts'
import { isWithin, ROOT, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import { covers, formatScope, readScope, type Scope } from '#core/scope.ts'
import type { Action } from '../access/scopes.ts'
import { MAX_GRANTED_SCOPES } from '../sessions/limits.ts'

/** One action in one folder. */
export interface Row {
  readonly action: Action
  /** The file or folder; `/` for all files. */
  readonly folder: StorePath
  /** The scope that it grants; unique among the rows of a page. */
  readonly scope: string
  /** Requested by the client, offered because it requested nothing that is known here, or added by the owner. */
  readonly origin: 'requested' | 'offered' | 'added'
}

/** The actions in the order of the page. */
export const ACTIONS: readonly Action[] = ['read', 'write']

/** Matches scopes that concern files. Clients also request others, such as `offline_access`, which mean nothing here. */
const KNOWN = /^(?:read|write)(?::\*|:file(?::.*)?)?$/su

/**
 * Resolves the requested scopes. Two scopes of one action and folder are one row. A client that requests no known
 * scope is offered all files, which are not selected if it requested something else.
 *
 * @returns The rows in order, or why the request cannot be shown.
 */
export function readRows(requested: readonly string[]): Result<Row[], string> {
  const known = requested.filter((text) => KNOWN.test(text))
  const isOffer = known.length === 0 && requested.length > 0
  const scopes = new Map<string, Scope>()
  for (const text of known.length > 0 ? known : ACTIONS) {
    const scope = readScope(text)
    if (!scope.ok) return err('A requested scope has an invalid path')
    const key = `${scope.value.words[0]} ${scope.value.path ?? ROOT}`
    const other = scopes.get(key)
    // `read` and `read:file:/` are the same files, but only the first one can be delegated as `read`.
    if (!other || covers(scope.value, other)) scopes.set(key, scope.value)
  }
  if (scopes.size > MAX_GRANTED_SCOPES)
    return err(`More than ${MAX_GRANTED_SCOPES} folders were requested`)
  const origin = isOffer ? 'offered' : 'requested'
  return ok(inOrder([...scopes.values()].map((scope) => rowOf(scope, origin))))
}

function rowOf(scope: Scope, origin: Row['origin']): Row {
  const action = scope.words[0] === 'write' ? 'write' : 'read'
  return { action, folder: scope.path ?? ROOT, scope: formatScope(scope), origin }
}

/** Sorts rows by action, then by folder, so that all files come first. */
function inOrder(rows: readonly Row[]): Row[] {
  const keyOf = ({ action, folder }: Row) => `${action} ${folder}`
  return rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

/** Rows, and the one of them that a folder has. */
export interface Added {
  readonly rows: readonly Row[]
  readonly row: Row
}

/** Adds a folder to the rows of an action, one of which has to contain it. Returns why that is impossible. */
export function addFolder(
  rows: readonly Row[],
  action: Action,
  text: string,
): Result<Added, string> {
  const folder = resolvePlainPath(text)
  if (!folder.ok) return err(`Cannot add this folder: ${folder.error}.`)
  const own = rows.filter((row) => row.action === action)
  const known = own.find((row) => row.folder === folder.value)
  if (known) return ok({ rows, row: known })
  if (!own.some((row) => isWithin(folder.value, row.folder)))
    return err(
      'Cannot add this folder: it is not inside one of these rows. Enter a folder that is.',
    )
  if (rows.length >= MAX_GRANTED_SCOPES)
    return err(
      `Cannot add this folder: there are ${MAX_GRANTED_SCOPES} rows, which is the maximum.`,
    )
  const scope = `${action}:file:${folder.value}`
  const row: Row = { action, folder: folder.value, scope, origin: 'added' }
  return ok({ rows: inOrder([...rows, row]), row })
}

/** Adds the rows that the owner added before, as their scopes. One that cannot be added is left out. */
export function withAdded(rows: readonly Row[], scopes: readonly string[]): readonly Row[] {
  let all = rows
  for (const text of scopes) {
    const scope = readScope(text)
    if (!scope.ok) continue
    const { action, folder } = rowOf(scope.value, 'added')
    const added = addFolder(all, action, folder)
    if (added.ok) all = added.value.rows
  }
  return all
}
