/**
 * The page of an app from a template, against the page of an app that is a file of the same bytes.
 *
 * @module
 */

import { z } from 'zod'
import { latency, once, type Target } from '../load.ts'
import { interleave } from '../median.ts'
import type { Row } from '../row.ts'
import { put } from '../upload.ts'
import { startSite } from '../site.ts'
import { modern } from '../wire.ts'
import { startWorkerd, stop, type Server } from '../workerd.ts'
import { ASSETS_FOLDER } from '../../scripts/built.ts'

/** The row of the page of a template. */
export const rows: Row[] = [
  {
    name: 'app-page',
    goal: 'at most 1.1 times an equal page that is a file',
    limit:
      'The bytes of the page, as JSON. It is filled once for a manifest; then the hashes of the folder are compared.',
    async run(context) {
      const site = await startSite(ASSETS_FOLDER, {})
      const worker = { ...(await context.worker(null)), assets: site.port }
      const server = await startWorkerd('app-page', worker)
      const filled = await approve(server, 'filled', 'app.json', MANIFEST)
      const { body } = await once(filled)
      const { result } = Read.parse(JSON.parse(body.toString()))
      const file = await approve(server, 'file', 'index.html', result.contents[0].text)
      const { rounds, requests } = context.scale
      const measured = await interleave(rounds, {
        filled: () => latency(filled, requests),
        file: () => latency(file, requests),
      })
      await stop(server)
      site.stop()
      return [
        {
          work: 'resources/read, the page of an app from a template',
          unit: 'ms',
          edgewise: measured.filled,
          baseline: { name: 'the same page as a file', value: measured.file },
          goal: { ratioAtMost: 1.1 },
        },
      ]
    },
  },
]

const MANIFEST = JSON.stringify({ template: 'kanban', data: ['board.md'], title: 'A board' })

const Read = z.object({
  result: z.object({ contents: z.tuple([z.object({ text: z.string() })]) }),
})

const Review = z.object({ revision: z.string() })

/** Writes the file of an app and approves it. */
async function approve(server: Server, name: string, file: string, body: string): Promise<Target> {
  await put(server, `/files/.apps/${name}/${file}`, body)
  const { revision } = Review.parse(await (await fetch(server.url(`/apps/${name}`))).json())
  const { origin } = new URL(server.url('/'))
  const answer = await fetch(server.url(`/apps/${name}/approve`), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ revision }),
  })
  if (!answer.ok) throw new Error(`The app ${name} was not approved: ${await answer.text()}`)
  const request = () => modern('resources/read', { uri: `ui://default/${name}` })
  return { name, port: server.port, request, marker: '<title>A board</title>' }
}
