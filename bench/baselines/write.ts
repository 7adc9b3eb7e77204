/**
 * Baseline: the minimum of a write. The request is forwarded to a Durable Object, which writes one
 * row to its SQLite table and responds when that is on disk. The path is the size of the row in
 * bytes.
 *
 * @module
 */

import { DurableObject } from 'cloudflare:workers'

interface Env {
  readonly BASELINE: DurableObjectNamespace<Baseline>
}

/** Writes the rows. */
export class Baseline extends DurableObject<Env> {
  #writes = 0

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, content BLOB)')
  }

  override fetch(request: Request): Response {
    const content = new Uint8Array(Number(new URL(request.url).pathname.slice(1)))
    new DataView(content.buffer).setUint32(0, ++this.#writes)
    this.ctx.storage.sql.exec('INSERT INTO rows (content) VALUES (?)', content)
    return new Response('written')
  }
}

/** The Worker of this baseline. */
export default {
  fetch(request, { BASELINE }) {
    return BASELINE.get(BASELINE.idFromName('write')).fetch(request)
  },
} satisfies ExportedHandler<Env>
