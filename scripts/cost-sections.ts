/**
 * The tables of `docs/performance.md` about what calls cost: of every tool, and of some beside the peers.
 *
 * @module
 */

import { readResults, type BenchResults } from './bench-results.ts'
import { NOT_MEASURED } from './bench-sections.ts'
import { table } from './markdown.ts'
import { PRICE_SOURCES, pricePerMillion } from './prices.ts'
import type { CallUsage } from '../worker/tools/lib/checked-facts.ts'
import { TOOL_COSTS } from './tool-facts.ts'

type Figures = Pick<BenchResults, 'figures'>

const BILLED = [
  'Object requests',
  'Rows read',
  'Rows written',
  'R2 class A',
  'R2 class B',
  'CPU',
  'A million calls',
]

/** What each call uses and costs. CPU time is part of the price only where a run has measured it. */
export function costSection({ figures }: Figures = readResults()): string {
  const cpu = new Map(
    figures.flatMap(({ cost }) => (cost && !cost.peer ? [[cost.call, cost.cpuMs]] : [])),
  )
  const rows = Object.entries(TOOL_COSTS).map(([call, usage]) => [
    call,
    ...billed(usage, cpu.get(call)),
  ])
  const sources = PRICE_SOURCES.pages.map((page) => `<${page}>`).join(', ')
  return `${table(['Call', ...BILLED], rows)}\n\nPrices of ${PRICE_SOURCES.date}: ${sources}.`
}

/** The same calls of the peers, each after ours. */
export function peerCostSection({ figures }: Figures = readResults()): string {
  const rows = figures.flatMap(({ cost }) => {
    if (!cost) return []
    const { call, cpuMs, peer } = cost
    const usage = peer?.usage ?? TOOL_COSTS[call]
    return usage ? [[call, peer?.title ?? 'Edgewise', ...billed(usage, cpuMs)]] : []
  })
  return rows.length === 0 ? NOT_MEASURED : table(['Call', 'Workspace', ...BILLED], rows)
}

function billed(usage: CallUsage, cpuMs?: number): string[] {
  const { requests, rowsRead, rowsWritten, classA, classB } = usage
  return [
    ...[requests, rowsRead, rowsWritten, classA, classB].map(String),
    cpuMs === undefined ? '' : `${cpuMs.toFixed(2)} ms`,
    `$${pricePerMillion(usage, cpuMs).toFixed(2)}`,
  ]
}
