/**
 * `webmcp.mjs`: WebMCP with a person who can get a word in, for pages that program it.
 *
 * `apply()` gives the page a model context if it has none, and lays the annex over it; where a
 * script has done so already it changes nothing. Importing this does nothing by itself, also where
 * there is no page.
 *
 * @module
 */

import { renderIntent as render, type RenderedIntent } from '#core/intent/render.ts'
import { parseIntent } from '#core/intent/template.ts'
import { askForForms } from './annex/forms.ts'
import { bare } from './annex/builtins.ts'
import { createGuard, permission, type GateOptions } from './annex/gate.ts'
import { applyAnnex } from './annex/index.ts'
import { useSurface } from './annex/surface.ts'
import { openSurface } from './annex/ui/index.ts'
import { apply as applyCore, isSupported, type Options as CoreOptions } from './core.ts'
import { formTools } from './declarative.ts'
import { discovery } from './devtools.ts'
import { connect as connectTo, type ConnectOptions, type Connection } from './remote/connect.ts'

export type { ApprovalRequest, Approver } from './annex/approver.ts'
export type { ConnectOptions, Connection } from './remote/connect.ts'
export { setApprover } from './annex/approver.ts'
export { approvals } from './annex/memory.ts'
export { effectivePolicy } from './annex/policy.ts'
export { call, list, watch } from './consumer.ts'
export { isSupported }

export interface Options extends Pick<CoreOptions, 'results'>, GateOptions {}

/** Gives the page WebMCP with the annex. Answers what takes it away again. */
export function apply(options: Options = {}): () => void {
  useSurface(async () => bare({ openSurface }))
  const guard = createGuard(options)
  const forms = formTools({ guard: askForForms(guard) })
  const undoCore = applyCore({ ...options, additions: [forms, discovery()] })
  const undoAnnex = applyAnnex(guard)
  return () => {
    undoAnnex()
    undoCore()
  }
}

/** Registers the tools of an MCP server in this page, with the annex before them. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  apply()
  return connectTo(options, permission)
}

/** A sentence for a call, with the parts that the call brought in told apart. */
export function renderIntent(template: string, args: unknown): RenderedIntent {
  return render(parseIntent(template), args)
}
