/**
 * Files that all agents of a workspace write at the same time.
 *
 * The version orders the writes, so a read has to return the whole of the write with its version, and
 * no older version than any that was known before the read began: a register,
 * checked for linearizability. A counter and a log show that no update is lost.
 *
 * @module
 */

import assert from 'node:assert/strict'
import type { Agent } from './load-agent.ts'
import type { Refused } from './load-client.ts'
import type { Work } from './load-private-files.ts'
import { firstLine, labelOf, LARGE_BYTES, textOf, type Label } from './load-content.ts'

/** What others in a race can be the reason of. */
const LOST_RACES = ['VERSION_CONFLICT', 'FIND_NOT_FOUND', 'PREVIEW_STALE']

const REGISTERS = 6

/** Lines of one log. */
const MAX_LOG_LENGTH = 300

export type Shared = ReturnType<typeof createSharedFiles>

export function createSharedFiles() {
  const registers = Array.from({ length: REGISTERS }, (_, at) =>
    createRegister(`/shared/${at}.txt`),
  )
  const log = createLog()
  const counter = createCounter()

  const worksOf = (agent: Agent): Work[] => {
    const register = () => agent.any(registers)
    return [
      [8, () => register().read(agent)],
      [3, () => register().write(agent)],
      [1, () => register().upload(agent)],
      [3, () => register().edit(agent)],
      [3, () => log.append(agent)],
      [3, () => counter.increase(agent)],
    ]
  }

  async function begin(agent: Agent): Promise<void> {
    for (const register of registers) await register.write(agent)
    await counter.begin(agent)
  }

  /** Expected contents after the last write, by path. */
  const texts = () =>
    new Map([...registers.map((each) => each.last()), ...log.texts(), counter.last()])
  return { begin, worksOf, texts }
}

function createRegister(path: string) {
  const written = new Map<number, string>()
  const read = new Map<number, string>()
  /** The newest version that any agent knows of. */
  let known = 0

  function note(seen: Map<number, string>, version: number, label: Label, floor: number): void {
    assert(version >= floor, `${path} is at ${version} after it was at ${floor}`)
    known = Math.max(known, version)
    seen.set(version, textLabel(label))
    const [one, other] = [written.get(version), read.get(version)]
    if (one !== undefined && other !== undefined) assert.equal(other, one, `${path} at ${version}`)
  }

  async function take(agent: Agent): Promise<Label> {
    const floor = known
    const { text, version } = await agent.download(path)
    const label = labelOf(text)
    note(read, version, label, floor)
    return label
  }

  async function write(agent: Agent) {
    const label = agent.newLabel(sizeFor(agent))
    const floor = known
    const made = await agent.attempt('write_file', { path, content: textOf(label) })
    if (made.ok) note(written, made.version, label, floor + 1)
    else assertLostRace(made)
  }

  async function upload(agent: Agent) {
    const label = agent.newLabel(sizeFor(agent))
    const floor = known
    note(written, await agent.upload(path, textOf(label)), label, floor + 1)
  }

  /** Succeeds only if the file has not changed since it was read. */
  async function edit(agent: Agent) {
    const label = await take(agent)
    const edited = { ...label, revision: label.revision + 1 }
    const floor = known
    const edits = [{ find: `${firstLine(label)}\n`, replace: `${firstLine(edited)}\n` }]
    const made = await agent.attempt('edit_file', { path, edits })
    if (made.ok) note(written, made.version, edited, floor + 1)
    else assertLostRace(made)
  }

  /** The text of the newest write, when all of them are known. */
  function last(): [path: string, text: string] {
    for (const [version, label] of read) assert.equal(written.get(version), label, path)
    const newest = written.get(Math.max(...written.keys()))
    return [path, textOf(JSON.parse(newest ?? 'null'))]
  }

  return { read: async (agent: Agent) => void (await take(agent)), write, upload, edit, last }
}

const textLabel = ({ by, turn, bytes, revision }: Label) =>
  JSON.stringify({ by, turn, bytes, revision })

/** Sometimes a large object takes the place of a small one. */
const sizeFor = (agent: Agent) =>
  agent.upTo(10) === 0 ? LARGE_BYTES + agent.upTo(1_000) : 300 + agent.upTo(2_000)

function assertLostRace({ code }: Refused): void {
  assert(LOST_RACES.includes(code), `A race was lost by ${code}`)
}

/** Lines that are put one after the other. Each has to be there, in the order of the versions. */
function createLog() {
  const logs = new Map<string, Map<number, string>>()
  let lines = 0

  async function append(agent: Agent): Promise<void> {
    const path = `/shared/log${Math.floor(lines++ / MAX_LOG_LENGTH)}.txt`
    const content = `${firstLine(agent.newLabel(0))}\n`
    const made = await agent.attempt('write_file', { path, content, mode: 'append' })
    if (!made.ok) return assertLostRace(made)
    const log = logs.get(path) ?? new Map<number, string>()
    logs.set(path, log.set(made.version, content))
  }

  const texts = () =>
    [...logs].map(([path, log]): [string, string] => {
      const inOrder = [...log].sort(([a], [b]) => a - b)
      return [path, inOrder.map(([, line]) => line).join('')]
    })
  return { append, texts }
}

/** A number that each agent increases by one, unless another has changed it meanwhile. */
function createCounter() {
  const path = '/shared/counter.txt'
  let count = 0

  const begin = async (agent: Agent) =>
    void (await agent.change('write_file', { path, content: '0', if_version: 0 }))

  async function increase(agent: Agent): Promise<void> {
    const least = count
    const { text, version } = await agent.download(path)
    assert(/^\d+$/.test(text) && Number(text) >= least, `The counter is at ${text}, not ${least}`)
    const next = { path, content: String(Number(text) + 1), if_version: version }
    const made = await agent.attempt('write_file', next)
    if (made.ok) count++
    else assertLostRace(made)
  }

  const last = (): [string, string] => [path, String(count)]
  return { begin, increase, last }
}
