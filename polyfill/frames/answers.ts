/**
 * Serves requests from frames of other origins.
 *
 * The caller's origin is the one that the browser reports. It is passed to the same functions that
 * serve callers of this origin, so exposure is decided in one place.
 * `test/pages/polyfill-core-hostile.test.ts` covers it.
 *
 * @module
 */

import { toDictionary } from '../idl.ts'
import { type Context, queueToolChange } from '../model-context/context.ts'
import { startTool } from '../model-context/execution.ts'
import { listTools } from '../model-context/get-tools.ts'
import { allowedToUse, grants } from '../model-context/policy.ts'
import { hear, type Line, PATIENCE, send, whenOver } from './handshake.ts'

/** Waits a bounded time for the one request of a channel, and serves it. */
export function answer(context: () => Context, line: Line): void {
  const timer = setTimeout(() => line.over.abort(), 2 * PATIENCE)
  hear(line, (request) => {
    clearTimeout(timer)
    void serve(context(), line, request ?? {})
  })
}

async function serve(context: Context, line: Line, request: object): Promise<void> {
  const allowed = await allowedToUse()
  if ('policy' in request) send(line, { allowed: allowed && grantedTo(line) })
  else if (allowed && 'name' in request) call(context, line, request)
  else if (allowed && 'change' in request) {
    queueToolChange(context)
    send(line, {})
  } else send(line, { tools: allowed ? listTools(context, line.origin) : [] })
}

/**
 * Reads the `allow` attribute of the caller's frame; undefined if the frame is nested in another
 * one.
 */
function grantedTo({ window, origin }: Line): boolean | undefined {
  const frames = [...document.querySelectorAll('iframe')]
  const frame = frames.find(({ contentWindow }) => contentWindow === window)
  return frame && grants(frame, origin)
}

function call(context: Context, line: Line, request: object): void {
  const text = (name: string) => toDictionary(request)(name, String) ?? ''
  const asked = { name: text('name'), input: text('input'), caller: line.origin }
  const cancel = startTool(context, asked, (result, failed) => {
    // A result that is too large is replaced by an empty response.
    if (!send(line, failed ? { failed } : { result })) send(line, {})
  })
  hear(line, cancel)
  whenOver(line, cancel)
}
