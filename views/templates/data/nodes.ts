/**
 * Nodes of a tree, from JSON or from the paths of files.
 *
 * @module
 */

import { own, recordOf } from '#core/json.ts'
import { MAX_DEPTH, MAX_NODES } from '../limits.ts'

/** A node. */
export interface TreeNode {
  /** Unique in the tree; it is what `onSelectTool` receives. */
  readonly id: string
  readonly label: string
  readonly icon: 'folder' | 'folder-open' | 'file' | 'other'
  /** A character in place of the icon. */
  readonly iconChar: string
  /** A short text beside the label. */
  readonly meta: string
  readonly children: readonly TreeNode[]
  /** Key of the node in the page, where ids may occur twice: its indexes from the root. */
  readonly key: string
}

/** The nodes of a tree, and how many were left out. */
export interface Nodes {
  readonly roots: readonly TreeNode[]
  readonly count: number
  readonly leftOut: number
}

/** Reads the nodes of a JSON value: a list, an object with `nodes` or `items`, or one node. */
export function nodesOfJson(value: unknown): Nodes {
  const { nodes, items } = recordOf(value)
  const found = [value, nodes, items].find(Array.isArray)
  const list: readonly unknown[] = Array.isArray(found) ? found : [value]
  const state = { count: 0, leftOut: 0 }
  const read = (each: unknown, key: string, depth: number): TreeNode[] => {
    if (state.count >= MAX_NODES || depth > MAX_DEPTH) {
      state.leftOut++
      return []
    }
    state.count++
    const node = recordOf(each)
    const children = own(node, 'children')
    const below: readonly unknown[] = Array.isArray(children) ? children : []
    const inner = below.flatMap((child, index) => read(child, `${key}.${index}`, depth + 1))
    return [{ ...factsOf(each, key, inner.length > 0), children: inner, key }]
  }
  const roots = list.flatMap((each, index) => read(each, `${index}`, 1))
  return { roots, ...state }
}

function factsOf(value: unknown, key: string, hasChildren: boolean) {
  const node = recordOf(value)
  const text = (name: string) => toText(own(node, name))
  const label = text('label') || text('name') || text('title') || toText(value)
  const icon = ICONS.find((name) => name === text('icon'))
  return {
    id: text('id') || label || key,
    label: label || text('id') || key,
    icon: icon ?? (hasChildren ? 'folder' : 'file'),
    iconChar: text('iconChar').slice(0, MAX_ICON_LENGTH).toWellFormed(),
    meta: text('meta') || text('value'),
  }
}

/** UTF-16 code units of `iconChar`: an emoji of several parts. */
const MAX_ICON_LENGTH = 12

const ICONS = ['folder', 'folder-open', 'file', 'other'] as const

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? ''
    : Array.isArray(value)
      ? value.map(toText).join(', ')
      : ''
}

interface Folder {
  readonly folders: Map<string, Folder>
  readonly files: { readonly name: string; readonly path: string; readonly meta: string }[]
}

const emptyFolder = (): Folder => ({ folders: new Map(), files: [] })

/** Arranges files as a tree of folders. The id of a node is its path. */
export function nodesOfFiles(files: readonly { path: string; size: number }[]): Nodes {
  const root = emptyFolder()
  for (const { path, size } of files.slice(0, MAX_NODES)) {
    const parts = path.split('/').filter((part) => part !== '')
    const name = parts.pop() ?? path
    let at = root
    for (const part of parts) {
      const next = at.folders.get(part) ?? emptyFolder()
      at.folders.set(part, next)
      at = next
    }
    at.files.push({ name, path, meta: `${size.toLocaleString('en')} B` })
  }
  const roots = nodesOfFolder(root, '', '')
  return { roots, count: files.length, leftOut: Math.max(0, files.length - MAX_NODES) }
}

function nodesOfFolder({ folders, files }: Folder, path: string, prefix: string): TreeNode[] {
  const names = [...folders.keys()].sort()
  const above = names.map((name, index): TreeNode => {
    const folder = folders.get(name) ?? emptyFolder()
    const key = `${prefix}${index}`
    const id = path === '' ? name : `${path}/${name}`
    const children = nodesOfFolder(folder, id, `${key}.`)
    return { id, label: name, icon: 'folder', iconChar: '', meta: '', children, key }
  })
  const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const below = sorted.map(({ name, path: id, meta }, index): TreeNode => {
    const key = `${prefix}${names.length + index}`
    return { id, label: name, icon: 'file', iconChar: '', meta, children: [], key }
  })
  return [...above, ...below]
}
