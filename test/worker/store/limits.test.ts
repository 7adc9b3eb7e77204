/** The configured limits, and the most that takes effect of each. */

import { DEFAULT_CONFIG } from '#core/config.ts'
import { MAX_DRAFT_TTL_SECONDS, MAX_PREVIEW_TTL_SECONDS } from '#worker/limits.ts'
import { effective } from '#worker/store/limits.ts'
import { expect, it } from 'vitest'

const edgesOf = (most: number) => [
  [1, 1],
  [most - 1, most - 1],
  [most, most],
  [most + 1, most],
  [Number.MAX_SAFE_INTEGER, most],
  [0, most],
]

it.each([[DEFAULT_CONFIG.draft_ttl_seconds, 604_800], ...edgesOf(MAX_DRAFT_TTL_SECONDS)])(
  'a change that may wait %i seconds is turned down after %i seconds',
  (configured, held) => {
    const config = { ...DEFAULT_CONFIG, draft_ttl_seconds: configured }
    expect(effective(config, 'draft_ttl_seconds')).toBe(held)
  },
)

it.each([[DEFAULT_CONFIG.preview_ttl_seconds, 3_600], ...edgesOf(MAX_PREVIEW_TTL_SECONDS)])(
  'a preview that may be kept %i seconds is deleted after %i seconds',
  (configured, kept) => {
    const config = { ...DEFAULT_CONFIG, preview_ttl_seconds: configured }
    expect(effective(config, 'preview_ttl_seconds')).toBe(kept)
  },
)
