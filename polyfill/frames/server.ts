/**
 * Serves requests from frames of other origins.
 *
 * The caller's origin is the one that the browser reports. It is passed to the same functions that
 * serve callers of this origin, so exposure is decided in one place.
 * `test/pages/polyfill/core-hostile.slow.test.ts` covers it.
 *
 * @module
 */

import { toDictionary } from '../idl.ts'
import { type Context, queueToolChange } from '../model-context/context.ts'
import { startTool } from '../model-context/execution.ts'
import { listTools } from '../model-context/get-tools.ts'
import { allowedToUse, grants } from '../model-context/policy.ts'
import { type Channel, MAX_WAIT_MS, onClose, receive, send } from './channel.ts'

/** Waits a bounded time for the one request of a channel, and serves it. */
export function answer(context: () => Context, channel: Channel): void {
  const timer = setTimeout(() => channel.closing.abort(), 2 * MAX_WAIT_MS)
  receive(channel, (request) => {
    clearTimeout(timer)
    void serve(context(), channel, request ?? {})
  })
}

async function serve(context: Context, channel: Channel, request: object): Promise<void> {
  const allowed = await allowedToUse()
  if ('policy' in request) send(channel, { allowed: allowed && isGranted(channel) })
  else if (allowed && 'name' in request) call(context, channel, request)
  else if (allowed && 'change' in request) {
    queueToolChange(context)
    send(channel, {})
  } else send(channel, { tools: allowed ? listTools(context, channel.origin) : [] })
}

/**
 * Reads the `allow` attribute of the caller's frame; undefined if the frame is nested in another
 * one.
 */
function isGranted({ window, origin }: Channel): boolean | undefined {
  const frames = [...document.querySelectorAll('iframe')]
  const frame = frames.find(({ contentWindow }) => contentWindow === window)
  return frame && grants(frame, origin)
}

function call(context: Context, channel: Channel, request: object): void {
  const text = (name: string) => toDictionary(request)(name, String)
  const toolCall = {
    id: text('id'),
    name: text('name') ?? '',
    input: text('input') ?? '',
    caller: channel.origin,
  }
  const cancel = startTool(context, toolCall, (result, failed) => {
    // A result that is too large is replaced by an empty response.
    if (!send(channel, failed ? { failed } : { result })) send(channel, {})
  })
  receive(channel, cancel)
  onClose(channel, cancel)
}
