/**
 * Registry for same-origin windows: the extension members of this window's tools.
 *
 * `getTools()` lists tools of the whole tree, and browsers drop members that they do not know. Each
 * window therefore keeps the extension members of its tools, and a window that lists a tool looks
 * them up by the tool's name. A window of another origin, or without this script, has no registry.
 *
 * @module
 */

import { defineProperty, hasOwn, read } from './builtins.ts'
import type { Members } from './tool.ts'

/** What a window offers to other windows of its origin. */
export interface Hub {
  /** Returns the extension members of a registered tool; null if it has none. */
  readonly membersOf: (tool: string) => Members | null
  /** Returns the refusal of a recent call and removes it. */
  readonly takeDenial: (tool: string, input: string) => DOMException | null
}

const HUB = Symbol.for('dev.edgewise.annex')

/** Reports whether this window has a registry, that is, whether the annex is applied. */
export const hasHub = () => hasOwn(globalThis, HUB)

/** Publishes the registry of this window and returns a function that removes it. */
export function openHub(hub: Hub): () => void {
  defineProperty(globalThis, HUB, { value: hub, configurable: true })
  return () => void Reflect.deleteProperty(globalThis, HUB)
}

/** Returns the registry of a window; null if it has none or belongs to another origin. */
export function hubOf(window: unknown): Hub | null {
  try {
    const hub: unknown = read(Object(window), HUB)
    return isHub(hub) ? hub : null
  } catch {
    return null // a window of another origin
  }
}

const isHub = (value: unknown): value is Hub =>
  typeof value === 'object' && value !== null && 'membersOf' in value && 'takeDenial' in value
