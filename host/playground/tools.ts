/**
 * The tools as an agent sees them, each with arguments that can be edited and a button that calls it.
 *
 * @module
 */

import { call } from '#polyfill/consumer.ts'
import { exampleOf } from '#polyfill/devtools-panel/example.ts'
import { effectivePolicy } from '#polyfill/approval/approval-level.ts'
import type { ToolDescription } from '#polyfill/tool-description.ts'
import { el, find, toText } from './dom.ts'

const MEANINGS = {
  none: 'runs',
  notify: 'runs, and tells you',
  review: 'shows you its preview first',
  confirm: 'asks you each time',
} as const

/** Draws the tools. */
export function drawTools(tools: readonly ToolDescription[]): void {
  find('count').textContent = String(tools.length)
  const isOpen = new Set([...find('tools').querySelectorAll('details[open]')].map((row) => row.id))
  const rows = tools.map(drawTool)
  for (const row of rows) row.open = isOpen.has(row.id)
  find('tools').replaceChildren(...rows)
}

function drawTool(tool: ToolDescription): HTMLDetailsElement {
  const { name, title, description, inputSchema } = tool
  const level = effectivePolicy({ annotations: tool.annotations })
  const input = el('textarea', {
    rows: '3',
    spellcheck: 'false',
    'aria-label': `Arguments of ${name}`,
  })
  input.value = JSON.stringify(exampleOf(inputSchema), null, 2)
  const result = el('output')
  const form = el('form', {}, [input, el('button', { class: 'primary' }, ['Call']), result])
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    result.value = 'Waits …'
    void run(tool, input.value).then((text) => (result.value = text))
  })
  return el('details', { class: 'tool', id: `tool-${name}` }, [
    el('summary', {}, [
      el('code', {}, [name]),
      el('span', { class: `badge ${level}` }, [level]),
      el('span', { class: 'hint' }, [title || description]),
    ]),
    el('p', {}, [description, ' ', el('em', {}, [`It ${MEANINGS[level]}.`])]),
    form,
  ])
}

/** Calls a tool; resolves to its result or its error as text. */
async function run(tool: ToolDescription, text: string): Promise<string> {
  try {
    const input: unknown = JSON.parse(text)
    return input instanceof Object
      ? toText(await call(tool, input))
      : 'Arguments are a JSON object.'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
