/**
 * Connections of one grant or link, the owner of their workspace, and the time.
 *
 * @module
 */

import { recordOf } from '#core/json.ts'
import { MAX_SILENT_SECONDS } from '#worker/drafts/limits.ts'
import { vi } from 'vitest'
import { ownerOf } from '../e2e/owner-decisions.ts'
import type { Send } from './access-client.ts'
import { freshWorkspace } from './client.ts'
import { listOf } from './held-draft.ts'
import { legacyClient } from './legacy-client.ts'

type Workspace = ReturnType<typeof freshWorkspace>

/** What a connection is opened with. */
type Opened = Pick<Workspace, 'fetch'>

/** The requests of a token, as {@link connect} takes them. */
export const byToken = (send: Send): Opened => ({ fetch: (_path, init) => send(init ?? {}) })

/** A workspace in which every change waits, and its owner. */
export async function reviewed(files: Readonly<Record<string, string>> = {}) {
  const workspace = freshWorkspace()
  for (const [path, text] of Object.entries(files)) await workspace.put(path, text)
  const owner = ownerOf(workspace)
  await owner.demand('review')
  return { workspace, owner }
}

/** Begins a connection. */
export async function connect(from: Opened, capabilities: Record<string, unknown> = {}) {
  const client = legacyClient(from, capabilities)
  await client.begin()
  const text = async (name: string, args: Record<string, unknown> = {}) => {
    const { result } = await client.call(name, args)
    return listOf(recordOf(result)['content'])
      .map((one) => String(one['text']))
      .join('\n')
  }
  return {
    ...client,
    text,
    write: (path: string, content = 'x') => text('write_file', { path, content }),
    read: (path: string) => text('read_file', { path }),
    status: () => text('draft_status'),
  }
}

/** A connection of a test. */
export type Connection = Awaited<ReturnType<typeof connect>>

/** Lets time pass. Call `vi.useFakeTimers({ toFake: ['Date'] })` before. */
export const pass = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000)

/** Lets so much time pass that a connection that is not heard has ended. */
export const fallSilent = (): void => pass(MAX_SILENT_SECONDS)
