/**
 * Pending calls of form tools, which wait for their form to be submitted.
 *
 * A submit event belongs to the pending calls of its form: it has `agentInvoked`, and
 * `respondWith()` answers them. The outcome of a submission is known after its event has been
 * dispatched.
 *
 * @module
 */

import { exception } from '../exception.ts'
import { isObject } from '../idl.ts'
import { NAVIGATED } from '../model-context/execution.ts'
import { queueTask } from '../model-context/task.ts'
import { define, type Undo } from '../undo.ts'
import { markActive } from './marks.ts'

interface Invocation {
  readonly resolve: (result: unknown) => void
  readonly reject: (reason: unknown) => void
}

interface Submission {
  readonly form: HTMLFormElement
  response?: Promise<unknown>
  over: boolean
}

const waiting = new WeakMap<HTMLFormElement, Set<Invocation>>()
const submissions = new WeakMap<Event, Submission>()
/** Forms whose handler has called `form.submit()`. */
const submitted = new WeakSet<HTMLFormElement>()

/**
 * Runs an action that leads to a submission, and waits for the outcome.
 *
 * @param act Fills the form in and may submit it.
 * @returns The response, or {@link NAVIGATED}.
 */
export async function untilSubmitted(
  form: HTMLFormElement,
  signal: AbortSignal,
  act: () => void,
): Promise<unknown> {
  const invocations = waiting.get(form) ?? new Set()
  waiting.set(form, invocations)
  const { promise, ...invocation } = Promise.withResolvers<unknown>()
  const end = () => {
    invocations.delete(invocation)
    markActive(form, invocations.size > 0)
  }
  invocations.add(invocation)
  markActive(form, true)
  signal.addEventListener('abort', end)
  try {
    act()
    return await promise
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}

/** Rejects all pending calls of a form. `reason` is appended to the message. */
export function cancel(form: HTMLFormElement, reason: string): void {
  for (const { reject } of waiting.get(form) ?? [])
    reject(new Error(`Tool execution cancelled${reason}`))
}

/** Listens for submissions and resets below a root. */
export function watchSubmits(root: EventTarget, signal: AbortSignal): void {
  const options = { capture: true, signal }
  root.addEventListener('submit', (event) => begin(event), options)
  root.addEventListener(
    'reset',
    ({ target }) => {
      if (target instanceof HTMLFormElement) cancel(target, ' by a form reset')
    },
    options,
  )
}

function begin(event: Event): void {
  const { target: form } = event
  if (!(form instanceof HTMLFormElement) || !waiting.get(form)?.size) return
  const submission: Submission = { form, over: false }
  submissions.set(event, submission)
  submitted.delete(form)
  queueTask(() => {
    submission.over = true
    settle(submission, event.defaultPrevented)
  })
}

/**
 * Settles the calls of a submitted form: the last call filled it in, so earlier calls fail. A slow
 * response can be overtaken by a second submission.
 */
function settle({ form, response }: Submission, prevented: boolean): void {
  const invocations = [...(waiting.get(form) ?? [])]
  const last = invocations.pop()
  for (const { reject } of invocations)
    reject(new Error('Another call has filled the form in since'))
  if (response) void response.then(last?.resolve, last?.reject)
  else if (!prevented || submitted.has(form)) last?.resolve(NAVIGATED)
  else last?.reject(new Error('The submission was prevented, and nothing responded'))
}

/** Adds the WebMCP members of `SubmitEvent`; returns a function that removes them. */
export function patchSubmit(): Undo {
  const submit = Reflect.get(HTMLFormElement.prototype, 'submit') as () => void
  const undos = [
    define(SubmitEvent.prototype, {
      get agentInvoked() {
        return isObject(this) && submissions.has(this as Event)
      },
      respondWith(this: Event, response: unknown) {
        respond(this, response)
      },
    }),
    define(HTMLFormElement.prototype, {
      submit(this: HTMLFormElement) {
        submitted.add(this)
        submit.call(this)
      },
    }),
  ]
  return () => undos.forEach((undo) => undo())
}

function respond(event: Event, response: unknown): void {
  const submission = submissions.get(event)
  if (!submission || submission.over || submission.response || !event.defaultPrevented)
    throw exception('InvalidStateError', 'There is nobody to respond to, or no preventDefault()')
  submission.response = Promise.resolve(response)
  submission.response.catch(() => undefined)
}
