/**
 * What others do at the paths of a call, as its result says it: their leases, and their drafts that wait. Names and notes
 * are data: in sentences they are quoted, with hidden characters by their names.
 *
 * `test/worker/leases/results.test.ts` has the cases.
 *
 * @module
 */

import { quoteName, quoteValue } from '#core/quote.ts'
import type { OtherUse } from '../../access/lease-view.ts'
import { shortText } from '../../errors/short.ts'
import { firstFitting } from './first-fitting.ts'
import { MAX_NAMED_USES } from './limits.ts'
import type { Outcome } from './tool-result.ts'

/** Bytes of JSON of the parts of one use, and of all uses as text and as data, so that they fit beside every result. */
const MAX_BYTES = { name: 150, path: 300, note: 300, all: 2_000 }

/** Formats a time in milliseconds since 1970. */
export const toIso = (time: number): string => new Date(time).toISOString()

/** Adds what others do at its paths to a result: as lines of their own, and as `in_use` in the structured content. */
export function appendUses(outcome: Outcome, uses: readonly OtherUse[]): Outcome {
  if (uses.length === 0) return outcome
  const named = uses.slice(0, MAX_NAMED_USES).map(shorten)
  const shown = firstFitting(named, describeUse, MAX_BYTES.all)
  const left = uses.length - shown.length
  const lines = [...shown.map(describeUse), ...(left > 0 ? [`… and ${left} more`] : [])]
  const { content, structuredContent: structured } = outcome
  const in_use = { paths: shown.map(toData), ...(left > 0 && { left_out: left }) }
  return {
    ...outcome,
    content: [...content, { type: 'text', text: lines.join('\n') }],
    ...(structured && { structuredContent: { ...structured, in_use } }),
  }
}

const shorten = ({ path, by, note, ...use }: OtherUse) => ({
  ...use,
  path: shortText(path, MAX_BYTES.path),
  by: shortText(by, MAX_BYTES.name),
  note: shortText(note, MAX_BYTES.note),
})

type ShownUse = ReturnType<typeof shorten>

function describeUse({ path, kind, by, since, until, note }: ShownUse): string {
  const what = `Note: ${quoteValue(path)} ${VERBS[kind]} ${by} since ${toIso(since)}`
  const end = until === null ? '' : ` until ${toIso(until)}`
  return `${what}${end}${note === '' ? '' : `; note: ${quoteName(note)}`}`
}

const VERBS: Readonly<Record<OtherUse['kind'], string>> = {
  lease: 'is leased by',
  lock: 'is locked by',
  draft: 'has a change that waits for approval, by',
}

const toData = ({ path, kind, by, since, until, note }: ShownUse) => ({
  ...{ path, kind, by, since: toIso(since) },
  ...(until !== null && { until: toIso(until) }),
  ...(note !== '' && { note }),
})
