/**
 * Changes files for the person: previews the call and applies exactly that preview, through the pipeline of every call.
 * So the rules hold, the history has it, and where the rules ask for a review the press that made it approves it
 * (`questions/own-approval.ts`). `test/host/console/files/editor.test.tsx` has the cases.
 *
 * @module
 */

import type { JsonRecord } from '#core/json.ts'
import { err, ok, type Result } from '#core/result.ts'
import { PREVIEW_META } from '#core/wire.ts'
import { errorCodeOf } from '../../consent/refusal.ts'
import type { Outcome } from '../../consent/types.ts'
import { changeOf } from '../../mcp/tool-facts.ts'
import { openConnection, revision, tools } from '../connect/connection.ts'
import { linkTo } from '../shell/route.ts'
import { callAsPerson } from '../tools/calls.ts'
import { AnswerError, ToolError } from '../ui/errors.ts'
import { showToast } from '../ui/toasts.tsx'

/** A change that was made, or that waits. */
export interface Made {
  readonly id: string
  readonly intent: string
  readonly waits: boolean
}

/** Why a change was not made. */
export interface NotMade {
  /** A code of the server, such as `VERSION_CONFLICT`; null without one. */
  readonly code: string | null
  readonly error: unknown
}

/** Makes a change. Nothing was changed if it fails. */
export async function makeChange(tool: string, args: JsonRecord): Promise<Result<Made, NotMade>> {
  try {
    const preview = await call(tool, args, { preview: true })
    if (!preview.ok) return preview
    const applied = await call(tool, args, { [PREVIEW_META]: preview.value.id })
    // Others changed something in between: a new preview says whether this still fits.
    const isStale = !applied.ok && applied.error.code === 'PREVIEW_STALE'
    return isStale ? await retry(tool, args) : note(applied)
  } catch (error) {
    return err({ code: null, error })
  }
}

async function retry(tool: string, args: JsonRecord): Promise<Result<Made, NotMade>> {
  const preview = await call(tool, args, { preview: true })
  if (!preview.ok) return preview
  return note(await call(tool, args, { [PREVIEW_META]: preview.value.id }))
}

async function call(
  tool: string,
  args: JsonRecord,
  meta: JsonRecord,
): Promise<Result<Made, NotMade>> {
  const found = tools.value.find(({ name }) => name === tool)
  if (!found) return err({ code: null, error: failure('This server has no such tool.') })
  return readOutcome(await callAsPerson(openConnection(), found, args, { meta }))
}

function readOutcome({ status, result }: Outcome): Result<Made, NotMade> {
  if (status !== 'done' || result === null)
    return err({ code: null, error: failure('The change was not made.') })
  if (result.isError) return err({ code: errorCodeOf(result), error: new ToolError(result) })
  const change = changeOf(result)
  if (change === null) return err({ code: null, error: failure('The server reported no change.') })
  return ok({ id: change.id, intent: change.intent, waits: change.waits })
}

const failure = (message: string) => new AnswerError(message, 0)

/** Reloads what shows the change, and says that it waits if it does. */
function note(made: Result<Made, NotMade>): Result<Made, NotMade> {
  if (!made.ok) return made
  revision.value++
  if (made.value.waits)
    showToast(`Waits for your approval: ${made.value.intent}`, {
      tone: 'info',
      href: linkTo(['waiting']),
      linkText: 'Review and decide',
    })
  return made
}
