/**
 * The least that a stateful Worker can do: hand the request to a Durable Object, which answers the
 * same bytes each time. `PUT` says which bytes.
 *
 * @module
 */

import { DurableObject } from 'cloudflare:workers'

interface Env {
  readonly BASELINE: DurableObjectNamespace<Baseline>
}

export class Baseline extends DurableObject<Env> {
  #answer = ''

  override async fetch(request: Request): Promise<Response> {
    const body = await request.text() // workerd closes a connection whose body nobody reads
    if (request.method === 'PUT') this.#answer = body
    return new Response(this.#answer, { headers: { 'content-type': 'application/json' } })
  }
}

export default {
  fetch(request, { BASELINE }) {
    return BASELINE.get(BASELINE.idFromName('hop')).fetch(request)
  },
} satisfies ExportedHandler<Env>
