/** Runs of a sync: what each side has afterwards, and what is reported. */

import {
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeOutcome, describePlan, isTrouble } from '../scripts/sync/outcome.ts'
import { readState } from '../scripts/sync/state.ts'
import { scratch } from './support/e2e/folder.ts'
import { isExecutable, readAll, readTexts, writeText } from './support/sync/folder.ts'
import { lookAt, runSync } from './support/sync/open.ts'
import { FakeServer } from './support/sync/server.ts'

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

type Texts = Readonly<Record<string, string>>

const stored = (text: string, executable = false) => ({ text, executable })

function open(here: Texts, there: Texts, waits: ((name: string) => boolean) | null = null) {
  const folder = scratch()
  const server = new FakeServer(folder, waits)
  const put = (texts: Readonly<Record<string, string | null>>) =>
    server.apply(
      new Map(
        Object.entries(texts).map(([name, text]) => [name, text === null ? null : stored(text)]),
      ),
    )
  for (const [name, text] of Object.entries(here)) writeText(folder, name, text)
  if (Object.keys(there).length > 0) put(there)
  const local = () => Object.fromEntries(readTexts(folder))
  const remote = () => Object.fromEntries([...server.files].map(([name, { text }]) => [name, text]))
  return { folder, server, put, local, remote, run: runSync.bind(null, folder, server) }
}

describe('a first run', () => {
  it('gives each side what the other has, and deletes nothing', async () => {
    const { run, local, remote } = open({ a: '1', 'd/b': '2', same: '0' }, { c: '3', same: '0' })
    const outcome = await run()
    const all = { a: '1', c: '3', 'd/b': '2', same: '0' }
    expect([local(), remote()]).toEqual([all, all])
    expect(outcome).toMatchObject({ sent: ['a', 'd/b'], received: ['c'] })
    expect(isTrouble(outcome)).toBe(false)
  })

  it('asks which side wins where files differ, and changes nothing before', async () => {
    const { run, local, remote, folder } = open({ a: 'here', b: '1' }, { a: 'there' })
    await expect(run()).rejects.toThrow(
      'Cannot sync: 1 files differ, and the folder was never in step. Choose which side wins, with --take-local or --take-remote:\n  "a"',
    )
    expect([local(), remote()]).toEqual([{ a: 'here', b: '1' }, { a: 'there' }])
    expect(await readState(folder)).toBeNull()
  })

  it.each([
    ['local', 'here'],
    ['remote', 'there'],
  ] as const)('takes the %s side on request', async (take, text) => {
    const { run, local, remote } = open({ a: 'here', b: '1' }, { a: 'there', c: '2' })
    await run({ take })
    const all = { a: text, b: '1', c: '2' }
    expect([local(), remote()]).toEqual([all, all])
  })
})

