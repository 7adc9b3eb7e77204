/** The hints of every tool with their reasons, in `docs/directories.md`: what directories ask for. @module */

import { describeTool } from '../worker/mcp/server-info.ts'
import { RESEARCH_TOOLS } from '../worker/research/index.ts'
import { RESEARCH_HINTS } from '../worker/research/research.facts.ts'
import { TOOLS } from '../worker/tools/index.ts'
import type { Tool } from '../worker/tools/lib/tool.ts'
import { table } from './markdown.ts'
import { factsOf } from './tool-facts.ts'

/** Writes one row for each tool, also for those of the research profile. */
export function hintsSection(): string {
  const tools = [...TOOLS.values(), ...RESEARCH_TOOLS.values()]
  return table(['Tool', 'Read-only', 'Destructive', 'Open world'], tools.map(rowOf))
}

function rowOf(tool: Tool): string[] {
  const { annotations: hints = {} } = describeTool(tool, false)
  const { readOnly, destructive, openWorld } = RESEARCH_HINTS[tool.name] ?? factsOf(tool.name).hints
  return [
    `\`${tool.name}\``,
    `${String(hints.readOnlyHint)}: ${readOnly}`,
    `${String(hints.destructiveHint)}: ${destructive}`,
    `${String(hints.openWorldHint)}: ${openWorld}`,
  ]
}
