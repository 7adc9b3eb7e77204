/**
 * Baseline: the minimum of an object with data. The path is the name of the object, which has one table with one row.
 * `PUT` writes the row; any other request reads it.
 *
 * @module
 */

import { DurableObject } from 'cloudflare:workers'

interface Env {
  readonly BASELINE: DurableObjectNamespace<Baseline>
}

/** Keeps the row. */
export class Baseline extends DurableObject<Env> {
  override async fetch(request: Request): Promise<Response> {
    const { sql } = this.ctx.storage
    const text = await request.text()
    if (request.method !== 'PUT')
      return new Response(sql.exec<{ content: string }>('SELECT content FROM rows').one().content)
    sql.exec('CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, content TEXT)')
    sql.exec('INSERT OR REPLACE INTO rows VALUES (1, ?)', text)
    return new Response('kept')
  }
}

/** The Worker of this baseline. */
export default {
  fetch(request, { BASELINE }) {
    return BASELINE.get(BASELINE.idFromName(new URL(request.url).pathname)).fetch(request)
  },
} satisfies ExportedHandler<Env>
