/**
 * Notifications for all kinds of caller, in both eras: they name only files that the caller may read, and
 * writes to other files make no difference.
 */

import { packTar } from 'modern-tar'
import { describe, expect, it } from 'vitest'
import { CALLERS, EXTRAS, type Caller, type Extra } from '../../support/worker/access-callers.ts'
import { pairOf } from '../../support/worker/access-run.ts'
import { FILES, type Workspace } from '../../support/worker/access-tree.ts'
import { findLeaks, normalise } from '../../support/worker/access-verdict.ts'
import { readEvents } from '../../support/worker/event-stream.ts'

const MARK = '/docs/open-amber.md'

/** Files, what would be below them if they were folders, and other spellings of them. */
const URIS = FILES.flatMap(({ path }) => [
  `file://${path}`,
  `file://${path}/%`,
  `file://${path}/below.md`,
  `file:///docs/..${path}`,
])

/** Writes all given files as the owner, and last the mark, to which every caller may subscribe. */
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
  // Here the only new file is one that all callers are denied.
  await importAll(workspace, [...['/vault-kelp/new'].filter(isWritten), MARK])
  await put(MARK, 'end')
}

async function importAll({ fetch }: Workspace, paths: readonly string[]): Promise<void> {
  const packed = paths.map((path) => ({ header: { name: path.slice(1), size: 3 }, body: 'two' }))
  await (await fetch('/import', { method: 'POST', body: await packTar(packed) })).text()
}

/** Reads the messages of a stream up to the third that names the mark. */
async function readUntilMark(response: Response): Promise<unknown[]> {
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

/** A legacy session subscribes with the access of its `initialize`, not with the request's metadata. */
const isListening = (caller: Caller, { meta }: Extra) =>
  caller.can.read(MARK) && !(caller.name.includes('legacy') && meta)

/** Every caller, without and with each kind of request metadata. */
const cases = CALLERS.flatMap((caller) =>
  EXTRAS.filter((extra) => isListening(caller, extra) && !extra.name.includes('grant')).map(
    (extra) => ({ name: `${caller.name}, with ${extra.name}`, caller, extra }),
  ),
)

describe.each(cases)('$name', ({ caller, extra }) => {
  it('gets notifications about readable files only', async () => {
    const { workspaces, clients, can } = await pairOf(caller, extra)
    const [one, other] = [
      await clients[0].listen(URIS, extra.meta),
      await clients[1].listen(URIS, extra.meta),
    ]
    await writeAll(workspaces[0], () => true)
    await writeAll(workspaces[1], can.read)
    const messages = await readUntilMark(one)
    expect(findLeaks(messages, [extra], can)).toEqual([])
    expect(normalise(messages)).toBe(normalise(await readUntilMark(other)))
    const received = JSON.stringify(messages)
    for (const { path, word } of FILES) expect(received.includes(word), path).toBe(can.read(path))
  })
})
