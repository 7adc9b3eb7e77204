/**
 * The state behind a `ModelContext`: the specification's "internal context", one for each document.
 *
 * https://webmachinelearning.github.io/webmcp/#supporting-concepts
 *
 * @module
 */

import { exception } from '../exception.ts'
import type { EventHandler, ToolEventClass } from './events.ts'
import type { ExecuteSteps } from './execution.ts'
import { OWN_ORIGIN } from './origin.ts'
import { queueTask } from './task.ts'
import type { Tool } from '../types.ts'
import type { ListedTool } from './tool.ts'

/** A registered tool. https://webmachinelearning.github.io/webmcp/#tool-definition */
export interface ToolDefinition {
  /** Identifies this registration, because its name can be registered again. */
  readonly id: string
  readonly name: string
  /** The tool's listed members, as JSON. */
  readonly listing: string
  readonly execute: ExecuteSteps
  /** Other origins that may list and call the tool. */
  readonly exposedTo: readonly string[]
}

/** The internal context of one document. */
export interface Context {
  readonly document: Document
  /** The `ModelContext` object. */
  readonly target: EventTarget
  /** Reports whether the document may use tools; a promise while its embedder is asked. */
  readonly allows: () => boolean | Promise<boolean>
  readonly events: Readonly<Record<'toolactivated' | 'toolcancel', ToolEventClass>>
  /** Result format: that of Chromium, or that of the specification. */
  readonly results: 'chromium' | 'spec' | undefined
  /** Creates an object of the interface `Tool`. */
  readonly createTool: (values: ListedTool) => Tool
  /** Returns the values behind such an object; undefined for anything else. */
  readonly readTool: (value: unknown) => ListedTool | undefined
  /** Warns once of a page that was written for copies of tools. */
  readonly warnOfCopies: () => void
  /** The `on…` attributes that were used, by event type. */
  readonly handlers: Record<string, EventHandler>
  /** The registered tools, by name. */
  readonly tools: Map<string, ToolDefinition>
  /** Functions that end the calls running here, for when this document is unloaded. */
  readonly running: Set<() => void>
  /** Functions that cancel the calls made from here, for when this document is unloaded. */
  readonly calling: Set<() => void>
}

/** Returns the context of a method's `this` value; throws if that is not a `ModelContext`. */
export type Brand = (self: unknown) => Context

/**
 * Reports whether an origin may list and call a tool.
 * https://webmachinelearning.github.io/webmcp/#tool-is-exposed-to-an-origin
 */
export function isExposed(tool: ToolDefinition, origin: string): boolean {
  return origin === OWN_ORIGIN || tool.exposedTo.includes(origin)
}

/**
 * Runs the checks with which every method begins: the document is active and may use tools.
 *
 * @returns A promise only in a frame of another origin, until its embedder has answered.
 * @throws `InvalidStateError` or `NotAllowedError`.
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

/** Fires a tool event at the context, unless its document has been removed. */
export function fireToolEvent(
  { document, target, events }: Context,
  type: 'toolactivated' | 'toolcancel',
  toolName: string,
): void {
  if (document.defaultView) target.dispatchEvent(new events[type](type, { toolName }))
}

/**
 * Queues a `toolchange` event, if the document may use tools. It is one document's part of
 * https://webmachinelearning.github.io/webmcp/#notify-documents-of-a-tool-change
 */
export function queueToolChange({ target, allows }: Context): void {
  const allowed = allows()
  const fire = (yes: boolean) => {
    if (yes) queueTask(() => target.dispatchEvent(new Event('toolchange')))
  }
  if (typeof allowed === 'boolean') fire(allowed)
  else void allowed.then(fire)
}
