/**
 * `getTools()`: the tools of every document of the tree that this one may see.
 *
 * https://webmachinelearning.github.io/webmcp/#dom-modelcontext-gettools, with its step numbers.
 *
 * @module
 */

import { listRemote } from '../frames/requests.ts'
import { type Listing, peerOf, windowsOfTree } from '../frames/tree.ts'
import type { Tool } from '../types.ts'
import { type Brand, checkDocument, type Context, isExposed } from './context.ts'
import { toGetOptions } from './dictionaries.ts'
import { OWN_ORIGIN, toTrustworthyOrigins } from './origin.ts'
import { queueTask } from './task.ts'
import type { ListedTool } from './tool.ts'

/**
 * Lists tools, on behalf of the method of the interface.
 *
 * @param own Returns the context of `self`, or throws.
 * @returns The tools, sorted by name.
 */
export async function getTools(own: Brand, self: unknown, options: unknown): Promise<Tool[]> {
  const context = own(self)
  const { fromOrigins } = toGetOptions(options)
  // 3 and 4.
  const allowed = checkDocument(context)
  if (allowed) await allowed
  // 5 and 6.
  const origins = toTrustworthyOrigins(fromOrigins)
  // 8.1 to 8.3.
  const found = windowsOfTree().map((window) => toolsOf(window, origins))
  const listed = (await Promise.all(found)).flat()
  // 8.4.
  const tools = listed.sort(byName).map(context.createTool)
  // 8.5.
  return new Promise((resolve) => queueTask(() => resolve(tools)))
}

/** Compares by code units. */
const byName = (a: ListedTool, b: ListedTool) => (a.name < b.name ? -1 : +(a.name > b.name))

async function toolsOf(source: Window, origins: readonly string[]): Promise<ListedTool[]> {
  const peer = peerOf(source)
  const listings =
    peer === null && origins.length > 0
      ? await listRemote(source, origins)
      : (peer?.list(OWN_ORIGIN) ?? [])
  // 8.3.8.2.
  return listings.map(([id, text]) => ({ ...(JSON.parse(text) as Listed), id, source }))
}

type Listed = Omit<ListedTool, 'id' | 'source'>

/** Returns the listings of a document's tools that are exposed to an origin. */
export function listTools({ tools }: Context, caller: string): Listing[] {
  return [...tools.values()]
    .filter((tool) => isExposed(tool, caller))
    .map(({ id, listing }) => [id, listing])
}
