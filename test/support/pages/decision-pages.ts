/**
 * Every file with a button that decides, and how a test gets to a page that shows it. A file that is missing here fails
 * `test/decision-buttons.test.ts`.
 *
 * @module
 */

import type { Page } from 'playwright'
import { goTo, sees, toolLink } from './console-actions.ts'
import { WORDS } from './console-labels.ts'

/** A page, and the files whose buttons it shows. */
export interface DecisionPage {
  readonly name: string
  /** Below `host/console/`. */
  readonly files: readonly string[]
  readonly show: (page: Page) => Promise<void>
}

const named = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()

const at =
  (hash: string, name: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await goTo(page, hash)
    await named(page, name).waitFor()
  }

/** The pages that the law over all buttons visits. */
export const DECISION_PAGES: readonly DecisionPage[] = [
  {
    name: 'what waits',
    files: [
      ...['requests/request-card.tsx', 'requests/access-requests.tsx'],
      'approved/folder-card.tsx',
    ],
    show: at('#/waiting', 'Approve the app'),
  },
  {
    name: 'changes to see',
    files: ['drafts/notified-changes.tsx'],
    show: at('#/waiting', 'Mark as seen'),
  },
  {
    name: 'a draft',
    files: ['drafts/proposed-changes.tsx', 'drafts/decision-bar.tsx'],
    async show(page) {
      await goTo(page, '#/waiting')
      await page.getByRole('list', { name: 'Drafts' }).getByRole('link').first().click()
      await named(page, /^Approve this change/).waitFor()
    },
  },
  {
    name: 'one change of a draft',
    files: ['drafts/single-change.tsx'],
    async show(page) {
      await goTo(page, '#/waiting')
      await page.getByRole('list', { name: 'Drafts' }).getByRole('link').first().click()
      await named(page, 'Show this change alone').click()
      await named(page, 'Approve up to here').waitFor()
    },
  },
  {
    name: 'the activity',
    files: ['activity/change-list.tsx', 'activity/checkpoint-list.tsx'],
    show: at('#/activity', /^Undo:/),
  },
  {
    name: 'a change',
    files: ['activity/change.tsx'],
    async show(page) {
      await goTo(page, '#/activity')
      await page.locator('.changes a').first().click()
      await page.getByRole('button', { name: 'Undo', exact: true }).waitFor()
    },
  },
  {
    name: 'an undo',
    files: ['activity/undo.tsx'],
    async show(page) {
      await goTo(page, '#/activity')
      await named(page, /^Undo:/).click()
      await named(page, WORDS.undo).waitFor()
    },
  },
  {
    name: 'sessions',
    files: ['sessions/session-tree.tsx'],
    show: at('#/sessions', /^Revoke/),
  },
  {
    name: 'a question',
    files: ['questions/dialog.tsx'],
    async show(page) {
      await goTo(page, '#/sessions')
      await named(page, /^Revoke/).click()
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'a new link',
    files: ['sessions/new-session.tsx'],
    async show(page) {
      await goTo(page, '#/sessions')
      await named(page, 'Revoke Agent').waitFor()
      await goTo(page, '#/sessions?do=new')
      await page.getByLabel(WORDS.agentName).fill('New')
    },
  },
  {
    name: 'a page for people',
    files: ['page-links/share.tsx'],
    async show(page) {
      await goTo(page, '#/files?path=/docs')
      await page.getByRole('button', { name: 'Share', exact: true }).click()
    },
  },
  {
    name: 'the rules',
    files: ['rules/folder-table.tsx'],
    show: at('#/rules', /^Forbid|^Ask me first/),
  },
  {
    name: 'a preview',
    files: ['tools/tool-buttons.tsx'],
    async show(page) {
      await goTo(page, toolLink('write_file', { path: '/free/new.txt', content: 'x' }))
      await named(page, 'Preview').click()
      await sees(page, WORDS.previewed)
    },
  },
]

/** Files whose buttons no page of the law shows, with the reason. */
export const NOT_VISITED: Readonly<Record<string, string>> = {
  'drafts/hand-over.tsx':
    'is there only with a second connection; `test/host/console/hand-over.test.tsx` has it',
  'activity/approved-changes.tsx': 'it opens the dialog of an undo',
  'activity/comparison.tsx': 'it opens the dialog of an undo',
  'apps/app-tools.tsx': 'it needs an app with tools of its own',
  'apps/kept-reads.tsx': 'it needs an app that has asked to read',
  'drafts/decision-note.tsx': 'it opens the dialog of an undo',
  'files/conflict.tsx':
    'it needs a change of another one; `test/host/console/files/editor.test.tsx` has it',
  'files/editor.tsx':
    'it saves what the person has typed; `test/host/console/files/editor.test.tsx` has it',
  'files/import.tsx': 'it needs files of the person',
  'notifications/device-list.tsx':
    'it needs a device of a push service; `test/host/console/notifications.test.tsx` has it',
  'notifications/this-device.tsx': 'the same',
  'passkeys/notes.tsx': 'it needs an authenticator',
  'passkeys/passkey-entry.tsx': 'it needs an authenticator',
  'trust/trust-dialog.tsx':
    'its draft is of a legacy connection; a component test presses it too early',
  'trust/trust-list.tsx': 'it needs trust of a legacy connection',
  'rules/stored-decisions.tsx': 'it needs decisions of another visit',
  'tools/result-outcome.tsx': 'it opens the dialog of an undo',
  'ui/modal.tsx': 'it discards what was typed, and decides nothing of an agent',
}
