/** How differences are drawn on the review page, as this browser remembers it. @module */

import { signal } from '@preact/signals'
import type { Layout } from '#views/diff/segments.ts'
import { recordOf } from '#core/json.ts'
import { readStored, writeStored } from '../ui/storage.ts'

const NAME = 'review'

/** The options. */
export interface ReviewOptions {
  readonly layout: Layout
  /** Whether lines that differ in spaces and tabs alone are drawn as unchanged. */
  readonly ignoresSpace: boolean
}

/** The options of now. White space is shown at each visit: hiding it is a choice of the moment. */
export const reviewOptions = signal<ReviewOptions>({
  layout: recordOf(readStored(NAME))['layout'] === 'split' ? 'split' : 'unified',
  ignoresSpace: false,
})

/** Changes an option. */
export function setReviewOption(change: Partial<ReviewOptions>): void {
  reviewOptions.value = { ...reviewOptions.value, ...change }
  writeStored(NAME, { layout: reviewOptions.value.layout })
}
