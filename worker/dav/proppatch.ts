/**
 * PROPPATCH: sets and removes properties of a link, all or none. Setting the time of a file is a change like any other.
 * `test/worker/dav/properties.test.ts` has the cases.
 *
 * @module
 */

import { quoteValue } from '#core/quote.ts'
import type { FileContext } from '../access/file-context.ts'
import { rewriting } from '../tools/lib/tool.ts'
import type { Entry, FileEntry } from '../store/store.ts'
import { hrefOf } from './address.ts'
import { elementsOf, isDavName, readXml, textOf } from './body.ts'
import { refuseUnmet } from './conditions.ts'
import { applyDav, openToChange, type Dav } from './context.ts'
import { MAX_PATH_PROPERTIES, MAX_PROPERTY_BYTES } from './limits.ts'
import { isLive, keyOf, nameOfKey } from './live-properties.ts'
import { refuseLocked } from './locks.ts'
import { readDate, readMtime } from './mtime.ts'
import { multistatus, OK, type PropStat } from './multistatus.ts'
import { refuseDav, refuseXml } from './refuse.ts'
import { writeElement, writeName } from '../xml/text.ts'
import type { XmlElement } from '../xml/parse.ts'

/** One instruction: the element to set, or null to remove it. */
interface Instruction {
  readonly key: string
  readonly element: XmlElement | null
}

/** Sets and removes properties. */
export async function proppatch(dav: Dav): Promise<Response> {
  const { request, path } = dav
  const instructions = await readInstructions(request)
  if (instructions instanceof Response) return instructions
  const intent = `Set properties of ${quoteValue(path)}`
  const files = openToChange(dav, intent, [rewriting(path)])
  if (files instanceof Response) return files
  const { store, access } = files.workspace
  const entry = store.stat(path)
  if (!entry) return refuseDav({ reason: 'not_found', path })
  // Nothing of a fixed or read-only path is stored, though properties are no content.
  if (access.readOnly) return refuseDav({ reason: 'read_only' })
  const refused =
    refuseUnmet(dav, files.workspace) ??
    refuseLocked(dav, files.workspace, [{ path, reach: 'entry' }])
  if (refused) return refused
  const faults = faultsOf(dav, entry, instructions)
  if (faults.size > 0) return respond(dav, entry, failedStats(instructions, faults))
  const timed = setTime(dav, files, { entry, instructions, intent })
  if (timed instanceof Response) return timed
  for (const instruction of instructions) carryOut(dav, instruction)
  const properties = instructions.map(({ key }) => writeName(nameOfKey(key)))
  const response = respond(dav, entry, [{ status: OK, properties }])
  if (timed !== null) response.headers.set('edgewise-draft', timed)
  return response
}

async function readInstructions(request: Request): Promise<Instruction[] | Response> {
  const root = await readXml(request)
  if (root instanceof Response) return root
  if (!root || !isDavName(root, 'propertyupdate'))
    return refuseXml('its root is not propertyupdate')
  const instructions = elementsOf(root).flatMap((group) => {
    const isSet = isDavName(group, 'set')
    if (!isSet && !isDavName(group, 'remove')) return []
    const props = elementsOf(group).filter((element) => isDavName(element, 'prop'))
    return props.flatMap(elementsOf).map((element) => ({
      key: keyOf(element),
      element: isSet ? element : null,
    }))
  })
  return instructions.length > 0 ? instructions : refuseXml('it sets and removes nothing')
}

const respond = ({ prefix }: Dav, { path, type }: Entry, stats: readonly PropStat[]) =>
  multistatus([{ href: hrefOf(prefix, path, type === 'folder'), stats }])

/** The names of the time of a file, which clients set: that of RFC 4918, and the one of ownCloud. */
const TIMES: readonly string[] = ['{DAV:}getlastmodified', '{DAV:}lastmodified']

/** Why an instruction cannot be carried out. */
type Fault = 'protected' | 'too_large' | 'conflict'

