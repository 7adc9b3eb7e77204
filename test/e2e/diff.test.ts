/** The unified form: `git apply` and `patch` make of it what was meant. @module */

import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from '../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import { diffTexts } from '#core/diff/hunks.ts'
import { printUnified, type FileDiff } from '#core/diff/unified.ts'
import { contentsOf, scratch } from '../support/e2e/folder.ts'

/** Files by their names, which begin without a slash. */
type Tree = Readonly<Record<string, string>>

interface Move {
  readonly from: string | null
  readonly to: string | null
}

/** Patches that one start of a program applies; the start takes longer than they do. */
const TOGETHER = 10

const RUNS = { numRuns: 4 }

function program(name: string, args: readonly string[], folder: string, input: string): void {
  // There may be a repository above the temporary folder.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder), LC_ALL: 'C.UTF-8' }
  const { status, stdout, stderr } = spawnSync(name, args, { cwd: folder, input, env })
  expect(status, `${stderr.toString()}${stdout.toString()}\n${input}`).toBe(0)
}

const git = (folder: string, patch: string) =>
  program('git', ['apply', '--whitespace=nowarn', '-'], folder, patch)

const gnu = (folder: string, patch: string) =>
  program('patch', ['-p1', '--force', '--no-backup-if-mismatch', '--fuzz=0'], folder, patch)

const hasPatch = spawnSync('patch', ['--version']).status === 0

function fill(folder: string, files: Tree): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

function filesIn(folder: string): Tree {
  const files = contentsOf(folder).filter(({ name }) => !name.endsWith('/'))
  return Object.fromEntries(files.map(({ name, bytes }) => [name, bytes.toString()]))
}

/** Returns the patch from one tree to another. */
function patchOf(old: Tree, next: Tree, moves: readonly Move[]): string {
  return printUnified(
    moves.map(({ from, to }): FileDiff => {
      const before = from === null ? '' : (old[from] ?? '')
      const after = to === null ? '' : (next[to] ?? '')
      return { from, to, binary: false, hunks: diffTexts(before, after).hunks }
    }),
  )
}

const stays = (name: string): Move => ({ from: name, to: name })

/** What one patch has to do. */
interface Change {
  readonly old: Tree
  readonly next: Tree
  readonly moves: readonly Move[]
}

/** Puts each change but the first into a folder of its own, so that they do not meet. */
function joined(changes: readonly Change[]): Change {
  const placed = changes.map(({ old, next, moves }, index) => {
    const put = (name: string) => (index === 0 ? name : `${index}/${name}`)
    const tree = (files: Tree) =>
      Object.fromEntries(Object.entries(files).map(([name, content]) => [put(name), content]))
    const move = ({ from, to }: Move): Move => ({
      from: from === null ? null : put(from),
      to: to === null ? null : put(to),
    })
    return { old: tree(old), next: tree(next), moves: moves.map(move) }
  })
  return {
    old: Object.assign({}, ...placed.map(({ old }) => old)),
    next: Object.assign({}, ...placed.map(({ next }) => next)),
    moves: placed.flatMap(({ moves }) => moves),
  }
}

function expectPatched(changes: readonly Change[], folder: string): void {
  const { old, next, moves } = joined(changes)
  const patch = patchOf(old, next, moves)
  for (const apply of hasPatch ? [git, gnu] : [git]) {
    if (patch === '') continue
    fill(folder, old)
    apply(folder, patch)
    expect(filesIn(folder), `${apply.name}\n${patch}`).toEqual(next)
  }
}

const line = fc.constantFrom(
  ...['', 'a', 'b', ' ', '\ta', 'a\r', '\r', 'a\rb', 'é', '😀', '\u2028', 'the quick brown fox'],
  ...['-- a', '++ b', '@@ -1 +1 @@', '\\ No newline at end of file', 'diff --git a/x b/x'],
)
const text = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
  .map(([lines, ends]) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : ''))

