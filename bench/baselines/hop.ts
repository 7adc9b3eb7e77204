/**
 * Baseline: the minimum of a stateful Worker. The request is forwarded to a Durable Object, which
 * returns the same bytes each time. `PUT` sets the bytes.
 *
 * @module
 */

import { DurableObject } from 'cloudflare:workers'

interface Env {
  readonly BASELINE: DurableObjectNamespace<Baseline>
}

/** Stores and returns the bytes. */
export class Baseline extends DurableObject<Env> {
  #answer = ''

  override async fetch(request: Request): Promise<Response> {
    const body = await request.text() // workerd closes a connection if the body is not read
    if (request.method === 'PUT') this.#answer = body
    return new Response(this.#answer, { headers: { 'content-type': 'application/json' } })
  }
}

/** The Worker of this baseline. */
export default {
  fetch(request, { BASELINE }) {
    return BASELINE.get(BASELINE.idFromName('hop')).fetch(request)
  },
} satisfies ExportedHandler<Env>
