/**
 * The XML of office documents: goes through the elements of a part, and finds the parts that it refers to.
 *
 * @module
 */

import { localName, readAttributes, readXml } from '../../xml/read.ts'
import { isLongPiece } from '../../xml/pieces.ts'
import { MAX_DOCUMENT_DEPTH, MAX_DOCUMENT_TAG } from '../limits.ts'
import type { MaybePromise } from '../../maybe-promise.ts'
import type { Budget } from './budget.ts'
import { DocumentFault } from '../document.ts'
import type { Archive } from './zip.ts'

/** Returns the value of an attribute by its name without prefix; with `*:` before it, of one with a prefix. */
export type Attribute = (name: string) => string | undefined

/** What is done with the elements of a part. Names have no prefix. */
export interface XmlHandler {
  open?(name: string, attribute: Attribute): MaybePromise<void>
  close?(name: string): MaybePromise<void>
  text?(text: string): void
}

/** Goes through a part. Other requests get a turn after some thousand elements. */
export async function walkXml(source: string, budget: Budget, handler: XmlHandler): Promise<void> {
  const options = { maxDepth: MAX_DOCUMENT_DEPTH, maxTag: MAX_DOCUMENT_TAG, allowDoctype: true }
  for (const token of readXml(source, options)) {
    if (budget.object()) await budget.turn()
    if (token.type === 'text') {
      handler.text?.(token.text)
      if (isLongPiece(token.text)) await budget.turn()
    }
    // Awaited only where a page begins, as a turn for each element would take most of the time.
    else {
      const done =
        token.type === 'open'
          ? handler.open?.(localName(token.name), attributesOf(token.attributes))
          : handler.close?.(localName(token.name))
      if (done) await done
    }
  }
}

function attributesOf(text: string): Attribute {
  let found: ReadonlyMap<string, string> | null = null
  return (name) => (found ??= byLocalName(readAttributes(text))).get(name)
}

/** An element can have two attributes of one local name: that with a prefix has `*:` before it as well. */
function byLocalName(attributes: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [name, value] of attributes) {
    const local = localName(name)
    if (name !== local) found.set(`*:${local}`, value)
    if (name === local || !attributes.has(local)) found.set(local, value)
  }
  return found
}

/** Returns the text of a part that a document must have. */
export function needPart(archive: Archive, name: string): string {
  const text = archive.text(name)
  if (text === null) throw new DocumentFault('broken', 'a part of it is missing')
  return text
}

/** A relation of a part of an Office document to another one. */
export interface Relation {
  readonly id: string
  /** The last segment of its type, such as `slide`. */
  readonly type: string
  /** The name of the part in the archive. */
  readonly target: string
}

/** Reads the relations of a part; of the whole document without a name. */
export async function readRelations(
  archive: Archive,
  budget: Budget,
  part = '',
): Promise<readonly Relation[]> {
  const slash = part.lastIndexOf('/') + 1
  const folder = part.slice(0, slash)
  const source = archive.text(`${folder}_rels/${part.slice(slash)}.rels`)
  const found: Relation[] = []
  if (source === null) return found
  await walkXml(source, budget, {
    open(name, attribute) {
      if (name !== 'Relationship' || attribute('TargetMode') === 'External') return
      const [id = '', type = ''] = [attribute('Id'), attribute('Type')?.split('/').at(-1)]
      found.push({ id, type, target: resolvePart(folder, attribute('Target') ?? '') })
    },
  })
  return found
}

/** Resolves a reference from a folder of an archive. It cannot leave the archive, as it is only looked up there. */
export function resolvePart(folder: string, reference: string): string {
  const path = reference.split(/[?#]/, 1)[0] ?? ''
  const segments: string[] = path.startsWith('/') ? [] : folder.split('/').filter(Boolean)
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments.join('/')
}

/** Finds the part of a document that a relation names, such as its workbook. */
export async function findMainPart(archive: Archive, budget: Budget): Promise<string> {
  const relations = await readRelations(archive, budget)
  // Its type is the only one whose name ends so.
  const main = relations.find(({ type }) => type.endsWith('Document'))
  if (!main) throw new DocumentFault('broken', 'it has no main part')
  return main.target
}
