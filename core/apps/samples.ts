/**
 * What a new app of each template starts with: its settings, and sample data where no file is given.
 *
 * A sample is beside the folder of the app: a change of a file in that folder would take the
 * approval away. `test/core/apps/starters.test.ts` reads all of them.
 *
 * @module
 */

import type { JsonRecord } from '../json.ts'
import type { TemplateName } from './templates.ts'

/** A file, with its path in the workspace. */
export interface StarterFile {
  readonly path: string
  readonly text: string
}

/** What a new app of one template starts with. */
export interface Sample {
  /** What a model reads about the app. */
  readonly description: string
  /** Settings that hold for any data. */
  readonly config: JsonRecord
  /** Settings that only the sample data needs. */
  readonly sampleConfig?: JsonRecord
  /** Whether the template changes its data. */
  readonly isWriter?: boolean
  /** Makes the sample data of an app with this name. */
  readonly files: (name: string) => readonly StarterFile[]
}

const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** What a new app starts with, by its template. */
export const SAMPLES: Readonly<Record<TemplateName, Sample>> = {
  form: {
    description: 'A form. What the user enters is added to a file.',
    config: {
      fields: [
        { name: 'name', label: 'Name', required: true },
        { name: 'email', type: 'email', label: 'E-mail' },
        { name: 'topic', type: 'select', label: 'Topic', options: ['Question', 'Idea', 'Problem'] },
        { name: 'message', type: 'textarea', label: 'Message', required: true },
      ],
    },
    isWriter: true,
    files: (name) => [{ path: `/forms/${name}.csv`, text: 'name,email,topic,message\n' }],
  },
  'data-table': {
    description: 'A table that the user can sort and filter.',
    config: {},
    sampleConfig: {
      columns: [
        { key: 'item', label: 'Item', sortable: true },
        { key: 'amount', label: 'Amount', sortable: true },
        { key: 'place', label: 'Place', sortable: true },
      ],
    },
    files: (name) => [
      {
        path: `/tables/${name}.csv`,
        text: 'item,amount,place\nPaper,12,Shelf 1\nPens,40,Drawer 2\nStaples,3,Drawer 2\n',
      },
    ],
  },
  progress: {
    description: 'How far some work is.',
    config: { showPercentage: true, showCurrentStep: true },
    files: (name) => [{ path: `/progress/${name}.json`, text: toJson(PROGRESS) }],
  },
  'diff-viewer': {
    description: 'Two texts, line by line.',
    config: { viewMode: 'split', leftTitle: 'Before', rightTitle: 'After' },
    files: (name) => [
      { path: `/diffs/${name}/before.md`, text: '# Plan\n\n- Write\n- Read\n' },
      { path: `/diffs/${name}/after.md`, text: '# Plan\n\n- Write\n- Read aloud\n- Send\n' },
    ],
  },
  'tree-view': {
    description: 'A tree that the user can open and filter.',
    config: { expandLevel: 2 },
    files: (name) => [{ path: `/trees/${name}.json`, text: toJson(TREE) }],
  },
  kanban: {
    description: 'Cards in columns. The user can move them.',
    config: { draggable: true },
    isWriter: true,
    files: (name) => [{ path: `/tasks/${name}.md`, text: BOARD }],
  },
}

const PROGRESS = {
  percent: 50,
  message: 'Write the report',
  status: 'running',
  steps: [
    { label: 'Collect the numbers', status: 'done' },
    { label: 'Write the report', status: 'running' },
    { label: 'Send it', status: 'waiting' },
  ],
}

const TREE = [
  {
    id: 'plants',
    label: 'Plants',
    children: [
      { id: 'trees', label: 'Trees', children: [{ id: 'oak', label: 'Oak' }] },
      { id: 'ferns', label: 'Ferns' },
    ],
  },
  { id: 'animals', label: 'Animals', children: [{ id: 'owl', label: 'Owl' }] },
]

const BOARD = `## To do

- [ ] Invite the team #team !high
  Send the address to everyone.
- [ ] Collect ideas #team

## In progress

- [ ] Write the first page @anna

## Done

- [x] Make a board
`
