/**
 * The target: the MCP server that the console shows. It is part of the page's address, so a link
 * opens the same server again; headers, which may be secrets, stay in this tab.
 *
 * A link must not make the console connect to an unknown server, so the user must have chosen a
 * server of another origin before. Nor may it send a request to any other path of this origin, where
 * the console acts for the owner: only endpoints of workspaces are opened without being chosen.
 * `test/pages/console/links.test.ts` has such links.
 *
 * @module
 */

import { signal } from '@preact/signals'
import { isRecord, type JsonRecord } from '#core/json.ts'
import type { Era } from '../../mcp/connection.ts'
import { readWorkspaceAddress } from '../../mcp/workspace-address.ts'
import { writeStored, readStored, textIn } from '../ui/storage.ts'

/** A server, and how to connect to it. */
export interface Target {
  readonly url: string
  readonly era: 'auto' | Era
  readonly headers: Readonly<Record<string, string>>
  readonly configuration: unknown
  /** Whether to sign in by OAuth if the server requires it. */
  readonly signIn: boolean
}

/** A server that was used before; headers are never stored here. */
export interface Recent {
  readonly url: string
  readonly title: string
  readonly era: 'auto' | Era
  readonly signIn: boolean
}

const MAX_RECENT = 8

/** The servers used before, newest first. */
export const recent = signal<readonly Recent[]>(readRecent(readStored('recent')))

/** The current target. */
export const target = signal<Target>(readInitialTarget())

/** A server that the address names and the user has not chosen before, and no workspace of this one; else null. */
export const suggestedUrl = signal<string | null>(readSuggestion())

function readInitialTarget(): Target {
  const requested = readAddress()
  return requested !== null && isKnown(requested)
    ? restoreTarget(requested)
    : restoreTarget(resolveOwnUrl('/mcp'))
}

function readSuggestion(): string | null {
  const requested = readAddress()
  return requested !== null && !isKnown(requested) ? requested : null
}

function readAddress(): string | null {
  const at = new URLSearchParams(location.search).get('at')
  return at === null ? null : (URL.parse(at, location.origin)?.href ?? null)
}

function isKnown(url: string): boolean {
  const isOwn = readWorkspaceAddress(url)?.origin === location.origin
  return isOwn || recent.value.some((one) => one.url === url)
}

function restoreTarget(url: string): Target {
  const known = recent.value.find((one) => one.url === url)
  const secret = readStored(`secret.${url}`, sessionStorage)
  const headers = isRecord(secret) ? secret['headers'] : {}
  return {
    url,
    era: known?.era ?? 'auto',
    headers: isRecord(headers) ? pickTexts(headers) : {},
    configuration: isRecord(secret) ? secret['configuration'] : undefined,
    signIn: known?.signIn ?? false,
  }
}

/** Resolves a path on this server. */
export function resolveOwnUrl(path: string): string {
  return new URL(path, location.origin).href
}

/** Switches to another server and updates the page's address. */
export function choose(next: Target): void {
  const { url, headers, configuration } = next
  writeStored(`secret.${url}`, { headers, configuration }, sessionStorage)
  const own = url === resolveOwnUrl('/mcp')
  const at = url.startsWith(`${location.origin}/`) ? url.slice(location.origin.length) : url
  const search = own ? '' : `?${new URLSearchParams({ at }).toString()}`
  history.replaceState(null, '', `${location.pathname}${search}${location.hash}`)
  suggestedUrl.value = null
  target.value = next
}

/** Stores a server after a successful connection, newest first. */
export function remember(title: string, { url, era, signIn }: Target): void {
  const others = recent.value.filter((one) => one.url !== url)
  recent.value = [{ url, title, era, signIn }, ...others].slice(0, MAX_RECENT)
  writeStored('recent', recent.value)
}

/** Removes a server from the list. */
export function forget(url: string): void {
  recent.value = recent.value.filter((one) => one.url !== url)
  writeStored('recent', recent.value)
}

function readRecent(value: unknown): Recent[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((one: unknown) => {
    const url = textIn(one, 'url')
    if (url === null || !URL.canParse(url)) return []
    const era = textIn(one, 'era')
    return {
      url,
      title: textIn(one, 'title') ?? url,
      era: era === 'modern' || era === 'legacy' ? era : ('auto' as const),
      signIn: isRecord(one) && one['signIn'] === true,
    }
  })
}

function pickTexts(record: JsonRecord): Record<string, string> {
  const entries = Object.entries(record)
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
