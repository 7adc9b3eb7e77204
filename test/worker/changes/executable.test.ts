/** Whether a file is executable is a part of its state: it is kept, copied, compared, shown, undone and approved. */

import { recordOf } from '#core/json.ts'
import { describe, expect, it } from 'vitest'
import { ownerLinkOf } from '../../support/worker/attack-link.ts'
import {
  approve,
  configure,
  decide,
  groupOf,
  held,
  listOf,
  read,
  show,
  write,
  type Workspace,
} from '../../support/worker/held-draft.ts'
import { END, entry, join } from '../../support/worker/raw-tar.ts'

const TOOL = '/bin/run'

/** Imports a file with the permissions that an archive has. */
async function importFile({ fetch }: Workspace, body: string, mode: number): Promise<void> {
  const archive = join(entry({ name: TOOL.slice(1), mode }, body), END)
  const answer = await fetch('/import', { method: 'POST', body: archive })
  expect(await answer.json()).toMatchObject({ files: 1, skipped: 0 })
}

async function withTool(body = 'echo one\n'): Promise<Workspace> {
  const workspace = await held({}, {})
  await importFile(workspace, body, 0o755)
  return workspace
}

async function structuredOf({ call }: Workspace, name: string, args: Record<string, unknown>) {
  const { result } = await call(name, args)
  expect(result?.isError ?? false, JSON.stringify(result)).toBe(false)
  return recordOf(result?.structuredContent)
}

/** The modes that `file_history` has of a path, the newest first. */
async function historyOf(workspace: Workspace, path = TOOL): Promise<boolean[]> {
  const { versions } = await structuredOf(workspace, 'file_history', { path })
  return listOf(versions).map((one) => one['executable'] === true)
}

async function isExecutable(workspace: Workspace, path = TOOL): Promise<boolean> {
  const { executable } = await structuredOf(workspace, 'read_file', { path })
  return executable === true
}

const idOf = (outcome: Awaited<ReturnType<Workspace['call']>>) =>
  String(recordOf(outcome.result?._meta['dev.edgewise/change'])['id'])

describe('what is executable', () => {
  it('stays so in edits, moves and copies, and is named by what lists it', async () => {
    const workspace = await withTool()
    const edits = [{ find: 'one', replace: 'two' }]
    await workspace.call('edit_file', { path: TOOL, edits })
    await write(workspace, TOOL, 'echo three\n')
    await workspace.put(TOOL, 'echo four\n')
    await workspace.call('move_file', { from: '/bin', to: '/tools' })
    await workspace.call('copy_file', { from: '/tools', to: '/copies' })
    await write(workspace, '/copies/text', 'text')
    expect(await historyOf(workspace)).toEqual([false, true, true, true, true])
    const { entries } = await structuredOf(workspace, 'list_folder', { path: '/copies' })
    expect(listOf(entries).map((one) => [one['name'], one['executable']])).toEqual([
      ['run', true],
      ['text', undefined],
    ])
    const listed = recordOf(await read(workspace, '/files/copies/'))
    expect(listOf(listed['entries'])).toMatchObject([{ name: 'run', executable: true }, {}])
    expect(await workspace.text('read_file', { path: '/copies/run' })).toContain('executable')
  })

  it('comes back with an undo, a restored version and a checkpoint', async () => {
    const workspace = await withTool()
    const body = JSON.stringify({ name: 'before' })
    await workspace.fetch('/checkpoints', { method: 'POST', body })
    await importFile(workspace, 'echo one\n', 0o644)
    expect(await isExecutable(workspace)).toBe(false)
    const compared = await structuredOf(workspace, 'compare_checkpoints', { from: 'before' })
    expect(JSON.stringify(compared)).toContain('bin/run')
    const undone = await workspace.call('list_changes', {})
    const [last] = listOf(recordOf(undone.result?.structuredContent)['changes'])
    const undo = await workspace.call('undo_change', { id: last?.['id'] })
    expect(undo.result?.isError ?? false, JSON.stringify(undo)).toBe(false)
    expect(await isExecutable(workspace)).toBe(true)
    await workspace.call('restore_file', { path: TOOL, version: 2 })
    expect(await isExecutable(workspace)).toBe(false)
    await structuredOf(workspace, 'restore_checkpoint', { checkpoint: 'before' })
    expect(await isExecutable(workspace)).toBe(true)
    await workspace.call('delete_file', { path: TOOL })
    await workspace.call('restore_file', { path: TOOL, version: 1 })
    expect(await isExecutable(workspace)).toBe(true)
  })
})

