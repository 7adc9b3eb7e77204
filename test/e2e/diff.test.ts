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

const RUNS = { numRuns: 40 }

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

function expectPatched(old: Tree, next: Tree, moves: readonly Move[], folder: string): void {
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

describe('a patch', () => {
  const folder = () => join(scratch(), 'files')

  it('changes a file', () => {
    const at = folder()
    fc.assert(
      fc.property(text, text, (old, next) => {
        expectPatched({ x: old }, { x: next }, [stays('x')], at)
      }),
      { ...RUNS, examples: [['', 'a'], ['a\n', '']] }, // oxfmt-ignore
    )
  })

  it('changes a file of any name', () => {
    const at = folder()
    fc.assert(
      fc.property(name, (each) => {
        expectPatched({ [each]: 'a\nb\n' }, { [each]: 'a\nc\n' }, [stays(each)], at)
      }),
      RUNS,
    )
  })

  it('creates and deletes files, empty ones too', () => {
    const at = folder()
    fc.assert(
      fc.property(name, text, (each, content) => {
        const other = { 'other file': 'x\n' }
        const made = { ...other, [each]: content }
        expectPatched(other, made, [{ from: null, to: each }], at)
        expectPatched(made, other, [{ from: each, to: null }], at)
      }),
      RUNS,
    )
  })

  it('moves files, changed or not', () => {
    const at = folder()
    fc.assert(
      fc.property(name, name, text, text, (from, to, old, next) => {
        fc.pre(!`${from}/`.startsWith(`${to}/`) && !`${to}/`.startsWith(`${from}/`))
        expectPatched({ [from]: old }, { [to]: old }, [{ from, to }], at)
        expectPatched({ [from]: old }, { [to]: next }, [{ from, to }], at)
      }),
      RUNS,
    )
  })

  it('does several things at once', () => {
    const old = { a: 'a\n', b: 'b\nb\n', 'c/d': 'c\r\n' }
    const next = { a: 'A', e: 'e\n', 'f/d': 'c\n' }
    const moves = [stays('a'), { from: 'b', to: null }, { from: null, to: 'e' }, { from: 'c/d', to: 'f/d' }] // oxfmt-ignore
    expectPatched(old, next, moves, folder())
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
