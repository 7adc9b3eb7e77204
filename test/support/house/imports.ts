/**
 * The graph of imports between source files, types included.
 *
 * @module
 */

import { join, dirname } from 'node:path'
import { childrenOf, isNode, type Node, type Source } from './source.ts'

/** The files that each file imports or re-exports, also where only types are imported. */
export type Imports = ReadonlyMap<string, ReadonlySet<string>>

/** Builds the graph of the imports between `sources`. */
export function importGraph(sources: readonly Source[]): Imports {
  const known = new Set(sources.map(({ file }) => file))
  return new Map(
    sources.map(({ file, body }) => {
      const targets = body.flatMap(specifiers).map((specifier) => resolve(file, specifier))
      return [file, new Set(targets.filter((target) => known.has(target)))]
    }),
  )
}

/** In place of names where a file is imported or exported as a whole. */
export const ALL_NAMES = '*'

/** Returns the names of each file that files of other folders import or re-export. */
export function namesUsedElsewhere(sources: readonly Source[]): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>()
  for (const { file, body } of sources)
    for (const node of body)
      for (const target of specifiers(node).map((specifier) => resolve(file, specifier))) {
        if (dirname(target) === dirname(file)) continue
        const names = used.get(target) ?? new Set()
        for (const name of namesIn(node)) names.add(name)
        used.set(target, names)
      }
  return used
}

/** The names that an import or export takes from its source, as they are there. */
function namesIn(node: Node): string[] {
  const parts = childrenOf({ specifiers: node['specifiers'] })
  if (parts.length === 0) return [ALL_NAMES]
  return parts.map((part) => {
    const name = part.type === 'ExportSpecifier' ? part['local'] : part['imported']
    if (part.type === 'ImportDefaultSpecifier') return 'default'
    return isNode(name) && typeof name['name'] === 'string' ? name['name'] : ALL_NAMES
  })
}

function specifiers(node: Node): string[] {
  const source = node['source']
  if (typeof source !== 'object' || source === null || !('value' in source)) return []
  return typeof source.value === 'string' ? [source.value] : []
}

function resolve(file: string, specifier: string): string {
  return specifier.startsWith('#') ? specifier.slice(1) : join(dirname(file), specifier)
}

/** Returns the groups of files that import each other in a circle, largest first (Tarjan). */
export function importCycles(imports: Imports): string[][] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []

  function connect(file: string): number {
    const index = order.size
    order.set(file, index)
    let lowest = index
    stack.push(file)
    for (const target of imports.get(file) ?? []) {
      if (!order.has(target)) lowest = Math.min(lowest, connect(target))
      else if (stack.includes(target)) lowest = Math.min(lowest, order.get(target) ?? lowest)
    }
    low.set(file, lowest)
    if (lowest === index) cycles.push(stack.splice(stack.indexOf(file)))
    return lowest
  }

  for (const file of imports.keys()) if (!order.has(file)) connect(file)
  return cycles.filter(({ length }) => length > 1).toSorted((a, b) => b.length - a.length)
}

/** Returns how many files import each file. */
export function countImporters(imports: Imports): Map<string, number> {
  const counts = new Map([...imports.keys()].map((file) => [file, 0]))
  for (const targets of imports.values())
    for (const target of targets) counts.set(target, (counts.get(target) ?? 0) + 1)
  return counts
}
