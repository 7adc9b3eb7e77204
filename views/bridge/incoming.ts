/**
 * What the host sends to a view: requests that are answered, and notifications that become events.
 * `test/views/bridge/bridge.test.ts` tests it.
 *
 * @module
 */

import { recordOf, type JsonRecord } from '#core/json.ts'
import type { Events } from './events.ts'
import { parseContext, parseProgress, parseReason, parseResult } from './parse.ts'
import type { HostContext } from './types.ts'

/** The host context, which notifications change. */
export interface State {
  context: HostContext
}

/** Below the time that hosts wait before they remove a view: about a second. */
const TEARDOWN_MS = 900

/** Answers a request of the host; undefined if it is unknown. */
export function handleRequest(
  method: string,
  params: JsonRecord,
  events: Events,
): Promise<object> | undefined {
  if (method === 'ping') return Promise.resolve({})
  return method === 'ui/resource-teardown' ? handleTeardown(params, events) : undefined
}

async function handleTeardown(params: JsonRecord, events: Events): Promise<object> {
  const timeout = new Promise((resolve) => setTimeout(resolve, TEARDOWN_MS))
  await Promise.race([events.dispatch('teardown', parseReason(params)), timeout])
  return {}
}

const LIST_CHANGED = /^notifications\/(tools|resources|prompts)\/list_changed$/

/** Emits the event of a notification; one that is unknown is ignored. */
export function handleNotification(
  method: string,
  params: JsonRecord,
  events: Events,
  state: State,
): void {
  const args = { arguments: recordOf(params['arguments']) }
  if (method === 'ui/notifications/tool-input') events.emit('input', args)
  else if (method === 'ui/notifications/tool-input-partial') events.emit('partial', args)
  else if (method === 'ui/notifications/tool-result') events.emit('result', parseResult(params))
  else if (method === 'notifications/progress') {
    const progress = parseProgress(params)
    if (progress) events.emit('progress', progress)
  } else if (method === 'ui/notifications/tool-cancelled')
    events.emit('cancelled', parseReason(params))
  else if (method === 'ui/notifications/host-context-changed') {
    state.context = { ...state.context, ...parseContext(params) }
    events.emit('context', state.context)
  }
  const what = LIST_CHANGED.exec(method)?.[1]
  if (what === 'tools' || what === 'resources' || what === 'prompts')
    events.emit('changed', { what })
}
