/**
 * The files of an app: what has happened to each since the last decision, and what it differs in.
 *
 * `test/worker/owner/apps.test.ts` has the cases.
 *
 * @module
 */

import { parsePath, relativeTo, resolvePath, type StorePath } from '#core/path.ts'
import { err, ok, type Result } from '#core/result.ts'
import type { ReadStore } from '../access/workspace.ts'
import type { AppFiles, Apps } from '../apps/apps.ts'
import { hashesOf } from '../apps/folder.ts'
import { unseenOf } from '../apps/unseen.ts'
import { describeFile, fileOf } from '../changes/describe.ts'
import type { FileStates } from '../changes/shown-diff.ts'
import type { Problem } from '../errors/problem.ts'
import { problem } from '../errors/respond.ts'
import type { AppFile } from '#core/owner/answers/apps.ts'
import type { Asked } from './act.ts'
import { parseSide, serveRaw } from './raw-file.ts'

/** The services that show the files of apps. */
export interface AppFilesParts {
  readonly apps: Pick<Apps, 'filesOf'>
  /** All files of the workspace. */
  readonly files: ReadStore
}

/** Lists the files with what has happened to them since the last decision, and whether their content can be shown. */
export async function describeFiles(app: AppFiles, store: ReadStore) {
  const unseen = new Set(await unseenOf(app, store))
  return listFiles(app).map((file) => (unseen.has(file.path) ? { ...file, unseen: true } : file))
}

function listFiles({ folder: { files, path }, decision }: AppFiles) {
  const before = new Map(decision ? hashesOf(decision.seal) : [])
  const now = files.map((file) => {
    const name = relativeTo(file.path, path)
    const old = before.get(name)
    before.delete(name)
    const change: AppFile['change'] =
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

/** Shows a file of an app, compared with its state at the last approval if history still has that. */
export async function diffOf(
  { query, segment, answer }: Asked<'compare_app_file'>,
  parts: AppFilesParts,
): Promise<Response> {
  const found = findFile(query, segment('app'), parts)
  if (!found.ok) return problem(found.error)
  const { revision, before, after, isForgotten } = found.value
  const file = await describeFile(before, after, parts.files)
  return answer({ revision, file: { ...file }, forgotten: isForgotten })
}

/** Serves the bytes of a file at the last approval (`before`) or now, so that what cannot be compared can be opened. */
export async function openFile(
  request: Request,
  name: string,
  parts: AppFilesParts,
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

/** A file of an app at the last approval, and now. */
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
  { apps, files }: AppFilesParts,
): Result<FoundFile, Problem> {
  const app = apps.filesOf(name)
  if (!app) return err({ reason: 'no_app', app: name })
  const { revision, decision } = app
  if ((params.get('revision') ?? revision) !== revision)
    return err({ reason: 'app_changed', app: name })
  const text = params.get('path') ?? ''
  const path = resolvePath(text)
  if (!path.ok) return err({ reason: 'bad_path', text, detail: path.error })
  if (!listFiles(app).some((file) => file.path === path.value))
    return err({ reason: 'not_found', path: path.value })
  const old = decision?.state === 'approved' ? files.stateAt(path.value, decision.version) : null
  const isForgotten = old === 'forgotten'
  const before = isForgotten ? null : fileOf(old)
  const after = fileOf(files.stat(path.value))
  return ok({ path: path.value, revision, before, after, isForgotten })
}
