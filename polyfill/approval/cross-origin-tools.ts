/**
 * `webmcp-frames.mjs`: extension members of tools in frames of other origins.
 *
 * `getTools()` lists such tools, and browsers drop members that they do not know. The window of the
 * tools therefore offers their members to the origins to which each tool is exposed, and a window
 * that lists them asks for the members of what it found. The browser vouches for both ends: a
 * question is delivered only to the origin that was listed, and is answered for the origin that it
 * came from. Members inform the caller; the approval stays in the window of the tool.
 * `test/pages/polyfill/approval-hints.slow.test.ts` covers it.
 *
 * @module
 */

import { isRecord, own, recordOf, type JsonRecord } from '#core/json.ts'
import { isObject } from '../idl.ts'
import { originOf, OWN_ORIGIN } from '../model-context/origin.ts'
import { nameOf, sourceOf } from './listed-tools.ts'
import { readMembers } from './members.ts'
import { findDirectory } from './same-origin-tools.ts'
import type { Members } from './tool.ts'

/** The tag of a question; the number is the version of the protocol. */
const NAME = 'edgewise.webmcp.hints.1'

/** Milliseconds for which a window is asked; one without an answer has no members. */
const MAX_WAIT_MS = 500

/** Milliseconds between two questions: the module of the other window may still be loading. */
const ASK_MS = 100

/** Maximum length of an answer, in UTF-16 code units. */
const MAX_ANSWER_LENGTH = 4_000_000

/** Maximum number of tools of an answer, and of windows that are asked for one list. */
const MAX_TOOLS = 1_000
const MAX_WINDOWS = 100

/** A registered tool, and the origins that may list it as its author gave them. */
export type ExposedTool = readonly [name: string, exposedTo: unknown]

let exposed: () => readonly ExposedTool[] = () => []
let isListening = false

/**
 * Offers the members of this window's tools to the origins to which they are exposed.
 *
 * @param tools Lists the registered tools; replaces what was offered before.
 */
export function offerMembers(tools: () => readonly ExposedTool[]): void {
  exposed = tools
  if (!isListening) window.addEventListener('message', answer, { capture: true })
  isListening = true
}

/** Answers a question of a window of this tree. */
function answer(event: MessageEvent<unknown>): void {
  const { data, origin, source, ports } = event
  if (data !== NAME) return
  event.stopImmediatePropagation()
  const window = source as Window | null // other sources have no `top`
  if (window?.top !== top || origin === 'null') return
  const directory = findDirectory(globalThis) // none after the layer was removed
  const members = exposed()
    .filter(([, exposedTo]) => isExposed(exposedTo, origin))
    .slice(0, MAX_TOOLS)
    .map(([name]) => [name, directory?.membersOf(name)] as const)
  ports[0]?.postMessage(JSON.stringify(Object.fromEntries(members)))
}

const isExposed = (exposedTo: unknown, origin: string): boolean =>
  Array.isArray(exposedTo) &&
  exposedTo.some((url: unknown) => typeof url === 'string' && originOf(url) === origin)

/**
 * Adds the members of tools in windows of other origins to a list.
 *
 * @param tools The list of `getTools()`. Its windows and origins come from the browser.
 * @param addMembers That of `listed-tools.ts`, whose table belongs to the script that wraps the context.
 */
export async function addRemoteMembers(
  tools: unknown,
  addMembers: (tool: unknown, members: Members) => void,
): Promise<void> {
  if (!Array.isArray(tools)) return
  const answers = new Map<Window, Promise<JsonRecord>>()
  const adding = tools.map(async (tool: unknown) => {
    const origin: unknown = isObject(tool) && Reflect.get(tool, 'origin')
    if (!isObject(tool) || typeof origin !== 'string') return
    const target = sourceOf(tool)
    if (origin === OWN_ORIGIN || findDirectory(target)) return
    if (!answers.has(target) && answers.size < MAX_WINDOWS)
      answers.set(target, askWindow(target, origin))
    const found = own((await answers.get(target)) ?? {}, nameOf(tool))
    if (isRecord(found)) addMembers(tool, readMembers(found))
  })
  await Promise.all(adding)
}

/** Asks a window until it answers or the time is up; then the answer is empty. */
async function askWindow(window: Window, origin: string): Promise<JsonRecord> {
  const ports: MessagePort[] = []
  let timer = 0
  const text = await new Promise<unknown>((resolve) => {
    const ask = () => {
      if (ports.length >= MAX_WAIT_MS / ASK_MS) return resolve(null)
      const { port1, port2 } = new MessageChannel()
      ports.push(port1)
      port1.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data)
      window.postMessage(NAME, origin, [port2])
    }
    timer = setInterval(ask, ASK_MS)
    ask()
  })
  clearInterval(timer)
  for (const port of ports) port.close()
  return readAnswer(text)
}

/** Parses an answer; an invalid or too long one is empty. */
function readAnswer(text: unknown): JsonRecord {
  if (typeof text !== 'string' || text.length > MAX_ANSWER_LENGTH) return {}
  try {
    return recordOf(JSON.parse(text))
  } catch {
    return {}
  }
}
