/**
 * A form for the time of a case, and what can be done with it.
 *
 * @module
 */

import type { Tool } from '../../../../polyfill/types.ts'
import { type Page, settled } from './case.ts'

export interface FormPage extends Page {
  readonly form: HTMLFormElement
  /** What has happened to the form and to the context, in order. */
  readonly log: string[]
  /** The form's tool, once there is one. */
  tool(): Promise<Tool>
  /** Calls it: what comes out, or the name of what goes wrong. */
  run(input?: object, signal?: AbortSignal): Promise<unknown>
  /** A control by its name. */
  field(name: string): HTMLInputElement
}

const FRAME = '<iframe name="sink" hidden></iframe>'

/** A case with a form of this content, which submits into a frame if it submits. */
export const withForm =
  (html: string, attributes: Record<string, string>, run: (page: FormPage) => unknown) =>
  async (page: Page): Promise<unknown> => {
    const place = document.createElement('div')
    const given = { target: 'sink', id: 'f', toolname: 'form', tooldescription: 'A form' }
    const text = Object.entries({ ...given, ...attributes }).map(
      ([key, value]) => `${key}="${value}"`,
    )
    place.innerHTML = `${FRAME}<form ${text.join(' ')}>${html}<button>Go</button></form>`
    const form = place.querySelector('form')
    if (!form) throw new Error('The form has no form')
    document.body.append(place)
    const log: string[] = []
    const over = note(page, form, log)
    const made = Object.assign(page, methods(page, form), { form, log })
    try {
      return await run(made)
    } finally {
      over.abort()
      place.remove()
      await settled(20)
    }
  }

function methods(page: Page, form: HTMLFormElement) {
  const tool = async (): Promise<Tool> => {
    for (let turn = 0; turn < 50; turn++) {
      const found = (await page.context.getTools()).find(({ name }) => name === 'form')
      if (found) return found
      await settled(5)
    }
    throw new Error('The form has become no tool')
  }
  return {
    tool,
    run: async (input?: object, signal?: AbortSignal): Promise<unknown> =>
      page.context
        .executeTool(await tool(), input, signal ? { signal } : {})
        .catch((error: unknown) => ({ fails: error instanceof DOMException ? error.name : error })),
    field: (name: string) => form.elements.namedItem(name) as HTMLInputElement,
  }
}

function note({ context }: Page, form: HTMLFormElement, log: string[]): AbortController {
  const over = new AbortController()
  const { signal } = over
  const name = ({ target }: Event) => (target instanceof Element ? target.getAttribute('name') : '')
  for (const type of ['input', 'change', 'focusin', 'click'])
    form.addEventListener(type, (event) => log.push(`${type} ${name(event) ?? '-'}`), { signal })
  form.addEventListener(
    'submit',
    (event) => log.push(`submit ${String(Reflect.get(event, 'agentInvoked'))}`),
    { signal, capture: true },
  )
  for (const type of ['toolactivated', 'toolcancel'])
    context.addEventListener(type, () => log.push(type), { signal })
  return over
}

/** Prevents submissions and responds to them. */
export function respondTo(form: HTMLFormElement, response: unknown): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    Reflect.apply(Reflect.get(event, 'respondWith'), event, [response])
  })
}
