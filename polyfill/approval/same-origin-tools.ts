/**
 * What windows of one origin share about their tools: extension members, and reasons of refusals.
 *
 * `getTools()` lists tools of the whole tree, and browsers drop members that they do not know. Each
 * window therefore publishes a directory of its tools, and a window that lists a tool looks up the
 * extension members by the tool's name. A window without this script has no directory, and that of
 * another origin cannot be read (`cross-origin-tools.ts`).
 *
 * Every failure of a tool reaches the caller as the same `UnknownError`, so a denial looks like a
 * fault. Its reason is therefore found in the directory, by tool and arguments; it expires after two
 * seconds.
 *
 * @module
 */

import { exception } from '../exception.ts'
import { isObject } from '../idl.ts'
import { defineProperty, hasOwn, now, read } from './builtins.ts'
import type { EndCall } from './responses.ts'
import type { Members } from './tool.ts'

/** What a window offers to other windows of its origin. */
export interface ToolDirectory {
  /** Returns the extension members of a registered tool; null if it has none. */
  readonly membersOf: (tool: string) => Members | null
  /** Returns the refusal of a recent call and removes it. */
  readonly takeDenial: (tool: string, input: string) => DOMException | null
  /** Begins to keep the response for a call of a form; returns the function that ends this. */
  readonly expectResponse?: (tool: string) => EndCall
}

const KEY = Symbol.for('dev.edgewise.approval')

/** Reports whether this window has a directory, that is, whether the approval layer is applied. */
export const hasDirectory = () => hasOwn(globalThis, KEY)

/** Publishes the directory of this window and returns a function that removes it. */
export function publishDirectory(directory: ToolDirectory): () => void {
  defineProperty(globalThis, KEY, { value: directory, configurable: true })
  return () => void Reflect.deleteProperty(globalThis, KEY)
}

/** Returns the directory of a window; null if it has none or belongs to another origin. */
export function findDirectory(window: unknown): ToolDirectory | null {
  try {
    const directory: unknown = read(Object(window), KEY)
    return isDirectory(directory) ? directory : null
  } catch {
    return null // a window of another origin
  }
}

const isDirectory = (value: unknown): value is ToolDirectory =>
  isObject(value) && 'membersOf' in value && 'takeDenial' in value

const MAX_DENIALS = 32
const MAX_DENIAL_AGE_MS = 2_000

interface Denial {
  readonly tool: string
  /** The arguments as JSON; null if the caller's own text is unknown, which matches any. */
  readonly input: string | null
  readonly error: DOMException
  readonly at: number
}

const denials: Denial[] = []

/** Creates a `NotAllowedError` and keeps it for {@link takeDenial}. */
export function createDenial(tool: string, input: string | null, reason: string): DOMException {
  const error = exception('NotAllowedError', reason)
  denials.push({ tool, input, error, at: now() })
  if (denials.length > MAX_DENIALS) denials.shift()
  return error
}

/** Returns and removes the denial of a call, or null if there is none or it has expired. */
export function takeDenial(tool: string, input: string): DOMException | null {
  const at = denials.findIndex((one) => one.tool === tool && (one.input ?? input) === input)
  const [found] = at === -1 ? [] : denials.splice(at, 1)
  return found && now() - found.at < MAX_DENIAL_AGE_MS ? found.error : null
}
