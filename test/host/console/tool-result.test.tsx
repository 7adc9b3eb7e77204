/** The result of a call: it is scrolled to before it is drawn, so that no click on it is lost. */

import { Result } from '#host/console/tools/tool-result.tsx'
import type { ToolRun } from '#host/console/tools/tool-run.ts'
import type { CallToolResult, Tool } from '#host/mcp/types.ts'
import { render } from 'preact'
import { afterEach, expect, it, vi } from 'vitest'

const TOOL: Tool = {
  ...{ name: 'look', title: 'Look', description: '', inputSchema: {}, outputSchema: null },
  ...{ annotations: {}, meta: {}, raw: {} },
}

const resultOf = (text: string): CallToolResult => ({
  ...{ structuredContent: undefined, isError: false, meta: {}, raw: {} },
  content: [{ type: 'text', text, raw: {} }],
})

const runOf = (text: string): ToolRun => ({
  ...{ phase: 'done', sent: '', result: resultOf(text), change: null, failed: null, error: null },
  ...{ progress: null, took: 1, wasStale: false, granted: [] },
})

const root = document.createElement('main')

afterEach(() => {
  render(null, root)
  root.remove()
  vi.restoreAllMocks()
})

it('is scrolled to as soon as the page has it', () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
  document.body.append(root)
  for (const [at, text] of ['one', 'two'].entries()) {
    const state = runOf(text)
    render(<Result tool={TOOL} state={state} args={{}} isCurrent onClear={() => {}} />, root)
    expect(root.textContent).toContain(text)
    expect(scroll).toHaveBeenCalledTimes(at + 1)
  }
})
