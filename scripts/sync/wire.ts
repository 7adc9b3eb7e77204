/**
 * What a server sends to a sync, parsed: listings, the feed, reports and errors (`docs/http.md`). All of it is untrusted.
 * Tested by `test/sync-names.test.ts`.
 *
 * @module
 */

import { z } from 'zod'
import { MAX_DECIDED_PATHS } from '../../worker/drafts/limits.ts'
import { faultOfName } from './names.ts'
import type { Decided, FileChange, Refused } from './remote.ts'
import type { RemoteFile } from './plan.ts'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const version = z.int().nonnegative()
const size = z.int().nonnegative()

/** An entry of a recursive listing. A file without its hash cannot be compared, and is no file that is gone. */
const entry = z.discriminatedUnion('type', [
  z.object({ path: z.string(), type: z.literal('folder') }),
  z.object({
    path: z.string(),
    type: z.literal('file'),
    version,
    size,
    hash,
    executable: z.boolean().default(false),
  }),
])

/** The workspace, and what of it may be read. */
const source = { workspace: z.string(), access: z.string() }

/** A page of a recursive listing. */
export const listingPage = z.object({
  ...source,
  version,
  entries: z.array(entry),
  next: z.string().nullish(),
})

const changedFile = z.object({
  path: z.string(),
  kind: z.enum(['file', 'folder', 'gone']),
  size: size.optional(),
  hash: hash.optional(),
  executable: z.boolean().optional(),
})

/** A page of the feed. */
export const feedPage = z.object({
  ...source,
  version,
  next: version,
  changes: z.array(
    z.object({ version, files: z.array(changedFile), left: z.int().nonnegative().default(0) }),
  ),
  decided: z
    .array(
      z.object({
        draft: z.string(),
        outcome: z.string(),
        at: z.iso.datetime().transform((text) => Date.parse(text)),
        note: z.string().default(''),
        paths: z.array(z.string()),
      }),
    )
    .default([]),
})

/** The report of an archive. */
export const importReport = z.object({
  skipped: z.int(),
  reasons: z.array(z.object({ name: z.string(), reason: z.string() })),
  error: z.string().optional(),
})

/** What a PUT or a DELETE answers. */
export const written = z.object({
  version: version.optional(),
  hash: hash.optional(),
  waits: z.boolean().optional(),
  draft: z.string().optional(),
})

/** An error. */
export const errorBody = z.object({ code: z.string(), message: z.string() })

/** Returns the name of a path below a folder; null if it is elsewhere. */
export function nameBelow(path: string, folder: string): string | null {
  const prefix = folder === '/' ? '/' : `${folder}/`
  return path.startsWith(prefix) && path.length > prefix.length ? path.slice(prefix.length) : null
}

/** Reads the files of a page of a listing. */
export function readEntries(page: z.infer<typeof listingPage>, folder: string) {
  const files: [string, RemoteFile][] = []
  const skipped: Refused[] = []
  for (const one of page.entries) {
    if (one.type === 'folder') continue
    const name = checkName(one.path, folder, skipped)
    const { hash: digest, executable, size: bytes, version: at } = one
    if (name !== null) files.push([name, { hash: digest, executable, size: bytes, version: at }])
  }
  return { files, skipped }
}

/** Reads a page of the feed; null if it does not have all that is needed, so that the folder has to be listed. */
export function readFeed(page: z.infer<typeof feedPage>, folder: string) {
  const changes: FileChange[] = []
  const skipped: Refused[] = []
  for (const change of page.changes) {
    if (change.left > 0) return null
    // What is gone comes first: a file can be where a folder was.
    const ordered = change.files.toSorted(
      (a, b) => Number(a.kind === 'file') - Number(b.kind === 'file'),
    )
    for (const file of ordered) {
      if (file.path === folder || nameBelow(folder, file.path) !== null) {
        // The folder itself, or one above it, was deleted or replaced.
        if (file.kind !== 'folder') return null
        continue
      }
      const name = checkName(file.path, folder, skipped)
      if (name === null) continue
      const read = readChangedFile(file, change.version)
      if (read === undefined) return null
      changes.push({ name, kind: file.kind, file: read })
    }
  }
  return { changes, skipped }
}

/** Null for what is no file; undefined if its hash is unknown. */
function readChangedFile(
  file: z.infer<typeof changedFile>,
  at: number,
): RemoteFile | null | undefined {
  if (file.kind !== 'file') return null
  if (file.hash === undefined || file.size === undefined) return undefined
  return { hash: file.hash, executable: file.executable ?? false, size: file.size, version: at }
}

/** Reads the decisions of a page of the feed. */
export const readDecided = (page: z.infer<typeof feedPage>, folder: string): Decided[] =>
  page.decided.map(({ draft, outcome, at, note, paths }) => ({
    ...{ draft, outcome, at, note },
    names: paths.map((path) => nameBelow(path, folder)).filter((name) => name !== null),
    isCut: paths.length >= MAX_DECIDED_PATHS,
  }))

function checkName(path: string, folder: string, skipped: Refused[]): string | null {
  const name = nameBelow(path, folder)
  const fault = name === null ? 'it is not in the folder that was asked for' : faultOfName(name)
  if (fault === null) return name
  skipped.push({ name: path, reason: fault })
  return null
}
