/**
 * The tables of `docs/proposals.md`: what this project does with each feature of the proposals that it implements.
 *
 * @module
 */

import { table } from '../markdown.ts'
import { BASH } from './mcp-bash.ts'
import { CLI_HOST } from './mcp-cli.ts'
import { FILES } from './mcp-fs.ts'
import { POLICY } from './mcp-fs-access.ts'
import { RESULTS } from './mcp-fs-results.ts'
import { TEST_TOOL, VIEW } from './mcp-ui.ts'
import type { Proposal, Row } from './row.ts'
import { HINT, VISIBILITY } from './standards.ts'

/** The proposals, in the order of the page. */
export const PROPOSALS: readonly Proposal[] = [
  FILES,
  RESULTS,
  POLICY,
  VIEW,
  TEST_TOOL,
  VISIBILITY,
  BASH,
  CLI_HOST,
  HINT,
]

/** Builds the section of every proposal. */
export function proposalsSection(): string {
  return PROPOSALS.map(sectionOf).join('\n\n')
}

function sectionOf({ title, source, rows }: Proposal): string {
  const head = ['Feature', 'Here', 'Test', 'Why it is otherwise']
  return `## ${title}\n\n${source}\n\n${table(head, rows.map(cellsOf))}`
}

function cellsOf({ feature, here, test, reason = '' }: Row): string[] {
  return [feature, here, test ? `\`test/${test[0]}\`: "${test[1]}"` : '', reason]
}
