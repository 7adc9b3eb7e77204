/**
 * All planted faults.
 *
 * @module
 */

import { CORE } from './core.ts'
import type { Fault } from './fault.ts'
import { PAGES } from './pages.ts'
import { ACCESS } from './worker-access.ts'
import { API } from './worker-api.ts'
import { CALLS } from './worker-calls.ts'
import { DAV_FAULTS } from './worker-dav.ts'
import { DECISIONS } from './worker-decisions.ts'
import { LEASE_FAULTS } from './worker-leases.ts'
import { PAGE_LINK_FAULTS } from './worker-page-links.ts'
import { SIGN_IN } from './worker-sign-in.ts'
import { EVENTS } from './worker-events.ts'
import { STORE } from './worker-store.ts'
import { SKILL_FAULTS } from './worker-skills.ts'
import { NOTIFIER } from './worker-notifier.ts'
import { TEXT_FAULTS } from './worker-texts.ts'
import { TRUST } from './worker-trust.ts'

/** The faults of all rooms. */
export const FAULTS: readonly Fault[] = [
  ...CORE,
  ...ACCESS,
  ...API,
  ...SIGN_IN,
  ...CALLS,
  ...DAV_FAULTS,
  ...DECISIONS,
  ...EVENTS,
  ...STORE,
  ...NOTIFIER,
  ...TRUST,
  ...LEASE_FAULTS,
  ...PAGE_LINK_FAULTS,
  ...SKILL_FAULTS,
  ...TEXT_FAULTS,
  ...PAGES,
]
