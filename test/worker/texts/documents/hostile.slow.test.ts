/** Large documents that are made to do harm: they are refused within their budgets, in seconds. */

import { expect, it } from 'vitest'
import { MAX_PDF_BYTES, MAX_PICTURE_BYTES } from '#worker/texts/limits.ts'
import { deflate, makePdf } from '../../../support/worker/make-archive.ts'
import { extract } from '../../../support/worker/extracted.ts'

const MIB = 1024 * 1024

/** Time for which a single document takes the processor, on a machine with other work. */
const MOST_MS = 90_000

it.each(['stream ', 'stream\nx\x9c\x00\x01\x00 ', 'stream\nx\x9c\x03\x00 '])(
  'a PDF of streams without an end: %j',
  async (unit) => {
    const text = `%PDF-1.7 ${unit.repeat(MAX_PDF_BYTES / 16)}`
    const start = performance.now()
    const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0))
    const { found, turns } = await extract(bytes)
    expect(found).toMatchObject({ ok: false, why: 'too_large' })
    expect(turns).toBeGreaterThan(100)
    expect(performance.now() - start).toBeLessThan(MOST_MS)
  },
)

it('a PDF of pictures that are decompressed to too much together', async () => {
  const data = await deflate(new Uint8Array(23 * MIB), 'deflate')
  const picture = { dictionary: '/Subtype /Image /Filter /FlateDecode', data }
  const count = Math.ceil(MAX_PICTURE_BYTES / (23 * MIB))
  const { found, turns } = await extract(makePdf(Array.from({ length: count }, () => picture)))
  expect(found).toMatchObject({ ok: false, why: 'too_large' })
  expect(turns).toBeGreaterThanOrEqual(count - 1)
})
