/** Loads the rules of the workspace, with the entity tag of their state. @module */

import { ownBase } from '../connect/workspace.ts'
import { sendForTag } from '../owner/send-act.ts'
import { useLoad } from '../ui/load.ts'

/** Loads the rules, and again whenever a value in `on` changes; null where the server is another one. */
export function useRules(on: readonly unknown[] = []) {
  const base = ownBase.value
  return useLoad(
    async (signal) => (base === null ? null : sendForTag(base, 'read_config', { signal })),
    [base, ...on],
  )
}
