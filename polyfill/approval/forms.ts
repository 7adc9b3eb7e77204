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
import { keepActivation } from './activation.ts'
import { bare, copyPlain, newPromise, protect, read, serialise, uncurry } from './builtins.ts'
import { createDenial } from './same-origin-tools.ts'
import { readForm, type FormRecord } from './form-record.ts'
import { dropSubmits, isFilledIn, isPressed, watchGestures } from './form-gestures.ts'
import { captureGetter, intrinsics, type Intrinsics } from './intrinsics.ts'
import { keepResponse, type Respond } from './responses.ts'
import type { Guard } from './tool.ts'

/** An approved submission, while the form is being submitted. */
interface Passage {
  readonly form: HTMLFormElement
  /** Called with each submit event of the form, which the page otherwise handles. */
  readonly begin: (event: Event, respond: Respond) => void
}

let passing: Passage | null = null

/** What the interception of one document needs. */
interface Interception {
  readonly dom: Intrinsics
  /** Wraps the submission in the approval gate. */
  readonly guard: Guard
  /** Fires `toolcancel` and `toolchange`. */
  readonly target: EventTarget
}

/**
 * Intercepts agents' submissions in this document and its shadow trees.
 *
 * @param guard Wraps the submission in the approval gate.
 * @param context The model context, which fires `toolcancel`.
 * @returns A function that stops intercepting.
 */
export function guardForms(guard: Guard, context: unknown): () => void {
  if (!intrinsics) return () => {}
  const dom = intrinsics
  const target = context instanceof EventTarget ? context : window
  const intercept = createInterceptor({ dom, guard, target })
  const controller = new AbortController()
  const options = bare({ capture: true, signal: controller.signal })
  // Events of the document reach the window as well, and must not be handled twice.
  const watch = (root: EventTarget) => {
    if (root !== document) dom.listen(root, 'submit', intercept, options)
  }
  // A submit event does not leave its shadow tree, so each tree gets a listener when it contains a
  // tool, at the latest when a control in it is filled in.
  let timer = 0
  const look = () => {
    dom.clearInterval(timer)
    timer = dom.later(watchShadows, 0, document, watch)
  }
  const watchField = (event: Event) => {
    const field = dom.composedPath(event)[0]
    if (field instanceof Node) watch(dom.rootOf(field))
  }
  watch(window)
  watchGestures(dom, options)
  const undo = dom.isNative ? dropSubmits(dom, watch, options) : () => {}
  dom.listen(window, 'input', watchField, options)
  dom.listen(target, 'toolchange', look, options)
  look()
  return () => {
    controller.abort()
    undo()
  }
}

/** Creates the listener that answers an agent's submission with a promise. */
function createInterceptor(interception: Interception): (event: Event) => void {
  const { dom } = interception
  const invoked = captureGetter<Event, unknown>(SubmitEvent.prototype, 'agentInvoked')
  const respond = uncurry(read(SubmitEvent.prototype, 'respondWith') ?? invoked) as Respond
  const isAgents = (event: Event) => {
    try {
      return invoked(event)
    } catch {
      return false // a script has dispatched an event of another class
    }
  }
  const drop = (event: Event) => {
    dom.preventDefault(event)
    dom.stopImmediatePropagation(event)
  }
  return (event) => {
    const form = dom.target(event) as HTMLFormElement
    if (!isAgents(event)) return isFilledIn(form) ? drop(event) : undefined
    if (passing?.form === form) return passing.begin(event, respond)
    const answer = isOwn(dom, form)
      ? null
      : holdSubmission(interception, form, dom.submitter(event))
    if (!answer) return keepResponse(dom, event, respond)
    drop(event)
    respond(event, answer)
  }
}

/**
 * Passes a submission through the gate; `toolcancel` aborts it.
 *
 * @returns The response; null if the gate asks nothing, so that the browser goes on by itself.
 */
