/** All acts of the owner; `test/worker/owner/serve.test.ts` compares them with `core/owner/acts.ts`. @module */

import type { OwnerAct } from './act.ts'
import { APP_ACTS } from './apps.ts'
import { AUDIT_ACTS } from './audit.ts'
import { CHECKPOINT_ACTS } from './checkpoints.ts'
import { COMMENT_ACTS } from './comments.ts'
import { CONFIG_ACTS } from './config.ts'
import { DECISION_ACTS } from './draft-decision.ts'
import { DRAFT_ACTS } from './drafts.ts'
import { LEASE_ACTS } from './leases.ts'
import { NOTIFIED_CHANGE_ACTS } from './notified-changes.ts'
import { NOTIFICATION_ACTS } from './notifications.ts'
import { PAGE_LINK_ACTS } from './page-links.ts'
import { PASSKEY_ACTS } from './passkeys.ts'
import { REQUEST_ACTS } from './requests.ts'
import { SESSION_ACTS } from './sessions.ts'
import { SKILL_ACTS } from './skills.ts'
import { TRUST_ACTS } from './trust.ts'

/** The acts by what they are about. */
export const ACTS: readonly OwnerAct[] = [
  ...AUDIT_ACTS,
  ...CONFIG_ACTS,
  ...SESSION_ACTS,
  ...CHECKPOINT_ACTS,
  ...NOTIFIED_CHANGE_ACTS,
  ...DRAFT_ACTS,
  ...DECISION_ACTS,
  ...TRUST_ACTS,
  ...LEASE_ACTS,
  ...PAGE_LINK_ACTS,
  ...COMMENT_ACTS,
  ...REQUEST_ACTS,
  ...APP_ACTS,
  ...SKILL_ACTS,
  ...NOTIFICATION_ACTS,
  ...PASSKEY_ACTS,
]
