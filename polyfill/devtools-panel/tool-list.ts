/**
 * Draws the tools, each with what it declares and a form to run it by hand.
 *
 * @module
 */

import { call } from '../consumer.ts'
import type { ToolDescription } from '../tool-description.ts'
import { levelOf } from './calls.ts'
import { code, el, toText } from './dom.ts'
import { exampleOf } from './example.ts'

/** Draws the tools. A tool that stays keeps its form, and is open if it was. */
export function drawTools(place: HTMLElement, tools: readonly ToolDescription[]): void {
  const before = new Map(
    [...place.querySelectorAll('details')].map((row) => [row.dataset['key'], row]),
  )
  const rows = tools.map((tool) => {
    const key = JSON.stringify(tool)
    return before.get(key) ?? drawTool(tool, key)
  })
  const empty = el('p', {}, ['No tools. A page registers them with document.modelContext.'])
  place.replaceChildren(...(rows.length > 0 ? rows : [empty]))
}

function drawTool(tool: ToolDescription, key: string): HTMLDetailsElement {
  const { name, title, description, inputSchema, outputSchema, annotations, origin } = tool
  const level = levelOf(tool)
  const row = el('details', { class: 'row' }, [
    el('summary', {}, [
      el('b', {}, [name]),
      el('span', { class: `badge ${level}` }, [level]),
      el('small', { class: 'brief' }, [
        title && title !== name ? title : toText(description).slice(0, 200),
      ]),
    ]),
    el('p', {}, [toText(description)]),
    ...(origin === location.origin ? [] : [el('p', {}, [`Of ${origin}`])]),
    ...(annotations ? [code('Hints', annotations)] : []),
    ...(inputSchema ? [code('Input schema', inputSchema)] : []),
    ...(outputSchema ? [code('Output schema', outputSchema)] : []),
    drawForm(tool),
  ])
  row.dataset['key'] = key
  return row
}

function drawForm(tool: ToolDescription): HTMLElement {
  const input = el('textarea', { rows: '4', spellcheck: 'false', 'aria-label': 'Arguments' })
  input.value = toText(exampleOf(tool.inputSchema))
  const result = el('output')
  const form = el('form', {}, [input, el('button', {}, ['Run']), result])
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void run(tool, input.value).then((text) => (result.value = text))
  })
  return form
}

/** Runs a tool as an agent would; resolves to what happened, also if that is an error. */
async function run(tool: ToolDescription, text: string): Promise<string> {
  try {
    const input: unknown = JSON.parse(text)
    if (!(input instanceof Object)) return 'The arguments are a JSON object, such as {}.'
    return toText(await call(tool, input))
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
