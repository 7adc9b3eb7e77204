/**
 * The WebMCP specification for browsers without it: `document.modelContext`, and nothing else.
 *
 * `apply()` puts it in place and answers a function that takes it away again; where a context is
 * there already, native or not, it does nothing. Importing this file does nothing either, so it may
 * be imported where there is no page. `SPEC.md` names the commit that is followed, every deviation,
 * and the tests.
 *
 * @module
 */

import { answer } from './frames/answers.ts'
import { listen } from './frames/handshake.ts'
import { PEER, type Peer } from './frames/tree.ts'
import { type Context, queueToolChange } from './model-context/context.ts'
import { startTool } from './model-context/execution.ts'
import { listTools } from './model-context/get-tools.ts'
import { createInterfaces, illegal } from './model-context/interface.ts'
import { allowedToUse } from './model-context/policy.ts'
import { define, type Undo } from './undo.ts'

/** Something that works on the page's context until it is taken back. */
export type Addition = (context: Context) => Undo

export interface Options {
  /** How results are written: as Chromium does it (the default), or to the letter of the spec. */
  readonly results?: 'chromium' | 'spec'
  /** What core does not carry: `formTools()` of `declarative.ts`, `discovery()` of `devtools.ts`. */
  readonly additions?: readonly Addition[]
}

/** Whether this page has a model context, be it the browser's own or a polyfill's. */
export function isSupported(): boolean {
  return typeof document === 'object' && 'modelContext' in document
}

/** Gives the page a model context, unless it has one. Answers what takes it away again. */
export function apply({ results, additions = [] }: Options = {}): Undo {
  if (isSupported() || typeof document !== 'object' || !isSecureContext) return () => undefined
  const { contextOf, interfaces } = createInterfaces(results)
  const current = () => contextOf(document)

  Object.defineProperty(interfaces.ModelContext, PEER, { value: peerOf(current) })
  const over = new AbortController()
  listen((line) => answer(current, line), over.signal)
  window.addEventListener('pagehide', (event) => endCalls(current(), event), over)
  const undos = [
    () => over.abort(),
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

const toDocument = (value: unknown): Document =>
  value instanceof Document ? value : illegal('invocation')

/** What this window shows to others of its origin. */
const peerOf = (current: () => Context): Peer => ({
  allows: allowedToUse,
  list: (caller) => (allowedToUse() === true ? listTools(current(), caller) : []),
  start: (call, done) => startTool(current(), call, done),
  change: () => queueToolChange(current()),
})

/**
 * https://webmachinelearning.github.io/webmcp/#unloading-document-cleanup-steps: calls end with the
 * document in which they run, and are cancelled with the one that made them.
 */
function endCalls({ running, calling }: Context, { persisted }: PageTransitionEvent): void {
  if (persisted) return
  for (const end of [...running, ...calling]) end()
}
