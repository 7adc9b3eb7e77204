/**
 * The HTTP routes beside MCP, which are the owner's alone.
 *
 * @module
 */

import { OWNER_ACTS } from '#core/owner/acts.ts'

const ACT_PATHS = Object.values(OWNER_ACTS).map(({ path }) => path.replace(/\{\w+\}/g, 'one'))

/** Every path of an act once, and those that carry files. */
export const OWNER_ROUTES: readonly string[] = [
  '/files',
  '/files/vault-kelp/gold-ember.md',
  '/import',
  '/export',
  ...new Set(ACT_PATHS),
]
