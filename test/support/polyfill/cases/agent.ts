/**
 * Commands that a page sends to the frames of a test, on both sides.
 *
 * @module
 */

import type { ModelContextTool } from '../../../../polyfill/types.ts'
import { contextOf, failure } from './case.ts'

export type Command =
  | { readonly do: 'register'; readonly name: string; readonly exposedTo?: string[] }
  | { readonly do: 'unregister' }
  | { readonly do: 'list'; readonly fromOrigins?: string[] }
  | { readonly do: 'call'; readonly name: string; readonly fromOrigins?: string[] }
  | { readonly do: 'log' }

const log: string[] = []
let over = new AbortController()

/** A tool whose name determines what it does: `hang…` never ends, others echo. */
export function makeTool(name: string, note: string[]): ModelContextTool {
  return {
    name,
    description: `The tool ${name}`,
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
    execute(input, { signal }) {
      note.push(`called ${name}`)
      signal.addEventListener('abort', () => note.push(`aborted ${name}`))
      return name.startsWith('hang') ? new Promise(() => {}) : { name, input }
    },
  }
}

/** Writes a context's events down. */
export function noteEvents(owner: Document, note: string[]): void {
  for (const type of ['toolchange', 'toolactivated', 'toolcancel'])
    contextOf(owner).addEventListener(type, () => note.push(type))
}

async function runCommand(command: Command): Promise<unknown> {
  const context = contextOf(document)
  switch (command.do) {
    case 'register': {
      const { exposedTo = [], name } = command
      const options = { exposedTo, signal: over.signal }
      return failure(() => context.registerTool(makeTool(name, log), options))
    }
    case 'unregister':
      over.abort()
      over = new AbortController()
      return 'done'
    case 'list': {
      const { fromOrigins = [] } = command
      const tools = await context.getTools({ fromOrigins }).catch(({ name }: Error) => name)
      return typeof tools === 'string'
        ? tools
        : tools.map(({ name, origin }) => `${name} ${origin}`)
    }
    case 'call': {
      const { fromOrigins = [], name } = command
      const tools = await context.getTools({ fromOrigins })
      const tool = tools.find((found) => found.name === name)
      return tool ? context.executeTool(tool, { from: 'frame' }) : 'unknown'
    }
    case 'log':
      return log.splice(0)
  }
}

/** Makes this document runCommand. */
export function listen(): void {
  if (window.parent === window) return
  noteEvents(document, log)
  window.addEventListener('message', ({ data, source }: MessageEvent<unknown>) => {
    if (typeof data !== 'object' || data === null || !('command' in data)) return
    const { command, id } = data as { command: Command; id: unknown }
    void Promise.resolve(runCommand(command))
      .catch(({ name }: Error) => name)
      .then((answer) => source?.postMessage({ answer, id }, { targetOrigin: '*' }))
  })
}

/** Sends a command to a frame and waits for its response. */
export function instruct(frame: Window, command: Command): Promise<unknown> {
  const id = crypto.randomUUID()
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const hear = ({ data }: MessageEvent<{ id?: unknown; answer?: unknown }>) => {
    if (data.id !== id) return
    window.removeEventListener('message', hear)
    resolve(data.answer)
  }
  window.addEventListener('message', hear)
  frame.postMessage({ command, id }, '*')
  setTimeout(resolve, 4000, 'silence')
  return promise
}
