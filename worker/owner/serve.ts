/**
 * Serves the acts of the owner. Every act is checked in the same order: its address (404), its method (405), the page
 * that sends it (403), the media type of its body (415), and its input (400). The object reads what is left of a body.
 *
 * `test/worker/owner/serve.test.ts` has the cases.
 *
 * @module
 */

import { OWNER_ACTS, type ActMethod } from '#core/owner/acts.ts'
import { decodePercent } from '#core/percent.ts'
import { ok } from '#core/result.ts'
import { notAllowed } from '../errors/respond.ts'
import type { Actor } from '../audit/change-note.ts'
import type { ActRequest, OwnerAct, OwnerServices } from './act.ts'
import { ACTS } from './acts.ts'
import { readSentJson } from './body.ts'
import { isFromOwnPage, notFromOwnPage } from './own-page.ts'
import { deciderOf } from './passkey-proof.ts'

/** The acts at one address. */
interface Address {
  readonly pattern: RegExp
  readonly segments: readonly string[]
  readonly acts: Map<ActMethod, OwnerAct>
}

const SEGMENT = /\{(\w+)\}/g

/** All addresses; those with fewer names of segments first, so that a word wins over a name. */
const ADDRESSES: readonly Address[] = listAddresses()

function listAddresses(): Address[] {
  const all = new Map<string, Address>()
  for (const act of ACTS) {
    const { method, path } = OWNER_ACTS[act.name]
    const address = all.get(path) ?? addressOf(path)
    address.acts.set(method, act)
    all.set(path, address)
  }
  return [...all.values()].toSorted((a, b) => a.segments.length - b.segments.length)
}

function addressOf(path: string): Address {
  const pattern = new RegExp(`^${path.replace(SEGMENT, '([^/]+)')}/?$`)
  const segments = [...path.matchAll(SEGMENT)].map(([, name = '']) => name)
  return { pattern, segments, acts: new Map() }
}

/** Serves a request for an act; null if its path is that of none. */
export async function serveAct(
  request: Request,
  actor: Actor,
  services: OwnerServices,
): Promise<Response | null> {
  const { pathname, searchParams: query } = new URL(request.url)
  const found = findAddress(pathname)
  if (!found) return null
  const { acts, segments } = found
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const act = [...acts].find(([allowed]) => allowed === method)?.[1]
  if (!act) return notAllowed(listMethods(acts))
  if (OWNER_ACTS[act.name].from === 'console' && !isFromOwnPage(request)) return notFromOwnPage()
  const sent = await readSent(request, act)
  if (!sent.ok) return sent.error
  const { value: body } = sent
  const asked: ActRequest = { request, query, segments, body, decider: deciderOf(request, actor) }
  return act.answer(asked, services)
}

function findAddress(pathname: string) {
  for (const { pattern, segments, acts } of ADDRESSES) {
    const match = pattern.exec(pathname)
    if (!match) continue
    const values = segments.map((name, at) => [name, decodePercent(match[at + 1] ?? '')] as const)
    return { acts, segments: Object.fromEntries(values) }
  }
  return null
}

/** Reads the body of an act that takes one: POST and PUT. */
async function readSent(
  request: Request,
  { name, isBodyOptional }: OwnerAct,
): ReturnType<typeof readSentJson> {
  const { method } = OWNER_ACTS[name]
  if (method === 'GET' || method === 'DELETE') return ok(null)
  return isBodyOptional && !request.body ? ok({}) : readSentJson(request)
}

const listMethods = (acts: ReadonlyMap<ActMethod, OwnerAct>) =>
  [...acts.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
