/**
 * The interface `Tool`: what `getTools()` lists and `executeTool()` takes.
 *
 * An instance has no members of its own. They are getters of the prototype, which read the
 * {@link ListedTool} behind the instance. `executeTool()` finds the tool by its id, so that another
 * tool which has the name since is not called in its place.
 * https://github.com/webmachinelearning/webmcp/pull/348; `test/support/polyfill/cases/` has the cases.
 *
 * @module
 */

import { throwIllegal } from '../exception.ts'
import type { Tool } from '../types.ts'
import { define } from '../undo.ts'
import { tag } from './events.ts'

/** The values of a listed tool. */
export interface ListedTool extends Omit<Tool, 'window'> {
  /** Identifies the registration; undefined for a copy that a page has made. */
  readonly id: string | undefined
}

const MEMBERS = [
  'annotations',
  'description',
  'inputSchema',
  'name',
  'origin',
  'outputSchema',
  'source',
  'title',
] as const

const WARNING =
  'WebMCP: getTools() lists Tool objects: read "source", not "window", and pass the tool itself to executeTool(), not a copy'

/** Creates the interface object, and the functions that make an instance and read one. */
export function createToolInterface() {
  const listed = new WeakMap<object, ListedTool>()
  let isWarned = false
  const warnOfCopies = () => {
    if (!isWarned) console.warn(WARNING)
    isWarned = true
  }
  const own = (self: unknown) => listed.get(self as object)
  const read = (self: unknown) => own(self) ?? throwIllegal('invocation')
  // A class that is named by a property key keeps its name when the code is minified.
  const made = {
    Tool: class {
      constructor() {
        throwIllegal('constructor')
      }
    },
  }
  for (const member of MEMBERS)
    define(made.Tool.prototype, {
      get [member]() {
        return read(this)[member]
      },
    })
  const alias = {
    get window() {
      warnOfCopies()
      return read(this).source
    },
  }
  define(made.Tool.prototype, alias, false)
  tag(made.Tool, 'Tool')
  return {
    Tool: made.Tool,
    /** Warns once of what pages were written for before Chrome 160. */
    warnOfCopies,
    /** Returns the values of an instance; undefined for anything else. */
    readTool: own,
    /** Creates an instance. */
    createTool: (values: ListedTool): Tool => {
      // A platform object of that class, so that `structuredClone()` throws.
      const target: object = Reflect.construct(EventTarget, [], made.Tool)
      listed.set(target, values)
      return target as Tool
    },
  }
}
