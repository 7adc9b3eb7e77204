/**
 * The approval gate between a call and its tool.
 *
 * It wraps `execute`, which every call reaches: from the page, from another frame, from the
 * browser's agent, from developer tools. The arguments are serialised before the user is asked, and
 * the tool runs with exactly those. A call whose preview fails does not run.
 *
 * @module
 */

import { isObject } from '../idl.ts'
import { OWN_ORIGIN } from '../model-context/origin.ts'
import { ask, sealRequest, type ApprovalRequest, type Choice } from './approver.ts'
import { parse, protect, read, serialise, stringify, untilAborted } from './builtins.ts'
import { createDenial } from './same-origin-tools.ts'
import { abortWhenAbandoned } from './abandoned-calls.ts'
import { keepActivation, type Start } from './activation.ts'
import {
  appendAudit,
  hasApproval,
  readSensitiveLevel,
  storeApproval,
  type AuditEntry,
} from './approval-store.ts'
import { allowVisit, isAllowedVisit } from './visit-approvals.ts'
import type { ApprovalLevel } from '#core/approval.ts'
import { effectivePolicy, strictest } from './approval-level.ts'
import { loadDialog } from './dialog-loader.ts'
import { sensitiveLevel } from './sensitive.ts'
import { serverOf } from './server-of.ts'
import { type Execute, type ExecuteOptions, type Guard, type ToolRecord } from './tool.ts'

/**
 * Approval levels of the site and of the user. They can only raise the level that a tool declares.
 */
export interface GateOptions {
  /** Minimum level that the site sets for all tools. */
  readonly policy?: ApprovalLevel | undefined
  /** Minimum level that the user sets for all tools. */
  readonly userPolicy?: ApprovalLevel | undefined
  /**
   * Minimum level of tools that seem to pay, to send messages or to delete: `notify` by default. The user
   * can raise it in `<webmcp-approvals>`.
   */
  readonly sensitive?: 'notify' | 'review' | 'confirm' | undefined
  /** Days for which an approval can be remembered; 30 by default, 0 to not offer it. */
  readonly rememberDays?: number | undefined
}

/** The same as attributes declare them; an unknown level counts as `confirm`. */
interface DeclaredOptions extends Omit<GateOptions, 'policy' | 'userPolicy' | 'sensitive'> {
  readonly policy?: string | undefined
  readonly userPolicy?: string | undefined
  readonly sensitive?: string | undefined
}

/** Time limit of a preview in milliseconds. */
export const MAX_PREVIEW_MS = 30_000

/** Default of {@link GateOptions.rememberDays}. */
export const REMEMBER_DAYS = 30

/** Creates the wrapper that makes every `execute` ask for approval first. */
export function createGuard(declared: DeclaredOptions): Guard {
  const { policy: least, userPolicy, sensitive, rememberDays: days = REMEMBER_DAYS } = declared
  return (execute, tool) =>
    (input, options = {}) => {
      const floor = sensitiveLevel(tool, sensitive)
      const policy = effectivePolicy(tool, least, userPolicy, floor)
      if (policy !== 'none') {
        const start = keepActivation(tool.name)
        return protect(runGuarded(execute, { tool, input, options, policy, floor, days, start }))
      }
      record({ tool: tool.name, policy, intent: null }, 'ran', 'policy')
      return execute(input, options)
    }
}

interface Call {
  readonly tool: ToolRecord
  readonly input: unknown
  readonly options: ExecuteOptions
  /** The level of the tool, which the user's own for sensitive tools can raise. */
  readonly policy: ApprovalLevel
  /** The minimum level of a sensitive tool; `none` if it is not sensitive. */
  readonly floor: ApprovalLevel
  readonly days: number
  readonly start: Start
}

async function runGuarded(execute: Execute, call: Call): Promise<unknown> {
  const { signal = AbortSignal.any([]) } = call.options
  const controller = abortWhenAbandoned(call.tool.name, signal)
  try {
    return await protect(runApproved(execute, call, controller.signal))
  } finally {
    controller.abort()
  }
}

