/**
 * A folder that the owner approves as a whole, an app or a skill: what has happened to each of its files since the last
 * decision, and what it differs in.
 *
 * `test/worker/owner/apps.test.ts` and `test/worker/owner/skills.test.ts` have the cases.
 *
 * @module
 */

import { parsePath, relativeTo, resolvePath, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { ReadStore } from '../access/workspace.ts'
import type { FolderFiles, Review } from '../approved/approved.ts'
import { hashesOf } from '../approved/folder.ts'
import type { ApprovedKind } from '../approved/kind.ts'
import { unseenOf } from '../approved/unseen.ts'
import { describeFile, fileOf } from '../changes/describe.ts'
import type { FileStates } from '../changes/shown-diff.ts'
import type { Problem } from '../errors/problem.ts'
import { problem } from '../errors/respond.ts'
import type { FolderFile } from '#core/owner/answers/approved.ts'
import { parseSide, serveRaw } from './raw-file.ts'

/** The services that show the files of folders of one kind. */
export interface FolderFilesParts {
  readonly filesOf: (name: string) => FolderFiles<unknown> | null
  /** All files of the workspace. */
  readonly files: ReadStore
  readonly problems: Pick<ApprovedKind<unknown>['problems'], 'missing' | 'changed'>
}

/** Describes a folder, as the owner is shown it. */
export async function describeFolder<Manifest>(review: Review<Manifest>, store: ReadStore) {
  const { folder, revision, manifest, state, decision } = review
  return {
    name: folder.name,
    revision,
    state,
    manifest: manifest.ok ? manifest.value : null,
    problems: manifest.ok ? [] : manifest.error,
    files: await describeFiles(review, store),
    decided: decision && {
      state: decision.state,
      at: decision.at,
      manifest: decision.manifest,
    },
  }
}

/** Lists the files with what has happened to them since the last decision, and whether their content can be shown. */
async function describeFiles(found: FolderFiles<unknown>, store: ReadStore) {
  const unseen = new Set(await unseenOf(found, store))
  return listFiles(found).map((file) => (unseen.has(file.path) ? { ...file, unseen: true } : file))
}

function listFiles({ folder: { files, path }, decision }: FolderFiles<unknown>) {
  const before = new Map(decision ? hashesOf(decision.seal) : [])
  const now = files.map((file) => {
    const name = relativeTo(file.path, path)
    const old = before.get(name)
    before.delete(name)
    const change: FolderFile['change'] =
      old === undefined ? 'added' : old === file.hash ? null : 'changed'
    return { path: file.path, size: file.size, change }
  })
  const gone = [...before.keys()].map((name) => ({
    path: parsePath(`${path}/${name}`),
    size: 0,
    change: 'deleted' as const,
  }))
  return [...now, ...gone]
}

/** Shows a file of a folder, compared with its state at the last approval if history still has that. */
export async function compareFile(query: URLSearchParams, name: string, parts: FolderFilesParts) {
  const found = findFile(query, name, parts)
  if (!found.ok) return found
  const { revision, before, after, isForgotten } = found.value
  const file = await describeFile(before, after, parts.files)
  return ok({ revision, file: { ...file }, forgotten: isForgotten })
}

/** Serves the bytes of a file at the last approval (`before`) or now, so that what cannot be compared can be opened. */
export async function openFile(
  request: Request,
  name: string,
  parts: FolderFilesParts,
): Promise<Response> {
  const params = new URL(request.url).searchParams
  const side = parseSide(params)
  if (!side.ok) return side.error
  const found = findFile(params, name, parts)
  if (!found.ok) return problem(found.error)
  const file = found.value[side.value]
  if (!file) return problem({ reason: 'not_found', path: found.value.path })
  return serveRaw(request, file, parts.files)
}

/** A file of a folder at the last approval, and now. */
interface FoundFile extends FileStates {
  readonly path: StorePath
  readonly revision: string
  /** Whether history has dropped its state at the last approval. */
  readonly isForgotten: boolean
}

/**
 * Finds the file that a request names. Files of another revision than the named one are refused: they are not those
 * that a decision on it would approve. Nothing waits here, so revision and file are of one moment.
 */
function findFile(
  params: URLSearchParams,
  name: string,
  { filesOf, files, problems }: FolderFilesParts,
): Result<FoundFile, Problem> {
  const folder = filesOf(name)
  if (!folder) return err(problems.missing(name))
  const { revision, decision } = folder
  if ((params.get('revision') ?? revision) !== revision) return err(problems.changed(name))
  const text = params.get('path') ?? ''
  const path = resolvePath(text)
  if (!path.ok) return err({ reason: 'bad_path', text, detail: path.error })
  if (!listFiles(folder).some((file) => file.path === path.value))
    return err({ reason: 'not_found', path: path.value })
  const old = decision?.state === 'approved' ? files.stateAt(path.value, decision.version) : null
  const isForgotten = old === 'forgotten'
  const before = isForgotten ? null : fileOf(old)
  const after = fileOf(files.stat(path.value))
  return ok({ path: path.value, revision, before, after, isForgotten })
}
