/**
 * The stored answer of a call that waited, as the request that receives it may see it: the rules or its policy may hide
 * by now what the call named. `test/platform/call/confirm-access.test.ts` has the cases.
 *
 * @module
 */

import type { Access } from '../access/access.ts'
import { seenIntent } from '../access/history-view.ts'
import type { WaitingAnswer } from '../drafts/waiting-calls.ts'

/**
 * Returns the answer whole, or only the sentence of its change as history shows it.
 *
 * @param isListed Whether history shows the change to the request. It never shows one of a path that may only be
 *   written.
 */
export function seenAnswer(
  stored: WaitingAnswer,
  access: Access,
  isListed: boolean,
): WaitingAnswer {
  if (access.unrestricted) return stored
  const { paths, answer } = stored
  const intent = seenIntent(stored.intent, access)
  const isOpen =
    intent === stored.intent &&
    paths.every((path) => access.maySeeNamed(path)) &&
    (isListed || paths.some((path) => !access.canRead(path)))
  if (isOpen) return stored
  const { structured } = answer
  const emptied = structured && { structured: emptyValues(structured) }
  return { ...stored, intent, answer: { text: intent, ...emptied } }
}

/** Empties each value: clients refuse a result that has not the shape of its tool. */
const emptyValues = (structured: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(structured).map(([key, value]) => [key, emptied(value)]))

function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return []
  return typeof value === 'number' ? 0 : ''
}
