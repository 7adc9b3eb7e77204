/**
 * Notifications for all kinds of caller, in both eras: they tell of what the caller may read, and nothing
 * that is written elsewhere makes a difference.
 */

import { packTar } from 'modern-tar'
import { describe, expect, it } from 'vitest'
import { CALLERS, EXTRAS, type Caller, type Extra } from './access-callers.ts'
import { pairOf } from './access-run.ts'
import { FILES, type Workspace } from './access-tree.ts'
import { leaked, normalised } from './access-verdict.ts'
import { readEvents } from './sse.ts'

const MARK = '/docs/open-amber.md'

/** Files, what would be below them if they were folders, and other spellings of them. */
const URIS = FILES.flatMap(({ path }) => [
  `file://${path}`,
  `file://${path}/%`,
  `file://${path}/below.md`,
  `file:///docs/..${path}`,
])

/** The person writes wherever it is asked to, and last of all where everybody listens. */
async function writeAll(workspace: Workspace, isWritten: (path: string) => boolean): Promise<void> {
  const { put, fetch } = workspace
  const written = FILES.map(({ path }) => path).filter((path) => isWritten(path) && path !== MARK)
  for (const path of written) await put(path, 'new')
  for (const path of written) await put(`${path}.more`, 'new')
  for (const path of written) {
    await (await fetch(`/files${path}.more`, { method: 'DELETE' })).body?.cancel()
    await (await fetch(`/files${path}`, { method: 'DELETE' })).body?.cancel()
  }
  await importAll(workspace, [...written, MARK])
  // Nothing but what is forbidden to everybody is new, and the mark is not.
  await importAll(workspace, [...['/vault-kelp/new'].filter(isWritten), MARK])
  await put(MARK, 'end')
}

async function importAll({ fetch }: Workspace, paths: readonly string[]): Promise<void> {
  const packed = paths.map((path) => ({ header: { name: path.slice(1), size: 3 }, body: 'two' }))
  await (await fetch('/import', { method: 'POST', body: await packTar(packed) })).text()
}

/** The messages of a stream up to the third that tells of the mark. */
async function heard(response: Response): Promise<unknown[]> {
  const events = readEvents(response)
  const messages: unknown[] = []
  for (let marks = 0; marks < 3;) {
    const message = await events.next()
    messages.push(message)
    if (message.params?.['uri'] === `file://${MARK}`) marks++
  }
  await events.cancel()
  return messages
}

/** A session of the older era subscribes under what it began with, whatever a request brings along. */
const isListening = (caller: Caller, { meta }: Extra) =>
  caller.can.read(MARK) && !(caller.name.includes('older') && meta)

/** Every caller, alone and with everything that a request can bring along. */
const cases = CALLERS.flatMap((caller) =>
  EXTRAS.filter((extra) => isListening(caller, extra) && !extra.name.includes('grant')).map(
    (extra) => ({ name: `${caller.name}, with ${extra.name}`, caller, extra }),
  ),
)

describe.each(cases)('$name', ({ caller, extra }) => {
  it('hears of what it may read, and of nothing else', async () => {
    const { workspaces, askers, can } = await pairOf(caller, extra)
    const [one, other] = [
      await askers[0].listen(URIS, extra.meta),
      await askers[1].listen(URIS, extra.meta),
    ]
    await writeAll(workspaces[0], () => true)
    await writeAll(workspaces[1], can.read)
    const messages = await heard(one)
    expect(leaked(messages, [extra], can)).toEqual([])
    expect(normalised(messages)).toBe(normalised(await heard(other)))
    const told = JSON.stringify(messages)
    for (const { path, word } of FILES) expect(told.includes(word), path).toBe(can.read(path))
  }, 30_000)
})
