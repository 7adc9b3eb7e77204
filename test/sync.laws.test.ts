/**
 * Random edits on both sides, decisions of the owner, crashes and edits in the middle of a run: nothing that a person wrote is
 * lost, nothing of the workspace is replaced unseen, and quiet runs bring both sides in step.
 */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../scripts/sync/outcome.ts'
import fc from './support/core/random.ts'
import { runs } from './support/core/runs.ts'
import {
  isExecutable,
  makeFolder,
  readAll,
  readTexts,
  removeFolder,
  writeText,
} from './support/sync/folder.ts'
import { Killed, type Interruption } from './support/sync/kill.ts'
import { runSync } from './support/sync/open.ts'
import { FakeServer } from './support/sync/server.ts'

const name = fc.constantFrom('a', 'b', 'd', 'd/a', 'd/b', 'd/e/a', 'e.txt', 'w/a', 'w/b')

const draw = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('write' as const),
      side: fc.constantFrom('here' as const, 'there' as const),
      name,
      isSame: fc.boolean(),
      executable: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('remove' as const),
      side: fc.constantFrom('here' as const, 'there' as const),
      name,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('move' as const),
      side: fc.constantFrom('here' as const, 'there' as const),
      name,
      to: name,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('decide' as const),
      outcome: fc.constantFrom('approved', 'approved', 'turned_down', 'expired'),
      bits: fc.nat(255),
      isAmended: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('forget' as const) }) },
)

type Edit = typeof draw extends fc.Arbitrary<infer T> ? T : never

const step = fc.record({
  edits: fc.array(draw, { maxLength: 4 }),
  /** What happens at which effect of the run; without an edit the process ends. */
  at: fc.nat(40),
  isAfter: fc.boolean(),
  inside: fc.option(draw, { nil: null }),
  isInterrupted: fc.boolean(),
})

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Both sides, and what has to be kept of them. */
class World {
  readonly folder = makeFolder()
  readonly server: FakeServer
  /** Texts that the person has on disk and has not replaced. */
  readonly mine = new Map<string, string>()
  /** Texts that were ever on disk. */
  readonly seen = new Set<string>()
  /** Texts that the owner approved in another form. */
  readonly amended = new Set<string>()
  #count = 0

  constructor(hasDraft: boolean) {
    const waits = hasDraft ? (file: string) => file.startsWith('w/') || file === 'a' : null
    this.server = new FakeServer(this.folder, waits)
  }

  edit(edit: Edit): void {
    if (edit.type === 'forget') this.server.forget()
    else if (edit.type === 'decide') this.#decide(edit)
    else if (edit.side === 'here') this.#editHere(edit)
    else this.#editThere(edit)
  }

  #decide({ outcome, bits, isAmended }: Extract<Edit, { type: 'decide' }>): void {
    let index = 0
    this.server.decide(
      () => ((bits >> (index++ % 8)) & 1) === 1,
      outcome,
      (text) => {
        if (!isAmended) return text
        this.amended.add(text)
        return `${text} amended`
      },
    )
  }

  #editHere(edit: Extract<Edit, { side: string }>): void {
    const texts = readTexts(this.folder)
    const before = texts.get(edit.name)
    if (edit.type === 'write') {
      const text = edit.isSame ? `same ${edit.name}` : `here ${this.#count++}`
      if (writeText(this.folder, edit.name, text, edit.executable)) this.#own(edit.name, text)
    } else if (before !== undefined) {
      if (edit.type === 'move') {
        if (edit.to.startsWith(`${edit.name}/`)) return
        const executable = isExecutable(this.folder, edit.name)
        if (edit.to !== edit.name && !writeText(this.folder, edit.to, before, executable)) return
        this.#own(edit.to, before)
        if (edit.to === edit.name) return
      }
      rmSync(join(this.folder, edit.name))
      this.mine.delete(edit.name)
    }
  }

  #own(file: string, text: string): void {
    this.mine.set(file, text)
    this.seen.add(text)
  }

  #editThere(edit: Extract<Edit, { side: string }>): void {
    const { files } = this.server
    const before = files.get(edit.name)
    const clears = (to: string) =>
      ![...files.keys()].some((one) => one.startsWith(`${to}/`) || to.startsWith(`${one}/`))
    if (edit.type === 'write') {
      const text = edit.isSame ? `same ${edit.name}` : `there ${this.#count++}`
      if (clears(edit.name))
        this.server.apply(new Map([[edit.name, { text, executable: edit.executable }]]))
    } else if (before && edit.type === 'remove') this.server.apply(new Map([[edit.name, null]]))
    else if (before && edit.type === 'move' && clears(edit.to) && edit.to !== edit.name)
      this.server.apply(
        new Map([
          [edit.name, null],
          [edit.to, before],
        ]),
      )
  }

  /** What the person wrote is on disk, under whatever name, or in the history of the workspace. */
  expectKept(): void {
    const onDisk = new Set(readAll(this.folder).values())
    for (const [file, text] of this.mine) {
      const isKept = onDisk.has(text) || this.server.history.has(text) || this.amended.has(text)
      expect(isKept, `${file} had ${text}`).toBe(true)
    }
  }

  /** What a run has replaced in the workspace was on disk before, so that the person has replaced it. */
  expectSeen(): void {
    for (const text of readTexts(this.folder).values()) this.seen.add(text)
    for (const { name: file, text } of this.server.replaced)
      expect(this.seen, `${file} had ${text}`).toContain(text)
  }

  remember(): void {
    for (const text of readTexts(this.folder).values()) this.seen.add(text)
  }
}

