/**
 * The state behind a `ModelContext`: the specification's "internal context", one for each document.
 *
 * https://webmachinelearning.github.io/webmcp/#supporting-concepts
 *
 * @module
 */

import { exception } from '../exception.ts'
import type { ToolEventClass } from './events.ts'
import type { ExecuteSteps } from './execution.ts'
import { ownOrigin } from './origin.ts'
import { queueTask } from './task.ts'

/** https://webmachinelearning.github.io/webmcp/#tool-definition */
export interface ToolDefinition {
  readonly name: string
  /** What is listed of it, as text. */
  readonly listing: string
  readonly execute: ExecuteSteps
  readonly exposedTo: readonly string[]
}

export interface Context {
  readonly document: Document
  readonly target: EventTarget
  /** Whether the document may use tools; a promise while its embedder is asked. */
  readonly allows: () => boolean | Promise<boolean>
  readonly events: Readonly<Record<'toolactivated' | 'toolcancel', ToolEventClass>>
  /** Whether results are written as Chromium does, or as the specification says. */
  readonly results: 'chromium' | 'spec' | undefined
  readonly tools: Map<string, ToolDefinition>
  /** What ends a call that runs here, when this document goes. */
  readonly running: Set<() => void>
  /** What cancels a call that was made from here, when this document goes. */
  readonly calling: Set<() => void>
}

/** The context of what a method is called on. Throws when that is no `ModelContext`. */
export type Brand = (self: unknown) => Context

/** https://webmachinelearning.github.io/webmcp/#tool-is-exposed-to-an-origin */
export function isExposed(tool: ToolDefinition, origin: string): boolean {
  return origin === ownOrigin() || tool.exposedTo.includes(origin)
}

/**
 * The checks with which every method begins. There is something to wait for only in a frame of
 * another origin whose embedder has not yet said what it allows.
 */
export function checkDocument({ document, allows }: Context): Promise<void> | undefined {
  if (!document.defaultView) throw exception('InvalidStateError', 'Document not active')
  const allowed = allows()
  if (typeof allowed === 'boolean') return assertAllowed(allowed)
  return allowed.then(assertAllowed)
}

function assertAllowed(allowed: boolean): undefined {
  if (!allowed) throw exception('NotAllowedError', '"tools" not allowed')
}

export function fireToolEvent(
  { target, events }: Context,
  type: 'toolactivated' | 'toolcancel',
  toolName: string,
): void {
  target.dispatchEvent(new events[type](type, { toolName }))
}

/** One document's part of https://webmachinelearning.github.io/webmcp/#notify-documents-of-a-tool-change */
export function queueToolChange({ target, allows }: Context): void {
  const allowed = allows()
  const fire = (yes: boolean) => {
    if (yes) queueTask(() => target.dispatchEvent(new Event('toolchange')))
  }
  if (typeof allowed === 'boolean') fire(allowed)
  else void allowed.then(fire)
}
