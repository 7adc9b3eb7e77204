/**
 * Form tools: holds an agent's submission until the user has allowed it.
 *
 * A form has no `execute` to wrap. Its submit event is therefore intercepted before the page sees
 * it and answered with a promise, and after an approval the form is submitted again. The browser
 * still attributes that submission to the agent, so the page's handler, its response and a
 * navigation work as without the interception. A form that the user submits with a gesture of their
 * own needs no approval.
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

/** The form with an approved submission, while it is being submitted. */
let passing: HTMLFormElement | null = null

/**
 * Intercepts agents' submissions in this document and its shadow trees.
 *
 * @param guard Wraps the submission in the approval gate.
 * @param context The model context, which fires `toolcancel`.
 * @returns A function that stops intercepting.
 */
export function guardForms(guard: Guard, context: unknown): () => void {
  if (!natives) return () => {}
  const native = natives
  const isAgents = getter<Event, unknown>(SubmitEvent.prototype, 'agentInvoked')
  const respond = uncurried(read(SubmitEvent.prototype, 'respondWith') ?? isAgents) as Respond
  const controller = new AbortController()
  const { signal } = controller
  const options = bare({ capture: true, signal })
  // Events of the document reach the window as well, and must not be handled twice.
  const watch = (root: EventTarget) => {
    if (root !== document) native.listen(root, 'submit', caught, options)
  }
  // A submit event does not leave its shadow tree, so each tree gets a listener when it contains a
  // tool, at the latest when a control in it is filled in.
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
      await newPromise<void>((resolve) => native.later(resolve)) // after this submission has ended
      if (textOf(valuesOf(native, form, submitter)) !== textOf(values))
        throw exception('NotAllowedError', 'The form has changed since it was shown')
      passing = form
      native.requestSubmit(form, submitter)
      if (passing !== form) return newPromise(() => {}) // the page's own handler responds
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
      // The arguments of the call differ from the form's values, so the caller could not find the
      // denial by them.
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

/**
 * Creates the guard of polyfilled forms: asks before a form with `toolautosubmit` is filled in, and
 * lets that submission pass.
 */
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

/** Reports whether the agent only filled the form in and the user submits it. */
const isOwn = (native: Natives, form: HTMLFormElement) =>
  !native.hasAttribute(form, 'toolautosubmit') && native.isActive()
