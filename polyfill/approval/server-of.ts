/**
 * The server that runs a tool: kept on the tool's `execute`, because WebMCP has no member for it.
 *
 * An approval of a tool does not hold for a tool of the same name and definition of another server.
 * `test/polyfill/approval/gate.test.ts` covers it.
 *
 * @module
 */

import { bare, defineProperty, read } from './builtins.ts'

/** Registered, because the modules of one page do not share their variables. */
const SERVER = Symbol.for('dev.edgewise.server')

/** Notes the address of the server on a tool's `execute`, and returns that. */
export function withServer<T extends object>(execute: T, url: string): T {
  defineProperty(execute, SERVER, bare({ value: url }))
  return execute
}

/** Returns the address of the server that runs a tool; undefined for a tool of the page itself. */
export const serverOf = (execute: object): unknown => read(execute, SERVER)
