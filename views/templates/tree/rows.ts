/**
 * Visible rows of a tree, its filter, and its keys.
 *
 * `test/views/templates/page.test.ts` covers it.
 *
 * @module
 */

import type { TreeNode } from '../data/nodes.ts'

/** A visible row. */
export interface NodeRow {
  readonly node: TreeNode
  /** From 1. */
  readonly level: number
  /** Index among its siblings, and their number. */
  readonly index: number
  readonly siblings: number
  readonly isOpen: boolean
}

/** Returns the keys of the nodes that are open at first: those above a level. */
export function initiallyOpen(roots: readonly TreeNode[], level: number): ReadonlySet<string> {
  const open = new Set<string>()
  const visit = (nodes: readonly TreeNode[], depth: number) => {
    if (depth > level) return
    for (const { key, children } of nodes) {
      if (children.length > 0) open.add(key)
      visit(children, depth + 1)
    }
  }
  visit(roots, 1)
  return open
}

/** Returns the rows of the open nodes; with null, of all nodes. */
export function visibleNodes(
  roots: readonly TreeNode[],
  open: ReadonlySet<string> | null,
): NodeRow[] {
  const rows: NodeRow[] = []
  const visit = (nodes: readonly TreeNode[], level: number) => {
    for (const [index, node] of nodes.entries()) {
      const isOpen = node.children.length > 0 && (open === null || open.has(node.key))
      rows.push({ node, level, index, siblings: nodes.length, isOpen })
      if (isOpen) visit(node.children, level + 1)
    }
  }
  visit(roots, 1)
  return rows
}

/** Returns the nodes that contain a text, at any depth, with the nodes above them; null without a text. */
export function filterNodes(roots: readonly TreeNode[], query: string): TreeNode[] | null {
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return null
  const filter = (nodes: readonly TreeNode[]): TreeNode[] =>
    nodes.flatMap((node) => {
      const isFound = `${node.label} ${node.meta}`.toLowerCase().includes(wanted)
      const children = filter(node.children)
      return isFound || children.length > 0 ? [{ ...node, children }] : []
    })
  return filter(roots)
}

/** Counts nodes at all depths. */
export function countNodes(nodes: readonly TreeNode[]): number {
  return nodes.reduce((count, { children }) => count + 1 + countNodes(children), 0)
}

/** Rows that Page Up and Page Down move. */
const PAGE_ROWS = 15

/** Returns what a key does at a row: the next row, an action, or null for nothing. */
export function findStep(
  { key, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  rows: readonly NodeRow[],
  at: number,
): number | 'toggle' | 'enter' | null {
  const row = rows[at]
  if (!row || ctrlKey || metaKey || altKey) return null
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + PAGE_ROWS,
    PageUp: at - PAGE_ROWS,
    Home: 0,
    End: rows.length - 1,
  }
  const to = Object.hasOwn(targets, key) ? targets[key] : undefined
  if (to !== undefined) return Math.max(0, Math.min(rows.length - 1, to))
  if (key === 'Enter' || key === ' ') return 'enter'
  const hasChildren = row.node.children.length > 0
  if (key === 'ArrowRight') return hasChildren ? (row.isOpen ? at + 1 : 'toggle') : null
  if (key !== 'ArrowLeft') return null
  if (row.isOpen) return 'toggle'
  const parent = rows.findLastIndex((each, index) => index < at && each.level === row.level - 1)
  return parent === -1 ? null : parent
}
