/** A change as a tool tells of it: what was done, when, by whom and in whose name. @module */

import * as z from 'zod'
import type { ChangeRecord } from '../store/store.ts'

export const shownChange = z.object({
  id: z.string(),
  version: z.int(),
  at: z.string(),
  tool: z.string(),
  intent: z.string(),
  actor: z.string(),
  principal: z.string(),
  session: z.string().optional(),
})

export function toShown(record: ChangeRecord): z.infer<typeof shownChange> {
  const { id, version, at, tool, intent, actor } = record
  const { principal, session, label } = actor
  const who = label === null ? principal : `${label} for ${principal}`
  const change = { id, version, at: new Date(at).toISOString(), tool, intent }
  return { ...change, actor: who, principal, ...(session !== null && { session }) }
}
