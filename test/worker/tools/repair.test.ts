/**
 * What a model can do about each error: a call that fails is made again, changed only by what the error has.
 *
 * The model of these tests knows the arguments that it sent, and the text and the structured details of the error. Where
 * one more call cannot succeed, the reason is given. `docs/errors.md` has the same list.
 */

import { describe, expect, it } from 'vitest'
import { recordOf } from '#core/json.ts'
import type { Problem } from '#worker/errors/problem.ts'
import { PROBLEMS } from '#worker/errors/problem-table.ts'
import errors from '../../../docs/errors.md?raw'
import { errorOf, freshWorkspace } from '../../support/worker/client.ts'

type Workspace = ReturnType<typeof freshWorkspace>
type Args = Record<string, unknown>

interface Call {
  readonly tool: string
  readonly args: Args
}

/** What a model learns from a failed call. */
interface Failed {
  readonly args: Args
  readonly text: string
  readonly details: Args
}

interface Mended extends Call {
  readonly prepare?: (workspace: Workspace) => Promise<unknown>
  /** Makes the next call of an error. Without a tool it is the same one. */
  readonly mend: (failed: Failed) => Partial<Call> & Pick<Call, 'args'>
}

const OWNER = 'the owner or the user decides'
const PAGES = 'only pages of the owner get it'
const RACE = 'the same call succeeds; it needs two calls at once'
const SPACE = 'the content is too large, or the owner has to make room'
const LOOK = 'the model reads the lines that the error names first'
const DAMAGED = 'the model leaves the line as it is, or asks before it replaces the file'
const HELD = 'what waits is decided by the owner'

const FILE = '/docs/plan.md'
const edit = (find: string) => ({ path: FILE, edits: [{ find, replace: 'Done' }] })
const inText = (pattern: RegExp, { text }: Failed) => pattern.exec(text)?.[1] ?? ''