function holdSubmission(
  { dom, guard, target }: Interception,
  form: HTMLFormElement,
  submitter: HTMLElement | null,
): Promise<unknown> | null {
  let state: 'new' | 'passed' | 'held' | 'ended' = 'new'
  const act = () => {
    if (state === 'new') state = 'passed'
    else return submitAgain(dom, form, submitter)
  }
  const ended = () => (state === 'held' ? newPromise<void>((resolve) => dom.later(resolve)) : null)
  const name = dom.getAttribute(form, 'toolname')
  const look = () => readForm(dom, form, submitter)
  const answer = protect(
    untilCancelled(target, name, (signal) => runHeld(guard, look, { signal, act, ended })),
  )
  if (state !== 'new') return null
  state = 'held'
  dom.later(() => (state = 'ended'))
  return answer
}

/** Runs a call with a signal that `toolcancel` aborts. */
async function untilCancelled(
  target: EventTarget,
  name: string | null,
  run: (signal: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  const cancelled = new AbortController()
  const stop = (event: Event) => {
    if (read(event, 'toolName') === name) cancelled.abort()
  }
  target.addEventListener('toolcancel', stop)
  try {
    return await protect(run(cancelled.signal))
  } finally {
    target.removeEventListener('toolcancel', stop)
  }
}

/** A call of a form, which waits at the gate. */
interface HeldCall {
  readonly signal: AbortSignal
  /** Continues after the approval. */
  readonly act: () => unknown
  /** Settles when the submission that was held has ended; null if that is so. */
  readonly ended: () => Promise<void> | null
}

/**
 * Passes a form through the gate, which shows all values that it would submit.
 *
 * @param look Reads the form as it is.
 * @throws `NotAllowedError` if the form has meanwhile become another tool, sends elsewhere or has other
 *   values.
 */
async function runHeld(
  guard: Guard,
  look: () => FormRecord,
  { signal, act, ended }: HeldCall,
): Promise<unknown> {
  const tool = look()
  const shown = serialise(tool)
  const submit = () => {
    signal.throwIfAborted()
    if (serialise(look()) === shown) return act()
    throw exception('NotAllowedError', 'The form has changed')
  }
  const execute = () => {
    const end = ended()
    return end ? protect(submitAfter(end, tool.name, submit)) : submit()
  }
  try {
    return await guard(execute, tool)(copyPlain(tool.values), { signal })
  } catch (error) {
    // The caller's arguments differ from what was shown, so it could not find the denial by them.
    if (error instanceof DOMException && error.name === 'NotAllowedError')
      throw createDenial(tool.name, null, error.message)
    throw error
  }
}

/** Submits a form whose call needs no question; `toolactivated` may still be due. */
async function submitAfter(
  end: Promise<void>,
  tool: string,
  submit: () => unknown,
): Promise<unknown> {
  const start = keepActivation(tool)
  await end
  return start(submit)
}

/**
 * Submits a form with its submission passing.
 *
 * @returns The response of the page's own handler. It answers the submission that was held, too,
 *   because the form may be gone by then, and the browser has forgotten the second submission.
 */
function submitAgain(
  dom: Intrinsics,
  form: HTMLFormElement,
  submitter: HTMLElement | null,
): Promise<unknown> {
  let isSubmitted = false
  const answer = newPromise<unknown>((resolve) => {
    const begin = (event: Event, respond: Respond) => {
      isSubmitted = true
      keepResponse(dom, event, respond, resolve)
    }
    letPass({ form, begin }, () => dom.requestSubmit(form, submitter))
  })
  if (!isSubmitted) throw exception('InvalidStateError', 'The form is invalid')
  return answer
}

/** Lets a form's submissions pass while an action runs. */
function letPass<T>(passage: Passage, act: () => T): T {
  passing = passage
  try {
    return act()
  } finally {
    passing = null
  }
}

function watchShadows(root: Document | ShadowRoot, watch: (root: EventTarget) => void): void {
  for (const { shadowRoot } of root.querySelectorAll('*')) {
    if (!shadowRoot) continue
    watch(shadowRoot)
    watchShadows(shadowRoot, watch)
  }
}

/** Reports whether the agent only filled the form in and the user submits it. */
const isOwn = (dom: Intrinsics, form: HTMLFormElement) =>
  !dom.hasAttribute(form, 'toolautosubmit') && dom.isActive() && isPressed(form)
