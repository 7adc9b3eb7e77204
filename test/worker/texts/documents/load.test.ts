/** Where documents are read: in another place, which is not trusted, or here while it does not answer. */

import { expect, it } from 'vitest'
import { MAX_DOCUMENT_PAGES, MAX_DOCUMENT_TEXT } from '#worker/texts/limits.ts'
import { createExtract } from '#worker/texts/documents/load.ts'
import { makePdf, pageOf } from '../../../support/worker/make-archive.ts'

const PDF = makePdf([{ data: pageOf('here') }])
const HERE = { ok: true, value: { format: 'pdf', text: 'here\n', pages: [1] } }

/** A place that gives one answer, and the requests that it got. */
function placeWith(answer: () => Response | Promise<Response>) {
  const requests: Request[] = []
  const place: Pick<Fetcher, 'fetch'> = {
    fetch: async (input, init) => {
      requests.push(new Request(input, init))
      return answer()
    },
  }
  // The Worker uses no other member of it.
  return { place: place as Fetcher, requests }
}

const endless = () =>
  new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20)),
  })

it('asks the other place, with the bytes and the format', async () => {
  const there = { ok: true, value: { format: 'html', text: 'there\n', pages: [1, 3] } }
  const { place, requests } = placeWith(() => Response.json(there))
  expect(await createExtract(place)(PDF, 'html')).toEqual(there)
  const [request] = requests
  expect(request?.method).toBe('POST')
  expect(new URL(request?.url ?? '').pathname).toBe('/html')
  expect(new Uint8Array((await request?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(PDF)
})

it('takes a reason of the other place', async () => {
  const there = { ok: false, why: 'too_large', detail: 'it takes too long' }
  const { place } = placeWith(() => Response.json(there))
  expect(await createExtract(place)(PDF, null)).toEqual(there)
})

const answerOf = (value: object) => Response.json({ ok: true, value: { format: 'pdf', ...value } })
const MANY_PAGES = Array.from({ length: MAX_DOCUMENT_PAGES + 1 }, () => 1)

it.each([
  ['an error', () => new Response(null, { status: 503 })],
  ['no JSON', () => new Response('<html>')],
  ['no answer', () => Promise.reject(new Error('down'))],
  [
    'an unknown format',
    () => Response.json({ ok: true, value: { format: 'x', text: '', pages: [] } }),
  ],
  ['no text', () => Response.json({ ok: true, value: { format: 'pdf', pages: [1] } })],
  ['no pages', () => Response.json({ ok: true, value: { format: 'pdf', text: '', pages: ['1'] } })],
  ['too much text', () => answerOf({ text: 'x'.repeat(MAX_DOCUMENT_TEXT + 1), pages: [1] })],
  ['too many pages', () => answerOf({ text: '', pages: MANY_PAGES })],
  ['an unknown reason', () => Response.json({ ok: false, why: 'x', detail: '' })],
  ['a list', () => Response.json([])],
  ['an answer without end', () => new Response(endless())],
])('reads here when the other place gives %s', async (_, answer) => {
  expect(await createExtract(placeWith(answer).place)(PDF.slice(), null)).toEqual(HERE)
})

it('reads here without another place', async () => {
  expect(await createExtract(undefined)(PDF.slice(), null)).toEqual(HERE)
})
