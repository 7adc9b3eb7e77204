/**
 * Approvals that hold until this page closes, in memory.
 *
 * A page may replace any built-in and list them, so the record itself never leaves this module: what could
 * get hold of it could add an approval. `test/polyfill/approval/visit-approvals.test.ts` covers it.
 *
 * @module
 */

import { create, keys, now } from './builtins.ts'

/** An approval that lets a tool run without a question until the page closes. */
export interface VisitApproval {
  readonly tool: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The serialised definition of the tool. */
  readonly definition: string
}

/** By the definition. */
const allowed: Record<string, VisitApproval> = create(null)

/** Remembers that the user allowed a tool with this definition. */
export function allowVisit(definition: string, tool: string): void {
  allowed[definition] = { tool, at: now(), definition }
}

/** Reports whether the user has allowed a tool with this definition on this visit. */
export const isAllowedVisit = (definition: string): boolean => definition in allowed

/** The approvals of this visit, for `<webmcp-approvals>`, which can list and end them, and add none. */
export const visitApprovals = {
  /** Lists copies. */
  list(): VisitApproval[] {
    const definitions = keys(allowed)
    const listed: VisitApproval[] = []
    for (let i = 0; i < definitions.length; i++) {
      const one = allowed[definitions[i] ?? '']
      if (one) listed[i] = { ...one }
    }
    return listed
  },
  /** Ends the approval of a definition. */
  forget: (definition: string): boolean => delete allowed[definition],
}

/** The approvals of this visit, as the element gets them. */
export type VisitApprovals = typeof visitApprovals
