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
import { ask, type ApprovalRequest, type Choice } from './approver.ts'
import { create, locked, parse, plain, read, stringify } from './builtins.ts'
import { denial } from './denials.ts'
import { whileAnswerable } from './frames.ts'
import { note, recall, remember, type AuditEntry } from './memory.ts'
import { effectivePolicy, type Policy } from './policy.ts'
import { surface } from './surface.ts'
import { type Execute, type ExecuteOptions, type Guard, type ToolRecord } from './tool.ts'
import { untilAborted } from './wait.ts'

/**
 * Approval levels of the site and of the user. They can only raise the level that a tool declares.
 */
export interface GateOptions {
  /** Minimum level that the site sets for all tools. */
  readonly policy?: Policy | undefined
  /** Minimum level that the user sets for all tools. */
  readonly userPolicy?: Policy | undefined
  /** Days for which an approval can be remembered; 30 by default, 0 to not offer it. */
  readonly rememberDays?: number | undefined
}

/** Time limit of a preview in milliseconds. */
export const PREVIEW_MS = 30_000

const REMEMBER_DAYS = 30

/** Creates the wrapper that makes every `execute` ask for approval first. */
export function createGuard({ policy, userPolicy, rememberDays }: GateOptions): Guard {
  return (execute, tool) => {
    const level = () => effectivePolicy(tool, policy ?? 'none', userPolicy ?? 'none')
    if (level() !== 'none') void surface() // loaded early, because it takes a moment
    return (input, options = {}) => {
      if (level() !== 'none')
        return locked(
          guarded(execute, { tool, input, options, policy: level(), days: rememberDays }),
        )
      void note({ tool: tool.name, policy: 'none', intent: '', outcome: 'ran', by: 'policy' })
      return execute(input, options)
    }
  }
}

interface Call {
  readonly tool: ToolRecord
  readonly input: unknown
  readonly options: ExecuteOptions
  readonly policy: Policy
  readonly days: number | undefined
}

async function guarded(execute: Execute, call: Call): Promise<unknown> {
  const { signal = new AbortController().signal } = call.options
  const answerable = whileAnswerable(call.tool.name, signal)
  try {
    return await locked(asked(execute, call, answerable.signal))
  } finally {
    answerable.abort()
  }
}

async function asked(
  execute: Execute,
  { tool, input, options, policy, days }: Call,
  signal: AbortSignal,
): Promise<unknown> {
  const text = stringify(input ?? {})
  const face = await surface()
  const intent = (tool.intent && face?.renderIntent(tool.intent, parse(text))) ?? null
  const request = requestOf(tool, { input: text, intent, policy, days: days ?? REMEMBER_DAYS })
  const run = (preview?: unknown) => {
    signal.throwIfAborted()
    return execute(parse(text), preview === undefined ? options : { ...options, preview })
  }
  if (policy === 'notify') {
    face?.tell(request)
    record(request, 'ran', 'policy')
    return run()
  }

  const definition = definitionOf(tool)
  const known = await locked(knownFor(request, definition))
  if (known) {
    record(request, 'ran', known)
    return run()
  }
  const preview = await locked(previewOf(tool, text, signal))
  // A preview that reports an error is returned as the result of the call.
  if (isObject(preview) && read(preview, 'isError') === true) return preview
  await permission({ ...request, preview }, definition, signal)
  return run(preview)
}

type Asked = Pick<ApprovalRequest, 'input' | 'intent' | 'policy' | 'days'>

function requestOf(tool: ToolRecord, asked: Asked): ApprovalRequest {
  const { name, title, description, annotations } = tool
  return {
    ...asked,
    tool: name,
    title,
    description,
    origin: location.origin,
    choices: choicesFor(annotations.consequentialHint === true, asked.days),
  }
}

/** Consequential calls cannot be remembered: the user decides each time. */
function choicesFor(isConsequential: boolean, days: number): readonly Choice[] {
  if (isConsequential) return ['once']
  return days > 0 ? ['once', 'session', 'days'] : ['once', 'session']
}

/** Definitions of tools that the user has allowed until the page closes. */
const allowed: Record<string, true> = create(null)

async function knownFor({ choices, tool }: ApprovalRequest, definition: string) {
  if (choices.length < 2) return null
  if (allowed[definition]) return 'session'
  return choices.length > 2 && (await locked(recall(tool, await hashOf(definition))))
    ? 'remembered'
    : null
}

async function previewOf({ preview }: ToolRecord, input: string, aborted: AbortSignal) {
  if (!preview) return undefined
  const signal = AbortSignal.any([aborted, AbortSignal.timeout(PREVIEW_MS)])
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
export function permission(
  request: ApprovalRequest,
  definition: string,
  signal: AbortSignal,
): Promise<void> {
  return locked(permitted(request, definition, signal))
}

async function permitted(request: ApprovalRequest, definition: string, signal: AbortSignal) {
  const { tool, input, days } = request
  const verdict = await locked(verdictOn(request, signal))
  if ('refused' in verdict) {
    record(request, 'refused', 'policy')
    throw denial(tool, input, `${tool} did not run: ${verdict.refused}`)
  }
  const { choice, by } = verdict
  record(request, choice ? 'ran' : 'denied', by)
  if (!choice) throw denial(tool, input, `${tool} did not run: the person said no`)
  if (choice === 'session') allowed[definition] = true
  if (choice === 'days') await remember(tool, await hashOf(definition), days)
}

async function verdictOn(request: ApprovalRequest, signal: AbortSignal) {
  try {
    return await ask(request, signal)
  } catch (error) {
    record(request, 'aborted', 'policy')
    throw error
  }
}

function record(
  { tool, policy, intent }: ApprovalRequest,
  outcome: AuditEntry['outcome'],
  by: AuditEntry['by'],
): void {
  void note({ tool, policy, intent: intent?.text.slice(0, 500) ?? '', outcome, by })
}

/** Serialises all declarations of a tool. A tool with any change counts as another tool. */
const definitionOf = ({ name, title, description, schema, annotations }: ToolRecord) =>
  stringify(plain([name, title, description, schema, annotations]))

/** Hashes a definition for the store: SHA-256 in base64. It saves space; it is not a secret. */
async function hashOf(definition: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(definition))
  return btoa(String.fromCharCode(...new Uint8Array(hash)))
}
