/**
 * A result that is the same for every workspace, as JSON: the `tools/list` of a caller with free access whose client shows
 * no apps.
 *
 * Writing the list takes longer than all else that a cold Worker does for its first answer: every schema is built and
 * converted. So the build writes it once, and puts it in place of this module (`scripts/bundle-plugins.ts`).
 *
 * @module
 */

import { DEFAULT_CONFIG } from '#core/config.ts'
import { callerWithoutSession } from '../access/caller.ts'
import { TOOLS } from '../tools/index.ts'
import { writeResult } from './plain-result.ts'
import { listTools } from './server.ts'
import { CACHE_HINTS } from './server-info.ts'

/** Writes the result of `tools/list`. */
export const writeToolList = (): string =>
  writeResult({
    ...listTools({ tools: TOOLS }, callerWithoutSession('', DEFAULT_CONFIG)),
    ...CACHE_HINTS['tools/list'],
  })
