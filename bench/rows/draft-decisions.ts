/**
 * What the owner waits for: the JSON of a large draft, an approval of 1,000 changes, and of one of many.
 *
 * @module
 */

import {
  approveDraft,
  createWrites,
  holdChanges,
  readChange,
  readDraft,
  sendAll,
  take,
  textOf,
} from '../drafts.ts'
import type { Figure } from '../../scripts/figure.ts'
import { latency, once, type Target } from '../load.ts'
import { oneFolder } from '../many-files.ts'
import { interleave } from '../median.ts'
import type { Context, Row } from '../row.ts'
import { importTar } from '../upload.ts'
import { modern, toolCall } from '../wire.ts'
import type { Server } from '../workerd.ts'

const CHANGES = 1_000

/** The rows of showing and deciding. */
export const rows: Row[] = [
  {
    name: 'draft-show',
    goal: 'reported',
    limit: 'Every change is planned again, so that what is shown is what an approval applies.',
    run: compareShown,
  },
  {
    name: 'draft-approve',
    goal: 'per change at most a write',
    limit: 'The rows of all changes in one transaction.',
    run: compareApproval,
  },
  {
    name: 'draft-approve-one',
    goal: 'reported',
    limit: 'The changes that remain are planned again.',
    run: compareApprovalOfOne,
  },
]

/** Compares the JSON of a draft with the page of an applied change, both of 10,000 files. */
async function compareShown(context: Context): Promise<Figure[]> {
  const files = context.scale.treeFiles
  const [held, plain] = [await context.product('shown'), await context.product('shown-plain')]
  await holdChanges(held)
  const target = createWrites(held, 'shown')
  await sendAll(held, take(target, files))
  const page = await changePage(plain, files)
  const count = files.toLocaleString('en')
  const measured = await interleave(context.scale.rounds, {
    edgewise: async () => {
      const start = performance.now()
      await readDraft(held)
      return performance.now() - start
    },
    baseline: () => latency(page, 5),
  })
  return [
    {
      work: `JSON of a draft of ${count} changed files`,
      unit: 'ms',
      edgewise: measured.edgewise,
      baseline: { name: `review page of a change of ${count} files`, value: measured.baseline },
    },
  ]
}

/** Moves a folder and creates requests for the page of the change. */
async function changePage(server: Server, files: number): Promise<Target> {
  await importTar(server, oneFolder('from', files, textOf))
  const { port } = server
  const move = () => toolCall(modern, 'move_file', { from: 'from', to: 'to' })
  const { body } = await once({ name: 'move_file', port, marker: 'Moved ', request: move })
  const [, id = ''] = /"id":"([0-9a-z-]+)"/.exec(body.toString()) ?? []
  const request = () => modern('resources/read', { uri: `ui://move_file/${id}` })
  return { name: 'review page', port, marker: '</html>', request }
}

async function compareApproval(context: Context): Promise<Figure[]> {
  const held = await context.product('approved')
  const { rounds, requests } = context.scale
  await holdChanges(held)
  const waiting = createWrites(held, 'approved')
  const applied = createWrites(await context.product('approved-plain'), 'approved')
  const measured = await interleave(rounds, {
    edgewise: async () => {
      await sendAll(held, take(waiting, CHANGES))
      const { id, revision } = await readDraft(held)
      const start = performance.now()
      await approveDraft(held, { id, revision })
      return (performance.now() - start) / CHANGES
    },
    baseline: () => latency(applied, requests),
  })
  return [
    {
      work: 'approving 1,000 writes of 4 KiB, each',
      unit: 'ms',
      edgewise: measured.edgewise,
      baseline: { name: 'a write that is applied', value: measured.baseline },
      goal: { ratioAtMost: 1 },
    },
  ]
}

/** Changes of the draft of which one is approved. */
const MANY = 4_000

/** Compares approving one change of a large draft with showing the draft. */
async function compareApprovalOfOne(context: Context): Promise<Figure[]> {
  const held = await context.product('one')
  await holdChanges(held)
  await sendAll(held, take(createWrites(held, 'one'), MANY))
  const timed = async (work: () => Promise<unknown>) => {
    const start = performance.now()
    await work()
    return performance.now() - start
  }
  const measured = await interleave(context.scale.rounds, {
    edgewise: async () => {
      const { id, revision, changes } = await readDraft(held)
      const [first] = changes
      if (!first) throw new Error('The draft has no changes')
      const change = await readChange(held, id, first.id)
      return timed(() => approveDraft(held, { id, revision }, change))
    },
    baseline: () => timed(() => readDraft(held)),
  })
  const count = MANY.toLocaleString('en')
  return [
    {
      work: `approving one of ${count} writes of 4 KiB`,
      unit: 'ms',
      edgewise: measured.edgewise,
      baseline: { name: `JSON of the draft of ${count} changes`, value: measured.baseline },
    },
  ]
}
