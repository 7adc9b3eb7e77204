/**
 * `/checkpoints`: lists, creates, compares, restores and deletes checkpoints, for the owner. Creating and
 * deleting one changes no file, so each is only an entry of the audit log.
 *
 * @module
 */

import { resolvePath, ROOT, type StorePath } from '#core/path.ts'
import { ok, type Result } from '#core/result.ts'
import { quoteValue } from '#core/quote.ts'
import * as z from 'zod'
import type { CallerWorkspace } from '../access/workspace.ts'
import type { Audit } from '../audit/audit.ts'
import { BY_OWNER, noteDecision } from '../call/audit-note.ts'
import { describeComparison, findCheckpoint, stepsToCheckpoint } from '../changes/comparison.ts'
import type { Problem } from '../errors/problem.ts'
import type { Actor } from '../store/change-note.ts'
import type { Checkpoints } from '../store/store.ts'
import { readArguments } from '../tools/lib/arguments.ts'
import { checkpointName, toShownCheckpoint } from '../tools/lib/checkpoints.ts'
import { problem, refuse } from './files.ts'
import { notAllowed, readSentJson } from './json.ts'

/** The services that these routes use. */
export interface CheckpointsParts {
  readonly checkpoints: Checkpoints
  readonly audit: Audit
  readonly workspace: CallerWorkspace
  readonly actor: Actor
}

/** The path of one checkpoint, and of what can be done with it. */
const PLACE = /^\/([^/]+)(?:\/(difference|restore))?$/

const Creation = z.strictObject({ name: checkpointName })
const Restore = z.strictObject({ folder: z.string().optional() })

/** Serves `/checkpoints` and what is below it; `path` is the rest of the path. */
export async function serveCheckpoints(
  request: Request,
  path: string,
  parts: CheckpointsParts,
): Promise<Response> {
  if (path === '') return serveAll(request, parts)
  const [, id = '', action] = PLACE.exec(path) ?? []
  if (id === '') return refuse(404, 'NOT_FOUND', `Not found: /checkpoints${path}`)
  if (action === 'difference') return compare(request, id, parts)
  if (action === 'restore') return restore(request, id, parts)
  return deleteOne(request, id, parts)
}

async function serveAll(request: Request, parts: CheckpointsParts): Promise<Response> {
  const { checkpoints, audit, actor } = parts
  if (request.method === 'GET')
    return Response.json({ checkpoints: checkpoints.list().map(toShownCheckpoint) })
  if (request.method !== 'POST') return notAllowed('GET, POST')
  const body = await readSentJson(request)
  if (!body.ok) return body.error
  const given = readArguments(Creation, body.value)
  if (!given.ok) return problem(given.error)
  const { name } = given.value
  const made = checkpoints.create(name, actor)
  if (!made.ok) return problem(made.error)
  const intent = `Create the checkpoint ${quoteValue(name)}`
  noteDecision({ actor, tool: 'create_checkpoint', intent, request: given.value }, audit)
  return Response.json(toShownCheckpoint(made.value), { status: 201 })
}

function deleteOne(request: Request, id: string, parts: CheckpointsParts): Response {
  const { checkpoints, audit, actor } = parts
  if (request.method !== 'DELETE') return notAllowed('DELETE')
  const deleted = checkpoints.delete(id)
  if (!deleted) return problem({ reason: 'no_checkpoint', name: id })
  const intent = `Delete the checkpoint ${quoteValue(deleted.name)}`
  noteDecision({ actor, tool: 'delete_checkpoint', intent, request: id }, audit)
  return new Response(null, { status: 204 })
}

async function compare(
  request: Request,
  id: string,
  { workspace: { store } }: CheckpointsParts,
): Promise<Response> {
  if (request.method !== 'GET') return notAllowed('GET')
  const { searchParams } = new URL(request.url)
  const from = findCheckpoint(store, id)
  if (!from.ok) return problem(from.error)
  const wanted = searchParams.get('to')
  const to = wanted === null ? ok(null) : findCheckpoint(store, wanted)
  if (!to.ok) return problem(to.error)
  const folder = readFolder(searchParams.get('folder'))
  if (!folder.ok) return problem(folder.error)
  const comparison = { from: from.value, to: to.value, folder: folder.value }
  return Response.json(await describeComparison(comparison, store))
}

async function restore(
  request: Request,
  id: string,
  { workspace, actor }: CheckpointsParts,
): Promise<Response> {
  if (request.method !== 'POST') return notAllowed('POST')
  // Without a body, everything is restored.
  const body = request.body ? await readSentJson(request) : ok({})
  if (!body.ok) return body.error
  const given = readArguments(Restore, body.value)
  if (!given.ok) return problem(given.error)
  const folder = readFolder(given.value.folder ?? null)
  if (!folder.ok) return problem(folder.error)
  const { store, access } = workspace
  const from = findCheckpoint(store, id)
  if (!from.ok) return problem(from.error)
  const basis = workspace.version()
  const steps = stepsToCheckpoint(store, { from: from.value, folder: folder.value }, access)
  if (!steps.ok) return problem(steps.error)
  const where = folder.value === ROOT ? 'all files' : quoteValue(folder.value)
  const intent = `Restore ${where} to the checkpoint ${quoteValue(from.value.name)}`
  const note = { tool: 'restore_checkpoint', intent, actor, decision: BY_OWNER }
  const applied = workspace.apply({ basis, steps: steps.value, note })
  if (!applied.ok) return problem(applied.error)
  const { version, id: change } = applied.value
  return Response.json({ id: change, version, count: steps.value.length })
}

function readFolder(text: string | null): Result<StorePath, Problem> {
  if (text === null) return ok(ROOT)
  const folder = resolvePath(text)
  if (folder.ok) return folder
  return { ok: false, error: { reason: 'bad_path', text, detail: folder.error } }
}
