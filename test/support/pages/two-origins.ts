/**
 * A site on two origins of this machine: `http://localhost` and `http://127.0.0.1` are different origins of the same
 * server, and both are secure contexts.
 *
 * @module
 */

import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { afterAll, beforeAll } from 'vitest'

export interface Site {
  readonly origin: string
  /** The same pages from another origin. */
  readonly other: string
}

/** A page by its path: all of it or what the site takes for it, and its headers. */
export type Pages = Readonly<
  Record<
    string,
    string | { readonly html: string; readonly headers?: Readonly<Record<string, string>> }
  >
>

/** Serves a site while the tests of a file run. `prepare` returns what answers its requests. */
export function useTwoOrigins(prepare: () => Promise<RequestListener>): Site {
  let server: Server | undefined
  let port = 0
  beforeAll(async () => {
    server = createServer(await prepare()).listen(0)
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('A server has a port')
    port = address.port
  })
  afterAll(() => {
    server?.closeAllConnections()
    server?.close()
  })
  return {
    get origin() {
      return `http://localhost:${port}`
    },
    get other() {
      return `http://127.0.0.1:${port}`
    },
  }
}
