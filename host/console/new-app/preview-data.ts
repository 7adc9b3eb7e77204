/**
 * The data of a preview: the files that its patterns name, found over the connection of the console, so
 * that a preview shows no file that an approved app would not show there.
 *
 * Contents stay on the server: the page reads the files that it shows. Sample data is not written yet,
 * so it is part of the result. `test/pages/console/new-app.slow.test.ts` covers it.
 *
 * @module
 */

import { trimPattern } from '#core/apps/patterns.ts'
import type { StarterFile } from '#core/apps/starters.ts'
import { literalPrefix, matches, parseGlob } from '#core/glob.ts'
import { isRecord, recordOf, type JsonRecord } from '#core/json.ts'
import { parentOf, relativeTo, resolvePath, ROOT, type StorePath } from '#core/path.ts'
import { errorDetails } from '#core/wire.ts'
import { textsOf } from '../../mcp/parse.ts'
import type { Connection } from '../../mcp/connection.ts'
import { ToolError } from '../ui/errors.ts'

/** Most files that a preview shows, as many as an app. */
const MAX_PREVIEW_FILES = 100

/** The files of a preview, as the tool of an app names them. */
export interface PreviewData {
  readonly files: readonly JsonRecord[]
  readonly truncated: boolean
}

/** What reads the data. */
type DataConnection = Pick<Connection, 'call'>

/** Returns the samples that a pattern names. */
export const samplesOf = (
  patterns: readonly string[],
  samples: readonly StarterFile[],
): readonly StarterFile[] =>
  samples.filter(({ path }) => patterns.some((pattern) => isMatch(pattern, path)))

/**
 * Finds the files of all patterns.
 *
 * @throws {ToolError} If the server refuses the search.
 */
export async function findData(
  open: DataConnection,
  { patterns, samples }: { patterns: readonly string[]; samples: readonly StarterFile[] },
  signal: AbortSignal,
): Promise<PreviewData> {
  const found = new Map<string, JsonRecord>()
  for (const { path, text } of samplesOf(patterns, samples))
    found.set(path, { path, version: 0, mime: '', size: text.length, text })
  let truncated = false
  for (const pattern of patterns) {
    const page = await findPaths(open, pattern, signal)
    truncated ||= page.isCut
    // The page of a template reads each file that has no text here.
    for (const path of page.paths) if (!found.has(path)) found.set(path, { ...WITHOUT_TEXT, path })
  }
  const files = [...found.values()]
  truncated ||= files.length > MAX_PREVIEW_FILES
  const shown = files.slice(0, MAX_PREVIEW_FILES)
  const facts = await readFacts(open, shown, signal)
  return { files: shown.map((file) => ({ ...file, ...facts.get(file['path']) })), truncated }
}

const WITHOUT_TEXT = { version: 0, mime: '', size: 0, omitted: 'too_large' }

/** Most pages of one folder that are read for the sizes of its files. */
const MAX_FOLDER_PAGES = 5

/** Reads version, size and media type of files that have no text here, folder by folder. */
async function readFacts(
  open: DataConnection,
  files: readonly JsonRecord[],
  signal: AbortSignal,
): Promise<ReadonlyMap<unknown, JsonRecord>> {
  const folders = new Set<StorePath>()
  for (const { path, text } of files) {
    const resolved = resolvePath(String(path))
    if (text === undefined && resolved.ok) folders.add(parentOf(resolved.value))
  }
  const facts = new Map<unknown, JsonRecord>()
  for (const folder of folders)
    for (const entry of await listFolder(open, folder, signal)) {
      const { name, version, size, mime } = entry
      facts.set(`${folder === ROOT ? '' : folder}/${String(name)}`, { version, size, mime })
    }
  return facts
}

async function listFolder(open: DataConnection, path: StorePath, signal: AbortSignal) {
  const entries: JsonRecord[] = []
  let after: unknown
  for (let page = 0; page < MAX_FOLDER_PAGES; page++) {
    const args = { path, limit: 1000, ...(typeof after === 'string' && { after }) }
    const result = await open.call('list_folder', args, { signal })
    // The folder may be hidden, and its files visible.
    if (result.isError) break
    const { entries: listed, next } = recordOf(result.structuredContent)
    entries.push(...(Array.isArray(listed) ? listed.filter(isRecord) : []))
    if (typeof next !== 'string') break
    after = next
  }
  return entries.filter(({ type }) => type === 'file')
}

/** Whether there is nothing to search in. */
const NOTHING = new Set<unknown>(['FILE_NOT_FOUND', 'NOT_A_FOLDER'])

async function findPaths(open: DataConnection, pattern: string, signal: AbortSignal) {
  const { root, rest } = splitPattern(pattern)
  const args = { pattern: rest, glob: true, root, type: 'file', hidden: true, case_sensitive: true }
  const depth = /\/|\*\*/.test(rest) ? {} : { max_depth: 1 }
  const limit = MAX_PREVIEW_FILES + 1
  const result = await open.call('find_files', { ...args, ...depth, limit }, { signal })
  const { code } = errorDetails(result.meta, result.structuredContent)
  if (result.isError && NOTHING.has(code)) return { paths: [], isCut: false }
  if (result.isError) throw new ToolError(result)
  const { matches: names, truncated } = recordOf(result.structuredContent)
  const paths = textsOf(names).flatMap((name) => {
    const path = resolvePath(`${root}/${name}`)
    return path.ok && isMatch(pattern, path.value) ? [path.value] : []
  })
  return { paths, isCut: truncated === true }
}

/** Splits a pattern into the folder that all its matches are in, and the rest. */
function splitPattern(pattern: string): { readonly root: string; readonly rest: string } {
  const parts = trimPattern(pattern).split('/').filter(Boolean)
  const glob = parseGlob(parts.join('/'))
  const prefix = glob.ok ? literalPrefix(glob.value).split('/').filter(Boolean) : []
  const folders = prefix.slice(0, parts.length - 1)
  return { root: `/${folders.join('/')}`, rest: parts.slice(folders.length).join('/') }
}

/** Whether a pattern names a path. A name without a slash is one at the top, as in an app. */
function isMatch(pattern: string, path: string): boolean {
  const glob = parseGlob(trimPattern(pattern))
  const target = resolvePath(path)
  return glob.ok && target.ok && matches(glob.value, relativeTo(target.value, ROOT))
}
