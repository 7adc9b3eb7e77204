/**
 * The documents of the page's frame tree, and direct access to those of the same origin.
 *
 * Frames of one origin can access each other, so each publishes its {@link Peer} on its interface
 * object, and calls need no messages. `test/support/polyfill/cases/frames.ts` has the cases.
 *
 * @module
 */

import type { Cancel, Done, ToolCall } from '../model-context/execution.ts'
import type { ListedTool } from '../model-context/tool.ts'

/** The id of a tool, and its listing as JSON. */
export type Listing = readonly [id: string, json: string]

/** A document, as documents of its own origin access it. */
export interface Peer {
  /** Reports whether the document may use tools. */
  allows(): boolean | Promise<boolean>
  /** Lists the tools that are exposed to an origin. */
  list(caller: string): Listing[]
  /** Returns the values of a `Tool` that the document has listed. */
  readTool(value: unknown): ListedTool | undefined
  /** Starts a call; the returned function cancels it. */
  start(call: ToolCall, done: Done): Cancel
  /** Queues a `toolchange` event. */
  change(): void
}

/** Maximum number of windows of a tree that are visited. */
const MAX_WINDOWS = 1000

/** The tag of messages between polyfills; the number is the version of the protocol. */
export const NAME = 'edgewise.webmcp.2'

/** The key under which the `ModelContext` interface object holds the peer of its window. */
export const PEER = Symbol.for(NAME)

interface Polyfilled extends Window {
  readonly ModelContext?: { readonly [PEER]?: Peer }
}

/**
 * Returns the peer of a window: null if the window belongs to another origin, undefined without
 * one.
 */
export function peerOf(window: Window): Peer | null | undefined {
  try {
    const holder: Polyfilled = window
    return holder.ModelContext?.[PEER]
  } catch {
    return null
  }
}

/** Returns every window of the tree, in tree order. */
export function windowsOfTree(root = window.top ?? window, found: Window[] = []): Window[] {
  found.push(root)
  for (let index = 0; index < root.length && found.length < MAX_WINDOWS; index++) {
    const child = root[index]
    if (child) windowsOfTree(child, found)
  }
  return found
}
