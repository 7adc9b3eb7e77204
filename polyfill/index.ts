/**
 * `webmcp.mjs`: WebMCP for pages that import it, with human approval of tool calls.
 *
 * `apply()` installs the polyfill of the specification where the browser lacks it, and on top of it
 * the approval layer (approval levels, intents, previews). If a script of this project is active already,
 * nothing changes. Importing this module has no side effects, so a server can import it as well.
 * `test/polyfill/apply.test.ts` and `test/pages/polyfill/approval.slow.test.ts` cover it.
 *
 * @module
 */

import { renderIntent as render, type RenderedIntent } from '#core/intent/render.ts'
import { parseIntent } from '#core/intent/template.ts'
import type { ApprovalLevel } from '#core/approval.ts'
import { defineApprovals } from './approval/approvals-element.ts'
import { bare } from './approval/builtins.ts'
import { createGuard, requirePermission, type GateOptions } from './approval/gate.ts'
import { effectivePolicy as levelOf, type Hints } from './approval/approval-level.ts'
import { applyApproval } from './approval/index.ts'
import { annotationsOf } from './approval/listed-tools.ts'
import { sensitiveLevel } from './approval/sensitive.ts'
import { setDialogLoader } from './approval/dialog-loader.ts'
import { createDialog } from './approval/ui/index.ts'
import { apply as applyCore, isSupported, type Options as CoreOptions } from './core.ts'
import { formTools } from './declarative.ts'
import { discovery } from './devtools.ts'
import type { ConnectOptions, Connection } from './remote/connect.ts'

export type { ApprovalRequest, Approver } from './approval/approver.ts'
export type { ConnectOptions, Connection } from './remote/connect.ts'
export type * from './page-types.ts'
export type {
  ExecuteToolOptions,
  GetToolsOptions,
  ModelContext,
  ModelContextEventMap,
  ModelContextTool,
  RegisteredTool,
  Tool,
  RegisterToolOptions,
  ToolAnnotations,
  ToolEvent,
  ToolExecuteCallback,
  ToolExecuteCallbackOptions,
} from './types.ts'
export { setApprover } from './approval/approver.ts'
export { approvals } from './approval/approval-store.ts'
export { call, list, watch } from './consumer.ts'
export type { CallableTool, ToolDescription } from './tool-description.ts'
export { isSupported }

/**
 * Options of {@link apply}: the result format, and the minimum approval level of every call.
 */
export interface Options extends Pick<CoreOptions, 'results'>, GateOptions {}

/**
 * Gives the page WebMCP with human approval of tool calls.
 *
 * @param options Result format, minimum approval levels and the days for which an approval can be
 *   remembered.
 * @returns A function that removes everything again, except for `<webmcp-approvals>`.
 * @example
 * ```ts
 * import { apply } from './webmcp.mjs'
 *
 * apply({ policy: 'review', rememberDays: 0 })
 * await document.modelContext.registerTool({
 *   name: 'clear_cart',
 *   description: 'Removes every item from the cart',
 *   annotations: { intentTemplate: 'Remove {count} items' },
 *   execute: () => clearCart(),
 * })
 * ```
 */
export function apply(options: Options = {}): () => void {
  if (typeof document !== 'object') return () => undefined // a server that renders the page
  setDialogLoader(async () => bare({ createDialog }))
  const guard = createGuard(options)
  const forms = formTools({ isGated: true })
  const undoCore = applyCore({ ...options, additions: [forms, discovery()] })
  const undoApproval = applyApproval(guard, () => import('./approval/cross-origin-tools.ts'))
  defineApprovals(() => import('./approval/remembered/index.ts'), options.rememberDays)
  return () => {
    undoApproval()
    undoCore()
  }
}

/**
 * Registers the tools of an MCP server in this page, behind the same approval gate.
 *
 * Calls {@link apply} without options first, which changes nothing if the page has called it.
 *
 * @param options The server's address, and optionally a prefix, headers and a configuration.
 * @returns The registered names, and `close()`, which removes the tools and ends their calls.
 * @throws When the server cannot be reached, refuses the handshake or does not list its tools.
 * @example
 * ```ts
 * const connection = await connect({ url: '/mcp', prefix: 'files_' })
 * console.log(connection.tools)
 * connection.close()
 * ```
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  apply()
  const { connect: connectTo } = await import('./remote/connect.ts')
  return connectTo(options, requirePermission)
}

/**
 * Renders an intent template for one call. Parts that came from the arguments are marked as such.
 *
 * @param template Text with fields in braces; the grammar is in `core/intent/GRAMMAR.md`.
 * @param args The arguments of the call. Anything but an object counts as no arguments.
 * @returns The sentence, and its parts by origin.
 * @throws `IntentSyntaxError` for a template that is too long or nested too deeply.
 */
export function renderIntent(template: string, args: unknown): RenderedIntent {
  return render(parseIntent(template), args)
}

/**
 * Determines the approval level of a tool.
 *
 * @param tool A tool as `getTools()` lists it in any browser, or as it is registered.
 * @param others Minimum levels of the site and the user; an unknown one counts as `confirm`.
 * @returns The strictest of all levels; `confirm` for a tool without a hint that is not read-only, and
 *   `notify` at least for one that seems to pay, to send messages or to delete.
 */
export function effectivePolicy(
  tool: {
    readonly name?: string | undefined
    readonly annotations?: Hints | null | undefined
    readonly inputSchema?: object | null | undefined
  },
  ...others: readonly (string | undefined)[]
): ApprovalLevel {
  const { name, inputSchema: schema } = tool
  const annotations = annotationsOf(tool)
  const least = sensitiveLevel({ name, annotations, schema })
  return levelOf({ annotations }, least, ...others)
}
