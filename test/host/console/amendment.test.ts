/** Amendments of a text: what results, what is counted, and what an approval sends. */

import { diffTexts } from '#core/diff/hunks.ts'
import { applyLineEdits } from '#core/diff/line-edits.ts'
import {
  amend,
  countLines,
  describeAmendment,
  editText,
  hunksFit,
  isAmended,
  isEdited,
  resultOf,
  toggleHunk,
} from '#host/console/amendments/amendment.ts'
import { digestOfText } from '#host/console/amendments/digest.ts'
import { expect, it } from 'vitest'

const middle = 'x\r\n'.repeat(20)
const before = `one\r\n${middle}two\r\n`
const text = `ONE\r\n${middle}TWO`
const { hunks } = diffTexts(before, text)

it('leaves out a hunk, and takes it again', () => {
  const start = amend(text, hunks)
  expect(isAmended(start)).toBe(false)
  const [without] = [toggleHunk(start, 0)]
  expect(resultOf(without)).toBe(`one\r\n${middle}TWO`)
  expect(resultOf(toggleHunk(without, 1))).toBe(before)
  expect(isAmended(without)).toBe(true)
  expect(isEdited(without)).toBe(false)
  expect(countLines(without)).toEqual({ added: 1, removed: 1, hunks: 1 })
  expect(isAmended(toggleHunk(without, 0))).toBe(false)
})

it('leaves out hunks of an edited text', () => {
  const edited = editText(text, before, `ONE and a half\r\n${middle}TWO\r\n`)
  expect(isEdited(edited)).toBe(true)
  expect(resultOf(toggleHunk(edited, 1))).toBe(`ONE and a half\r\n${middle}two\r\n`)
})

it('is sent as edits of the proposed lines, with the hash of all bytes', async () => {
  const amendment = toggleHunk(amend(text, hunks), 1)
  const { path, edits, hash } = await describeAmendment('/a', amendment)
  expect(path).toBe('/a')
  expect(edits).toEqual([{ at: 22, remove: 1, insert: 'two\r\n' }])
  expect(applyLineEdits(text, edits)).toEqual({ ok: true, value: resultOf(amendment) })
  expect(hash).toBe(await digestOfText(resultOf(amendment)))
})

it('replaces everything where there would be too many edits', async () => {
  const old = 'a\nb\n'.repeat(6_000)
  const next = 'c\nb\n'.repeat(6_000)
  const { edits } = await describeAmendment('/a', editText(old, '', next))
  expect(edits).toEqual([{ at: 1, remove: 12_000, insert: next }])
})

it('names the bytes as SHA-256 does', async () => {
  expect(await digestOfText('')).toMatch(/^e3b0c44298fc1c149afbf4c8996fb924.{32}$/)
})

it('finds hunks that lead to another text', () => {
  expect(hunksFit(hunks, text)).toBe(true)
  expect(hunksFit(hunks, text.replaceAll('\r', ''))).toBe(false)
  expect(hunksFit(hunks, '')).toBe(false)
})
