/**
 * `lease`: tells others that its caller works alone on some paths for a while. It gives no access.
 *
 * `test/worker/leases/tool.test.ts` has the cases.
 *
 * @module
 */

import { quoteValue } from '#core/quote.ts'
import { ok } from '#core/result.ts'
import * as z from 'zod/mini'
import { USUAL_LEASE_TTL } from '../access/lease.ts'
import { shortNames } from '../errors/short.ts'
import { MAX_LEASE_NOTE_LENGTH, MAX_LEASE_SECONDS, MAX_LEASED_PATHS } from '../leases/limits.ts'
import { path, wellFormed } from './lib/arguments.ts'
import { defineAct, writing } from './lib/tool.ts'

/** Takes, renews or releases leases: all of the named paths, or none. */
export const lease = defineAct({
  name: 'lease',
  title: 'Lease paths',
  description:
    'Tell other agents that you work alone on files or folders. It ends after ttl_seconds; 0 releases them.',
  intent: `Lease {paths} for {ttl_seconds|${USUAL_LEASE_TTL}} seconds[, with the note {note}]`,
  approval: 'none',
  destructive: false,
  idempotent: true,
  writes: true,
  auditOnly: true,
  input: () =>
    z.strictObject({
      paths: z.array(path).check(z.minLength(1), z.maxLength(MAX_LEASED_PATHS)),
      ttl_seconds: z._default(
        z.int().check(z.minimum(0), z.maximum(MAX_LEASE_SECONDS)),
        USUAL_LEASE_TTL,
      ),
      note: z.optional(wellFormed.check(z.maxLength(MAX_LEASE_NOTE_LENGTH))),
    }),
  output: () => z.object({ paths: z.array(z.string()), until: z.optional(z.string()) }),

  touches: ({ paths }) => paths.map((text) => writing(text)),

  async act({ ttl_seconds: seconds, note = '' }, places, { leases }) {
    const paths = [...new Set(places)]
    if (seconds === 0) {
      const released = leases.release(paths)
      const text = released.length === 0 ? NONE : `Released ${namesOf(released)}`
      return ok({ text, structured: { paths: released } })
    }
    const taken = leases.take({ kind: 'lease', paths, seconds, note })
    if (!taken.ok) return taken
    const until = new Date(Math.min(...taken.value.map((one) => one.until))).toISOString()
    const text = `Leased ${namesOf(paths)} until ${until}`
    return ok({ text, structured: { paths, until } })
  },
})

const NONE = 'You have no lease on exactly these paths'

const namesOf = (paths: readonly string[]) =>
  shortNames(paths, MAX_LEASED_PATHS).map(quoteValue).join(', ')
