/** Whether a preview showed all that a held change does, as a table. */

import { expect, it } from 'vitest'
import type { JsonRecord } from '#core/json.ts'
import type { ChangedFile } from '#core/owner/answers/drafts.ts'
import { parseReview } from '#host/console/activity/change-files.ts'
import { isShownWhole } from '#host/console/questions/shown-whole.ts'

const shown = (path: string, more: JsonRecord = {}) => ({
  ...{ from: null, to: path, binary: false, hunks: [] },
  ...more,
})

const changed = (path: string, more: Partial<ChangedFile> = {}): ChangedFile => ({
  ...{ path, type: 'file', change: 'added', before: null, after: 9, group: 0 },
  ...{ digest: 'x', mark: 'x', risks: [] },
  ...more,
})

const many = (count: number) => Array.from({ length: count }, (_, at) => `/to/${at}`)

interface Case {
  readonly files?: readonly JsonRecord[]
  readonly facts?: JsonRecord
  readonly held?: readonly ChangedFile[]
  readonly left?: number
}

const isWhole = ({ files = [shown('/a')], facts = {}, held = [changed('/a')], left = 0 }: Case) => {
  const preview = { tool: 'copy_file', intent: '', applied: false, more: 0, files, ...facts }
  return isShownWhole(parseReview(JSON.stringify(preview)), { files: held, files_left_out: left })
}

it.each<[string, Case]>([
  ['the same file', {}],
  [
    'a hundred files',
    { files: many(100).map((path) => shown(path)), held: many(100).map((path) => changed(path)) },
  ],
  ['a moved file', { files: [shown('/b', { from: '/a' })], held: [changed('/b', { from: '/a' })] }],
  [
    'a move that is a copy and a deletion',
    {
      files: [shown('/b'), shown('', { from: '/a', to: null })],
      held: [changed('/b', { from: '/a' })],
    },
  ],
  [
    'a deleted file, also without its lines',
    {
      files: [shown('', { from: '/a', to: null, binary: true })],
      held: [changed('/a', { change: 'deleted' })],
    },
  ],
  [
    'a file that is no text, which is asked about',
    { files: [shown('/a', { binary: true })], held: [changed('/a', { unseen: true })] },
  ],
  [
    'lines that are left out, which are asked about',
    { files: [shown('/a', { omitted: true })], held: [changed('/a', { unseen: true })] },
  ],
  [
    'a document of which the text is shown, which is asked about',
    { files: [shown('/a', { extracted: true })], held: [changed('/a', { unseen: true })] },
  ],
  ['a folder beside it', { held: [changed('/a'), changed('/f', { type: 'folder' })] }],
  ['no file', { files: [], held: [changed('/f', { type: 'folder' })] }],
])('was shown: %s', (_, one) => expect(isWhole(one)).toBe(true))

it.each<[string, Case]>([
  [
    'files beyond those that a preview lists',
    {
      files: many(100).map((path) => shown(path)),
      facts: { more: 50 },
      held: many(150).map((path) => changed(path)),
    },
  ],
  ['a file that the preview does not have', { held: [changed('/a'), changed('/b')] }],
  ['another file', { held: [changed('/b')] }],
  ['a source that the preview does not have', { held: [changed('/a', { from: '/b' })] }],
  ['less than the preview has', { files: [shown('/a'), shown('/b')] }],
  ['files that the preview only counts', { facts: { more: 1 } }],
  ['files that the change only counts', { left: 1 }],
  [
    'lines that had no room',
    { files: [shown('/a', { omitted: true, left_out: { added: 9, removed: 0, hunks: 1 } })] },
  ],
  [
    'a file that is no text, about which nothing is asked',
    { files: [shown('/a', { binary: true })] },
  ],
  ['a result without its lines', { facts: { hunks_left_out: true } }],
  ['what is applied already', { facts: { applied: true } }],
])('was not shown: %s', (_, one) => expect(isWhole(one)).toBe(false))
