/**
 * A server for tests of the console's pages: it answers the acts of the owner with what a test has, typed by the contract
 * in `core/owner/`, and notes what was sent. A request for anything else fails the test.
 *
 * @module
 */

import { OWNER_ACTS, type ActName } from '#core/owner/acts.ts'
import type { Answer } from '#core/owner/answers.ts'
import { vi } from 'vitest'
import { findAct } from '../core/find-act.ts'

/** An act as it was sent. */
export interface SentAct {
  readonly name: ActName
  readonly url: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  readonly headers: Headers
}

/** The answers of some acts: each one value, or made for what was sent. */
export type Answers = {
  readonly [Name in ActName]?: Answer<Name> | ((sent: SentAct) => Answer<Name> | Response)
}

/** Replaces `fetch`; `vi.unstubAllGlobals()` ends it. Returns the acts that were sent and are no reading, in their order. */
export function fakeOwner(answers: Answers): SentAct[] {
  const sent: SentAct[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const act = readAct(url, init)
    if (OWNER_ACTS[act.name].method !== 'GET') sent.push(act)
    const answer: unknown = answers[act.name]
    if (answer === undefined) throw new Error(`The test has no answer for ${act.name}`)
    const value: unknown = typeof answer === 'function' ? answer(act) : answer
    if (value instanceof Response) return value
    return value === null ? new Response(null, { status: 204 }) : Response.json(value)
  })
  return sent
}

function readAct(address: string, { method = 'GET', body, headers }: RequestInit): SentAct {
  const url = new URL(address, location.href)
  const path = url.pathname.replace(/^\/w\/[^/]+/, '')
  const name = findAct(method, path)
  if (name === null) throw new Error(`No act of the owner: ${method} ${path}`)
  const text = typeof body === 'string' && body !== '' ? body : 'null'
  return {
    name,
    url: address,
    query: Object.fromEntries(url.searchParams),
    body: JSON.parse(text),
    headers: new Headers(headers),
  }
}
