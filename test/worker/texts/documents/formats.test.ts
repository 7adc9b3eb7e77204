/**
 * Documents of several programs (`test/documents/make.py` made them): nearly every word that another program reads in one
 * is in its text, and as often.
 */

import { readFile, readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { textFormat } from '#worker/texts/sniff.ts'
import { textOf } from '../../../support/worker/extracted.ts'

const FOLDER = new URL('../../../documents/made/', import.meta.url)

const names = (await readdir(FOLDER)).filter((name) => !name.endsWith('.txt'))

/** Counts the words of a text. A list's numbers and bullets are no words of it. */
function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [])
    counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

it('there are at least forty', () => {
  expect(names.length).toBeGreaterThanOrEqual(40)
})

it.each(names)('%s', async (name) => {
  const text = await textOf(await readFile(new URL(name, FOLDER)), textFormat(name))
  const judge = new TextDecoder().decode(await readFile(new URL(`${name}.txt`, FOLDER)))
  const [found, expected] = [countWords(text), countWords(judge)]
  let [all, missing] = [0, 0]
  for (const [word, count] of expected) {
    all += count
    missing += Math.max(0, count - (found.get(word) ?? 0))
  }
  expect(all).toBeGreaterThan(20)
  expect(missing / all, `${missing} of ${all} words are missing`).toBeLessThanOrEqual(0.02)
})
