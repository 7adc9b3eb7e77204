/**
 * A program that replays the feed has what a recursive listing has, after any changes, moves and deletions of folders, undone
 * and restored files, and decisions on drafts; for the owner, in one folder, and through links that see a part.
 */

import fc from '../../support/core/random.ts'
import { expect, it } from 'vitest'
import { runs } from '../../support/core/runs.ts'
import { ownerOf } from '../../support/e2e/owner-decisions.ts'
import { linkOf, type Workspace } from '../../support/worker/attack-link.ts'
import { freshWorkspace } from '../../support/worker/client.ts'
import { toolCall, type ToolCall } from '../../support/worker/draft-model.ts'
import { copyTree, follow, sorted, type Copy } from '../../support/e2e/feed.ts'

type Command =
  | { readonly type: 'call'; readonly isAgent: boolean; readonly call: ToolCall }
  | { readonly type: 'undo' | 'restore'; readonly path: string; readonly version: number }
  | { readonly type: 'approve' | 'turn-down' | 'hold' | 'release' | 'read' | 'begin' | 'again' }

const path = fc.constantFrom('/a', '/a/x', '/b/x', '/b/x/z')

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      type: fc.constant('call'),
      isAgent: fc.boolean(),
      call: toolCall,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('undo', 'restore'),
      path,
      version: fc.integer({ min: 1, max: 20 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constantFrom('approve', 'turn-down', 'hold', 'release', 'read', 'begin', 'again'),
    }),
  },
)

/** Who follows the feed, in which folder, and what it has. */
interface Follower {
  readonly from: Workspace
  readonly folder: string
  readonly query: string
  readonly copy: Copy
  at: number
}

const follower = (from: Workspace, folder = '/', query = 'limit=1000'): Follower => ({
  ...{ from, folder, query, copy: new Map(), at: 0 },
})

async function createFollowers(workspace: Workspace): Promise<Follower[]> {
  const scopes = ['read:file:/a', 'read:file:/b/x']
  const policy = { roots: [{ path: '/', deny: ['a/y', 'b/x/**', 'c/**'] }] }
  return [
    follower(workspace),
    follower(workspace, '/b', 'limit=2&path=/b'),
    follower((await linkOf(workspace, { scopes })).client, '/', 'limit=1'),
    follower((await linkOf(workspace, { policy })).client),
  ]
}

async function expectInStep(one: Follower): Promise<void> {
  const { from, folder, query, copy } = one
  one.at = await follow(from, copy, one.at, query)
  const answer = await from.fetch(`/files${folder}`)
  await answer.text()
  const found =
    answer.ok && !answer.headers.has('etag') ? await copyTree(from, folder, 3) : new Map()
  copy.delete(folder)
  expect(sorted(copy)).toEqual(sorted(found))
}

async function take(
  {
    workspace,
    agent,
    followers,
  }: { workspace: Workspace; agent: Workspace; followers: Follower[] },
  command: Command,
): Promise<void> {
  const owner = ownerOf(workspace)
  const ignore = () => {}
  if (command.type === 'call') {
    const { name, args } = command.call
    await (command.isAgent ? agent : workspace).call(name, { ...args })
  } else if (command.type === 'undo')
    await workspace.call('undo_change', { version: command.version })
  else if (command.type === 'restore')
    await workspace.call('restore_file', { path: command.path, version: command.version })
  else if (command.type === 'hold') await owner.demand('review')
  else if (command.type === 'release') await owner.demand('none')
  else if (command.type === 'begin') await workspace.call('create_checkpoint', { name: 'one' })
  else if (command.type === 'again')
    await workspace.call('restore_checkpoint', { checkpoint: 'one' })
  else if (command.type === 'read') for (const one of followers) await expectInStep(one)
  // What fits no more stays in its draft.
  else if ((await owner.drafts()).length > 0) await owner.decide(command.type).catch(ignore)
}

it('has what a listing has', { timeout: 600_000 }, async () => {
  const program = fc.array(command, { minLength: 5, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(program, async (commands) => {
      const workspace = freshWorkspace()
      const followers = await createFollowers(workspace)
      const agent = (await linkOf(workspace)).client
      for (const each of commands) await take({ workspace, agent, followers }, each)
      for (const one of followers) await expectInStep(one)
    }),
    { ...runs(25), endOnFailure: true },
  )
})
