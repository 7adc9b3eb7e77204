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
import { denial } from './denials.ts'
import { isPolicy } from './policy.ts'
import type { Execute, Guard, ToolRecord } from './tool.ts'

interface AgentSubmit extends SubmitEvent {
  readonly agentInvoked?: boolean
  respondWith?(answer: Promise<unknown>): void
}

/** Holds agents' submissions in this document. Answers how to let go. */
export function guardForms(guard: Guard): () => void {
  const passing = new Set<HTMLFormElement>()
  const controller = new AbortController()
  const { signal } = controller
  addEventListener('submit', caught, { capture: true, signal })
  return () => controller.abort()

  function caught(event: AgentSubmit): void {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || !event.agentInvoked || !event.respondWith) return
    if (passing.delete(form) || isOwn(form)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    event.respondWith(held(form, event.submitter))
  }

  async function held(form: HTMLFormElement, submitter: HTMLElement | null): Promise<unknown> {
    const submit: Execute = async (values) => {
      await new Promise((resolve) => setTimeout(resolve)) // until this submission is over
      if (JSON.stringify(valuesOf(form, submitter)) !== JSON.stringify(values))
        throw new DOMException('The form has changed since it was shown', 'NotAllowedError')
      passing.add(form)
      form.requestSubmit(submitter)
      if (passing.delete(form)) throw new DOMException('The form is not valid', 'InvalidStateError')
      // The answer is now that of the page, to the submission that it saw.
      return new Promise(() => {})
    }
    const cancelled = new AbortController()
    const tool = recordOf(form)
    const stop = (event: Event) => {
      if (Reflect.get(event, 'toolName') === tool.name) cancelled.abort()
    }
    const context: unknown = Reflect.get(document, 'modelContext')
    if (context instanceof EventTarget) context.addEventListener('toolcancel', stop)
    try {
      return await guard(submit, tool)(valuesOf(form, submitter), { signal: cancelled.signal })
    } catch (error) {
      // The call had other words than the form, by which its caller would not find the refusal.
      if (error instanceof DOMException && error.name === 'NotAllowedError')
        throw denial(tool.name, null, error.message)
      throw error
    } finally {
      if (context instanceof EventTarget) context.removeEventListener('toolcancel', stop)
    }
  }
}

/** Asks before the polyfill fills a form in that it will submit. */
export function askForForms(guard: Guard) {
  return async ({ form }: { form: HTMLFormElement }, input: object, signal: AbortSignal) => {
    if (form.hasAttribute('toolautosubmit'))
      await guard(() => undefined, recordOf(form))(input, { signal })
  }
}

/** Filled by an agent, submitted by the person. */
const isOwn = (form: HTMLFormElement) =>
  !form.hasAttribute('toolautosubmit') && navigator.userActivation?.isActive !== false

/** What a form says of itself. What it says wrongly counts as not said, so it is asked about. */
function recordOf(form: HTMLFormElement): ToolRecord {
  const said = (name: string) => form.getAttribute(name) ?? ''
  const hint = said('toolhumanintheloophint')
  const template = said('toolintenttemplate')
  return {
    name: said('toolname'),
    title: said('tooltitle'),
    description: said('tooldescription'),
    schema: form.action,
    annotations: {
      ...(isPolicy(hint) && { humanInTheLoopHint: hint }),
      ...(template !== '' && { intentTemplate: template }),
    },
    intent: template === '' ? null : parseIntent(template.slice(0, 2_000)),
    preview: null,
  }
}

/** What the form would send, as a person can read it. */
function valuesOf(form: HTMLFormElement, submitter: HTMLElement | null): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null)
  for (const [name, value] of new FormData(form, submitter)) {
    const text = typeof value === 'string' ? value : value.name
    const before = values[name]
    values[name] = before === undefined ? text : [before, text].flat()
  }
  return values
}
