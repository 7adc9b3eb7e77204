/**
 * `/drafts`: what waits for the owner. `draft-decision.ts` has the decisions.
 * `test/worker/owner/drafts.test.ts` has the cases.
 *
 * @module
 */

import { resolvePath, type StorePath } from '#core/path.ts'
import type { Draft } from '../access/draft.ts'
import { isShared } from '../access/draft-owner.ts'
import type { ChangedFile } from '../drafts/changed-files.ts'
import { parseRevision, type Comparison } from '../drafts/review.ts'
import { quoteShort } from '../errors/problem-table.ts'
import { readSetting, writeSetting } from '../database/schema.ts'
import { describeOwner } from './describe-owner.ts'
import { problem, refuse } from '../errors/respond.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import {
  defineOwnerAct,
  type ActRequest,
  type Asked,
  type OwnerAct,
  type OwnerServices,
} from './act.ts'
import { parseSide, serveRaw } from './raw-file.ts'

/** Entries of one page of changes or files. */
const PAGE = 500

/** What waits for the owner, and what each draft changes. */
export const DRAFT_ACTS: readonly OwnerAct[] = [
  defineOwnerAct('list_drafts', async ({ request, answer }, services) => {
    rememberConsole(request, services.sql)
    return answer(await listDrafts(services))
  }),
  defineOwnerAct('show_draft', (asked, services) =>
    withDraft(asked, services, async (draft) => asked.answer(await showDraft(draft, services))),
  ),
  defineOwnerAct('sum_up_draft', (asked, services) =>
    withDraft(asked, services, async (draft) => asked.answer(await describeDraft(draft, services))),
  ),
  defineOwnerAct('list_draft_changes', (asked, services) =>
    withDraft(asked, services, (draft) => listChanges(asked, draft, services)),
  ),
  defineOwnerAct('show_draft_change', (asked, services) =>
    withDraft(asked, services, (draft) => showChange(asked, draft, services)),
  ),
  defineOwnerAct('list_draft_files', (asked, services) =>
    withDraft(asked, services, (draft) => listFiles(asked, draft, services)),
  ),
  defineOwnerAct('compare_draft_file', (asked, services) =>
    withDraft(asked, services, (draft) => diffOf(asked, draft, services)),
  ),
  defineOwnerAct('open_draft_file', (asked, services) =>
    withDraft(asked, services, (draft) => openFile(asked, draft, services)),
  ),
]

function withDraft(
  { segment }: { readonly segment: (name: 'draft') => string },
  { drafts }: OwnerServices,
  work: (draft: Draft) => Promise<Response>,
): MaybePromise<Response> {
  const name = segment('draft')
  const draft = drafts.named(name)
  return draft ? work(draft) : problem({ reason: 'no_draft', draft: name })
}

/** Remembers the address of the console, which notices of the webhook link to. */
function rememberConsole({ url, headers }: Request, sql: SqlStorage): void {
  const { origin } = new URL(url)
  const isPage = headers.get('sec-fetch-site') === 'same-origin'
  if (isPage && readSetting(sql, 'console') !== origin) writeSetting(sql, 'console', origin)
}

async function listDrafts(parts: OwnerServices) {
  const drafts = parts.drafts.all().toSorted((a, b) => b.touched - a.touched)
  return { ...(await parts.inbox.count()), drafts: drafts.map((draft) => summarize(draft, parts)) }
}

function summarize(draft: Draft, { sessions, inbox, drafts }: OwnerServices) {
  const { name, owner, opened, touched, changes } = draft
  return {
    id: name,
    ...describeOwner(owner, sessions),
    reason: drafts.reasonOf(draft),
    opened,
    touched,
    changes,
    expires: touched + inbox.lifetimeMs(),
    shared: isShared(owner.key),
    // Its agent is gone; the owner can still decide.
    ended: owner.session !== null && sessions.find(owner.session) === null,
  }
}

function showDraft(draft: Draft, parts: OwnerServices) {
  return parts.drafts.review(draft, async ({ revision, changes, files }) => {
    const rows = (await files()).filter(isOwnRow)
    return {
      ...summarize(draft, parts),
      receivers: parts.drafts.receivers(draft).map(({ key, label, connection }) => ({
        session: key,
        label: label ?? '',
        created: connection?.began ?? 0,
      })),
      revision,
      changes: changes.slice(0, PAGE),
      changes_left_out: Math.max(0, changes.length - PAGE),
      ...firstPage(rows),
      ...sumOf(rows),
    }
  })
}

/** Files that go with a deleted folder are listed below it. */
const isOwnRow = ({ below }: ChangedFile) => below === undefined

/** Sums up a draft for its card: how much changes, and what comes first in its review. */
function describeDraft(draft: Draft, { drafts }: OwnerServices) {
  return drafts.review(draft, async ({ files }) => {
    const rows = (await files()).filter(isOwnRow)
    return { files: rows.length, ...sumOf(rows), first: rows.slice(0, MAX_CARD_FILES) }
  })
}

