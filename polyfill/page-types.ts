/**
 * TypeScript types of `document.modelContext` with the approval layer: tools with approval levels, intents and
 * previews.
 *
 * `types.ts` has the specification's own types, which these extend.
 * `test/e2e/packages.slow.test.ts` compiles pages against them.
 *
 * @module
 */

import type { ApprovalLevel } from '#core/approval.ts'
import type {
  ModelContext,
  ModelContextTool,
  RegisterToolOptions,
  ToolAnnotations,
  ToolExecuteCallbackOptions,
} from './types.ts'

export type { ApprovalLevel }

/** Hints of a tool's author, with those of the approval layer. */
export interface PageToolAnnotations extends ToolAnnotations {
  /** The approval that a call needs; without it `confirm`, or `none` for a tool with `readOnlyHint`. */
  humanInTheLoopHint?: ApprovalLevel
  /** What a call will do, as a sentence with fields of the input in braces. */
  intentTemplate?: string
}

/** Second argument of `execute` for a tool with a preview. */
export interface PageToolExecuteOptions extends ToolExecuteCallbackOptions {
  /** The result of `preview` that the user saw. */
  preview?: unknown
}

/** A tool as a page registers it, with the members of the approval layer. */
export interface PageTool<Input extends object = Record<string, unknown>> extends Omit<
  ModelContextTool<Input>,
  'annotations' | 'execute'
> {
  /** Hints for the approval of calls, for agents and for browsers. */
  annotations?: PageToolAnnotations
  /**
   * Says what a call would do, without doing it; shown before the user decides. A result with `isError` ends the
   * call and is its result.
   */
  preview?: (input: Input, options: ToolExecuteCallbackOptions) => unknown
  /** Runs the tool. The result, or what its promise resolves to, is serialised for the caller. */
  execute: (input: Input, options: PageToolExecuteOptions) => unknown
}

/** `document.modelContext` of a page with the approval layer. */
export interface PageModelContext extends ModelContext {
  registerTool<Input extends object = Record<string, unknown>>(
    tool: PageTool<Input>,
    options?: RegisterToolOptions,
  ): Promise<void>
}