/** A case, or why there is no mend, of every problem. */
const REPAIRS: { readonly [R in Problem['reason']]: Mended | string } = {
  bad_argument: {
    tool: 'write_file',
    args: { path: '/a', text: 'x' },
    mend: ({ args, text }) => {
      expect(text).toContain('text')
      return { args: { path: args['path'], content: args['text'] } }
    },
  },
  bad_path: {
    tool: 'read_file',
    args: { path: `"${FILE}"` },
    mend: ({ details }) => ({ args: { path: details['meant'] } }),
  },
  outside_root: {
    tool: 'write_file',
    args: { path: '/notes.md', content: 'x' },
    prepare: ({ fetch }) =>
      fetch('/config', { method: 'PUT', body: '{"roots":[{"path":"/docs","default":true}]}' }),
    mend: (failed) => ({
      args: {
        ...failed.args,
        path: inText(/folders \(([^,)]+)/, failed) + String(failed.args['path']),
      },
    }),
  },
  insufficient_scope: OWNER,
  is_binary: {
    tool: 'read_file',
    args: { path: '/logo.ico' },
    mend: (failed) => ({ args: { ...failed.args, encoding: inText(/encoding (\w+)/, failed) } }),
  },
  is_document: 'the model writes a text beside the document, or makes the whole document again',
  no_text: {
    tool: 'read_file',
    args: { path: '/cut.pdf' },
    prepare: ({ put }) => put('/cut.pdf', Buffer.from('%PDF-1.7\n%\xe2\xe3\0 cut', 'latin1')),
    mend: (failed) => ({ args: { ...failed.args, encoding: inText(/encoding (\w+)/, failed) } }),
  },
  too_large: SPACE,
  version_conflict: {
    tool: 'edit_file',
    args: { ...edit('Ship on Monday.'), if_version: 99 },
    mend: ({ args, details }) => ({ args: { ...args, if_version: details['version'] } }),
  },
  changed_meanwhile: RACE,
  find_not_found: {
    tool: 'edit_file',
    args: edit('ship on monday.'),
    mend: (failed) => ({ args: edit(inText(/\n\d+: (Ship.*?\.)/, failed)) }),
  },
  find_not_unique: LOOK,
  damaged_line: DAMAGED,
  root_denied: OWNER,
  into_itself: {
    tool: 'move_file',
    args: { from: '/docs', to: '/docs/old' },
    mend: (failed) => ({
      args: { ...failed.args, to: `${inText(/target outside of (\S+)\. /, failed)}-old` },
    }),
  },
  over_budget: 'the model narrows the call; it takes as long as the limit',
  blocked: OWNER,
  immutable: OWNER,
  read_only: OWNER,
  access_changed: RACE,
  preview_stale: 'the host makes the preview again',
  no_change: {
    tool: 'undo_change',
    args: { version: 900 },
    mend: (failed) => ({ tool: inText(/(list_changes)/, failed), args: {} }),
  },
  superseded: 'the model undoes the approval that the error names',
  changed_since: {
    tool: 'undo_change',
    args: { version: 1 },
    prepare: ({ text }) => text('edit_file', edit('Monday')),
    mend: (failed) => ({
      tool: inText(/(list_changes)/, failed),
      args: { path: failed.details['path'] },
    }),
  },
  no_version: {
    tool: 'restore_file',
    args: { path: FILE, version: 900 },
    mend: (failed) => ({
      tool: inText(/(file_history)/, failed),
      args: { path: failed.details['path'] },
    }),
  },
  no_checkpoint: {
    tool: 'restore_checkpoint',
    args: { checkpoint: 'Before' },
    mend: (failed) => ({ tool: inText(/(list_checkpoints)/, failed), args: {} }),
  },
  checkpoints_full: OWNER,
  too_many_paths: 'the model restores one folder after another',
  leased: 'the model works elsewhere, or waits for the time that the error names',
  leases_full: 'the model releases what it has leased',
  lease_too_wide: 'the model leases what it changes',
  not_found: {
    tool: 'read_file',
    args: { path: `${FILE}:3` },
    mend: ({ details }) => ({ args: { path: details['meant'] } }),
  },
  exists: {
    tool: 'move_file',
    args: { from: '/logo.ico', to: '/docs' },
    mend: ({ args, details }) => ({ args: { ...args, to: details['inside'] } }),
  },
  is_folder: {
    tool: 'read_file',
    args: { path: '/docs' },
    mend: (failed) => ({
      tool: inText(/(list_folder)/, failed),
      args: { path: failed.details['path'] },
    }),
  },
  not_a_folder: {
    tool: 'find_files',
    args: { root: FILE },
    mend: (failed) => ({ args: { root: inText(/such as (\S+)\. /, failed) } }),
  },
  file_too_large: SPACE,
  storage_full: SPACE,
  workspace_full: SPACE,
  not_planned_again: HELD,
  content_dropped: HELD,
  draft_full: HELD,
  no_draft: PAGES,
  no_open_draft: 'the model makes the change first, and it waits only where the rules say so',
  draft_changed: PAGES,
  no_comment: 'the model reads the ids of comments again',
  no_lines: PAGES,
  comments_full: PAGES,
  draft_conflict: PAGES,
  not_separable: PAGES,
  one_at_a_time: PAGES,
  draft_unseen: PAGES,
  not_amendable: PAGES,
  bad_amendment: PAGES,
  passkey_required: PAGES,
  passkey_refused: PAGES,
  passkey_elsewhere: PAGES,
  no_passkey: PAGES,
  too_many_passkeys: PAGES,
  no_request: PAGES,
  no_app: PAGES,
  app_changed: PAGES,
  app_invalid: PAGES,
  app_unseen: PAGES,
  no_skill: PAGES,
  skill_changed: PAGES,
  skill_invalid: PAGES,
  skill_unseen: PAGES,
  not_allowable: PAGES,
  turned_down: HELD,
}

const cases = Object.entries(REPAIRS)
const mended = cases.flatMap(([reason, one]) =>
  typeof one === 'string' ? [] : [{ reason, ...one }],
)

describe('the next call', () => {
  it.each(mended)('mends $reason', async ({ tool, args, prepare, mend }) => {
    const workspace = freshWorkspace()
    await workspace.put(FILE, 'Plan\n\nShip on Monday.\n')
    await workspace.put('/logo.ico', new Uint8Array([0, 0, 1, 0, 255]))
    await prepare?.(workspace)
    const { result } = await workspace.call(tool, args)
    const details = errorOf(result)
    expect(details['code']).toBeDefined()
    const next = mend({ args, details, text: result?.content[0]?.text ?? '' })
    const again = await workspace.call(next.tool ?? tool, next.args)
    expect(again.error).toBeUndefined()
    expect(errorOf(again.result)).toEqual({})
  })
})

/** Codes that have no case, by their reasons. */
function unmended(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const [reason, one] of cases) {
    const { code } = recordOf(recordOf(PROBLEMS)[reason])
    const name = typeof code === 'string' ? code : 'MOVE_ROOT_DENIED'
    if (typeof one === 'string') found.set(one, (found.get(one) ?? new Set()).add(`\`${name}\``))
  }
  return found
}

it('docs/errors.md lists the codes that the next call does not mend', () => {
  const flat = errors.replaceAll(/\s+/g, ' ')
  for (const [why, codes] of unmended())
    expect(flat.includes(`- ${why}: ${[...codes].toSorted().join(', ')} `), why).toBe(true)
})