function sumOf(rows: readonly ChangedFile[]) {
  const sum = (of: (file: ChangedFile) => number | undefined) =>
    rows.reduce((all, file) => all + (of(file) ?? 0), 0)
  return {
    risky: rows.filter(({ risks }) => risks.length > 0).length,
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
  }
}

/** Files that a card names. */
const MAX_CARD_FILES = 3

const listChanges = (
  { query, answer }: Asked<'list_draft_changes'>,
  draft: Draft,
  { drafts }: OwnerServices,
): Promise<Response> =>
  drafts.review(
    draft,
    ({ revision, changes: all }) => {
      const { items: changes, left } = pageOf(all, query)
      return answer({ revision, changes, left })
    },
    lastIn(query),
  )

const listFiles = (
  { query, answer }: Asked<'list_draft_files'>,
  draft: Draft,
  { drafts }: OwnerServices,
): Promise<Response> =>
  drafts.review(
    draft,
    async ({ revision, files: all }) => {
      const below = query.get('below') ?? undefined
      const rows = (await all()).filter((file) => file.below === below)
      const { items: files, left } = pageOf(rows, query)
      return answer({ revision, files, left })
    },
    lastIn(query),
  )

function pageOf<T>(all: readonly T[], query: URLSearchParams) {
  const start = offsetIn(query)
  return {
    items: all.slice(start, start + PAGE),
    left: Math.max(0, all.length - start - PAGE),
  }
}

/** The last change that the page of a revision has; later ones are left out of its pages and files. */
const lastIn = (params: URLSearchParams) => parseRevision(params.get('revision') ?? '')?.last

const offsetIn = (params: URLSearchParams) =>
  Math.max(0, Math.min(Number.parseInt(params.get('offset') ?? '0', 10) || 0, 1_000_000))

/** Shows what one change does on its own, and together with the earlier ones that it depends on. */
async function showChange(
  { segment, answer }: Asked<'show_draft_change'>,
  draft: Draft,
  { drafts }: OwnerServices,
): Promise<Response> {
  const id = segment('change')
  const shown = await drafts.reviewChange(draft, id, async ({ own, together, ...change }) => ({
    ...change,
    own: firstPage(await own.files()),
    together: firstPage(await together.files()),
  }))
  return shown === null ? noChange(draft, id) : answer(shown)
}

const firstPage = (files: readonly ChangedFile[]) => ({
  files: files.slice(0, PAGE),
  files_left_out: Math.max(0, files.length - PAGE),
})

const noChange = ({ name }: Draft, id: string) =>
  refuse(404, 'NOT_FOUND', `Cannot find the change ${quoteShort(id)} in the draft ${name}`)

const diffOf = (
  { query, answer }: Asked<'compare_draft_file'>,
  draft: Draft,
  services: OwnerServices,
): Promise<Response> =>
  withPath(draft, query, services, async ({ path, comparison }) => {
    const file = await comparison.diff(path)
    if (!file) return problem({ reason: 'not_found', path })
    return answer({ file: { ...file }, digest: comparison.digestAt(path) })
  })

/** Serves the bytes of a file before or after a draft or a change, so that what cannot be compared can be opened. */
async function openFile(
  { request, query }: Pick<ActRequest, 'request' | 'query'>,
  draft: Draft,
  services: OwnerServices,
): Promise<Response> {
  const side = parseSide(query)
  if (!side.ok) return side.error
  return withPath(draft, query, services, async ({ path, comparison }) => {
    const file = comparison.file(path, side.value)
    return file
      ? serveRaw(request, file, services.openWhole().store)
      : problem({ reason: 'not_found', path })
  })
}

/** The path that a request names, and the states between which it asks for it. */
interface Named {
  readonly path: StorePath
  readonly comparison: Comparison
}

/**
 * `change` names one change of the draft, and `of` whether it is meant alone (`own`) or `together`. `digest` names the
 * states that were listed: of other ones nothing is shown.
 */
async function withPath(
  draft: Draft,
  params: URLSearchParams,
  { drafts }: OwnerServices,
  work: (named: Named) => Promise<Response>,
): Promise<Response> {
  const text = params.get('path') ?? ''
  const path = resolvePath(text)
  if (!path.ok) return problem({ reason: 'bad_path', text, detail: path.error })
  const [change, digest] = [params.get('change'), params.get('digest')]
  const open = async (comparison: Comparison) =>
    digest === null || digest === comparison.digestAt(path.value)
      ? work({ path: path.value, comparison })
      : problem({ reason: 'draft_changed', draft: draft.name })
  if (change === null) return drafts.review(draft, open, lastIn(params))
  const done = await drafts.reviewChange(draft, change, ({ own, together }) =>
    open(params.get('of') === 'together' ? together : own),
  )
  return done ?? noChange(draft, change)
}
