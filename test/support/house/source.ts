/**
 * Source files as syntax trees, for the tests that count what the house rules ask for.
 *
 * @module
 */

import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'vite'

/** The rooms of the product. */
export const ROOMS = ['core', 'worker', 'polyfill', 'host', 'views'] as const

/** A node of a syntax tree (ESTree). Offsets are in UTF-16 code units. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

/** One source file. */
export interface Source {
  readonly file: string
  readonly text: string
  readonly body: readonly Node[]
}

/** Reads and parses all source files below some folders. Files with declarations only are left out. */
export function readSources(folders: readonly string[]): Source[] {
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`))
    .filter((file) => !file.endsWith('.d.ts') && !file.includes('node_modules'))
    .toSorted()
    .map((file) => {
      const text = readFileSync(file, 'utf8')
      return {
        file,
        text,
        body: childrenOf(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' })),
      }
    })
}

/** Calls `visit` for a node and every node below it, outermost first. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const child of childrenOf(node)) walk(child, visit)
}

/** Returns the nodes directly below a node. */
export function childrenOf(node: object): Node[] {
  return Object.values(node).flat().filter(isNode)
}

/** Whether a value is a node of a syntax tree. */
export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** Returns the number of lines from one offset of a text to another. */
export function linesBetween(text: string, start: number, end: number): number {
  return text.slice(start, end).split('\n').length
}
