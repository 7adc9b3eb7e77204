/**
 * Notifies documents of a tool change.
 * https://webmachinelearning.github.io/webmcp/#notify-documents-of-a-tool-change
 *
 * @module
 */

import type { ToolDefinition } from '../model-context/context.ts'
import { changeRemote } from './requests.ts'
import { peerOf, windowsOfTree } from './tree.ts'

/** Notifies every document of the tree that may see the tool. */
export function notifyFrames({ exposedTo }: ToolDefinition): void {
  for (const window of windowsOfTree()) {
    const peer = peerOf(window)
    if (peer) peer.change()
    else if (peer === null && exposedTo.length > 0) changeRemote(window, exposedTo)
  }
}
