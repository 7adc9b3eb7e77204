/**
 * Baseline: finding files by a table of paths in a Durable Object and a `GLOB` over all of it.
 * `PUT` replaces the paths, one per line; `POST` takes the glob and returns a page.
 *
 * @module
 */

import { DurableObject } from 'cloudflare:workers'

interface Env {
  readonly BASELINE: DurableObjectNamespace<Baseline>
}

/** Stores and matches the paths. */
export class Baseline extends DurableObject<Env> {
  override async fetch(request: Request): Promise<Response> {
    const text = await request.text()
    return request.method === 'PUT' ? this.#fill(text.split('\n')) : this.#find(text)
  }

  #fill(paths: readonly string[]): Response {
    const { sql } = this.ctx.storage
    sql.exec('DROP TABLE IF EXISTS paths')
    sql.exec('CREATE TABLE paths (path TEXT PRIMARY KEY) WITHOUT ROWID')
    for (const path of paths) sql.exec('INSERT INTO paths VALUES (?)', path)
    return new Response('filled')
  }

  #find(glob: string): Response {
    const query = 'SELECT path FROM paths WHERE path GLOB ? ORDER BY path LIMIT 200'
    const found = this.ctx.storage.sql.exec<{ path: string }>(query, glob).toArray()
    return Response.json({ matches: found.map((row) => row.path) })
  }
}

/** The Worker of this baseline. */
export default {
  fetch(request, { BASELINE }) {
    return BASELINE.get(BASELINE.idFromName('scan')).fetch(request)
  },
} satisfies ExportedHandler<Env>
