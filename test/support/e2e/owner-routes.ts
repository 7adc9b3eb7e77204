/**
 * The HTTP routes beside MCP, which are the owner's alone.
 *
 * @module
 */

import { OWNER_ACTS, type ActAddress } from '#core/owner/acts.ts'

const pathOf = ({ path }: ActAddress) => path.replace(/\{\w+\}/g, 'one')

const ACTS: readonly ActAddress[] = Object.values(OWNER_ACTS)

/** Every path of an act once, and those that carry files. */
export const OWNER_ROUTES: readonly string[] = [
  '/files',
  '/files/vault-kelp/gold-ember.md',
  '/changes',
  '/import',
  '/export',
  ...new Set(ACTS.map(pathOf)),
]

/** The paths of acts that take a body. */
export const ROUTES_WITH_BODY: readonly string[] = [
  ...new Set(ACTS.filter(({ method }) => /^P/.test(method)).map(pathOf)),
]