const STATUSES: Readonly<Record<Fault, string>> = {
  protected: 'HTTP/1.1 403 Forbidden',
  too_large: 'HTTP/1.1 507 Insufficient Storage',
  conflict: 'HTTP/1.1 409 Conflict',
}

/** Finds what cannot be carried out, by the keys. */
function faultsOf(dav: Dav, entry: Entry, instructions: readonly Instruction[]) {
  const faults = new Map<string, Fault>()
  const known = dav.parts.properties.of(dav.session, [entry.path])?.get(entry.path)
  const after = new Set(known?.keys())
  for (const { key, element } of instructions) {
    const fault = faultOf(entry, key, element)
    if (fault) faults.set(key, fault)
    else if (element && !TIMES.includes(key)) after.add(key)
    else after.delete(key)
    if (after.size > MAX_PATH_PROPERTIES) faults.set(key, 'too_large')
  }
  return faults
}

function faultOf(entry: Entry, key: string, element: XmlElement | null): Fault | null {
  if (TIMES.includes(key)) {
    if (entry.type === 'folder' || element === null) return 'protected'
    return timeIn(element) === null ? 'conflict' : null
  }
  if (isLive(key)) return 'protected'
  const bytes = element ? new TextEncoder().encode(writeElement(element)).length : 0
  return bytes > MAX_PROPERTY_BYTES ? 'too_large' : null
}

/** Parses a time: seconds since 1970, or a date of HTTP. */
function timeIn(element: XmlElement): number | null {
  const text = textOf(element).trim()
  const seconds = readMtime(text)
  return typeof seconds === 'number' ? seconds : readDate(text)
}

/** What was wrong, and that nothing else was done because of it (RFC 4918, 9.2). */
function failedStats(
  instructions: readonly Instruction[],
  faults: ReadonlyMap<string, Fault>,
): PropStat[] {
  const namesOf = (fault: Fault | undefined) =>
    [...new Set(instructions.map(({ key }) => key))]
      .filter((key) => faults.get(key) === fault)
      .map((key) => writeName(nameOfKey(key)))
  return [
    {
      status: STATUSES.protected,
      properties: namesOf('protected'),
      error: '<D:cannot-modify-protected-property/>',
    },
    { status: STATUSES.too_large, properties: namesOf('too_large') },
    { status: STATUSES.conflict, properties: namesOf('conflict') },
    { status: 'HTTP/1.1 424 Failed Dependency', properties: namesOf(undefined) },
  ]
}

interface Timing {
  readonly entry: Entry
  readonly instructions: readonly Instruction[]
  readonly intent: string
}

/** Gives a file the time of the last instruction that names one. Returns the draft in which that waits, or null. */
function setTime(
  dav: Dav,
  files: FileContext,
  { entry, instructions, intent }: Timing,
): string | null | Response {
  const last = instructions.findLast(({ key }) => TIMES.includes(key))
  const mtime = last?.element ? timeIn(last.element) : null
  if (mtime === null || entry.type === 'folder' || entry.mtime === mtime) return null
  return writeTime(dav, files, { entry, mtime, intent })
}

interface NewTime {
  readonly entry: FileEntry
  readonly mtime: number
  readonly intent: string
}

function writeTime(dav: Dav, files: FileContext, { entry, mtime, intent }: NewTime) {
  const { store, version } = files.workspace
  const content = store.contentOf(entry)
  if (!content) return refuseDav({ reason: 'content_dropped' })
  const { path } = entry
  const applied = applyDav(dav, files, {
    intent,
    steps: [{ type: 'put', path, content, mtime }],
    basis: version(),
    places: [],
  })
  if (applied instanceof Response) return applied
  return applied.draft?.name ?? null
}

function carryOut(dav: Dav, { key, element }: Instruction): void {
  const { session, path, caller, parts } = dav
  if (TIMES.includes(key)) return
  if (element === null) return parts.properties.remove(session, path, key)
  const value = writeElement(element)
  parts.properties.set({ session, budget: caller.budget, path, name: key, value })
}
