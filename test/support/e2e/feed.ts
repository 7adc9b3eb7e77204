/** The feed and the recursive listing in tests: parsed, and replayed into a map. @module */

import * as z from 'zod'

/** Opaque marks of the workspace and of the access. */
const SOURCE = {
  workspace: z.string().regex(/^[\w-]{22}$/),
  access: z.string().regex(/^[\w-]{22}$/),
}

const FILE = z.strictObject({
  path: z.string(),
  kind: z.enum(['file', 'folder', 'gone']),
  size: z.optional(z.int()),
  hash: z.optional(z.string().regex(/^[0-9a-f]{64}$/)),
  executable: z.optional(z.literal(true)),
})

const CHANGE = z.strictObject({
  version: z.int(),
  id: z.string(),
  at: z.iso.datetime(),
  tool: z.string(),
  intent: z.string(),
  actor: z.string(),
  principal: z.string(),
  session: z.optional(z.string()),
  label: z.optional(z.string()),
  approved_by: z.optional(z.string()),
  approval: z.optional(z.string()),
  amended: z.optional(z.int()),
  files: z.array(FILE).min(1),
  left: z.int(),
})

const FEED = z.strictObject({
  ...SOURCE,
  version: z.int(),
  next: z.int(),
  changes: z.array(CHANGE),
  decided: z.array(
    z.strictObject({
      draft: z.string(),
      outcome: z.string(),
      at: z.iso.datetime(),
      note: z.string(),
      paths: z.array(z.string()),
    }),
  ),
})

/** A page of the feed. */
export type Feed = z.infer<typeof FEED>

const ENTRY = z.strictObject({
  path: z.string(),
  type: z.enum(['file', 'folder']),
  version: z.int(),
  mtime: z.number(),
  size: z.optional(z.int()),
  mime: z.optional(z.string()),
  hash: z.optional(z.string().regex(/^[0-9a-f]{64}$/)),
  executable: z.optional(z.literal(true)),
})

const TREE = z.strictObject({
  path: z.string(),
  version: z.int(),
  entries: z.array(ENTRY),
  next: z.nullable(z.string()),
  ...SOURCE,
})

/** A page of a recursive listing. */
export type Tree = z.infer<typeof TREE>

/** Anything that sends requests to a workspace or to a link. */
interface Fetching {
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
}

async function parsed<T>(schema: z.ZodType<T>, answer: Response): Promise<T> {
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`)
  return schema.parse(JSON.parse(text))
}

/** Reads a page of the feed, which has to be one. */
export const readFeed = async ({ fetch }: Fetching, query: string, init?: RequestInit) =>
  parsed(FEED, await fetch(`/changes?${query}`, init))

/** Reads a page of everything below a folder. */
export const readTree = async ({ fetch }: Fetching, folder = '/', query = '') =>
  parsed(TREE, await fetch(`/files${folder}?recursive=true&${query}`))

/** The paths of a workspace: a folder, or the facts of a file. */
export type Copy = Map<string, string>

/** Applies the changes of a page to a copy. */
export function replay(copy: Copy, { changes }: Pick<Feed, 'changes'>): void {
  for (const { path, kind, size, hash, executable } of changes.flatMap(({ files }) => files))
    if (kind === 'gone') copy.delete(path)
    else copy.set(path, kind === 'folder' ? kind : JSON.stringify([size, hash, executable]))
}

/** Reads the feed to its end, and applies it to a copy. Returns the version to go on from. */
export async function follow(
  from: Fetching,
  copy: Copy,
  after: number,
  query = 'limit=1000',
): Promise<number> {
  for (let next = after; ;) {
    const page = await readFeed(from, `after=${next}&${query}`)
    replay(copy, page)
    if (page.next === page.version) return page.next
    if (page.next <= next) throw new Error(`The feed stays at ${next}`)
    next = page.next
  }
}

/** Reads everything below a folder into a copy, with the folders that a listing leaves out. */
export async function copyTree(from: Fetching, folder = '/', limit = 1_000): Promise<Copy> {
  const copy: Copy = new Map()
  for (let after = ''; ;) {
    const page = await readTree(from, folder, `limit=${limit}${after}`)
    for (const { path, type, size, hash, executable } of page.entries) {
      copy.set(path, type === 'folder' ? type : JSON.stringify([size, hash, executable]))
      for (let at = path.lastIndexOf('/'); at > (folder === '/' ? 0 : folder.length);) {
        copy.set(path.slice(0, at), 'folder')
        at = path.lastIndexOf('/', at - 1)
      }
    }
    if (page.next === null) return copy
    after = `&after=${encodeURIComponent(page.next)}`
  }
}

/** A copy in a form that can be compared. */
export const sorted = (copy: Copy) => [...copy].toSorted(([a], [b]) => (a < b ? -1 : 1))
