/** The configured limits, and the most that takes effect of each. */

import { DEFAULT_CONFIG } from '#core/config.ts'
import { MAX_DRAFT_TTL_SECONDS } from '#worker/limits.ts'
import { effective } from '#worker/store/limits.ts'
import { expect, it } from 'vitest'

it.each([
  [DEFAULT_CONFIG.draft_ttl_seconds, 604_800],
  [1, 1],
  [MAX_DRAFT_TTL_SECONDS - 1, MAX_DRAFT_TTL_SECONDS - 1],
  [MAX_DRAFT_TTL_SECONDS, MAX_DRAFT_TTL_SECONDS],
  [MAX_DRAFT_TTL_SECONDS + 1, MAX_DRAFT_TTL_SECONDS],
  [Number.MAX_SAFE_INTEGER, MAX_DRAFT_TTL_SECONDS],
  [0, MAX_DRAFT_TTL_SECONDS],
])('a change that may wait %i seconds is turned down after %i seconds', (configured, held) => {
  const config = { ...DEFAULT_CONFIG, draft_ttl_seconds: configured }
  expect(effective(config, 'draft_ttl_seconds')).toBe(held)
})
