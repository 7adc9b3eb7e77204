/**
 * The documents of the page's tree, and the way to those of the same origin.
 *
 * Frames of one origin may touch each other, so each leaves its {@link Peer} where the others find
 * it, and calls need no messages. `test/pages/polyfill-core-frames.test.ts` walks such trees.
 *
 * @module
 */

import type { Cancel, Done, ToolCall } from '../model-context/execution.ts'

/** A document as those of its own origin see it. */
export interface Peer {
  allows(): boolean | Promise<boolean>
  list(caller: string): string[]
  start(call: ToolCall, done: Done): Cancel
  change(): void
}

/** More windows than this are not looked at. */
const MAX_WINDOWS = 1000

/** What polyfills in other frames know each other by. The number is that of the contract. */
export const NAME = 'edgewise.webmcp.1'

/** Where the interface object keeps the peer of its window. */
export const PEER = Symbol.for(NAME)

/** The peer of a window: null when it belongs to another origin, undefined when it has none. */
export function peerOf(window: Window): Peer | null | undefined {
  try {
    const holder: object | undefined = Reflect.get(window, 'ModelContext')
    const peer: Peer | undefined = holder && Reflect.get(holder, PEER)
    return peer
  } catch {
    return null
  }
}

/** Every window of the tree, in tree order. */
export function windowsOfTree(root = window.top ?? window, found: Window[] = []): Window[] {
  found.push(root)
  for (let index = 0; index < root.length && found.length < MAX_WINDOWS; index++) {
    const child = root[index]
    if (child) windowsOfTree(child, found)
  }
  return found
}
