/** Shorthand for requests to `/files` of a running product. @module */

import { expect } from 'vitest'
import { ask } from './raw-http.ts'
import type { Server } from './server.ts'

interface Page {
  entries: { name: string }[]
  next: string | null
}

export function createFiles(server: Server) {
  const at = (path: string) => `${server.url}/files${path}`
  const get = (path: string, headers: Record<string, string> = {}) => ask(at(path), { headers })
  const remove = (path: string, headers: Record<string, string> = {}) =>
    ask(at(path), { method: 'DELETE', headers })

  const put = (
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ) => ask(at(path), { method: 'PUT', body, headers })

  /** The text of a file that must be there. */
  async function read(path: string): Promise<string> {
    const response = await get(path)
    expect(response.status, path).toBe(200)
    return response.text()
  }

  /** A page of a folder that must be there. */
  async function list(path: string): Promise<Page> {
    const page: Page = JSON.parse(await read(path))
    return page
  }

  return { at, get, put, remove, read, list }
}
