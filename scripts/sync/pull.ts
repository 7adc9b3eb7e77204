/**
 * Carries out the part of a plan that changes the disk: copies of conflicts, deletions, and files from the workspace.
 *
 * Deletions come first, because a file can be where a folder was; the content of a deleted file that is wanted elsewhere is
 * kept, so a rename moves the file. Tested by `test/sync-run.test.ts`.
 *
 * @module
 */

import { LeftAlone, whyLeftAlone } from './disk.ts'
import { isGitRules } from './ignores.ts'
import {
  MAX_OPEN_FILES,
  MAX_REQUESTS,
  MAX_SINGLE_DOWNLOADS,
  MAX_STAGED,
  MIN_ARCHIVE_SHARE,
} from './limits.ts'
import { rememberHash } from './local.ts'
import { fold, foldersOf, nameCopy } from './names.ts'
import { type Content, type LocalFile, type RemoteFile } from './plan.ts'
import type { Round } from './round.ts'
import { createPool, forEachOf } from './together.ts'

/** A file to receive. */
interface Receipt {
  readonly name: string
  readonly from: RemoteFile
  readonly over: LocalFile | null
}

/** Writes the workspace's version of each conflict beside the local file. */
export async function keepConflicts(round: Round): Promise<void> {
  for (const [name, action] of round.plan) {
    if (action.type !== 'conflict') continue
    await attempt(round, name, () => keepConflict(round, name, action))
  }
}

async function keepConflict(
  round: Round,
  name: string,
  { remote, isNew }: { readonly remote: RemoteFile; readonly isNew: boolean },
): Promise<void> {
  const known = round.state.known.get(name)
  const local = round.scan.files.get(name)
  if (!known || !local) return
  const copy = isNew || !known.conflict ? nameCopy(local.path, remote.version) : known.conflict.copy
  if (isNew && !(await round.disk.holds(copy, remote.hash))) {
    await stage(round, { name, from: remote, over: null })
    await round.disk.place(remote, { path: copy, over: null, isWanted: false })
  }
  const { hash, executable } = remote
  round.state.known.set(name, { ...known, conflict: { hash, executable, copy } })
  round.outcome.conflicts.push({ name, copy })
}

/** Deletes what the workspace no longer has. */
export async function deleteHere(round: Round): Promise<void> {
  const wanted = new Set(receiptsOf(round).map(({ from }) => from.hash))
  for (const [name, action] of round.plan) {
    if (action.type !== 'pull' || action.from !== null) continue
    const { over } = action
    await attempt(round, name, async () => {
      if (over) await holdRules(round, name)
      if (over) await round.disk.remove(over, wanted.has(over.hash))
      round.state.known.delete(name)
      round.state.hashes.delete(name)
      if (over) round.outcome.deletedHere.push(name)
    })
  }
}

const receiptsOf = ({ plan }: Round): Receipt[] =>
  [...plan].flatMap(([name, action]) =>
    action.type === 'pull' && action.from ? [{ name, from: action.from, over: action.over }] : [],
  )

/** Receives files, some at a time, so that the disk has few of them twice. */
export async function receive(round: Round): Promise<void> {
  const receipts = receiptsOf(round)
  const fits = round.ignoresCase ? createFolds(round) : () => null
  const open = receipts.filter(({ name }) => {
    const reason = fits(name)
    if (reason !== null) round.outcome.failed.push({ name, reason })
    return reason === null
  })
  await receiveMany(round, open)
  for (let at = 0; at < open.length; at += MAX_STAGED) {
    await receivePart(round, open.slice(at, at + MAX_STAGED))
    await round.save()
  }
}

/** Receives many files with one request, if they are a good part of the workspace. */
async function receiveMany(round: Round, receipts: readonly Receipt[]): Promise<void> {
  const { remote, disk, state } = round
  const far = receipts.filter(
    ({ from, over }) => over?.hash !== from.hash && !round.twins.has(from.hash),
  )
  if (!remote.takesArchives || far.length <= MAX_SINGLE_DOWNLOADS) return
  if (far.length < state.known.size * MIN_ARCHIVE_SHARE) return
  const wanted = new Map(far.map(({ name, from }) => [name, from]))
  const writes = createPool(MAX_OPEN_FILES)
  await remote.readAll(async (name, body) => {
    const from = wanted.get(name)
    if (!from || (await disk.hasStaged(from.hash))) return
    // What is another by now is received alone.
    const write = (content: AsyncIterable<Uint8Array>) =>
      disk.receive(content, from.hash, from.size).catch((error: unknown) => {
        if (!(error instanceof LeftAlone)) throw error
      })
    if (from.size > HELD_BYTES) return write(body)
    // Small files are written beside each other: a disk needs its time for each.
    const bytes = await readBytes(body, from.size)
    if (bytes) await writes.add(() => write(ReadableStream.from([bytes])))
  })
  await writes.end()
}

