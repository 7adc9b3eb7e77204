/** Loads all pages of the tool list, within limits. @module */

import type { JsonRecord } from '#core/json.ts'
import { toolsPage } from './read.ts'
import type { Tool } from './types.ts'

const MAX_PAGES = 100
const MAX_TOOLS = 10_000

/**
 * Loads every tool. If two tools have the same name, the first counts.
 *
 * @param list Sends `tools/list` with the params it is given.
 * @returns At most 10,000 tools, from at most 100 pages.
 */
export async function allTools(
  list: (params: JsonRecord) => Promise<JsonRecord>,
): Promise<readonly Tool[]> {
  const byName = new Map<string, Tool>()
  let cursor: string | null = null
  for (let pages = 0; pages < MAX_PAGES && byName.size < MAX_TOOLS; pages++) {
    const { items, next } = toolsPage(await list(cursor === null ? {} : { cursor }))
    for (const tool of items) if (!byName.has(tool.name)) byName.set(tool.name, tool)
    if (next === null || next === cursor) break
    cursor = next
  }
  return [...byName.values()].slice(0, MAX_TOOLS)
}
