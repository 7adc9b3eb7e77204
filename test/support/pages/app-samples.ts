/**
 * Apps over real files, one for each template: what the tests in `test/pages/apps` open.
 *
 * @module
 */

import { readResults } from '../../../scripts/bench-results.ts'
import type { Server } from '../e2e/server.ts'
import { serveApp } from './app-stages.ts'
import { putFile } from './console-actions.ts'

/** Results of the benchmark as a file has them, of which so many are shown. */
const RESULTS = {
  title: 'Results',
  figures: readResults()
    .figures.filter(({ row }) => !row.startsWith('cost-'))
    .slice(0, 40),
}

/** The task that tests move. */
export const TASK =
  '---\nstatus: todo\npriority: high\ntags: [garden]\n---\n# Paint the fence\n\nTwo coats.\n'

/** A list of people, whose formatting an appended row has to have. */
export const PEOPLE = '"name";"age";"member"\r\n"Ada; Countess";"36";"true"\r\n'

/** A list of notes in JSON, with a formatting of its own. */
export const NOTES = '{\n    "items": [\n        {"text": "one", "count": 1}\n    ]\n}\n'

const FILES: Readonly<Record<string, string>> = {
  '/bench/results.json': JSON.stringify(RESULTS, null, 2),
  '/tasks/paint.md': TASK,
  '/tasks/cook.md': '---\nstatus: todo\nassignee: ann\n---\n# Cook the soup\n',
  '/tasks/plan.md': '---\nstatus: in-progress\n---\n# Plan the trip\n\nBy train.\n',
  '/tasks/wash.md': '---\nstatus: done\npriority: low\n---\n# Wash the car\n',
  '/data/people.csv': PEOPLE,
  '/data/notes.json': NOTES,
  '/old.ts': 'const a = 1\nlet b\n// the end\n',
  '/new.ts': 'const a = 2\nlet b\n// the end\n',
  '/run.json': '{ "progress": 3, "total": 4, "message": "Copying", "steps": ["Read", "Copy"] }',
}

const PERSON = [
  { name: 'name', label: 'Name', required: true },
  { name: 'age', label: 'Age', type: 'number' },
  { name: 'member', label: 'Member', type: 'checkbox' },
]

const NOTE = [
  { name: 'text', label: 'Text', required: true },
  { name: 'count', label: 'Count', type: 'number' },
]

const COLUMNS = [
  { key: 'work', label: 'Work', sortable: true },
  { key: 'edgewise', label: 'Edgewise', sortable: true },
  { key: 'unit', label: 'Unit' },
  { key: 'baseline.name', label: 'Baseline' },
  { key: 'verdict', label: 'Verdict', sortable: true },
]

/** The manifest of each app. */
const APPS: Readonly<Record<string, object>> = {
  results: {
    ...{ title: 'Benchmarks', template: 'data-table', data: ['bench/results.json'] },
    config: { title: 'Benchmarks', columns: COLUMNS },
  },
  tasks: {
    ...{ title: 'Tasks', template: 'kanban', data: ['tasks/*.md'], write: ['tasks/*.md'] },
    config: { title: 'Tasks' },
  },
  people: {
    ...{ title: 'New person', template: 'form', write: ['data/people.csv'] },
    config: { title: 'New person', fields: PERSON },
  },
  notes: {
    ...{ title: 'New note', template: 'form', write: ['data/notes.json'] },
    config: { title: 'New note', fields: NOTE },
  },
  tree: { title: 'All tasks', template: 'tree-view', data: ['tasks/**', 'data/**'] },
  changes: { title: 'Changes', template: 'diff-viewer', data: ['old.ts', 'new.ts'] },
  run: { title: 'Copy', template: 'progress', data: ['run.json'] },
}

/** Writes all files, and approves all apps. */
export async function serveSamples(server: Server): Promise<void> {
  for (const [path, text] of Object.entries(FILES)) await putFile(server.url, path, text)
  for (const [name, manifest] of Object.entries(APPS)) await serveApp(server, name, manifest)
}

/** Rows of the large table. */
export const LARGE_ROWS = 100_000

/** A CSV of 100,000 rows and about six megabytes. */
export function largeCsv(): string {
  const row = (index: number) => {
    const amount = ((index * 7919) % 100_000) / 100
    return `${index},Customer ${(index * 31) % 9973},"Street ${index % 613}, ${index % 97}",${amount},2026-${1 + (index % 12)}`
  }
  const rows = Array.from({ length: LARGE_ROWS }, (_, index) => row(index))
  return `id,name,address,amount,month\n${rows.join('\n')}\n`
}

/** Approves an app that shows the large table. */
export async function serveLarge(server: Server): Promise<void> {
  await putFile(server.url, '/data/large.csv', largeCsv())
  const config = { title: 'Customers' }
  const manifest = { title: 'Customers', template: 'data-table', data: ['data/large.csv'], config }
  await serveApp(server, 'customers', manifest)
}
