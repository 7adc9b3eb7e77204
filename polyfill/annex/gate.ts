/**
 * The gate: what stands between a call and the tool, whichever way the call came.
 *
 * It is wrapped round `execute`, which every road ends in: a call from the page, from another frame,
 * from the browser's own agent, from developer tools. The arguments are taken down before anybody is
 * asked, and those run. What a preview cannot show is not run.
 *
 * @module
 */

import { ask, type ApprovalRequest, type Choice } from './approver.ts'
import { denial } from './denials.ts'
import { note, recall, remember, type AuditEntry } from './memory.ts'
import { effectivePolicy, type Policy } from './policy.ts'
import { surface } from './surface.ts'
import { isObject, type Execute, type ExecuteOptions, type Guard, type ToolRecord } from './tool.ts'
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
        return guarded(execute, { tool, input, options, policy: level(), days: rememberDays })
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

async function guarded(execute: Execute, { tool, input, options, policy, days }: Call) {
  const { signal = new AbortController().signal } = options
  const text = JSON.stringify(input ?? {})
  const face = await surface()
  const intent = (tool.intent && face?.renderIntent(tool.intent, JSON.parse(text))) ?? null
  const request = requestOf(tool, { input: text, intent, policy, days: days ?? REMEMBER_DAYS })
  const run = (preview?: unknown) => {
    signal.throwIfAborted()
    return execute(JSON.parse(text), preview === undefined ? options : { ...options, preview })
  }
  if (policy === 'notify') {
    face?.tell(request)
    record(request, 'ran', 'policy')
    return run()
  }

  const definition = await definitionOf(tool)
  const known = await knownFor(request, definition)
  if (known) {
    record(request, 'ran', known)
    return run()
  }
  const preview = await previewOf(tool, text, signal)
  // A preview that says what is wrong is what the call would have come to.
  if (isObject(preview) && Reflect.get(preview, 'isError') === true) return preview
  await permission({ ...request, preview }, definition, signal)
  return run(preview)
}

type Asked = Pick<ApprovalRequest, 'input' | 'intent' | 'policy' | 'days'>

function requestOf(tool: ToolRecord, asked: Asked): ApprovalRequest {
  const { name, title, description, annotations } = tool
  const forLonger: readonly Choice[] = asked.days > 0 ? ['session', 'days'] : ['session']
  // What cannot be taken back is asked about every time.
  const choices: readonly Choice[] = annotations.consequentialHint ? [] : forLonger
  return {
    ...asked,
    tool: name,
    title,
    description,
    origin: location.origin,
    choices: ['once', ...choices],
  }
}

/** What was allowed while this page is open. */
const allowed = new Set<string>()

async function knownFor({ choices, tool }: ApprovalRequest, definition: string) {
  if (!choices.includes('session')) return null
  if (allowed.has(definition)) return 'session'
  return choices.includes('days') && (await recall(tool, definition)) ? 'remembered' : null
}

async function previewOf({ preview }: ToolRecord, input: string, aborted: AbortSignal) {
  if (!preview) return undefined
  const signal = AbortSignal.any([aborted, AbortSignal.timeout(PREVIEW_MS)])
  const previewing = async () => preview(JSON.parse(input), { signal })
  return untilAborted(previewing(), signal)
}

/** Asks, remembers and records. Rejects unless it is a yes. */
export async function permission(
  request: ApprovalRequest,
  definition: string,
  signal: AbortSignal,
): Promise<void> {
  const verdict = await ask(request, signal).catch((reason: unknown) => {
    record(request, 'aborted', 'policy')
    throw reason
  })
  const { tool, input, days } = request
  if ('refused' in verdict) {
    record(request, 'refused', 'policy')
    throw denial(tool, input, `${tool} did not run: ${verdict.refused}`)
  }
  const { choice, by } = verdict
  record(request, choice ? 'ran' : 'denied', by)
  if (!choice) throw denial(tool, input, `${tool} did not run: the person said no`)
  if (choice === 'session') allowed.add(definition)
  if (choice === 'days') await remember(tool, definition, days)
}

function record(
  { tool, policy, intent }: ApprovalRequest,
  outcome: AuditEntry['outcome'],
  by: AuditEntry['by'],
): void {
  void note({ tool, policy, intent: intent?.text.slice(0, 500) ?? '', outcome, by })
}

/** All that a tool said of itself, in a few characters. A changed tool is another tool. */
async function definitionOf({ name, title, description, schema, annotations }: ToolRecord) {
  const said = JSON.stringify([name, title, description, schema, annotations])
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(said))
  return btoa(String.fromCharCode(...new Uint8Array(hash)))
}
