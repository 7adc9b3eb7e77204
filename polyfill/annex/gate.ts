/**
 * The gate: what stands between a call and the tool, whichever way the call came.
 *
 * It is wrapped round `execute`, which every road ends in: a call from the page, from another frame,
 * from the browser's own agent, from developer tools. The arguments are taken down before anybody is
 * asked, and those run. What a preview cannot show is not run.
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

/** What a site, or a person, asks for beyond what tools say. It can only tighten. */
export interface GateOptions {
  readonly policy?: Policy | undefined
  readonly userPolicy?: Policy | undefined
  /** Days for which a yes can be remembered; 0 to not offer it. */
  readonly rememberDays?: number | undefined
}

/** How long a preview may take. */
export const PREVIEW_MS = 30_000

const REMEMBER_DAYS = 30

/** Makes an `execute` that asks first. */
export function createGuard({ policy, userPolicy, rememberDays }: GateOptions): Guard {
  return (execute, tool) => {
    const level = () => effectivePolicy(tool, policy ?? 'none', userPolicy ?? 'none')
    if (level() !== 'none') void surface() // it will be needed, and takes a moment to load
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
  // A preview that says what is wrong is what the call would have come to.
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

/** What cannot be taken back is asked about every time. */
function choicesFor(isConsequential: boolean, days: number): readonly Choice[] {
  if (isConsequential) return ['once']
  return days > 0 ? ['once', 'session', 'days'] : ['once', 'session']
}

/** What was allowed while this page is open, by the definition of the tool. */
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

/** Asks, remembers and records. Rejects unless it is a yes. */
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

/** All that a tool said of itself. A changed tool is another tool. */
const definitionOf = ({ name, title, description, schema, annotations }: ToolRecord) =>
  stringify(plain([name, title, description, schema, annotations]))

/** The same in a few characters, for the store, in which a page can write anyway. */
async function hashOf(definition: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(definition))
  return btoa(String.fromCharCode(...new Uint8Array(hash)))
}
