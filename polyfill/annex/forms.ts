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

import { exception } from '../exception.ts'
import { bare, locked, newPromise, plain, read, stringify, uncurried } from './builtins.ts'
import { denial } from './denials.ts'
import { recordOf, valuesOf } from './form-record.ts'
import { getter, natives, type Natives } from './natives.ts'
import type { Execute, Guard } from './tool.ts'

type Respond = (event: Event, answer: Promise<unknown>) => void

/** The form whose submission has been allowed, while it is being submitted. */
let passing: HTMLFormElement | null = null

/** Holds agents' submissions in this document. Answers how to let go. */
export function guardForms(guard: Guard, context: unknown): () => void {
  if (!natives) return () => {}
  const native = natives
  const isAgents = getter<Event, unknown>(SubmitEvent.prototype, 'agentInvoked')
  const respond = uncurried(read(SubmitEvent.prototype, 'respondWith') ?? isAgents) as Respond
  const controller = new AbortController()
  const { signal } = controller
  const options = bare({ capture: true, signal })
  // The document's own are met at the window, and must not be met twice.
  const watch = (root: EventTarget) => {
    if (root !== document) native.listen(root, 'submit', caught, options)
  }
  // A submission does not leave its shadow tree, so each is watched, once there is a tool in it, and
  // at the latest when a control in it is filled in.
  let timer = 0
  const look = () => {
    native.never(timer)
    timer = native.later(watchShadows, 0, document, watch)
  }
  watch(window)
  native.listen(
    window,
    'input',
    (event) => {
      const field = native.composedPath(event)[0]
      if (field instanceof Node) watch(native.rootOf(field))
    },
    options,
  )
  const target = context instanceof EventTarget ? context : window
  native.listen(target, 'toolchange', look, options)
  look()
  return () => controller.abort()

  function caught(event: Event): void {
    if (!isAgents(event)) return
    const form = native.target(event) as HTMLFormElement
    const isPassing = passing === form
    if (isPassing) passing = null
    if (isPassing || isOwn(native, form)) return
    native.preventDefault(event)
    native.stopImmediatePropagation(event)
    respond(event, locked(held(form, native.submitter(event))))
  }

  async function held(form: HTMLFormElement, submitter: HTMLElement | null): Promise<unknown> {
    const submit: Execute = async (values) => {
      await newPromise<void>((resolve) => native.later(resolve)) // until this submission is over
      if (textOf(valuesOf(native, form, submitter)) !== textOf(values))
        throw exception('NotAllowedError', 'The form has changed since it was shown')
      passing = form
      native.requestSubmit(form, submitter)
      if (passing !== form) return newPromise(() => {}) // the answer is now that of the page
      passing = null
      throw exception('InvalidStateError', 'The form is not valid')
    }
    const cancelled = new AbortController()
    const tool = recordOf(native, form)
    const stop = (event: Event) => {
      if (read(event, 'toolName') === tool.name) cancelled.abort()
    }
    target.addEventListener('toolcancel', stop)
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
      target.removeEventListener('toolcancel', stop)
    }
  }
}

function watchShadows(root: Document | ShadowRoot, watch: (root: EventTarget) => void): void {
  for (const { shadowRoot } of root.querySelectorAll('*')) {
    if (!shadowRoot) continue
    watch(shadowRoot)
    watchShadows(shadowRoot, watch)
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
    if (!natives?.hasAttribute(form, 'toolautosubmit')) return run(input)
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
  !native.hasAttribute(form, 'toolautosubmit') && native.isActive()