const name = fc.oneof(
  fc.constantFrom('a', 'a b', 'd/e f/g', 'é/ü', '"q"', "it's", ' x ', 'a\tb', '😀', '-p', 'a b/ b'),
  fc.stringMatching(/^[a-z "'#$%&é]{1,8}$/).filter((each) => each.trim() !== ''),
)

const several = <T>(one: fc.Arbitrary<T>) =>
  fc.array(one, { minLength: TOGETHER, maxLength: TOGETHER })

describe('a patch', () => {
  const folder = () => join(scratch(), 'files')

  it('changes a file', () => {
    const at = folder()
    const pairs = several(fc.tuple(text, text))
    fc.assert(
      fc.property(pairs, (each) => {
        const changes = each.map(([old, next]) => ({
          old: { x: old },
          next: { x: next },
          moves: [stays('x')],
        }))
        expectPatched(changes, at)
      }),
      { ...RUNS, examples: [[[['', 'a'], ['a\n', '']]]] }, // oxfmt-ignore
    )
  })

  it('changes a file of any name', () => {
    const at = folder()
    fc.assert(
      fc.property(several(name), (names) => {
        const changes = names.map((each) => ({
          old: { [each]: 'a\nb\n' },
          next: { [each]: 'a\nc\n' },
          moves: [stays(each)],
        }))
        expectPatched(changes, at)
      }),
      RUNS,
    )
  })

  it('creates and deletes files, empty ones too', () => {
    const at = folder()
    const other = { 'other file': 'x\n' }
    fc.assert(
      fc.property(several(fc.tuple(name, text)), (files) => {
        const made = files.map(([each, content]) => ({
          old: other,
          next: { ...other, [each]: content },
          moves: [{ from: null, to: each }],
        }))
        const deleted = files.map(([each, content]) => ({
          old: { ...other, [each]: content },
          next: other,
          moves: [{ from: each, to: null }],
        }))
        expectPatched(made, at)
        expectPatched(deleted, at)
      }),
      RUNS,
    )
  })

  it('moves files, changed or not', () => {
    const at = folder()
    const apart = fc
      .tuple(name, name, text, text)
      .filter(([from, to]) => !`${from}/`.startsWith(`${to}/`) && !`${to}/`.startsWith(`${from}/`))
    fc.assert(
      fc.property(several(apart), (files) => {
        const moved = files.map(([from, to, old]) => ({
          old: { [from]: old },
          next: { [to]: old },
          moves: [{ from, to }],
        }))
        const changed = files.map(([from, to, old, next]) => ({
          old: { [from]: old },
          next: { [to]: next },
          moves: [{ from, to }],
        }))
        expectPatched(moved, at)
        expectPatched(changed, at)
      }),
      RUNS,
    )
  })

  it('does several things at once', () => {
    const old = { a: 'a\n', b: 'b\nb\n', 'c/d': 'c\r\n' }
    const next = { a: 'A', e: 'e\n', 'f/d': 'c\n' }
    const moves = [stays('a'), { from: 'b', to: null }, { from: null, to: 'e' }, { from: 'c/d', to: 'f/d' }] // oxfmt-ignore
    expectPatched([{ old, next, moves }], folder())
  })

  it('makes files executable, with their lines or without', () => {
    const at = folder()
    const executable = { before: false, after: true }
    const lines = diffTexts('a\n', 'b\n').hunks
    const file = { from: 'x', to: 'x', binary: false, hunks: [], executable }
    const patch = printUnified([
      file,
      { ...file, from: 'y', to: 'y', hunks: lines },
      { ...file, from: null, to: 'new', hunks: diffTexts('', 'b\n').hunks },
      { ...file, from: 'moved', to: 'to' },
      { ...file, from: 'z', to: 'z', hunks: lines, executable: { before: false, after: false } },
    ])
    for (const apply of hasPatch ? [git, gnu] : [git]) {
      fill(at, { x: 'a\n', y: 'a\n', z: 'a\n', moved: 'a\n' })
      apply(at, patch)
      expect(filesIn(at), apply.name).toEqual({
        x: 'a\n',
        y: 'b\n',
        z: 'b\n',
        new: 'b\n',
        to: 'a\n',
      })
      const found = contentsOf(at).filter((each) => each.executable)
      expect(
        found.map(({ name }) => name),
        apply.name,
      ).toEqual(['new', 'to', 'x', 'y'])
    }
  })

  it('changes a file after one that has no lines', () => {
    const old = { from: 'x', a: 'a\n' }
    const next = { to: 'x', empty: '', a: 'b\n' }
    const moves = [{ from: 'from', to: 'to' }, { from: null, to: 'empty' }, stays('a')]
    expectPatched([{ old, next, moves }], folder())
  })

  it('with other bytes is refused by git entirely', () => {
    const at = folder()
    const bytes = { from: 'x', to: 'x', binary: true, hunks: [] }
    const lines = { from: 'y', to: 'y', binary: false, hunks: diffTexts('a', 'b').hunks }
    for (const files of [[bytes], [bytes, lines], [lines, bytes]]) {
      fill(at, { x: 'a', y: 'a' })
      const { status, stderr } = spawnSync('git', ['apply', '-'], {
        cwd: at,
        input: printUnified(files),
      })
      expect(stderr.toString()).toMatch(/cannot apply binary patch to 'x'/)
      expect(status).toBe(1)
      expect(filesIn(at)).toEqual({ x: 'a', y: 'a' })
    }
  })
})
