/**
 * The target: the MCP server that the console shows. It is part of the page's address, so a link
 * opens the same server again; headers, which may be secrets, stay in this tab.
 *
 * A link must not make the console connect to an unknown server, so the user must have chosen a
 * server of another origin before.
 *
 * @module
 */

import { signal } from '@preact/signals'
import { isRecord, type JsonRecord } from '#core/json.ts'
import type { Era } from '../../connection/types.ts'
import { keep, kept, textIn } from './storage.ts'

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

const RECENT = 8

/** The servers used before, newest first. */
export const recent = signal<readonly Recent[]>(readRecent(kept('recent')))

/** The current target. */
export const target = signal<Target>(fromAddress())

/** A server of another origin that the address names and the user has not chosen before; else null. */
export const suggested = signal<string | null>(suggestion())

function fromAddress(): Target {
  const asked = askedFor()
  return asked !== null && isKnown(asked) ? targetOf(asked) : targetOf(ownUrl('/mcp'))
}

function suggestion(): string | null {
  const asked = askedFor()
  return asked !== null && !isKnown(asked) ? asked : null
}

function askedFor(): string | null {
  const at = new URLSearchParams(location.search).get('at')
  return at === null ? null : (URL.parse(at, location.origin)?.href ?? null)
}

function isKnown(url: string): boolean {
  return new URL(url).origin === location.origin || recent.value.some((one) => one.url === url)
}

function targetOf(url: string): Target {
  const known = recent.value.find((one) => one.url === url)
  const secret = kept(`secret.${url}`, sessionStorage)
  const headers = isRecord(secret) ? secret['headers'] : {}
  return {
    url,
    era: known?.era ?? 'auto',
    headers: isRecord(headers) ? texts(headers) : {},
    configuration: isRecord(secret) ? secret['configuration'] : undefined,
    signIn: known?.signIn ?? false,
  }
}

/** Resolves a path on this server. */
export function ownUrl(path: string): string {
  return new URL(path, location.origin).href
}

/** Switches to another server and updates the page's address. */
export function choose(next: Target): void {
  const { url, headers, configuration } = next
  keep(`secret.${url}`, { headers, configuration }, sessionStorage)
  const own = url === ownUrl('/mcp')
  const at = url.startsWith(`${location.origin}/`) ? url.slice(location.origin.length) : url
  const search = own ? '' : `?${new URLSearchParams({ at }).toString()}`
  history.replaceState(null, '', `${location.pathname}${search}${location.hash}`)
  suggested.value = null
  target.value = next
}

/** Stores a server after a successful connection, newest first. */
export function remember(title: string, { url, era, signIn }: Target): void {
  const others = recent.value.filter((one) => one.url !== url)
  recent.value = [{ url, title, era, signIn }, ...others].slice(0, RECENT)
  keep('recent', recent.value)
}

/** Removes a server from the list. */
export function forget(url: string): void {
  recent.value = recent.value.filter((one) => one.url !== url)
  keep('recent', recent.value)
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

function texts(record: JsonRecord): Record<string, string> {
  const entries = Object.entries(record)
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
