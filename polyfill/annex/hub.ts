/**
 * The hub: what a window tells same-origin windows about its tools, beyond the specification.
 *
 * `getTools()` lists tools of the whole tree, and browsers drop members that they do not know. So
 * each window keeps ours, and whoever lists a tool asks its window for them by the tool's name. A
 * window of another origin, or without this script, answers nothing.
 *
 * @module
 */

import { defineProperty, hasOwn, read } from './builtins.ts'
import type { Members } from './tool.ts'

export interface Hub {
  readonly membersOf: (tool: string) => Members | null
  /** The refusal that a call has just met with here, told once. */
  readonly takeDenial: (tool: string, input: string) => DOMException | null
}

const HUB = Symbol.for('dev.edgewise.annex')

export const hasHub = () => hasOwn(globalThis, HUB)

/** Opens this window's hub. Answers how to close it. */
export function openHub(hub: Hub): () => void {
  defineProperty(globalThis, HUB, { value: hub, configurable: true })
  return () => void Reflect.deleteProperty(globalThis, HUB)
}

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
