/**
 * The acts of the owner over HTTP: the address of each, its method, and who can send it. The Worker serves exactly these
 * (`worker/owner/`), and the console sends them; the routes of the front, the names in the log and the table in
 * `docs/http.md` follow from this list.
 *
 * `test/worker/owner/serve.test.ts` has the cases.
 *
 * @module
 */

/** A method of an act. HEAD is allowed where GET is. */
export type ActMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The address of an act, and who can send it. */
export interface ActAddress {
  readonly method: ActMethod
  /** A path below the workspace; `{name}` is one segment, percent-encoded. */
  readonly path: string
  /** `console`: only a page of this server, as browsers state in headers that no page can set. */
  readonly from: 'console' | 'anywhere'
}

const act = <const Method extends ActMethod, const Path extends string>(
  method: Method,
  path: Path,
) => ({ method, path, from: 'anywhere' as const })

/** An act that decides what waits for the owner, or how it is decided, which no program can do. */
const decision = <const Method extends ActMethod, const Path extends string>(
  method: Method,
  path: Path,
) => ({ method, path, from: 'console' as const })

/** All acts, by name. */
export const OWNER_ACTS = {
  read_status: act('GET', '/status'),
  read_audit: act('GET', '/audit'),
  check_audit: act('GET', '/audit/check'),
  note_denial: decision('POST', '/audit'),
  read_config: act('GET', '/config'),
  configure: act('PUT', '/config'),
  read_flags: act('GET', '/config/flags'),
  list_sessions: act('GET', '/sessions'),
  list_clients: act('GET', '/clients'),
  make_link: act('POST', '/sessions'),
  end_session: act('DELETE', '/sessions/{session}'),
  take_back_access: act('DELETE', '/sessions/{session}/allowed'),
  list_checkpoints: act('GET', '/checkpoints'),
  create_checkpoint: act('POST', '/checkpoints'),
  delete_checkpoint: act('DELETE', '/checkpoints/{checkpoint}'),
  compare_checkpoint: act('GET', '/checkpoints/{checkpoint}/difference'),
  restore_checkpoint: act('POST', '/checkpoints/{checkpoint}/restore'),
  list_notices: act('GET', '/notices'),
  dismiss_notices: act('POST', '/notices'),
  list_drafts: act('GET', '/drafts'),
  show_draft: act('GET', '/drafts/{draft}'),
  sum_up_draft: act('GET', '/drafts/{draft}/summary'),
  list_draft_changes: act('GET', '/drafts/{draft}/changes'),
  show_draft_change: act('GET', '/drafts/{draft}/changes/{change}'),
  list_draft_files: act('GET', '/drafts/{draft}/files'),
  compare_draft_file: act('GET', '/drafts/{draft}/diff'),
  open_draft_file: act('GET', '/drafts/{draft}/file'),
  approve_draft: decision('POST', '/drafts/{draft}/approve'),
  turn_down_draft: decision('POST', '/drafts/{draft}/turn-down'),
  hand_over_draft: decision('POST', '/drafts/{draft}/hand-over'),
  list_trust: act('GET', '/trust'),
  preview_trust: act('POST', '/trust/preview'),
  give_trust: decision('POST', '/trust'),
  end_trust: decision('DELETE', '/trust/{trust}'),
  list_leases: act('GET', '/leases'),
  end_lease: act('DELETE', '/leases/{lease}'),
  list_page_links: act('GET', '/page-links'),
  make_page_link: decision('POST', '/page-links'),
  end_page_link: act('DELETE', '/page-links/{link}'),
  request_changes: decision('POST', '/drafts/{draft}/request-changes'),
  list_comments: act('GET', '/comments'),
  add_comment: decision('POST', '/comments'),
  reply_to_comment: decision('POST', '/comments/{comment}/replies'),
  resolve_comment: decision('POST', '/comments/{comment}/resolve'),
  reopen_comment: decision('POST', '/comments/{comment}/reopen'),
  delete_comment: decision('DELETE', '/comments/{comment}'),
  list_requests: act('GET', '/requests'),
  allow_access: decision('POST', '/requests/{request}/allow'),
  refuse_access: decision('POST', '/requests/{request}/refuse'),
  take_back_call: act('DELETE', '/requests/{request}'),
  list_apps: act('GET', '/apps'),
  show_app: act('GET', '/apps/{app}'),
  compare_app_file: act('GET', '/apps/{app}/diff'),
  open_app_file: act('GET', '/apps/{app}/file'),
  preview_app: act('POST', '/apps/{app}/preview'),
  approve_app: decision('POST', '/apps/{app}/approve'),
  turn_down_app: decision('POST', '/apps/{app}/turn-down'),
  withdraw_app: decision('POST', '/apps/{app}/withdraw'),
  list_skills: act('GET', '/skills'),
  show_skill: act('GET', '/skills/{skill}'),
  compare_skill_file: act('GET', '/skills/{skill}/diff'),
  open_skill_file: act('GET', '/skills/{skill}/file'),
  approve_skill: decision('POST', '/skills/{skill}/approve'),
  turn_down_skill: decision('POST', '/skills/{skill}/turn-down'),
  withdraw_skill: decision('POST', '/skills/{skill}/withdraw'),
  read_notifications: act('GET', '/notifications'),
  set_quiet_hours: decision('PUT', '/notifications/quiet-hours'),
  add_device: decision('POST', '/notifications/devices'),
  remove_device: decision('DELETE', '/notifications/devices/{device}'),
  test_device: decision('POST', '/notifications/devices/{device}/test'),
  list_passkeys: act('GET', '/passkeys'),
  begin_passkey: decision('POST', '/passkeys/begin'),
  register_passkey: decision('POST', '/passkeys'),
  rename_passkey: decision('POST', '/passkeys/{passkey}/rename'),
  remove_passkey: decision('DELETE', '/passkeys/{passkey}'),
  remove_passkey_later: act('POST', '/passkeys/{passkey}/removal'),
  keep_passkey: decision('DELETE', '/passkeys/{passkey}/removal'),
} as const satisfies Readonly<Record<string, ActAddress>>

/** The name of an act. */
export type ActName = keyof typeof OWNER_ACTS

/** The names of the segments of a path that an act is about. */
type SegmentsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | SegmentsOf<Rest>
  : never

/** The names of the segments that an act is about. */
export type ActSegments<Name extends ActName> = SegmentsOf<(typeof OWNER_ACTS)[Name]['path']>

/** The first segments of the paths of all acts. */
export const ACT_ROOTS: ReadonlySet<string> = new Set(
  Object.values(OWNER_ACTS).map(({ path }) => path.split('/')[1] ?? ''),
)
