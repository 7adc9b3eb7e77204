import { applyPatch } from 'diff'
import fc from '../../support/core/random.ts'
import { describe, expect, it } from 'vitest'
import { diffTexts } from '#core/diff/hunks.ts'
import { printUnified, quoteName, type FileDiff } from '#core/diff/unified.ts'
import { runs } from '../../support/core/runs.ts'

const { hunks } = diffTexts('a\n', 'b\n')
const printed = (file: Partial<FileDiff>) =>
  printUnified([{ from: '/x', to: '/x', binary: false, hunks: [], ...file }])

const BODY = '@@ -1 +1 @@\n-a\n+b\n'

describe('printUnified', () => {
  it.each<[string, Partial<FileDiff>, string]>([
    ['a change', { hunks }, `--- a/x\n+++ b/x\n${BODY}`],
    ['no change', {}, ''],
    ['no file', { from: null, to: null }, ''],
    [
      'a new file',
      { from: null, hunks: diffTexts('', 'b\nc').hunks },
      'diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n' +
        '@@ -0,0 +1,2 @@\n+b\n+c\n\\ No newline at end of file\n',
    ],
    ['a new empty file', { from: null }, 'diff --git a/x b/x\nnew file mode 100644\n'],
    [
      'a deleted file',
      { to: null, hunks: diffTexts('a\n', '').hunks },
      'diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n',
    ],
    ['a deleted empty file', { to: null }, 'diff --git a/x b/x\ndeleted file mode 100644\n'],
    [
      'a move',
      { from: '/x', to: '/d/y' },
      'diff --git a/x b/d/y\nsimilarity index 100%\nrename from x\nrename to d/y\n',
    ],
    [
      'a move with changes',
      { from: '/x', to: '/y', hunks },
      `diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n+++ b/y\n${BODY}`,
    ],
    [
      'other bytes',
      { binary: true },
      'diff --git a/x b/x\nold mode 100644\nnew mode 100644\nBinary files a/x and b/x differ\n',
    ],
    [
      'new bytes',
      { from: null, binary: true },
      'diff --git a/x b/x\nnew file mode 100644\nBinary files /dev/null and b/x differ\n',
    ],
    [
      'deleted bytes',
      { to: null, binary: true },
      'diff --git a/x b/x\ndeleted file mode 100644\nBinary files a/x and /dev/null differ\n',
    ],
    [
      'a new executable file',
      { from: null, executable: { before: false, after: true } },
      'diff --git a/x b/x\nnew file mode 100755\n',
    ],
    [
      'a deleted executable file',
      { to: null, executable: { before: true, after: false } },
      'diff --git a/x b/x\ndeleted file mode 100755\n',
    ],
    [
      'a change that makes a file executable',
      { hunks, executable: { before: false, after: true } },
      `diff --git a/x b/x\nold mode 100644\nnew mode 100755\n--- a/x\n+++ b/x\n${BODY}`,
    ],
    [
      'a change of an executable file',
      { hunks, executable: { before: true, after: true } },
      `--- a/x\n+++ b/x\n${BODY}`,
    ],
    [
      'other bytes of an executable file',
      { binary: true, executable: { before: true, after: true } },
      'diff --git a/x b/x\nold mode 100755\nnew mode 100755\nBinary files a/x and b/x differ\n',
    ],
    [
      'a move that makes a file executable',
      { from: '/x', to: '/y', executable: { before: false, after: true } },
      'diff --git a/x b/y\nold mode 100644\nnew mode 100755\nsimilarity index 100%\nrename from x\nrename to y\n',
    ],
    ['a name with a space', { from: 'a b', to: 'a b', hunks }, `--- a/a b\t\n+++ b/a b\t\n${BODY}`],
    [
      'a name beyond ASCII',
      { from: '/é "', to: '/x', hunks },
      `diff --git "a/\\303\\251 \\"" b/x\nrename from "\\303\\251 \\""\nrename to x\n` +
        `--- "a/\\303\\251 \\""\t\n+++ b/x\n${BODY}`,
    ],
  ])('%s', (_, file, expected) => {
    expect(printed(file)).toBe(expected)
  })

  it('prints files in their order', () => {
    const file = { from: 'a', to: 'a', binary: false, hunks }
    const other = { ...file, from: 'b', to: 'b' }
    expect(printUnified([file, other])).toBe(printUnified([file]) + printUnified([other]))
    expect(printUnified([])).toBe('')
  })

  it('keeps carriage returns and lines that look like headers', () => {
    const odd = diffTexts('-- a\r\n', '++ b\r\n@@ c').hunks
    expect(printed({ hunks: odd })).toContain(
      '@@ -1 +1,2 @@\n--- a\r\n+++ b\r\n+@@ c\n\\ No newline at end of file\n',
    )
  })
})

describe('quoteName', () => {
  it.each([
    ['a/b.txt', 'a/b.txt'],
    ["a b!#$%&'()*+,-;=@[]^_`{|}~", "a b!#$%&'()*+,-;=@[]^_`{|}~"],
    [' a', '" a"'],
    ['a ', '"a "'],
    ['"', '"\\""'],
    ['a\\b', '"a\\\\b"'],
    ['\u0007\b\t\n\v\f\r', '"\\a\\b\\t\\n\\v\\f\\r"'],
    ['\u0001\u001f\u007f', '"\\001\\037\\177"'],
    ['é', '"\\303\\251"'],
    ['\u0800\uffff', '"\\340\\240\\200\\357\\277\\277"'],
    ['😀', '"\\360\\237\\230\\200"'],
    ['\ud83d', '"\\357\\277\\275"'],
  ])('%j is written as %s', (name, expected) => {
    expect(quoteName(name)).toBe(expected)
  })
})

it('the printed patch is applied by another library', () => {
  const line = fc.constantFrom(
    '',
    'a',
    'b',
    '-- a',
    '+',
    '\\ No newline at end of file',
    '@@ -1 +1 @@',
    'é',
  )
  const text = fc.tuple(fc.array(line, { maxLength: 20 }), fc.constantFrom('', '\n'))
  const texts = text.map(([lines, end]) => lines.join('\n') + end)
  const law = fc.property(texts, texts, (old, next) => {
    const patch = printed({ hunks: diffTexts(old, next).hunks })
    expect(patch === '' ? old : applyPatch(old, patch, { autoConvertLineEndings: false })).toBe(
      next,
    )
  })
  fc.assert(law, runs(300))
})