async function runApproved(
  execute: Execute,
  { tool, input, options, policy: least, floor, days, start }: Call,
  signal: AbortSignal,
): Promise<unknown> {
  const text = stringify(input ?? {})
  const dialog = await loadDialog()
  const policy = floor === 'none' ? least : strictest(least, await protect(readSensitiveLevel()))
  const intent = (tool.intent && dialog?.renderIntent(tool.intent, parse(text))) ?? null
  const request = createRequest(tool, { input: text, intent, policy, days })
  const run = (preview?: unknown) => {
    signal.throwIfAborted()
    return start(() =>
      execute(parse(text), preview === undefined ? options : { ...options, preview }),
    )
  }
  const definition = serialiseTool(tool, execute)
  const known =
    policy === 'notify' ? 'policy' : await protect(recallApproval(request, definition, floor))
  // Without the module nothing could inform the person, so that the call is refused below.
  if (known && dialog) {
    dialog.notify(request)
    record(request, 'ran', known)
    return run()
  }
  const preview = await protect(runPreview(tool, text, signal))
  // A preview that reports an error is returned as the result of the call.
  if (isObject(preview) && read(preview, 'isError') === true) return preview
  await requirePermission({ ...request, preview }, definition, signal)
  return run(preview)
}

type CallFacts = Pick<ApprovalRequest, 'input' | 'intent' | 'policy' | 'days'>

function createRequest(tool: ToolRecord, facts: CallFacts): ApprovalRequest {
  return sealRequest({
    ...facts,
    tool: tool.name,
    title: tool.title,
    description: tool.description,
    origin: OWN_ORIGIN,
    choices: offerChoices(facts),
  })
}

/** Only `review` can be remembered: at `confirm`, whatever declares it, the user decides each time. */
function offerChoices({ policy, days }: CallFacts): readonly Choice[] {
  if (policy !== 'review') return ['once']
  return days > 0 ? ['once', 'session', 'days'] : ['once', 'session']
}

/** An approval for all tools of the site leaves out the sensitive ones, which are allowed one by one. */
async function recallApproval(
  { choices, tool }: ApprovalRequest,
  definition: string,
  floor: ApprovalLevel,
) {
  if (choices.length < 2) return null
  if (isAllowedVisit(definition)) return 'session'
  if (choices.length < 3) return null
  const hash = await hashDefinition(definition)
  return (await protect(hasApproval(tool, hash, floor !== 'none'))) ? 'remembered' : null
}

async function runPreview({ preview }: ToolRecord, input: string, aborted: AbortSignal) {
  if (!preview) return undefined
  const signal = AbortSignal.any([aborted, AbortSignal.timeout(MAX_PREVIEW_MS)])
  return await untilAborted(preview(parse(input), { signal }), signal)
}

/**
 * Asks for approval, remembers the choice and writes the audit entry.
 *
 * @param request What the user decides about.
 * @param definition The serialised definition of the tool, under which an approval is remembered.
 * @param signal Aborts with the call.
 * @throws `NotAllowedError` on a denial or refusal; the signal's reason if it aborts.
 */
export function requirePermission(
  request: ApprovalRequest,
  definition: string,
  signal: AbortSignal,
): Promise<void> {
  return protect(decideAndRecord(request, definition, signal))
}

async function decideAndRecord(request: ApprovalRequest, definition: string, signal: AbortSignal) {
  const { tool, input, days } = request
  const deny = (reason: string) => createDenial(tool, input, `${tool} did not run: ${reason}`)
  const verdict = await protect(askForVerdict(request, signal))
  if ('refused' in verdict) {
    record(request, 'refused', 'policy')
    throw deny(verdict.refused)
  }
  const { choice, by } = verdict
  record(request, choice ? 'ran' : 'denied', by)
  if (!choice) throw deny('the user denied it')
  if (choice === 'session') allowVisit(definition, tool)
  if (choice === 'days') await storeApproval(tool, await hashDefinition(definition), days)
}

async function askForVerdict(request: ApprovalRequest, signal: AbortSignal) {
  try {
    return await ask(request, signal)
  } catch (error) {
    record(request, 'aborted', 'policy')
    throw error
  }
}

function record(
  { tool, policy, intent }: Pick<ApprovalRequest, 'tool' | 'policy' | 'intent'>,
  outcome: AuditEntry['outcome'],
  by: AuditEntry['by'],
): void {
  void appendAudit({ tool, policy, intent: intent?.text.slice(0, 500) ?? '', outcome, by })
}

/**
 * Serialises all declarations of a tool. A tool with any change counts as another tool. The values of a
 * form, its arguments, are no declarations.
 */
const serialiseTool = (tool: ToolRecord, execute: Execute) => {
  const { name, title, description, schema, outputSchema, annotations, exposedTo } = tool
  const server = serverOf(execute)
  return serialise([name, title, description, schema, outputSchema, annotations, exposedTo, server])
}

/** Hashes a definition for the store: SHA-256 in base64. It saves space; it is not a secret. */
async function hashDefinition(definition: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(definition))
  return btoa(String.fromCharCode(...new Uint8Array(hash)))
}
