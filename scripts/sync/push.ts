/**
 * Carries out the part of a plan that changes the workspace. Every change names the version that it replaces, so a change
 * by others in between is found, and nothing of theirs is replaced.
 *
 * Through a session link a change may wait for the owner. What is sent there is remembered before it is sent: after a crash
 * it is not known whether it waits, and sent once more, the server answers again. Tested by `test/sync-run.test.ts`.
 *
 * @module
 */

import { join } from 'node:path'
import { factsOf, stampOf } from './disk.ts'
import { isGitRules } from './ignores.ts'
import { MAX_REQUESTS, MAX_SINGLE_UPLOADS } from './limits.ts'
import { foldersOf } from './names.ts'
import type { Content, LocalFile, Proposal, RemoteFile } from './plan.ts'
import { attempt } from './pull.ts'
import type { Written } from './remote.ts'
import type { Round } from './round.ts'
import { forEachOf } from './together.ts'

/** A change to send; without `from` a deletion. */
interface Sending {
  readonly name: string
  readonly from: LocalFile | null
  readonly over: RemoteFile | null
}

const contentOf = (file: Content | null): Content | null =>
  file && { hash: file.hash, executable: file.executable }

/** Sends everything. Returns whether the workspace has to be read again to know what became of it. */
export async function send(round: Round, mayArchive: boolean): Promise<boolean> {
  const all = sendingsOf(round)
  const deletions = all.filter(({ from }) => from === null)
  const files = all.filter(({ from }) => from !== null)
  const clashing = deletions.filter(clashesWith(files))
  if (!round.remote.takesArchives) await announce(round, all)
  await sendOnes(round, clashing)
  const isMany = mayArchive && round.remote.takesArchives && files.length > MAX_SINGLE_UPLOADS
  if (isMany) await sendArchive(round, files)
  else await sendOnes(round, files)
  const others = deletions.filter((one) => !clashing.includes(one))
  await sendOnes(round, others)
  return isMany
}

const sendingsOf = ({ plan }: Round): Sending[] =>
  [...plan].flatMap(([name, action]) => (action.type === 'push' ? [{ name, ...action }] : []))

/** A file that becomes a folder, or the other way round, has to go first; else what is new comes before what goes. */
function clashesWith(files: readonly Sending[]) {
  const names = new Set(files.map(({ name }) => name))
  const folders = new Set(files.flatMap(({ name }) => foldersOf(name)))
  return ({ name }: Sending) =>
    folders.has(name) || foldersOf(name).some((folder) => names.has(folder))
}

/** Remembers what is about to be sent. */
async function announce({ state, save, before }: Round, all: readonly Sending[]): Promise<void> {
  if (all.length === 0) return
  for (const { name, from, over } of all) {
    const known = state.known.get(name) ?? { base: null, remote: over }
    before.set(name, known)
    const { version, content, state: stage, isDoubted = false } = known.proposal ?? {}
    const proposal: Proposal = {
      ...{ state: 'sending', content: contentOf(from), draft: '', at: 0 },
      ...(version !== undefined && { version }),
      ...(content !== undefined && (stage === 'waits' || isDoubted) && { earlier: content }),
      ...(isDoubted && { isDoubted }),
    }
    state.known.set(name, { ...known, proposal })
  }
  await save()
}

async function sendOnes(round: Round, some: readonly Sending[]): Promise<void> {
  await forEachOf(some, MAX_REQUESTS, async (one) => {
    const isSent = await attempt(round, one.name, () => sendOne(round, one))
    if (!isSent) takeBack(round, one.name)
  })
  if (some.length > 0) await round.save()
}

async function sendOne(round: Round, { name, from, over }: Sending): Promise<void> {
  const { state, remote } = round
  const { proposal } = state.known.get(name) ?? {}
  const version = proposal?.version ?? over?.version ?? 0
  // A new file that waits has a version of its own, which a listing tells.
  if (from === null && proposal?.earlier && proposal.version === undefined) {
    round.outcome.isStale = true
    return takeBack(round, name)
  }
  if (from === null && proposal?.version === 0 && over !== null) return waitAgain(round, name)
  if (from === null) {
    // It is gone on both sides, or was never sent.
    const result: Written =
      version === 0 ? { type: 'done', version: 0, hash: null } : await remote.remove(name, version)
    return learn(round, { name, from, over }, result)
  }
  const facts = await factsOf(join(round.disk.folder, from.path))
  // It is sent with the next run.
  if (!facts?.isFile() || stampOf(facts) !== from.stamp) {
    round.outcome.isStale = true
    return takeBack(round, name)
  }
  const hasBits = process.platform !== 'win32'
  const options = { version, ...(hasBits && { executable: from.executable }) }
  return learn(round, { name, from, over }, await remote.write(name, from, options))
}

/** The workspace has the file, and the sender does not see it: its deletion waits already. */
function waitAgain(round: Round, name: string): void {
  takeBack(round, name)
  const known = round.state.known.get(name)
  if (!known?.proposal) return
  round.state.known.set(name, { ...known, proposal: { ...known.proposal, state: 'waits' } })
  round.outcome.waiting.push(name)
}

function learn(round: Round, { name, from, over }: Sending, result: Written): void {
  const { state, outcome } = round
  const before = state.known.get(name) ?? { base: null, remote: over }
  switch (result.type) {
    case 'done':
      learnDone(round, { name, from }, result)
      return
    case 'waits': {
      const { draft, at } = result
      // A new file that waited is taken back, so nothing is left to wait for.
      const { isDoubted = false } = before.proposal ?? {}
      if (from === null && before.base === null && before.remote === null && !isDoubted) {
        state.known.delete(name)
        return
      }
      const sent = { state: 'waits', content: contentOf(from), draft, at } as const
      const proposal = isDoubted ? { ...sent, isDoubted } : sent
      state.known.set(name, { base: before.base, remote: before.remote, proposal })
      outcome.waiting.push(name)
      return
    }
    case 'changed':
      outcome.isStale = true
      takeBack(round, name)
      return
    case 'refused':
      outcome.failed.push({ name, reason: result.reason })
      takeBack(round, name)
  }
}

function learnDone(
  { state, outcome }: Round,
  { name, from }: Pick<Sending, 'name' | 'from'>,
  { version, hash }: Extract<Written, { type: 'done' }>,
): void {
  if (isGitRules(name)) state.rules.delete(name)
  if (from === null) {
    state.known.delete(name)
    outcome.deletedThere.push(name)
    return
  }
  const base = { hash: hash ?? from.hash, executable: from.executable }
  state.known.set(name, { base, remote: { ...base, version, size: from.size } })
  outcome.sent.push(name)
}

/** Nothing of it is in the workspace, so what was remembered before is so again. */
function takeBack({ state, before }: Round, name: string): void {
  const known = before.get(name)
  if (!known) return
  if (known.base === null && known.remote === null && !known.proposal) state.known.delete(name)
  else state.known.set(name, known)
}

/** Sends many files at once. What became of each is found by the next look at both sides. */
async function sendArchive(round: Round, files: readonly Sending[]): Promise<void> {
  const uploads = files.flatMap(({ name, from }) => (from ? [{ name, local: from }] : []))
  const refused = await round.remote.writeMany(uploads, round.state.version ?? 0)
  round.outcome.failed.push(...refused)
}
