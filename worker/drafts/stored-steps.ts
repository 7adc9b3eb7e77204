/**
 * Stored steps: the steps of a proposal as JSON, in which content is the row that holds it, and how much they take.
 * `test/worker/drafts/limits.test.ts` tests them.
 *
 * @module
 */

import type { Content, Step, Store } from '../store/store.ts'
import type { Tables } from '../database/table-groups.ts'

/** A step as it is stored: content as the row that holds it. */
type StoredStep =
  | Exclude<Step, { readonly type: 'put' }>
  | (Omit<Extract<Step, { type: 'put' }>, 'content'> & {
      readonly blob: number
      readonly size: number
    })

/** Formats steps whose content has rows. */
export function formatSteps(sql: Tables, steps: readonly Step[]): string {
  const stored = steps.map((step): StoredStep => {
    if (step.type !== 'put') return step
    const { content, ...rest } = step
    const { id } = sql
      .exec<{ id: number }>('SELECT id FROM blobs WHERE hash = ?', content.hash)
      .one()
    return { ...rest, blob: id, size: content.size }
  })
  return JSON.stringify(stored)
}

/** Parses stored steps; null if their content is no longer stored. */
export function parseSteps(store: Pick<Store, 'contentOf'>, text: string): Step[] | null {
  const steps: Step[] = []
  for (const step of JSON.parse(text) as StoredStep[]) {
    if (step.type !== 'put') {
      steps.push(step)
      continue
    }
    const { blob, size, ...rest } = step
    const content: Content | null = store.contentOf({ blob, size })
    if (!content) return null
    steps.push({ ...rest, content })
  }
  return steps
}

/** Estimates the bytes of {@link formatSteps}, before the content has rows; never below them. */
export function lengthOfSteps(steps: readonly Step[]): number {
  return steps.reduce(
    (sum, step) => sum + byteLength(JSON.stringify(step.type === 'put' ? step.path : step)) + 100,
    0,
  )
}

/** Sums the bytes that steps write. */
export function bytesOf(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => sum + (step.type === 'put' ? step.content.size : 0), 0)
}

/** Returns the length of a text in UTF-8. */
export const byteLength = (text: string) => new TextEncoder().encode(text).length