async function runOne(world: World, { edits, ...more }: Step): Promise<void> {
  for (const edit of edits) world.edit(edit)
  const { at, isAfter, inside, isInterrupted } = more
  const happen = () => {
    world.remember()
    if (inside === null) throw new Killed()
    world.edit(inside)
  }
  const interruptions: Interruption[] = isInterrupted ? [{ at, isAfter, happen }] : []
  try {
    await runSync(world.folder, world.server, { take: null }, interruptions)
  } catch (error) {
    if (!(error instanceof Killed) && !isChoice(error)) throw error
    if (isChoice(error)) await choose(world)
  }
  world.expectKept()
  world.expectSeen()
}

/** The person was shown what differs, and takes what is on disk. */
async function choose({ folder, server, seen }: World): Promise<void> {
  for (const { text } of server.files.values()) seen.add(text)
  await runSync(folder, server, { take: 'local' })
}

const isChoice = (error: unknown) =>
  error instanceof Error && error.message.includes('was never in step')

const transfers = ({ sent, received, deletedHere, deletedThere }: Outcome) =>
  [sent, received, deletedHere, deletedThere].flat()

/** Runs once. No run before may have come as far as to ask. */
async function runQuietly(world: World): Promise<void> {
  try {
    await runSync(world.folder, world.server)
  } catch (error) {
    if (!isChoice(error)) throw error
    await choose(world)
  }
}

/** Runs until nothing is left to do, and compares both sides. */
async function expectEqual(world: World): Promise<void> {
  const { folder, server } = world
  for (let quiet = 0; quiet < 4; quiet++) await runQuietly(world)
  const last = await runSync(folder, server)
  expect(transfers(last)).toEqual([])
  const open = new Set(
    [last.waiting, last.declined, last.conflicts, last.failed]
      .flat()
      .map((one) => (typeof one === 'string' ? one : one.name)),
  )
  const isSettled = (file: string) => !open.has(file) && !file.includes('.from-edgewise-')
  const here = [...readTexts(folder)].filter(([file]) => isSettled(file))
  const there = [...server.files].filter(([file]) => isSettled(file))
  expect(new Map(here)).toEqual(new Map(there.map(([file, { text }]) => [file, text])))
  for (const [file, { executable }] of there)
    expect(isExecutable(folder, file), file).toBe(executable)
}

describe.each([
  ['the owner', false],
  ['a session link', true],
])('as %s', (_, hasDraft) => {
  it('loses nothing, and comes to an end', { timeout: 3_600_000 }, async () => {
    const steps = fc.array(step, { minLength: 1, maxLength: 6, size: 'max' })
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const world = new World(hasDraft)
        try {
          for (const one of list) await runOne(world, one)
          await expectEqual(world)
          world.expectKept()
          world.expectSeen()
        } finally {
          removeFolder(world.folder)
        }
      }),
      runs(40, 5_000),
    )
  })
})