/** Bytes up to which a file of an archive is in memory. */
const HELD_BYTES = 256 * 1024

/** Reads a short content; null if it is longer. */
async function readBytes(
  body: AsyncIterable<Uint8Array>,
  size: number,
): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > size) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}

async function receivePart(round: Round, part: readonly Receipt[]): Promise<void> {
  const withContent = part.filter(({ from, over }) => over?.hash !== from.hash)
  const once = [...new Map(withContent.map((one) => [one.from.hash, one])).values()]
  const failed = new Set<string>()
  await forEachOf(once, MAX_REQUESTS, async (one) => {
    const isHere = await attempt(round, one.name, () => stage(round, one))
    if (!isHere) failed.add(one.from.hash)
  })
  const uses = new Map<string, number>()
  for (const { from } of withContent) uses.set(from.hash, (uses.get(from.hash) ?? 0) + 1)
  const isAlone = ({ from }: Receipt) => (uses.get(from.hash) ?? 1) === 1
  const alone = part.filter(isAlone)
  const others = part.filter((one) => !isAlone(one))
  const place = async (one: Receipt) => {
    const isMissing = failed.has(one.from.hash) && one.over?.hash !== one.from.hash
    if (!isMissing) await attempt(round, one.name, () => put(round, one, uses))
    else if (!once.includes(one))
      round.outcome.failed.push({ name: one.name, reason: 'its content was not received' })
  }
  await forEachOf(alone, MAX_OPEN_FILES, place)
  // Files with the same content are copies of one that was received, so they come one after the other.
  await forEachOf(others, 1, place)
}

async function put(
  round: Round,
  { name, from, over }: Receipt,
  uses: Map<string, number>,
): Promise<void> {
  const content: Content = { hash: from.hash, executable: from.executable }
  if (over?.hash === from.hash) {
    const facts = await round.disk.setExecutable(over, from.executable)
    rememberHash(round.state.hashes, name, { hash: from.hash, facts })
  } else {
    await holdRules(round, name)
    const left = (uses.get(from.hash) ?? 1) - 1
    uses.set(from.hash, left)
    const path = over?.path ?? pathFor(round, name)
    const facts = await round.disk.place(content, { path, over, isWanted: left > 0 })
    rememberHash(round.state.hashes, name, { hash: from.hash, facts })
  }
  round.state.known.set(name, { base: content, remote: from })
  round.outcome.received.push(name)
}

/** Keeps the rules that a `.gitignore` has before the workspace changes it. They are remembered before it is changed. */
async function holdRules(round: Round, name: string): Promise<void> {
  if (!isGitRules(name) || round.state.rules.has(name) || round.acceptsRules) return
  const path = round.scan.files.get(name)?.path
  // A new file can only take back what files above it leave out.
  if (path === undefined && !round.scan.ignores.hasGitRules(foldersOf(name).at(-1) ?? '')) return
  round.state.rules.set(name, path === undefined ? '' : await round.disk.readText(path))
  await round.save()
}

/** Folders on disk may have another form of Unicode than in the workspace. */
function pathFor({ scan }: Round, name: string): string {
  for (const folder of foldersOf(name).reverse()) {
    const path = scan.folders.get(folder)
    if (path !== undefined) return path + name.slice(folder.length)
  }
  return name
}

/** Gets content: of an earlier run, of another file here, or from the workspace. */
async function stage(round: Round, { name, from }: Receipt): Promise<void> {
  if (await round.disk.hasStaged(from.hash)) return
  const twin = round.twins.get(from.hash)
  if (twin && (await round.disk.reuse(twin))) return
  await round.disk.receive(await round.remote.read(name), from.hash, from.size)
}

/** Does something with one file; a failure that concerns it alone is noted. */
export async function attempt(
  { outcome }: Round,
  name: string,
  act: () => Promise<void>,
): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    outcome.failed.push({ name, reason: whyLeftAlone(error) })
    return false
  }
}

/** Finds names that would be one file on a disk that ignores case. */
function createFolds({ scan, plan }: Round) {
  const used = new Map<string, string>()
  const use = (name: string) => {
    for (const one of [...foldersOf(name), name]) used.set(fold(one), one)
  }
  for (const name of scan.files.keys()) {
    const action = plan.get(name)
    if (action?.type !== 'pull' || action.from !== null) use(name)
  }
  return (name: string): string | null => {
    for (const one of [...foldersOf(name), name]) {
      const other = used.get(fold(one))
      if (other !== undefined && other !== one) return `this disk has it as ${other} already`
    }
    use(name)
    return null
  }
}
