/**
 * A folder of 1,000 files by WebDAV, beside the same folder as JSON: what the properties and the XML cost.
 *
 * @module
 */

import type { Figure } from '../../scripts/figure.ts'
import { encodeRequest } from '../http.ts'
import { latency, type Target } from '../load.ts'
import { flatFolder } from '../many-files.ts'
import { interleave } from '../median.ts'
import type { Context, Row } from '../row.ts'
import { importTar } from '../upload.ts'
import type { Server } from '../workerd.ts'

const FILES = 1_000
const FOLDER = 'listed'
const MARKER = 'file-000999.txt'

/** The rows of WebDAV. */
export const rows: Row[] = [
  {
    name: 'propfind',
    goal: 'reported',
    limit:
      'Each file is read as a row in both; PROPFIND looks its hash up, and writes six times the text.',
    run: compare,
  },
]

async function compare(context: Context): Promise<Figure[]> {
  const { rounds, requests } = context.scale
  const server = await context.product('propfind')
  await importTar(server, flatFolder(FOLDER, FILES))
  const [dav, json] = [propfind(server, await linkTo(server)), listing(server)]
  const measured = await interleave(rounds, {
    edgewise: () => latency(dav, requests),
    json: () => latency(json, requests),
  })
  const work = `PROPFIND of ${FILES.toLocaleString('en-US')} files`
  const baseline = { name: 'the same as JSON', value: measured.json }
  return [{ work, unit: 'ms', edgewise: measured.edgewise, baseline }]
}

function propfind({ port }: Server, password: string): Target {
  const authorization = `Basic ${Buffer.from(`bench:${password}`).toString('base64')}`
  const headers = { authorization, depth: '1' }
  const request = encodeRequest({ method: 'PROPFIND', path: `/dav/${FOLDER}`, headers })
  return { name: 'Edgewise', port, request: () => request, marker: MARKER, status: 207 }
}

function listing({ port }: Server): Target {
  const path = `/files/${FOLDER}?limit=${FILES}`
  const request = encodeRequest({ method: 'GET', path, headers: {} })
  return { name: 'Edgewise as JSON', port, request: () => request, marker: MARKER }
}

/** Has the owner make a link, and returns its part that is a password. */
async function linkTo(server: Server): Promise<string> {
  const answer = await fetch(server.url('/sessions'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ label: 'bench', ttl_seconds: 3600 }),
  })
  const password = /\/s\/([^/"]+)\/mcp/.exec(await answer.text())?.[1]
  if (password === undefined) throw new Error(`No link was made: ${answer.status}`)
  return password
}
