/**
 * `/checkpoints`: lists, creates, compares, restores and deletes checkpoints, for the owner. Creating and
 * deleting one changes no file, so each is only an entry of the audit log.
 *
 * @module
 */

import { resolvePath, ROOT, type StorePath } from '#core/path.ts'
import { ok, type Result } from '#core/result.ts'
import { quoteValue } from '#core/quote.ts'
import * as z from 'zod/mini'
import { BY_OWNER } from '../audit/decision-note.ts'
import { describeComparison, findCheckpoint, stepsToCheckpoint } from '../changes/comparison.ts'
import type { Problem } from '../errors/problem.ts'
import { checkpointName, toShownCheckpoint } from '../tools/lib/checkpoints.ts'
import { problem } from '../errors/respond.ts'
import {
  defineOwnerAct,
  defineOwnerActWith,
  type Asked,
  type OwnerAct,
  type OwnerServices,
} from './act.ts'
import * as fields from './fields.ts'

const Creation = z.strictObject({ name: checkpointName })
const Restore = z.strictObject({ folder: z.optional(fields.text) })

/** Without a body, everything is restored. */
export const CHECKPOINT_ACTS: readonly OwnerAct[] = [
  defineOwnerAct('list_checkpoints', ({ answer }, { checkpoints }) =>
    answer({ checkpoints: checkpoints.list().map(toShownCheckpoint) }),
  ),
  defineOwnerActWith('create_checkpoint', { input: Creation, run: create }),
  defineOwnerAct('delete_checkpoint', remove),
  defineOwnerAct('compare_checkpoint', compare),
  defineOwnerActWith('restore_checkpoint', { input: Restore, isBodyOptional: true, run: restore }),
]

function create(
  { input, decider, note, answer }: Asked<'create_checkpoint', z.infer<typeof Creation>>,
  { checkpoints }: OwnerServices,
): Response {
  const { name } = input
  const made = checkpoints.create(name, decider.actor)
  if (!made.ok) return problem(made.error)
  const intent = `Create the checkpoint ${quoteValue(name)}`
  note({ tool: 'create_checkpoint', intent, request: input })
  return answer(toShownCheckpoint(made.value), { status: 201 })
}

function remove(
  { segment, note, answer }: Asked<'delete_checkpoint'>,
  { checkpoints }: OwnerServices,
): Response {
  const id = segment('checkpoint')
  const deleted = checkpoints.delete(id)
  if (!deleted) return problem({ reason: 'no_checkpoint', name: id })
  const intent = `Delete the checkpoint ${quoteValue(deleted.name)}`
  note({ tool: 'delete_checkpoint', intent, request: id })
  return answer(null)
}

async function compare(
  { segment, query, answer }: Asked<'compare_checkpoint'>,
  { openWhole }: OwnerServices,
): Promise<Response> {
  const { store } = openWhole()
  const from = findCheckpoint(store, segment('checkpoint'))
  if (!from.ok) return problem(from.error)
  const wanted = query.get('to')
  const to = wanted === null ? ok(null) : findCheckpoint(store, wanted)
  if (!to.ok) return problem(to.error)
  const folder = readFolder(query.get('folder'))
  if (!folder.ok) return problem(folder.error)
  const comparison = { from: from.value, to: to.value, folder: folder.value }
  return answer({ ...(await describeComparison(comparison, store)) })
}

function restore(
  asked: Asked<'restore_checkpoint', z.infer<typeof Restore>>,
  { openWhole }: OwnerServices,
): Response {
  const { input, segment, decider, answer } = asked
  const folder = readFolder(input.folder ?? null)
  if (!folder.ok) return problem(folder.error)
  const workspace = openWhole()
  const { store, access } = workspace
  const from = findCheckpoint(store, segment('checkpoint'))
  if (!from.ok) return problem(from.error)
  const basis = workspace.version()
  const steps = stepsToCheckpoint(store, { from: from.value, folder: folder.value }, access)
  if (!steps.ok) return problem(steps.error)
  const where = folder.value === ROOT ? 'all files' : quoteValue(folder.value)
  const intent = `Restore ${where} to the checkpoint ${quoteValue(from.value.name)}`
  const { actor } = decider
  const note = { tool: 'restore_checkpoint', intent, actor, decision: BY_OWNER }
  const applied = workspace.apply({ basis, steps: steps.value, note })
  if (!applied.ok) return problem(applied.error)
  const { version, id: change } = applied.value
  return answer({ id: change, version, count: steps.value.length })
}

function readFolder(text: string | null): Result<StorePath, Problem> {
  if (text === null) return ok(ROOT)
  const folder = resolvePath(text)
  if (folder.ok) return folder
  return { ok: false, error: { reason: 'bad_path', text, detail: folder.error } }
}
