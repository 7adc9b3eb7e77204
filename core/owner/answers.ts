/**
 * What each act of the owner answers. The Worker writes exactly these (`worker/owner/`), and the console decodes them
 * (`host/console/owner/`), so that neither can change alone.
 *
 * `test/support/worker/owner-answers.ts` decodes the answers in every test of the Worker.
 *
 * @module
 */

import { record, type Decode, type Decoded } from '../decode.ts'
import type { ActName } from './acts.ts'
import { appList, appPreview, shownApp } from './answers/apps.ts'
import { folderFileDifference, withdrawnFolder } from './answers/approved.ts'
import { auditPage, chainCheck, notifiedChanges } from './answers/audit.ts'
import {
  changePage,
  decided,
  fileDifference,
  filePage,
  singleChange,
  draftContents,
  draftSum,
  waitingList,
} from './answers/drafts.ts'
import { commentThread, threadPage } from './answers/comments.ts'
import { leaseList } from './answers/leases.ts'
import { deviceTest, notificationSettings } from './answers/notifications.ts'
import { madePageLink, pageLinkList } from './answers/page-links.ts'
import { passkeyList } from './answers/passkeys.ts'
import { allowedRequest, refusedRequest, requestLists } from './answers/requests.ts'
import {
  checkpointList,
  clientList,
  madeLink,
  restored,
  sessionList,
  shownCheckpoint,
  workspaceStatus,
} from './answers/sessions.ts'
import { shownSkill, skillList, skillPage } from './answers/skills.ts'
import { shownTrust, trustList } from './answers/trust.ts'

/** No body (204). */
export const nothing: Decode<null> = (value) => (value === null ? null : undefined)

/** Bytes, which a browser opens by their address. */
export const bytes: Decode<never> = () => undefined

/** The answer of each act. */
export const OWNER_ANSWERS = {
  read_status: workspaceStatus,
  read_audit: auditPage,
  check_audit: chainCheck,
  note_denial: nothing,
  read_config: record,
  configure: record,
  read_flags: record,
  list_sessions: sessionList,
  list_clients: clientList,
  make_link: madeLink,
  end_session: nothing,
  take_back_access: nothing,
  list_checkpoints: checkpointList,
  create_checkpoint: shownCheckpoint,
  delete_checkpoint: nothing,
  compare_checkpoint: record,
  restore_checkpoint: restored,
  list_notices: notifiedChanges,
  dismiss_notices: notifiedChanges,
  list_drafts: waitingList,
  show_draft: draftContents,
  sum_up_draft: draftSum,
  list_draft_changes: changePage,
  show_draft_change: singleChange,
  list_draft_files: filePage,
  compare_draft_file: fileDifference,
  open_draft_file: bytes,
  approve_draft: decided,
  turn_down_draft: decided,
  hand_over_draft: nothing,
  list_trust: trustList,
  preview_trust: shownTrust,
  give_trust: trustList,
  end_trust: nothing,
  list_leases: leaseList,
  end_lease: nothing,
  list_page_links: pageLinkList,
  make_page_link: madePageLink,
  end_page_link: nothing,
  request_changes: commentThread,
  list_comments: threadPage,
  add_comment: commentThread,
  reply_to_comment: commentThread,
  resolve_comment: nothing,
  reopen_comment: nothing,
  delete_comment: nothing,
  list_requests: requestLists,
  allow_access: allowedRequest,
  refuse_access: refusedRequest,
  take_back_call: nothing,
  list_apps: appList,
  show_app: shownApp,
  compare_app_file: folderFileDifference,
  open_app_file: bytes,
  preview_app: appPreview,
  approve_app: shownApp,
  turn_down_app: shownApp,
  withdraw_app: withdrawnFolder,
  list_skills: skillList,
  show_skill: skillPage,
  compare_skill_file: folderFileDifference,
  open_skill_file: bytes,
  approve_skill: shownSkill,
  turn_down_skill: shownSkill,
  withdraw_skill: withdrawnFolder,
  read_notifications: notificationSettings,
  set_quiet_hours: notificationSettings,
  add_device: notificationSettings,
  remove_device: notificationSettings,
  test_device: deviceTest,
  list_passkeys: passkeyList,
  begin_passkey: record,
  register_passkey: passkeyList,
  rename_passkey: passkeyList,
  remove_passkey: passkeyList,
  remove_passkey_later: passkeyList,
  keep_passkey: passkeyList,
} as const satisfies Readonly<Record<ActName, Decode<unknown>>>

/** What an act answers. */
export type Answer<Name extends ActName> = Decoded<(typeof OWNER_ANSWERS)[Name]>