describe('a change of the mode alone', () => {
  /** The resource of a change, in a form. */
  async function reviewOf({ send }: Workspace, id: string, form: string): Promise<string> {
    const { result } = await send('resources/read', { uri: `ui://undo_change/${id}${form}` })
    return String(listOf(result?.['contents'])[0]?.['text'])
  }

  it('is shown in its review, as a page, a patch and JSON', async () => {
    const workspace = await withTool()
    await importFile(workspace, 'echo one\n', 0o644)
    const { result } = await workspace.call('list_changes', {})
    const [{ id } = {}] = listOf(recordOf(result?.structuredContent)['changes'])
    const undo = idOf(await workspace.call('undo_change', { id }))
    expect(await reviewOf(workspace, undo, '')).toContain('becomes executable')
    expect(await reviewOf(workspace, undo, '.diff')).toBe(
      'diff --git a/bin/run b/bin/run\nold mode 100644\nnew mode 100755\n',
    )
    const facts = recordOf(JSON.parse(await reviewOf(workspace, undo, '.json')))
    expect(facts['files']).toMatchObject([{ executable: { before: false, after: true } }])
  })
})

describe('a draft', () => {
  /** A link whose every change waits, over a file that was the same and executable before. */
  async function withLink() {
    const workspace = await withTool()
    await importFile(workspace, 'echo one\n', 0o644)
    await configure(workspace, { approval: 'review' })
    return { workspace, agent: (await ownerLinkOf(workspace)).client }
  }

  const restore = (agent: Workspace, version: number) =>
    structuredOf(agent, 'restore_file', { path: TOOL, version })

  it('that only makes a file executable changes it, and says so to the owner', async () => {
    const { workspace, agent } = await withLink()
    await restore(agent, 1)
    const shown = await show(workspace)
    expect(shown.files).toMatchObject([
      { path: TOOL, change: 'changed', executable: { before: false, after: true } },
    ])
    const diff = await read(workspace, `${shown.path}/diff?path=${TOOL}`)
    expect(JSON.stringify(diff)).toContain('"executable":{"before":false,"after":true}')
    expect([await isExecutable(workspace), await isExecutable(agent)]).toEqual([false, true])
    expect(await approve(workspace, shown, groupOf(shown, 0))).toMatchObject({ decided: 1 })
    expect(await isExecutable(workspace)).toBe(true)
  })

  it('names the mode in its digests, which one of the same bytes does not have', async () => {
    const { workspace, agent } = await withLink()
    await workspace.put(TOOL, 'echo two\n')
    const digests = new Set<unknown>()
    for (const version of [1, 2]) {
      await restore(agent, version)
      const shown = await show(workspace)
      digests.add(shown.files[0]?.['digest'])
      const { revision } = shown
      expect(await decide(workspace, `${shown.path}/turn-down`, { revision })).toMatchObject({
        decided: 1,
      })
    }
    expect(digests.size).toBe(2)
  })

  it('keeps the mode in the net effect of several changes', async () => {
    const { workspace, agent } = await withLink()
    await restore(agent, 1)
    await write(agent, TOOL, 'echo three\n')
    await agent.call('move_file', { from: TOOL, to: '/bin/moved' })
    expect(await isExecutable(agent, '/bin/moved')).toBe(true)
    const shown = await show(workspace)
    expect(shown.files.map((one) => [one['path'], one['executable']])).toEqual([
      ['/bin/moved', { before: false, after: true }],
      [TOOL, undefined],
    ])
    expect(await approve(workspace, shown, groupOf(shown, 0))).toMatchObject({ decided: 3 })
    expect(await isExecutable(workspace, '/bin/moved')).toBe(true)
  })

  it('takes the bit away where the changes together do', async () => {
    const { workspace, agent } = await withLink()
    await importFile(workspace, 'echo one\n', 0o755)
    await restore(agent, 2)
    await write(agent, TOOL, 'echo three\n')
    const shown = await show(workspace)
    expect(shown.files).toMatchObject([{ executable: { before: true, after: false } }])
    expect(await approve(workspace, shown, groupOf(shown, 0))).toMatchObject({ decided: 2 })
    expect(await isExecutable(workspace)).toBe(false)
  })

  it('is not approved as it was shown once the owner has changed the mode', async () => {
    const { workspace, agent } = await withLink()
    await write(agent, TOOL, 'echo two\n')
    const shown = await show(workspace)
    await importFile(workspace, 'echo one\n', 0o755)
    const done = await approve(workspace, shown, groupOf(shown, 0))
    expect(done).toMatchObject({ code: 'DRAFT_CHANGED' })
    const now = await show(workspace)
    expect(now.files).toMatchObject([{ executable: { before: true, after: true } }])
    expect(await approve(workspace, now, groupOf(now, 0))).toMatchObject({ decided: 1 })
    expect(await isExecutable(workspace)).toBe(true)
  })
})
