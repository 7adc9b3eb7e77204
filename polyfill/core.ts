/**
 * Polyfill of the WebMCP specification: `document.modelContext`, without the extensions of the
 * approval layer.
 *
 * `apply()` installs it and returns a function that removes it; where a context exists already,
 * native or not, it does nothing. Importing this module has no side effects, so a server can import
 * it as well. `SPEC.md` names the commit that is followed, every deviation, and the tests.
 *
 * @module
 */

import { answer } from './frames/server.ts'
import { listen } from './frames/channel.ts'
import { PEER, type Peer } from './frames/tree.ts'
import { type Context, queueToolChange } from './model-context/context.ts'
import { startTool } from './model-context/execution.ts'
import { throwIllegal } from './exception.ts'
import { listTools } from './model-context/get-tools.ts'
import { createInterfaces } from './model-context/interface.ts'
import { allowedToUse } from './model-context/policy.ts'
import { define, type Undo } from './undo.ts'

/** Extends the page's context; the returned function removes the extension. */
export type Addition = (context: Context) => Undo

/** Options of {@link apply}. */
export interface Options {
  /**
   * Result format: that of Chromium (the default), or exactly that of the specification.
   */
  readonly results?: 'chromium' | 'spec'
  /** Parts outside core: `formTools()` of `declarative.ts`, `discovery()` of `devtools.ts`. */
  readonly additions?: readonly Addition[]
}

/**
 * Reports whether this page has a model context, native or from a polyfill.
 *
 * @returns False also where there is no document, as on a server.
 */
export function isSupported(): boolean {
  return typeof document === 'object' && 'modelContext' in document
}

/**
 * Installs `document.modelContext` and its interfaces, unless the page has a context already.
 *
 * Does nothing outside a secure context or where there is no document.
 *
 * @param options Result format and additions.
 * @returns A function that removes everything that was installed, additions first.
 * @example
 * ```ts
 * const undo = apply({ additions: [formTools()] })
 * await document.modelContext.registerTool(tool)
 * undo()
 * ```
 */
export function apply({ results, additions = [] }: Options = {}): Undo {
  if (isSupported() || typeof document !== 'object' || !isSecureContext) return () => undefined
  const { contextOf, interfaces } = createInterfaces(results)
  const current = () => contextOf(document)

  Object.defineProperty(interfaces.ModelContext, PEER, { value: peerOf(current) })
  const controller = new AbortController()
  listen((channel) => answer(current, channel), controller.signal)
  window.addEventListener('pagehide', (event) => endCalls(current(), event), controller)
  const undos = [
    () => controller.abort(),
    define(window, interfaces, false),
    // https://webmachinelearning.github.io/webmcp/#dom-document-modelcontext
    define(Document.prototype, {
      get modelContext() {
        return contextOf(toDocument(this)).target
      },
    }),
  ]
  for (const add of additions) undos.unshift(add(current()))
  return () => {
    for (const undo of undos.splice(0)) undo()
  }
}

/** Checks for a document of this realm: the getter throws on objects that only inherit from one. */
function toDocument(value: unknown): Document {
  Reflect.get(Document.prototype, 'URL', value)
  return value instanceof Document ? value : throwIllegal('invocation')
}

/** The functions that other windows of this origin call directly. */
const peerOf = (current: () => Context): Peer => ({
  allows: allowedToUse,
  list: (caller) => (allowedToUse() === true ? listTools(current(), caller) : []),
  readTool: (value) => current().readTool(value),
  start: (call, done) => startTool(current(), call, done),
  change: () => queueToolChange(current()),
})

/**
 * Ends calls when the document is unloaded: those that run here and those that this document made.
 * https://webmachinelearning.github.io/webmcp/#unloading-document-cleanup-steps
 */
function endCalls({ running, calling }: Context, { persisted }: PageTransitionEvent): void {
  if (persisted) return
  for (const end of [...running, ...calling]) end()
}
