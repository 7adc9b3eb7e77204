/**
 * Forms that are tools: an agent's submission is held until the person has allowed it.
 *
 * A form has no `execute` to wrap. So its submit event is caught before the page sees it, answered
 * with a promise, and after a yes the form is submitted again: the browser still takes that for the
 * agent's, so the page's own handler, its answer and a navigation come out as if nothing had been
 * between. A form that the person submits with a gesture of their own is theirs already.
 *
 * @module
 */

import { parseIntent } from '#core/intent/template.ts'
import {
  bare,
  create,
  isArray,
  locked,
  newPromise,
  plain,
  read,
  stringify,
  uncurried,
} from './builtins.ts'
import { denial } from './denials.ts'
import { getter, natives, type Natives } from './natives.ts'
import { isPolicy } from './policy.ts'
import type { Execute, Guard, ToolRecord } from './tool.ts'

type Respond = (event: Event, answer: Promise<unknown>) => void

/** The form whose submission has been allowed, while it is being submitted. */
let passing: HTMLFormElement | null = null

/** Holds agents' submissions in this document. Answers how to let go. */
export function guardForms(guard: Guard): () => void {
  if (!natives) return () => {}
  const native = natives
  const isAgents = getter<Event, unknown>(SubmitEvent.prototype, 'agentInvoked')
  const respond = uncurried(read(SubmitEvent.prototype, 'respondWith') ?? isAgents) as Respond
  const controller = new AbortController()
  const { signal } = controller
  native.listen(window, 'submit', caught, bare({ capture: true, signal }))
  return () => controller.abort()

  function caught(event: Event): void {
    if (!isAgents(event)) return
    const form = native.target(event) as HTMLFormElement
    const isPassing = passing === form
    if (isPassing) passing = null
    if (isPassing || isOwn(native, form)) return
    native.prevent(event)
    native.stop(event)
    respond(event, locked(held(native, guard, form, native.submitter(event))))
  }
}

async function held(
  native: Natives,
  guard: Guard,
  form: HTMLFormElement,
  submitter: HTMLElement | null,
): Promise<unknown> {
  const submit: Execute = async (values) => {
    await newPromise<void>((resolve) => native.later(resolve)) // until this submission is over
    if (textOf(valuesOf(native, form, submitter)) !== textOf(values))
      throw new DOMException('The form has changed since it was shown', 'NotAllowedError')
    passing = form
    native.requestSubmit(form, submitter)
    if (passing !== form) return newPromise(() => {}) // the answer is now that of the page
    passing = null
    throw new DOMException('The form is not valid', 'InvalidStateError')
  }
  const cancelled = new AbortController()
  const tool = recordOf(native, form)
  const stop = (event: Event) => {
    if (Reflect.get(event, 'toolName') === tool.name) cancelled.abort()
  }
  const context: unknown = Reflect.get(document, 'modelContext')
  if (context instanceof EventTarget) context.addEventListener('toolcancel', stop)
  try {
    return await guard(submit, tool)(valuesOf(native, form, submitter), {
      signal: cancelled.signal,
    })
  } catch (error) {
    // The call had other words than the form, by which its caller would not find the refusal.
    if (error instanceof DOMException && error.name === 'NotAllowedError')
      throw denial(tool.name, null, error.message)
    throw error
  } finally {
    if (context instanceof EventTarget) context.removeEventListener('toolcancel', stop)
  }
}

const textOf = (values: unknown) => stringify(plain(values))

/** Asks before the polyfill fills a form in that it will submit, and lets that submission pass. */
export function askForForms(guard: Guard) {
  return (
    { form }: { form: HTMLFormElement },
    input: object,
    signal: AbortSignal,
    run: (input: object) => Promise<unknown>,
  ): Promise<unknown> => {
    if (!natives?.has(form, 'toolautosubmit')) return run(input)
    const execute: Execute = (values) => {
      passing = form
      try {
        return run(values as object)
      } finally {
        passing = null
      }
    }
    return guard(execute, recordOf(natives, form))(input, { signal }) as Promise<unknown>
  }
}

/** Filled by an agent, submitted by the person. */
const isOwn = (native: Natives, form: HTMLFormElement) =>
  !native.has(form, 'toolautosubmit') && native.isActive()

/** What a form says of itself. What it says wrongly counts as not said, so it is asked about. */
function recordOf(native: Natives, form: HTMLFormElement): ToolRecord {
  const said = (name: string) => native.read(form, name) ?? ''
  const hint = said('toolhumanintheloophint')
  const template = said('toolintenttemplate')
  return {
    name: said('toolname'),
    title: said('tooltitle'),
    description: said('tooldescription'),
    schema: native.actionOf(form),
    annotations: bare({
      ...(isPolicy(hint) && { humanInTheLoopHint: hint }),
      ...(template !== '' && { intentTemplate: template }),
    }),
    intent: template === '' ? null : parseIntent(native.cut(template, 0, 2_000)),
    preview: null,
  }
}

/** What the form would send, as a person can read it. */
function valuesOf(
  native: Natives,
  form: HTMLFormElement,
  submitter: HTMLElement | null,
): Record<string, unknown> {
  const values: Record<string, unknown> = create(null)
  native.eachField(new native.Fields(form, submitter), (value, name) => {
    const text = typeof value === 'string' ? value : value.name
    const before = values[name]
    if (isArray(before)) before[before.length] = text
    else values[name] = before === undefined ? text : [before, text]
  })
  return values
}
