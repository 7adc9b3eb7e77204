/**
 * The form of the page, which is a tool: an agent fills it in, and the person submits it.
 *
 * @module
 */

import { find, toText } from './dom.ts'

/** A submission of a page with WebMCP. */
interface AgentSubmit extends SubmitEvent {
  readonly agentInvoked?: boolean
  readonly respondWith?: (answer: Promise<string>) => void
}

/** Answers submissions of the form. */
export function startForm(): void {
  const form = find('booking')
  form.addEventListener('submit', (event: AgentSubmit) => {
    event.preventDefault()
    if (!(form instanceof HTMLFormElement)) return
    const [name, people] = [...new FormData(form).values()]
    const text = `A tasting for ${toText(people)} is booked, ${toText(name)}.`
    find('booked').textContent = text
    if (event.agentInvoked) event.respondWith?.(Promise.resolve(text))
  })
  form.addEventListener('reset', () => (find('booked').textContent = ''))
}
