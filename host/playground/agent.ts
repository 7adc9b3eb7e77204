/**
 * A consumer of the page's tools: it lists them, calls some in turn, and stops when the person denies one.
 *
 * @module
 */

import { call, list } from '#polyfill/consumer.ts'
import { el, find, toText } from './dom.ts'

type Step = readonly [tool: string, input: object]

const TASKS: Readonly<Record<string, readonly Step[]>> = {
  'Buy two packets of tea': [
    ['find_teas', { max_price: 10 }],
    ['set_headline', { text: 'Teas for a rainy day' }],
    ['change_cart', { tea: 'sencha', count: 2 }],
    ['pay', { method: 'card' }],
  ],
  'Book a tasting': [['book_tasting', { name: 'Ada', people: 2, tea: 'oolong' }]],
}

/** Draws a button for each task. */
export function startAgent(): void {
  const buttons = Object.entries(TASKS).map(([name, steps], index) => {
    const button = el('button', index === 0 ? { class: 'primary' } : {}, [name])
    button.addEventListener('click', () => void work(steps))
    return button
  })
  find('tasks').append(...buttons)
}

let current = new AbortController()

/** Calls the tools of a task; a task that is still at work is cancelled. */
async function work(steps: readonly Step[]): Promise<void> {
  current.abort()
  current = new AbortController()
  const { signal } = current
  find('log').replaceChildren()
  for (const [name, input] of steps) {
    const row = el('li', { class: 'waits' }, [
      el('code', {}, [`${name}(${JSON.stringify(input)})`]),
      el('span', {}, ['waits …']),
    ])
    find('log').append(row)
    const { state, text } = await runStep(name, input, signal)
    row.className = state
    row.lastElementChild?.replaceChildren(text)
    if (state !== 'ran') return
  }
}

async function runStep(name: string, input: object, signal: AbortSignal) {
  try {
    const tool = (await list()).find((one) => one.name === name)
    if (!tool) return { state: 'failed', text: `There is no tool ${name}` }
    return { state: 'ran', text: toText(await call(tool, input, { signal })) }
  } catch (error) {
    const isDenied = error instanceof DOMException && error.name === 'NotAllowedError'
    const reason = error instanceof Error ? error.message : String(error)
    return { state: isDenied ? 'denied' : 'failed', text: isDenied ? 'You denied it.' : reason }
  }
}