describe('a later run', () => {
  async function inStep(texts: Texts, waits: ((name: string) => boolean) | null = null) {
    const world = open({}, texts, waits)
    await world.run()
    return world
  }

  it('does nothing when nothing has changed', async () => {
    const { run, folder } = await inStep({ a: '1' })
    const before = readAll(folder)
    expect(describeOutcome(await run(), 'here')).toEqual(['In step with here: nothing to do'])
    expect(readTexts(folder)).toEqual(new Map([...before].filter(([name]) => name === 'a')))
  })

  it('carries changes and deletions of both sides over', async () => {
    const { run, local, remote, folder, put } = await inStep({ a: '1', b: '2', c: '3', 'd/e': '4' })
    writeText(folder, 'a', 'changed here')
    rmSync(join(folder, 'b'))
    put({ c: 'changed there', 'd/e': null })
    await run()
    const all = { a: 'changed here', c: 'changed there' }
    expect([local(), remote()]).toEqual([all, all])
  })

  it('carries the executable bit over, both ways', async () => {
    const { run, folder, server } = await inStep({ a: '1', b: '2' })
    chmodSync(join(folder, 'a'), 0o755)
    server.apply(new Map([['b', stored('2', true)]]))
    await run()
    expect(server.files.get('a')?.executable).toBe(true)
    expect(isExecutable(folder, 'b')).toBe(true)
  })

  it('moves a file that was renamed there, and receives nothing', async () => {
    const { run, local, server, put } = await inStep({ 'a/long': 'text', b: '1' })
    put({ 'a/long': null, 'c/new': 'text' })
    server.read = () => Promise.reject(new Error('It was read'))
    expect(await run()).toMatchObject({ deletedHere: ['a/long'], received: ['c/new'], failed: [] })
    expect(local()).toEqual({ b: '1', 'c/new': 'text' })
  })

  it('copies content that another file here has', async () => {
    const { run, local, server, put } = await inStep({ a: 'text' })
    put({ b: 'text', c: 'text' })
    server.read = () => Promise.reject(new Error('It was read'))
    await run()
    expect(local()).toEqual({ a: 'text', b: 'text', c: 'text' })
  })

  it('lets a file be where a folder was, on either side', async () => {
    const { run, local, remote, folder, put } = await inStep({ 'a/x': '1', 'b/x': '2', c: '3' })
    rmSync(join(folder, 'a'), { recursive: true })
    writeText(folder, 'a', 'now a file')
    put({ 'b/x': null })
    put({ b: 'now a file' })
    rmSync(join(folder, 'c'))
    writeText(folder, 'c/x', 'now a folder')
    await run()
    const all = { a: 'now a file', b: 'now a file', 'c/x': 'now a folder' }
    expect([local(), remote()]).toEqual([all, all])
  })

  it('reads the whole workspace where its changes are no longer known', async () => {
    const { run, local, server, put } = await inStep({ a: '1', b: '2' })
    put({ a: null, c: '3' })
    server.forget()
    await run()
    expect(local()).toEqual({ b: '2', c: '3' })
  })

  it('keeps both versions where both sides changed, and says so', async () => {
    const { run, local, remote, folder, put, server } = await inStep({ 'a.txt': '1' })
    writeText(folder, 'a.txt', 'mine')
    put({ 'a.txt': 'theirs' })
    const copy = `a.from-edgewise-${server.version}.txt`
    const outcome = await run()
    expect(isTrouble(outcome)).toBe(true)
    expect(outcome.conflicts).toEqual([{ name: 'a.txt', copy }])
    expect(local()).toEqual({ 'a.txt': 'mine', [copy]: 'theirs' })
    expect(remote()).toEqual({ 'a.txt': 'theirs' })
    // Again: nothing new, and the copy is not sent.
    expect((await run()).conflicts).toEqual([{ name: 'a.txt', copy }])
    expect(remote()).toEqual({ 'a.txt': 'theirs' })
    writeText(folder, 'a.txt', 'mine and theirs')
    rmSync(join(folder, copy))
    expect(isTrouble(await run())).toBe(false)
    expect([local(), remote()]).toEqual([
      { 'a.txt': 'mine and theirs' },
      { 'a.txt': 'mine and theirs' },
    ])
  })

  it.each([
    ['local', 'mine'],
    ['remote', 'theirs'],
  ] as const)('ends a conflict with the %s side on request', async (take, text) => {
    const { run, remote, folder, put } = await inStep({ a: '1' })
    writeText(folder, 'a', 'mine')
    put({ a: 'theirs' })
    await run()
    await run({ take })
    expect([readFileSync(join(folder, 'a'), 'utf8'), remote()]).toEqual([text, { a: text }])
  })

  it('keeps a change where the other side deleted the file', async () => {
    const { run, local, remote, folder, put } = await inStep({ a: '1', b: '2' })
    writeText(folder, 'a', 'mine')
    rmSync(join(folder, 'b'))
    put({ a: null, b: 'theirs' })
    expect(isTrouble(await run())).toBe(false)
    const all = { a: 'mine', b: 'theirs' }
    expect([local(), remote()]).toEqual([all, all])
  })

  it('transfers one way on request, and says what it leaves', async () => {
    const { run, local, remote, folder, put } = await inStep({ a: '1', b: '2' })
    writeText(folder, 'a', 'mine')
    put({ b: 'theirs' })
    expect(await run({ pushes: false })).toMatchObject({ received: ['b'], otherWay: ['a'] })
    expect(remote()).toEqual({ a: '1', b: 'theirs' })
    put({ b: 'again' })
    expect(await run({ pulls: false })).toMatchObject({ sent: ['a'], otherWay: ['b'] })
    expect(local()).toEqual({ a: 'mine', b: 'theirs' })
  })

  it('sends many files at once', async () => {
    const { run, remote, folder, server } = await inStep({ a: '1' })
    server.write = () => Promise.reject(new Error('It was sent alone'))
    for (let index = 0; index < 40; index++) writeText(folder, `many/${index}`, String(index))
    expect(isTrouble(await run())).toBe(false)
    expect(Object.keys(remote())).toHaveLength(41)
    expect(await run()).toMatchObject({ sent: [] })
  })

  it('receives many files at once', async () => {
    const texts = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}`, `${at}`]))
    const { run, local, server } = open({}, texts)
    server.read = () => Promise.reject(new Error('It was read alone'))
    server.readAll = async (take) => {
      for (const [name, text] of Object.entries(texts)) await take(name, bytesOf(text))
    }
    expect(isTrouble(await run())).toBe(false)
    expect(local()).toEqual(texts)
  })

  it('deletes neither here nor there what it cannot see here', async () => {
    const { run, remote, folder } = await inStep({ a: '1', b: '2', 'd/x': '3' })
    rmSync(join(folder, 'a'))
    symlinkSync('b', join(folder, 'a'))
    rmSync(join(folder, 'd'), { recursive: true })
    symlinkSync('.', join(folder, 'd'))
    expect((await run()).skipped).toEqual([
      { name: 'a', reason: 'it is a symbolic link' },
      { name: 'd', reason: 'it is a symbolic link' },
    ])
    expect(remote()).toEqual({ a: '1', b: '2', 'd/x': '3' })
  })

  it('deletes nothing because it is left out from now on', async () => {
    const { run, local, remote, folder } = await inStep({ 'a.log': '1', b: '2' })
    writeText(folder, '.gitignore', '*.log\n')
    await run()
    expect(Object.keys(remote())).toEqual(['a.log', 'b', '.gitignore'])
    expect(Object.keys(local()).toSorted()).toEqual(['.gitignore', 'a.log', 'b'])
  })

  it('does not empty a side without being asked to', async () => {
    const texts = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`f${index}`, 'x']))
    const { run, remote, local, folder, put } = await inStep(texts)
    for (const name of Object.keys(texts)) rmSync(join(folder, name))
    const options = { deletesMany: false }
    await expect(run(options)).rejects.toThrow(
      'Cannot sync: 12 of 12 files would be deleted in the workspace. If that is right, repeat it with --delete-many',
    )
    expect(Object.keys(remote())).toHaveLength(12)
    await run()
    put(texts)
    await run()
    put(Object.fromEntries(Object.keys(texts).map((name) => [name, null])))
    await expect(run(options)).rejects.toThrow('12 of 12 files would be deleted here')
    expect(Object.keys(local())).toHaveLength(12)
  })

  it('is refused when the workspace is younger than what is remembered', async () => {
    const { folder, server } = await inStep({ a: '1', b: '2' })
    const setBack = Object.assign(new FakeServer(folder, null), { workspace: server.workspace })
    await expect(runSync(folder, setBack)).rejects.toThrow(
      'this folder has been in step with version 1 of the workspace, which it never had',
    )
    expect(readTexts(folder).size).toBe(2)
  })

  it.each([false, true])(
    'does nothing with another workspace at the address, whose changes it forgot: %s',
    async (forgets) => {
      const { folder, local } = await inStep({ a: '1', b: '2', c: '3' })
      const another = new FakeServer(folder, null)
      for (const text of ['1', '2', '3']) another.apply(new Map([['other', stored(text)]]))
      if (forgets) another.forget()
      writeText(folder, 'a', 'mine')
      await expect(runSync(folder, another)).rejects.toThrow(
        'this folder has been in step with another workspace',
      )
      expect(local()).toEqual({ a: 'mine', b: '2', c: '3' })
      expect(another.files.size).toBe(1)
    },
  )

  it.each([
    ['the owner', null],
    ['a link', () => true],
  ] as const)('deletes nothing that its access no longer shows, as %s', async (_, waits) => {
    const { run, local, server, put } = await inStep({ a: '1', b: '2', c: '3' }, waits)
    Object.assign(server, { reads: (name: string) => name !== 'a', access: 'less' })
    put({ b: null, d: '4' })
    server.forget()
    const reason = 'what may be read here has changed, and the workspace no longer shows it'
    expect(await run()).toMatchObject({
      deletedHere: [],
      skipped: ['a', 'b'].map((name) => ({ name, reason })),
    })
    put({ c: null })
    expect(await run()).toMatchObject({ deletedHere: ['c'], skipped: [] })
    expect(local()).toEqual({ a: '1', b: '2', d: '4' })
  })

  it('receives what it may read by now', async () => {
    const { run, local, server, put } = await inStep({ a: '1' })
    Object.assign(server, { reads: (name: string) => name === 'a', access: 'less' })
    put({ b: '2' })
    await run()
    Object.assign(server, { reads: () => true, access: 'all' })
    put({ c: '3' })
    expect(await run()).toMatchObject({ received: ['b', 'c'], skipped: [] })
    expect(local()).toEqual({ a: '1', b: '2', c: '3' })
  })

  it('keeps what is deleted while the workspace is listed until the feed has it', async () => {
    const { run, local, put, server, folder } = await inStep({ a: '1', b: '2' })
    let lists = 0
    const [list, write] = [server.list.bind(server), server.write.bind(server)]
    server.list = async () => {
      if (lists++ === 0) put({ b: null })
      return list()
    }
    server.write = async (...args) => {
      server.write = write
      await write(...args)
      return { type: 'changed' }
    }
    writeText(folder, 'a', 'mine')
    expect(await run()).toMatchObject({ deletedHere: [], failed: [] })
    await run()
    expect([lists, local()]).toEqual([1, { a: 'mine' }])
  })

  it('shows a plan without a change of either side or of what is remembered', async () => {
    const { remote, folder, put, server } = await inStep({ a: '1', b: '2', c: '3', d: '4', e: '5' })
    writeText(folder, 'a', 'mine')
    rmSync(join(folder, 'b'))
    put({ c: 'theirs', d: null, e: 'theirs' })
    writeText(folder, 'e', 'mine')
    const before = [readAll(folder), remote()]
    const { plan } = await lookAt(folder, server)
    expect([readAll(folder), remote()]).toEqual(before)
    expect(describePlan(plan)).toEqual([
      'Would send (1):',
      '  "a"',
      'Would receive (1):',
      '  "c"',
      'Would delete in the workspace (1):',
      '  "b"',
      'Would delete here (1):',
      '  "d"',
      'Differ on both sides (1):',
      '  "e"',
    ])
  })

  describe('through a link whose changes wait', () => {
    const all = () => true

    it('sends a file that was changed again and turned down meanwhile', async () => {
      const { run, folder, server } = await inStep({ b: '1' }, all)
      writeText(folder, 'a', 'first')
      await run()
      // The one that goes has the run list what waits, with its version in the draft.
      rmSync(join(folder, 'a'))
      writeText(folder, 'w/a', 'first')
      await run()
      server.decide((name) => name === 'w/a', 'turned_down', String)
      writeText(folder, 'w/a', 'second')
      expect(await run()).toMatchObject({ waiting: ['w/a'], isStale: false })
      expect(server.draft.get('w/a')?.text).toBe('second')
    })

    it('sends a change once, and neither sends nor receives it while it waits', async () => {
      const { run, remote, folder, put, local } = await inStep({ a: '1' }, all)
      writeText(folder, 'a', 'mine')
      expect(await run()).toMatchObject({ waiting: ['a'], sent: [] })
      put({ a: 'theirs' })
      const again = await run()
      expect(again).toMatchObject({ waiting: ['a'], sent: [], received: [], conflicts: [] })
      expect([local(), remote()]).toEqual([{ a: 'mine' }, { a: 'theirs' }])
    })

    it('has the applied content as base after the approval', async () => {
      const { run, remote, folder, server } = await inStep({ a: '1' }, all)
      writeText(folder, 'a', 'mine')
      await run()
      server.decide(all, 'approved', (text) => text)
      expect(describeOutcome(await run(), 'x')).toEqual(['In step with x: nothing to do'])
      expect(remote()).toEqual({ a: 'mine' })
    })

    it('receives what the owner amended', async () => {
      const { run, local, folder, server } = await inStep({ a: '1' }, all)
      writeText(folder, 'a', 'mine')
      await run()
      server.decide(all, 'approved', (text) => `${text}, amended`)
      expect(await run()).toMatchObject({ received: ['a'], conflicts: [] })
      expect(local()).toEqual({ a: 'mine, amended' })
    })

    it.each(['turned_down', 'expired'])(
      'keeps the file after it was %s, until the other is taken',
      async (outcome) => {
        const { run, local, folder, server } = await inStep({ a: '1', b: '2' }, all)
        writeText(folder, 'a', 'mine')
        rmSync(join(folder, 'b'))
        await run()
        server.decide(all, outcome, (text) => text)
        const declined = [
          { name: 'a', reason: outcome },
          { name: 'b', reason: outcome },
        ]
        expect(await run()).toMatchObject({ declined, sent: [], received: [], waiting: [] })
        expect(await run()).toMatchObject({ declined })
        expect(local()).toEqual({ a: 'mine' })
        expect(await run({ take: 'remote' })).toMatchObject({ declined: [] })
        expect(local()).toEqual({ a: '1', b: '2' })
      },
    )

    it('still knows that a deletion waits after the workspace forgot its changes', async () => {
      const { run, folder, server, put, local } = await inStep(
        { a: '1', b: '2' },
        (one) => one === 'a',
      )
      rmSync(join(folder, 'a'))
      await run()
      put({ b: '3' })
      server.forget()
      expect(await run()).toMatchObject({ waiting: ['a'], isStale: false })
      server.decide(all, 'turned_down', (same) => same)
      expect(await run()).toMatchObject({ declined: [{ name: 'a' }] })
      expect(local()).toEqual({ b: '3' })
    })

    it('takes a new file back that is deleted here while it waits', async () => {
      const { run, folder, server } = await inStep({ b: '1' }, all)
      writeText(folder, 'a', 'mine')
      await run()
      rmSync(join(folder, 'a'))
      expect(await run()).toMatchObject({ waiting: [], isStale: false })
      expect(server.draft.get('a')).toBeNull()
      server.forget()
      await run()
      expect(readTexts(folder).has('a')).toBe(false)
    })

    it('sends a file again when it is changed again, before and after a decision', async () => {
      const { run, folder, server } = await inStep({ a: '1' }, all)
      for (const [index, text] of ['one', 'two', 'three'].entries()) {
        writeText(folder, 'a', text)
        expect(await run()).toMatchObject({ waiting: ['a'], conflicts: [] })
        expect(server.draft.get('a')).toMatchObject({ text })
        if (index === 1) server.decide(all, 'turned_down', (same) => same)
      }
    })
  })

  it('still leaves out what a .gitignore did before the workspace changed it', async () => {
    const { run, remote, folder, put } = await inStep({ '.gitignore': 'private\n', a: '1' })
    writeText(folder, 'private', 'mine')
    put({ '.gitignore': '# nothing\n' })
    await run()
    expect(await run()).toMatchObject({ held: ['private'], sent: [] })
    expect(remote()).not.toHaveProperty('private')
    await run({ acceptsRules: true })
    expect(remote()).toHaveProperty('private')
  })

  it('counts a .gitignore that the person changes', async () => {
    const { run, remote, folder, put } = await inStep({ '.gitignore': 'private\n' })
    writeText(folder, 'private', 'mine')
    put({ '.gitignore': '# nothing\n' })
    await run()
    writeText(folder, '.gitignore', '# mine\n')
    await run()
    await run()
    expect(remote()).toHaveProperty('private')
  })
})

it('never receives what is left out here, so that it does not count as deleted', async () => {
  const there = {
    '.env': 'evil',
    'node_modules/x/index.js': 'evil',
    '.git/hooks/pre-commit': 'evil',
    a: '1',
  }
  const { run, local, remote } = open({}, there)
  await run()
  await run()
  expect(local()).toEqual({ a: '1' })
  expect(remote()).toEqual(there)
})

describe('the state file', () => {
  it('is private, and has no secret of a link', async () => {
    const { describeServer } = await import('../scripts/sync/state.ts')
    expect(describeServer('http://h/s/secret-token')).toMatch(
      /^http:\/\/h\/s\/sha256-[0-9a-f]{16}$/,
    )
    const { run, folder } = open({}, { a: '1' })
    await run()
    expect(statSync(join(folder, '.edgewise-sync.json')).mode & 0o777).toBe(0o600)
  })

  it('writes to no place that a link in the folder names', async () => {
    const { run, folder } = open({}, { a: '1' })
    const elsewhere = join(scratch(), 'other')
    writeFileSync(elsewhere, 'mine')
    mkdirSync(join(folder, '.edgewise-sync'))
    symlinkSync(elsewhere, join(folder, '.edgewise-sync/state'))
    await run()
    expect(readFileSync(elsewhere, 'utf8')).toBe('mine')
  })

  it.each(['', '{}', 'null', '{"format":1', '{"format":2}'])(
    'is refused as %j, with what to do',
    async (text) => {
      const { run, folder } = open({}, { a: '1' })
      await run()
      writeFileSync(join(folder, '.edgewise-sync.json'), text)
      await expect(run()).rejects.toThrow(
        'it is damaged or of another release. Remove it to begin again',
      )
    },
  )

  it('remembers a file of any name', async () => {
    const { run, local, put } = open({}, { a: '1' })
    put({ ['__proto__']: '1' })
    await run()
    put({ ['__proto__']: '2' })
    expect(await run()).toMatchObject({ received: ['__proto__'], conflicts: [] })
    expect(Object.entries(local())).toEqual([
      ['__proto__', '2'],
      ['a', '1'],
    ])
  })

  it('names no file outside of the folder', async () => {
    const { run, folder } = open({}, { a: '1' })
    await run()
    const file = join(folder, '.edgewise-sync.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"a"', '"../a"'))
    await expect(run()).rejects.toThrow('it is damaged')
  })
})

it('reports what cannot be placed, and goes on with the others', async () => {
  const { run, local, folder } = open({ 'a/b': '1' }, { a: 'a file', c: '2' })
  mkdirSync(join(folder, 'x'))
  const { failed, received } = await run()
  expect(received).toEqual(['c'])
  expect(failed.map(({ name }) => name)).toEqual(['a', 'a/b'])
  expect(local()).toEqual({ 'a/b': '1', c: '2' })
})

it('receives what its own draft has hidden, once that is decided, also where changes were missed', async () => {
  const { run, put, local, server, folder } = open({ a: 'here' }, {}, (name) => name === 'a')
  expect(await run()).toMatchObject({ waiting: ['a'] })
  put({ a: 'there' })
  server.forget()
  rmSync(join(folder, 'a'))
  expect(await run()).toMatchObject({ waiting: ['a'] })
  server.decide(
    () => true,
    'turned_down',
    (text) => text,
  )
  await run()
  expect(local()).toEqual({ a: 'there' })
})
