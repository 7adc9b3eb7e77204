/**
 * COPY and MOVE. What is overwritten goes in the same change, so a reviewer sees both.
 * `test/worker/dav/copy-move.test.ts` has the cases.
 *
 * @module
 */

import { isWithin, rebase, ROOT, type StorePath } from '#core/path.ts'
import { quoteValue } from '#core/quote.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { Touch } from '../access/authorize.ts'
import type { LeasePlace } from '../access/lease.ts'
import type { CallerWorkspace, ReadStore } from '../access/workspace.ts'
import type { Problem } from '../errors/problem.ts'
import { refuse } from '../errors/respond.ts'
import { moving, readingFolder, rewriting, writing } from '../tools/lib/tool.ts'
import type { Entry, Step } from '../store/store.ts'
import { parseReference } from './address.ts'
import { isConditional, refuseUnmet } from './conditions.ts'
import { applyDav, openToChange, respondChanged, type Dav } from './context.ts'
import { refuseLarge } from './folders.ts'
import { endLocks } from './locks.ts'
import { readMtime } from './mtime.ts'
import { refuseOrphan } from './put.ts'
import { refuseDav, refuseHeader } from './refuse.ts'
import { isScratch, refuseScratch } from './scratch.ts'

/** What a request asks for, from its headers. */
interface Transfer {
  readonly isMove: boolean
  readonly from: StorePath
  readonly to: StorePath
  readonly overwrites: boolean
  /** Whether a folder is copied without what is in it. */
  readonly isShallow: boolean
  readonly mtime: number | null
}

/** Copies or moves a file or a folder. */
export function copyOrMove(dav: Dav): Response {
  const transfer = readTransfer(dav)
  if (transfer instanceof Response) return transfer
  const { isMove, from, to } = transfer
  const intent = `${isMove ? 'Move' : 'Copy'} ${quoteValue(from)} to ${quoteValue(to)}`
  const files = openToChange(dav, intent, touchesOf(dav, transfer))
  if (files instanceof Response) return files
  const { workspace } = files
  const refused = refuseTransfer(dav, transfer, workspace)
  if (refused) return refused
  const target = workspace.store.stat(to)
  const steps = planSteps(transfer, workspace.store)
  if (!steps.ok) return refuseDav(steps.error)
  const change = {
    ...{ intent, steps: steps.value, basis: workspace.version() },
    places: placesOf(transfer),
  }
  const applied = applyDav(dav, files, change)
  if (applied instanceof Response) return applied
  const { properties } = dav.parts
  if (!isMove) properties.copy(dav.session, from, to)
  else if (applied.draft) properties.carry(dav.session, steps.value)
  if (isMove) endLocks(dav, workspace, from)
  const isTimed = transfer.mtime !== null && !isMove
  return respondChanged(applied, !target, isTimed ? { 'x-oc-mtime': 'accepted' } : {})
}

function readTransfer(dav: Dav): Transfer | Response {
  const { request, path } = dav
  const { headers } = request
  const destination = headers.get('destination')
  if (destination === null) return refuseHeader('Destination', 'it is missing')
  const to = parseReference(destination, dav)
  if (!to.ok)
    return to.error === 'elsewhere'
      ? refuseElsewhere()
      : refuseHeader('Destination', 'it is no address of this workspace')
  const overwrite = (headers.get('overwrite') ?? 'T').trim().toUpperCase()
  if (overwrite !== 'T' && overwrite !== 'F')
    return refuseHeader('Overwrite', 'it is neither T nor F')
  const isMove = request.method === 'MOVE'
  const depth = (headers.get('depth') ?? 'infinity').trim().toLowerCase()
  if (depth !== 'infinity' && (depth !== '0' || isMove))
    return refuseHeader('Depth', isMove ? 'it is not infinity' : 'it is neither 0 nor infinity')
  const mtime = readMtime(headers.get('x-oc-mtime'))
  if (mtime === 'invalid') return refuseHeader('X-OC-Mtime', 'it is not a number of seconds')
  const overwrites = overwrite === 'T'
  return { isMove, from: path, to: to.value, overwrites, isShallow: depth === '0', mtime }
}

function refuseElsewhere(): Response {
  const message = 'Cannot do this: Destination is on another server or in another workspace.'
  return refuse(502, 'DESTINATION_ELSEWHERE', message)
}

/** Without Overwrite, the response tells whether there is a target, so it has to be one that may be read. */
function touchesOf({ request }: Dav, { isMove, from, to, overwrites }: Transfer): Touch[] {
  const conditional = isConditional(request)
  const source = !isMove ? readingFolder(from) : conditional ? rewriting(from) : moving(from)
  return [source, overwrites && !conditional ? writing(to) : rewriting(to)]
}

function refuseTransfer(
  dav: Dav,
  { isMove, from, to, overwrites }: Transfer,
  workspace: CallerWorkspace,
): Response | null {
  const { store, access } = workspace
  if (from === ROOT || to === ROOT)
    return refuseDav({ reason: 'root_denied', action: isMove ? 'move' : 'delete' })
  if (isWithin(to, from) || isWithin(from, to))
    return refuseDav({ reason: 'into_itself', from, to })
  const entry = store.stat(from)
  // Only the store knows whether something exists that the caller may not read.
  if (!entry && (!isMove || access.canRead(from)))
    return refuseDav({ reason: 'not_found', path: from })
  const unmet = isScratch(to) ? refuseScratch() : refuseUnmet(dav, workspace)
  if (unmet) return unmet
  const target = store.stat(to)
  if (target && !overwrites) return refuseDav({ reason: 'exists', path: to })
  return (
    refuseOrphan({ path: to }, workspace) ??
    refuseLarge(store, entry, isMove ? 'move' : 'copy') ??
    refuseLarge(store, target, 'delete')
  )
}

/** A copy leaves its source as it is. */
const placesOf = ({ isMove, from, to }: Transfer): LeasePlace[] =>
  (isMove ? [to, from] : [to]).map((path) => ({ path, reach: 'tree' }))

function planSteps(transfer: Transfer, store: ReadStore): Result<Step[], Problem> {
  const { isMove, from, to } = transfer
  const [entry, target] = [store.stat(from), store.stat(to)]
  const isReplaced = entry?.type === 'file' && target?.type === 'file' && !isMove
  const first: Step[] = target && !isReplaced ? [{ type: 'remove', path: to }] : []
  if (isMove) return ok([...first, { type: 'move', from, to }])
  const copied = entry ? copySteps(transfer, store, entry) : ok([])
  return copied.ok ? ok([...first, ...copied.value]) : copied
}

/** Copies what the caller sees; each new file refers to the existing content. */
function copySteps(
  { to, isShallow, mtime }: Transfer,
  store: ReadStore,
  entry: Entry,
): Result<Step[], Problem> {
  const below = entry.type === 'file' || isShallow ? [] : [...store.walk(entry.path)]
  const steps: Step[] = []
  for (const each of [entry, ...below]) {
    const path = rebase(each.path, entry.path, to)
    if (each.type === 'folder') {
      steps.push({ type: 'folder', path })
      continue
    }
    const content = store.contentOf(each)
    if (!content) return err({ reason: 'content_dropped' })
    const executable = each.executable ?? false
    steps.push({ type: 'put', path, content, executable, ...(mtime !== null && { mtime }) })
  }
  return ok(steps)
}
